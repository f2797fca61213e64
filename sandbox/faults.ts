/** Injects faults: selects the active faults that affect a request, and changes its response or its transmission. */
import { createHash } from "node:crypto";
import { type ServerResponse, STATUS_CODES } from "node:http";
import { setTimeout } from "node:timers/promises";
import { z } from "zod";
import { type OperationName, operations } from "../provider/api";
import { HttpError, type HttpResponse, jsonResponse, send } from "./http";
import { parseInput, type StoredIncidentUpdate } from "./store";

const count = z.int().min(1);
const milliseconds = z.number().min(0);
const httpStatus = z.int().min(200).max(599);
/** A header's value may contain every character that Node sends. */
const headers = z.record(
  z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/),
  z.string().regex(/^[\t\x20-\x7e\x80-\xff]*$/),
);
const inResponse = { applied: z.boolean().default(true) };
const beforeService = { applied: z.boolean().default(false) };

const operation = z.enum(Object.values(operations).map(({ name }) => name));

/** Selects the requests that a fault affects: in order, all that match but the first `skip`, at most `times`. */
const when = z.strictObject({
  operation: operation
    .optional()
    .describe(
      "One operation. Default: `createIncidentUpdate` for `lateVisibility`, `getStatusPageIncident` for `cutHistory` and " +
        "`repeatedUpdate`, `listAlertChannels` for `channelList`, otherwise all.",
    ),
  account: z.string().optional().describe("Requests for this account's id. Default: all."),
  skip: z
    .int()
    .min(0)
    .default(0)
    .describe("Number of matching requests that are not affected at first. Default: 0."),
  times: count.optional().describe("Maximum number of requests that it affects. Default: no limit."),
  probability: z
    .number()
    .min(0)
    .max(1)
    .default(1)
    .describe("Probability that a request is affected, reproducible for the same `seed`. Default: 1."),
  seed: z.int().default(0).describe("Varies what `probability` selects. Default: 0."),
});

/** Declares a kind of fault. The reference has its documentation, and the names of its options. */
function fault<Shape extends z.ZodRawShape>(doc: string, options: Shape) {
  return when.extend(options).describe(doc);
}

const only = <Name extends OperationName>(name: Name) => z.literal(name).default(name);
const ofHistory = { operation: operation.default("getStatusPageIncident") };

/** Faults that don't replace the response. */
const keepingKinds = ["latency", "lateVisibility", "cutHistory", "repeatedUpdate", "channelList"] as const;

/**
 * The faults that the sandbox can inject, and the requests that they affect. `applied` says whether a write is applied although
 * its response is lost or changed: by default, faults in the response (`drip`, `cut`, `empty`, `wrongJson`) apply it, and
 * faults in front of the service don't.
 */
