/** Injects faults: selects the active faults that affect a request, and changes its response or its transmission. */
import { type ServerResponse, STATUS_CODES } from "node:http";
import { setTimeout } from "node:timers/promises";
import { z } from "zod";
import { type OperationName, operations } from "../provider/api";
import { type StoredIncidentUpdate } from "./data";
import { headerName, HttpError, type HttpResponse, send } from "./http";
import { parseInput } from "./store";

const count = z.int().min(1);
const milliseconds = z.number().min(0);
const httpStatus = z.int().min(200).max(599);
/** A header's value may contain every character that Node sends. */
const headers = z.record(z.string().regex(headerName), z.string().regex(/^[\t\x20-\x7e\x80-\xff]*$/));
const inResponse = { applied: z.boolean().default(true) };
const beforeService = { applied: z.boolean().default(false) };

const operation = z.enum(Object.values(operations).map(({ name }) => name));

/** Selects the requests that a fault affects: in order, all that match but the first `skip`, at most `times`. */
const when = {
  operation: operation
    .optional()
    .describe("A single operation. Default: all operations (for `lateVisibility`, all writes)."),
  account: z.string().optional().describe("Requests with this account ID. Default: all requests."),
  skip: z
    .int()
    .min(0)
    .default(0)
    .describe("Number of matching requests that pass before the fault takes effect. Default: 0."),
  times: count.optional().describe("Maximum number of requests that the fault affects. Default: unlimited."),
};

/** Declares a kind of fault. The reference has its documentation, and the names of its options. */
function fault<Kind extends string, Options extends z.ZodRawShape>(
  kind: Kind,
  doc: string,
  options: Options,
) {
  return z.strictObject({ ...when, kind: z.literal(kind), ...options }).describe(doc);
}

const writes = [
  "createIncidentUpdate",
  "createComponentPageIncidentUpdate",
  "editComponentPageIncidentUpdate",
] as const;

/**
 * The faults that the sandbox can inject, and the requests that they affect. `applied` says whether a write is applied although
 * its response is lost or changed: by default, faults in the response (`drip`, `cut`) apply it, and
 * faults in front of the service don't.
 */
export const faultSchema = z.discriminatedUnion("kind", [
  fault("latency", "Delays the response.", { ms: milliseconds }),
  fault(
    "lateVisibility",
    "Reads return the data that the request writes only after `ms` or after `reads` reads, whichever comes first.",
    { operation: z.enum(writes).optional(), ms: milliseconds.optional(), reads: count.optional() },
  ).refine(({ ms, reads }) => ms !== undefined || reads !== undefined, { error: "ms or reads is missing" }),
  fault("status", "A status, with an error in the service's format, or an HTML page, as from a proxy.", {
    ...beforeService,
    code: httpStatus,
    headers: headers.default({}),
    body: z.enum(["service", "html"]).default("service"),
    message: z.string().default("A fault was requested."),
  }),
  fault(
    "drip",
    "The response in chunks of `bytes` every `everyMs`; `endless` continues with white space forever.",
    {
      ...inResponse,
      bytes: count.default(16),
      everyMs: milliseconds.default(50),
      endless: z.boolean().default(false),
    },
  ),
  fault(
    "cut",
    "The connection closes in the middle of the body, after `afterBytes` bytes. Default: half of the body.",
    { ...inResponse, afterBytes: z.int().min(0).optional() },
  ),
  fault("hang", "No response.", { ...beforeService }),
  fault("reset", "The connection is reset instead of a response.", { ...beforeService }),
  fault("answer", "A raw response, valid or not. Then the connection is closed.", {
    ...beforeService,
    code: z.int().default(200),
    /** Lines such as `Content-Length: 7`. */
    headers: z.array(z.string()).default([]),
    body: z.string().default(""),
    encoding: z.enum(["utf8", "base64"]).default("utf8"),
  }),
]);

/** A fault as it is requested. */
export type FaultInput = z.input<typeof faultSchema>;
/** A fault with its defaults. */
export type Fault = z.output<typeof faultSchema>;
type FaultOf<Kind> = Extract<Fault, { kind: Kind }>;

/** The faults that affect a request. */
export interface MatchedFaults {
  kinds: Fault["kind"][];
  latencyMs: number;
  late: FaultOf<"lateVisibility">[];
  /** Replaces the response: at most one for a request. */
  ending: Exclude<Fault, { kind: "latency" | "lateVisibility" }> | undefined;
}

/** An active fault, how many requests it matched, and how many it affected. */
export interface FaultReport {
  fault: Fault;
  matched: number;
  struck: number;
}

export class Faults {
  #active: FaultReport[] = [];
  /** Updates that reads don't return yet, as with replication lag. */
  readonly #hidden = new Map<
    string,
    { until: number; readsLeft: number; before: StoredIncidentUpdate | undefined }
  >();

  /** Adds faults after the active ones: of those that replace the response, the first one wins. */
  add(...faults: FaultInput[]): void {
    const parsed = parseInput(z.array(faultSchema), faults, "These faults are invalid");
    this.#active.push(...parsed.map((fault) => ({ fault, matched: 0, struck: 0 })));
  }

  /** Removes all faults, and makes every write visible. */
  clear(): void {
    this.#active = [];
    this.#hidden.clear();
  }

  list(): FaultReport[] {
    return this.#active.map((report) => ({ ...report }));
  }

