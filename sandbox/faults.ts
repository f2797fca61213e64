/** Injects faults: selects the active faults that affect a request, and changes its response or the transmission. */
import { type ServerResponse, STATUS_CODES } from "node:http";
import { setTimeout } from "node:timers/promises";
import { z } from "zod";
import { operations } from "../provider/api";
import { type ServedOperation, type StoredIncidentUpdate } from "./data";
import { headerName, HttpError, type HttpResponse, send } from "./http";
import { parseInput } from "./store";

const count = z.int().min(1);
const milliseconds = z.number().min(0);
const httpStatus = z.int().min(200).max(599);
/** Headers of a response. A value may contain every character that Node can send. */
const headers = z.record(z.string().regex(headerName), z.string().regex(/^[\t\x20-\x7e\x80-\xff]*$/));
const inResponse = { applied: z.boolean().default(true) };
const beforeService = { applied: z.boolean().default(false) };

const operation = z.enum(Object.values(operations).map(({ name }) => name));

/** Options that select the requests that a fault affects: the matching requests after the first `skip`, at most `times` of them. */
const when = {
  operation: operation
    .optional()
    .describe(
      "Only requests of this operation. Default: for `lateVisibility`, all operations that write; otherwise, all operations.",
    ),
  account: z
    .string()
    .optional()
    .describe("Only requests for the account with this ID. Default: all accounts."),
  skip: z
    .int()
    .min(0)
    .default(0)
    .describe("Number of matching requests before the first affected request. Default: 0."),
  times: count.optional().describe("Maximum number of affected requests. Default: no limit."),
};

/** Declares a kind of fault. The reference shows its description and the names of its options. */
function fault<Kind extends string, Options extends z.ZodRawShape>(
  kind: Kind,
  doc: string,
  options: Options,
) {
  return z.strictObject({ ...when, kind: z.literal(kind), ...options }).describe(doc);
}

const writes = [
  "openComponentPageIncident",
  "editComponentPageIncident",
  "createIncidentUpdate",
  "createComponentPageIncidentUpdate",
  "editComponentPageIncidentUpdate",
] as const;

/**
 * The faults that the sandbox can inject, and the requests that they affect. `applied` sets whether a write is applied although its
 * response is lost or changed. By default, a write is applied if the fault is in the response (`drip`, `cut`), but not if the fault is in
 * front of the service.
 */
export const faultSchema = z.discriminatedUnion("kind", [
  fault("latency", "Delays the response by `ms` milliseconds.", { ms: milliseconds }),
  fault(
    "lateVisibility",
    "Reads return the written update only after `ms` milliseconds or after `reads` reads, whichever is first.",
    { operation: z.enum(writes).optional(), ms: milliseconds.optional(), reads: count.optional() },
  ).refine(({ ms, reads }) => ms !== undefined || reads !== undefined, { error: "ms or reads is missing" }),
  fault(
    "status",
    "Responds with the status `code` and an error in the service's format, or with an HTML page, as a proxy does.",
    {
      ...beforeService,
      code: httpStatus,
      headers: headers.default({}),
      body: z.enum(["service", "html"]).default("service"),
      message: z.string().default("A fault was requested."),
    },
  ),
  fault(
    "drip",
    "Sends the response in chunks of `bytes` bytes every `everyMs` milliseconds. `endless` continues with white space forever.",
    {
      ...inResponse,
      bytes: count.default(16),
      everyMs: milliseconds.default(50),
      endless: z.boolean().default(false),
    },
  ),
  fault("cut", "Closes the connection after `afterBytes` bytes of the body. Default: half of the body.", {
    ...inResponse,
    afterBytes: z.int().min(0).optional(),
  }),
  fault("hang", "Sends no response.", { ...beforeService }),
  fault("reset", "Resets the connection instead of sending a response.", { ...beforeService }),
  fault("answer", "Sends a raw response, which may be invalid, and closes the connection.", {
    ...beforeService,
    code: z.int().default(200),
    /** Lines such as `Content-Length: 7`. */
    headers: z.array(z.string()).default([]),
    body: z.string().default(""),
    encoding: z.enum(["utf8", "base64"]).default("utf8"),
  }),
]);

/** A fault as it is requested, without defaults. */
export type FaultInput = z.input<typeof faultSchema>;
/** A fault with all defaults filled in. */
export type Fault = z.output<typeof faultSchema>;
type FaultOf<Kind> = Extract<Fault, { kind: Kind }>;