export const faultSchema = z.discriminatedUnion("kind", [
  fault("Delays the response.", { kind: z.literal("latency"), ms: milliseconds }),
  fault(
    "Reads return what this request writes only after `ms`, or after `reads` reads, whichever is first.",
    {
      kind: z.literal("lateVisibility"),
      operation: only("createIncidentUpdate"),
      ms: milliseconds.optional(),
      reads: count.optional(),
    },
  ).refine(({ ms, reads }) => ms !== undefined || reads !== undefined, { error: "ms or reads is missing" }),
  fault("A status-page incident has only the `latest` updates of its history.", {
    kind: z.literal("cutHistory"),
    ...ofHistory,
    latest: count.default(100),
  }),
  fault("A status-page incident has its newest update twice.", {
    kind: z.literal("repeatedUpdate"),
    ...ofHistory,
  }),
  fault("The list of alert channels is one of a faulty or busy service.", {
    kind: z.literal("channelList"),
    operation: only("listAlertChannels"),
    /** Number of objects that are gone from the start of the list, so that its pages shift. */
    shift: z.int().min(0).default(0),
    /** Total in the header `content-range`, or null for no header. Default: that of the list. */
    total: z.int().min(0).nullable().optional(),
    /** True if each page is the first one. */
    repeats: z.boolean().default(false),
    /** Fields that the objects lack, such as `subscriptions`. */
    omit: z.array(z.string()).default([]),
  }),
  fault("An error status, with a body in one of the formats that deployments send.", {
    kind: z.literal("status"),
    ...beforeService,
    code: httpStatus,
    headers: headers.default({}),
    body: z.enum(["service", "error", "message", "string", "html"]).default("service"),
    message: z.string().default("A fault was requested."),
  }),
  fault("429, with a `Retry-After` in seconds or as an HTTP date, or without one.", {
    kind: z.literal("rateLimit"),
    retryAfter: z.int().min(0).optional(),
    as: z.enum(["seconds", "date"]).default("seconds"),
  }),
  fault(
    "429 for more than `requests` requests within any `perSeconds`, with the seconds to wait as `Retry-After`.",
    { kind: z.literal("quota"), requests: count, perSeconds: z.number().positive().default(60) },
  ),
  fault("A redirect.", {
    kind: z.literal("redirect"),
    ...beforeService,
    location: z.string().regex(/^[\x21-\x7e]+$/),
    code: z.int().min(300).max(399).default(302),
  }),
  fault("An HTML page instead of JSON, as from a captive portal.", {
    kind: z.literal("html"),
    ...beforeService,
    code: httpStatus.default(200),
  }),
  fault("Success with JSON of another structure (`shape`), or with invalid JSON (`syntax`).", {
    kind: z.literal("wrongJson"),
    ...inResponse,
    wrong: z.enum(["shape", "syntax"]).default("shape"),
  }),
  fault("Success without a body.", {
    kind: z.literal("empty"),
    ...inResponse,
    code: httpStatus.default(201),
  }),
  fault("The response in chunks of `bytes` every `everyMs`; `endless` continues with white space forever.", {
    kind: z.literal("drip"),
    ...inResponse,
    bytes: count.default(16),
    everyMs: milliseconds.default(50),
    endless: z.boolean().default(false),
  }),
  fault("The connection closes in the middle of the body: after `afterBytes` bytes. Default: half of it.", {
    kind: z.literal("cut"),
    ...inResponse,
    afterBytes: z.int().min(0).optional(),
  }),
  fault("No response.", { kind: z.literal("hang"), ...beforeService }),
  fault("The connection is reset instead of a response.", { kind: z.literal("reset"), ...beforeService }),
  fault("A raw response, valid or not, after which the connection is closed.", {
    kind: z.literal("answer"),
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
/** A fault that replaces the response: at most one for a request. */
export type EndingFault = Exclude<Fault, { kind: (typeof keepingKinds)[number] | "quota" }>;

/** The faults that affect a request: any number that keep its response, and at most one that replaces it. */
export interface MatchedFaults {
  kinds: Fault["kind"][];
  latencyMs: number;
  delay: Delay | undefined;
  /** The changes that a read makes to an incident's history: its latest updates, of which the newest may be repeated. */
  history: { latest: number; repeatsNewest: boolean };
  list: Pick<FaultOf<"channelList">, "shift" | "total" | "repeats" | "omit">;
  ending: EndingFault | undefined;
}

/** An active fault, how many requests it matched, and how many it affected. */
export interface FaultReport {
  fault: Fault;
  matched: number;
  struck: number;
}

type FaultOf<Kind> = Extract<Fault, { kind: Kind }>;

interface ActiveFault extends FaultReport {
  /** Times of the requests within the quota, in milliseconds. */
  accepted: number[];
}

export class Faults {
  readonly lateWrites = new LateWrites();
  #active: ActiveFault[] = [];

  static unaffected(): MatchedFaults {
    return {
      kinds: [],
      latencyMs: 0,
      delay: undefined,
      history: { latest: Infinity, repeatsNewest: false },
      list: { shift: 0, repeats: false, omit: [] },
      ending: undefined,
    };
  }

  /** Adds faults after the active ones: of those that replace the response, the first one wins. */
  add(...faults: FaultInput[]): void {
    const parsed = parseInput(z.array(faultSchema), faults, "These faults are invalid");
    this.#active.push(...parsed.map((fault) => ({ fault, matched: 0, struck: 0, accepted: [] })));
  }

  /** Removes all faults, and makes every write visible. */
  clear(): void {
    this.#active = [];
    this.lateWrites.showAll();
  }

  list(): FaultReport[] {
    return this.#active.map(({ fault, matched, struck }) => ({ fault, matched, struck }));
  }

  /** Returns the faults that affect a request, which counts against their limits. */
  match(operation: OperationName, account: string | null): MatchedFaults {
    const matched = Faults.unaffected();
    const { history } = matched;
    for (const active of this.#active) {
      const { fault } = active;
      if (matched.ending !== undefined && !keepingKinds.some((kind) => kind === fault.kind)) continue;
      if (fault.operation !== undefined && fault.operation !== operation) continue;
      if (fault.account !== undefined && fault.account !== account) continue;
      if (!takesEffect(active)) continue;
      matched.kinds.push(fault.kind);
      if (fault.kind === "latency") matched.latencyMs += fault.ms;
      else if (fault.kind === "lateVisibility") matched.delay = fault;
      else if (fault.kind === "cutHistory") history.latest = Math.min(history.latest, fault.latest);
      else if (fault.kind === "repeatedUpdate") history.repeatsNewest = true;
      else if (fault.kind === "channelList") matched.list = fault;
      else matched.ending = fault.kind === "quota" ? overQuota(fault, active.accepted) : fault;
    }
    return matched;
  }
}

function takesEffect(active: ActiveFault): boolean {
  const { skip, times = Infinity, probability, seed } = active.fault;
  active.matched += 1;
  if (active.matched <= skip || active.struck >= times) return false;
  if (randomFraction(seed, active.matched) >= probability) return false;
  if (active.fault.kind === "quota" && isWithinQuota(active.fault, active)) return false;
  active.struck += 1;
  return true;
}

/** Returns a number from 0 to below 1, always the same for the same arguments. */
function randomFraction(seed: number, turn: number): number {
  return createHash("sha256").update(`${seed}:${turn}`).digest().readUInt32BE() / 2 ** 32;
}

function isWithinQuota({ requests, perSeconds }: FaultOf<"quota">, active: ActiveFault): boolean {
  const now = performance.now();
  active.accepted = active.accepted.filter((time) => time > now - perSeconds * 1000);
  const isAccepted = active.accepted.length < requests;
  if (isAccepted) active.accepted.push(now);
  return isAccepted;
}

function overQuota({ perSeconds }: FaultOf<"quota">, [oldest = 0]: number[]): EndingFault {
  const seconds = Math.ceil((oldest + perSeconds * 1000 - performance.now()) / 1000);
  return {
    kind: "rateLimit",
    as: "seconds",
    retryAfter: Math.max(1, seconds),
    skip: 0,
    probability: 1,
    seed: 0,
  };
}

/** Reads don't return a write for a time, for a number of reads, or until whichever ends first. */
interface Delay {
  ms?: number | undefined;
  reads?: number | undefined;
}

/** Writes that reads don't return yet, as with replication lag. */
class LateWrites {
  readonly #hidden = new Map<string, { until: number; readsLeft: number }>();

  hide(updateId: string, { ms = Infinity, reads = Infinity }: Delay): void {
    this.#hidden.set(updateId, { until: performance.now() + ms, readsLeft: reads });
  }

  /** Returns the updates that a read shows now. Each call counts as one read. */
  visible(updates: StoredIncidentUpdate[]): StoredIncidentUpdate[] {
    return this.#hidden.size === 0 ? updates : updates.filter(({ id }) => !this.#hides(id));
  }

  showAll(): void {
    this.#hidden.clear();
  }

  #hides(updateId: string): boolean {
    const hidden = this.#hidden.get(updateId);
    if (hidden === undefined) return false;
    if (performance.now() < hidden.until && hidden.readsLeft-- > 0) return true;
    this.#hidden.delete(updateId);
    return false;
  }
}

/** Replaces the response. A fault that breaks it during transmission returns it unchanged. */
export function replacedResponse(original: HttpResponse, fault: EndingFault): HttpResponse {
  switch (fault.kind) {
    case "status": {
      const response = errorStatus(fault);
      return { ...response, headers: { ...response.headers, ...fault.headers } };
    }
    case "rateLimit": {
      const limited = new HttpError(429, "Rate limit exceeded, retry later.").response;
      if (fault.retryAfter === undefined) return limited;
      const date = new Date(Date.now() + fault.retryAfter * 1000).toUTCString();
      const retryAfter = fault.as === "date" ? date : String(fault.retryAfter);
      return { ...limited, headers: { ...limited.headers, "retry-after": retryAfter } };
    }
    case "redirect":
      return { status: fault.code, headers: { location: fault.location }, body: "" };
    case "html":
      return htmlResponse(fault.code, "Welcome to the network");
    case "wrongJson":
      return { ...original, body: fault.wrong === "shape" ? '{"data":{"ok":true}}' : '{"id": "' };
    case "empty":
      return { status: fault.code, headers: {}, body: "" };
    default:
      return original;
  }
}

/** The formats in which deployments send errors. */
function errorStatus({ code, body, message }: FaultOf<"status">): HttpResponse {
  switch (body) {
    case "service":
      return new HttpError(code, message).response;
    case "error":
      return jsonResponse(code, { error: message });
    case "message":
      return jsonResponse(code, { message, errorCode: `E${code}` });
    case "string":
      return jsonResponse(code, message);
    case "html":
      return htmlResponse(code, `${code} ${message}`);
  }
}

const htmlPage = (title: string) =>
  `<!doctype html><html><head><title>${title}</title></head><body><h1>${title}</h1><hr>proxy</body></html>\n`;

const htmlResponse = (status: number, title: string): HttpResponse => ({
  status,
  headers: { "content-type": "text/html; charset=utf-8" },
  body: htmlPage(title),
});

/** Sends the response. A fault can make it hang, end early, arrive slowly, or contain bytes that no server sends. */
export async function deliver(
  response: ServerResponse,
  reply: HttpResponse,
  fault: EndingFault | undefined,
  closing: AbortSignal,
): Promise<void> {
  switch (fault?.kind) {
    case "hang":
      break;
    case "reset":
      reset(response);
      break;
    case "cut":
      cut(response, reply, fault);
      break;
    case "drip":
      await drip(response, reply, fault, closing);
      break;
    case "answer":
      sendRaw(response, fault);
      break;
    default:
      send(response, reply);
  }
}

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