  /** Returns the faults that affect a request, which counts against their limits. */
  match(operation: OperationName, account: string | null): MatchedFaults {
    const matched: MatchedFaults = { kinds: [], latencyMs: 0, late: [], ending: undefined };
    for (const active of this.#active) {
      const { fault } = active;
      const isEnding = fault.kind !== "latency" && fault.kind !== "lateVisibility";
      if (matched.ending !== undefined && isEnding) continue;
      const usual: readonly OperationName[] = fault.kind === "lateVisibility" ? writes : [operation];
      if (!(fault.operation === undefined ? usual : [fault.operation]).includes(operation)) continue;
      if (fault.account !== undefined && fault.account !== account) continue;
      if (!takesEffect(active)) continue;
      matched.kinds.push(fault.kind);
      if (fault.kind === "latency") matched.latencyMs += fault.ms;
      else if (fault.kind === "lateVisibility") matched.late.push(fault);
      else matched.ending = fault;
    }
    return matched;
  }

  /**
   * Hides a write from reads for a time, for a number of reads, or until whichever ends first.
   * @param before What they show instead of an edit.
   */
  hide(
    updateId: string,
    { ms = Infinity, reads = Infinity }: FaultOf<"lateVisibility">,
    before?: StoredIncidentUpdate,
  ): void {
    this.#hidden.set(updateId, { until: performance.now() + ms, readsLeft: reads, before });
  }

  /** Returns the updates that a read shows now. Each call counts as one read. */
  visible(updates: StoredIncidentUpdate[]): StoredIncidentUpdate[] {
    return updates.flatMap((update) => {
      const hidden = this.#hidden.get(update.id);
      if (hidden && performance.now() < hidden.until && hidden.readsLeft-- > 0) return hidden.before ?? [];
      this.#hidden.delete(update.id);
      return update;
    });
  }
}

function takesEffect(active: FaultReport): boolean {
  const { skip, times = Infinity } = active.fault;
  active.matched += 1;
  if (active.matched <= skip || active.struck >= times) return false;
  active.struck += 1;
  return true;
}

/** The response to send, whole or broken by a fault, as the journal records it. */
interface Delivery {
  status: number | null;
  ended: "answered" | "cut" | "hang" | "reset";
  send: (response: ServerResponse) => Promise<void> | void;
}

/** A fault replaces the response, or makes it hang, end early, arrive slowly, or contain bytes that no server sends. */
export function deliveryOf(
  reply: HttpResponse,
  fault: MatchedFaults["ending"],
  closing: AbortSignal,
): Delivery {
  const sent = (other: HttpResponse): Delivery => ({
    status: other.status,
    ended: "answered",
    send: (response) => send(response, other),
  });
  switch (fault?.kind) {
    case undefined:
      return sent(reply);
    case "status":
      return sent(errorStatus(fault));
    case "drip":
      return { ...sent(reply), send: (response) => drip(response, reply, fault, closing) };
    case "cut":
      return { status: reply.status, ended: "cut", send: (response) => cut(response, reply, fault) };
    case "hang":
      return { status: null, ended: "hang", send: () => undefined };
    case "reset":
      return { status: null, ended: "reset", send: reset };
    case "answer":
      return { status: fault.code, ended: "answered", send: (response) => sendRaw(response, fault) };
  }
}

function errorStatus({ code, headers, body, message }: FaultOf<"status">): HttpResponse {
  const { response } = new HttpError(code, message);
  const sent = body === "html" ? htmlResponse(code, `${code} ${message}`) : response;
  return { ...sent, headers: { ...sent.headers, ...headers } };
}

const htmlResponse = (status: number, title: string): HttpResponse => ({
  status,
  headers: { "content-type": "text/html; charset=utf-8" },
  body: `<!doctype html><html><head><title>${title}</title></head><body><h1>${title}</h1><hr>proxy</body></html>\n`,
});

/** Node never releases a socket that is reset while it is closing. */
function reset({ socket }: ServerResponse): void {
  if (socket?.writable) socket.resetAndDestroy();
  else socket?.destroy();
}

function cut(
  response: ServerResponse,
  { status, headers, body }: HttpResponse,
  { afterBytes }: FaultOf<"cut">,
): void {
  const bytes = Buffer.from(body);
  response.writeHead(status, { ...headers, "content-length": bytes.length });
  response.flushHeaders();
  response.write(bytes.subarray(0, afterBytes ?? bytes.length / 2), () => response.destroy());
}

async function drip(
  response: ServerResponse,
  { status, headers, body }: HttpResponse,
  { bytes, everyMs, endless }: FaultOf<"drip">,
  closing: AbortSignal,
): Promise<void> {
  const rest = Buffer.from(body);
  response.writeHead(status, headers);
  for (let sent = 0; (endless || sent < rest.length) && !response.destroyed; sent += bytes) {
    const chunk = rest.subarray(sent, sent + bytes);
    response.write(chunk.length > 0 ? chunk : " ");
    await setTimeout(everyMs, undefined, { signal: closing });
  }
  response.end();
}

function sendRaw(response: ServerResponse, { code, headers, body, encoding }: FaultOf<"answer">): void {
  const head = [`HTTP/1.1 ${code} ${STATUS_CODES[code] ?? "Odd"}`, ...headers, "Connection: close", "", ""];
  response.socket?.write(head.join("\r\n"), "latin1");
  response.socket?.end(Buffer.from(body, encoding));
}