/** The faults that affect a request. */
export interface MatchedFaults {
  kinds: Fault["kind"][];
  latencyMs: number;
  late: FaultOf<"lateVisibility">[];
  /** The fault that replaces the response. At most one fault does for each request. */
  ending: Exclude<Fault, { kind: "latency" | "lateVisibility" }> | undefined;
}

/** An active fault, with the number of requests that it matched and the number that it affected (`struck`). */
export interface FaultReport {
  fault: Fault;
  matched: number;
  struck: number;
}

export class Faults {
  #active: FaultReport[] = [];
  /** Updates that reads don't return yet, to simulate replication lag. */
  readonly #hidden = new Map<
    string,
    { until: number; readsLeft: number; before: StoredIncidentUpdate | undefined }
  >();

  /** Adds faults after the active faults. If several faults would replace a response, only the first of them takes effect. */
  add(...faults: FaultInput[]): void {
    const parsed = parseInput(z.array(faultSchema), faults, "These faults are invalid");
    this.#active.push(...parsed.map((fault) => ({ fault, matched: 0, struck: 0 })));
  }

  /** Removes all faults and makes every write visible to reads. */
  clear(): void {
    this.#active = [];
    this.#hidden.clear();
  }

  list(): FaultReport[] {
    return this.#active.map((report) => ({ ...report }));
  }

  /** Returns the faults that affect a request. The request counts toward their `skip` and `times`. */
  match(operation: ServedOperation, account: string | null): MatchedFaults {
    const matched: MatchedFaults = { kinds: [], latencyMs: 0, late: [], ending: undefined };
    for (const active of this.#active) {
      const { fault } = active;
      const isEnding = fault.kind !== "latency" && fault.kind !== "lateVisibility";
      if (matched.ending !== undefined && isEnding) continue;
      const usual: readonly ServedOperation[] = fault.kind === "lateVisibility" ? writes : [operation];
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
   * Hides a write from reads until the time or the number of reads has passed, whichever is first.
   *
   * @param before The update before an edit, which reads show instead. Undefined for a post.
   */
  hide(
    updateId: string,
    { ms = Infinity, reads = Infinity }: FaultOf<"lateVisibility">,
    before?: StoredIncidentUpdate,
  ): void {
    this.#hidden.set(updateId, { until: performance.now() + ms, readsLeft: reads, before });
  }

  /** Returns the updates that are visible now. Each call is treated as one read. */
  filterVisible(updates: StoredIncidentUpdate[]): StoredIncidentUpdate[] {
    return updates.flatMap(
      (update) => this.#hiding(update.id)?.before ?? (this.#hidden.has(update.id) ? [] : update),
    );
  }

  /** Returns the incidents that a read shows now, in the same way. */
  visibleIncidents<Incident extends { readonly id: string }>(incidents: readonly Incident[]): Incident[] {
    return incidents.filter(({ id }) => !this.#hiding(id));
  }

  /** What hides a write from this read, if anything. */
  #hiding(id: string) {
    const hidden = this.#hidden.get(id);
    if (hidden && performance.now() < hidden.until && hidden.readsLeft-- > 0) return hidden;
    this.#hidden.delete(id);
    return undefined;
  }
}

function takesEffect(active: FaultReport): boolean {
  const { skip, times = Infinity } = active.fault;
  active.matched += 1;
  if (active.matched <= skip || active.struck >= times) return false;
  active.struck += 1;
  return true;
}

/** How a response is sent, complete or broken by a fault. The journal records the status and the ending. */
interface Delivery {
  status: number | null;
  ended: "answered" | "cut" | "hang" | "reset";
  send: (response: ServerResponse) => Promise<void> | void;
}

/** Returns how to send a response. A fault replaces it, or makes it hang, end early, arrive slowly, or contain invalid bytes. */
export function createDelivery(
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
      return sent(createFaultResponse(fault));
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

function createFaultResponse({ code, headers, body, message }: FaultOf<"status">): HttpResponse {
  const { response } = new HttpError(code, message);
  const sent = body === "html" ? createHtmlResponse(code, `${code} ${message}`) : response;
  return { ...sent, headers: { ...sent.headers, ...headers } };
}

const createHtmlResponse = (status: number, title: string): HttpResponse => ({
  status,
  headers: { "content-type": "text/html; charset=utf-8" },
  body: `<!doctype html><html><head><title>${title}</title></head><body><h1>${title}</h1><hr>proxy</body></html>\n`,
});

/** Resets the connection. A socket that is already closing is destroyed instead, because Node would never release it after a reset. */
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
