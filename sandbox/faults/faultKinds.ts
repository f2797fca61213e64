/**
 * The faults that the sandbox can inject, and the requests that they affect.
 *
 * `applied` says whether a write is applied although its response is lost or changed. By default, faults in the
 * response (`drip`, `cut`, `empty`, `wrongJson`) apply it, and faults in front of the service don't.
 */
import { z } from "zod";
import { operations } from "../../provider/api/operations";

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

/** The requests that a fault affects: of those that match, in order, all but the first `skip`, at most `times`. */
const when = {
  /** One operation. Default: all. */
  operation: operation.optional(),
  /** Requests for this account's id. Default: all. */
  account: z.string().optional(),
  /** Number of matching requests that are not affected at first. Default: 0. */
  skip: z.int().min(0).default(0),
  /** Maximum number of requests that it affects. Default: no limit. */
  times: count.optional(),
  /** Probability that a request is affected, reproducible for the same `seed`. Default: 1. */
  probability: z.number().min(0).max(1).default(1),
  /** Varies what `probability` selects. Default: 0. */
  seed: z.int().default(0),
};

const ofHistory = {
  operation: operation.default("getStatusPageIncident"),
};

/** Faults that don't replace the response. */
export const keepingKinds = ["latency", "lateVisibility", "cutHistory", "repeatedUpdate"] as const;

export const fault = z.discriminatedUnion("kind", [
  /** Delays the response. */
  z.strictObject({ kind: z.literal("latency"), ...when, ms: milliseconds }),
  /** Reads return what this request writes only after `ms`, or after `reads` reads, whichever is first. */
  z
    .strictObject({
      kind: z.literal("lateVisibility"),
      ...when,
      operation: z.literal("createIncidentUpdate").default("createIncidentUpdate"),
      ms: milliseconds.optional(),
      reads: count.optional(),
    })
    .refine(({ ms, reads }) => ms !== undefined || reads !== undefined, { error: "ms or reads is missing" }),
  /** A status-page incident has only the `latest` updates of its history. */
  z.strictObject({ kind: z.literal("cutHistory"), ...when, ...ofHistory, latest: count.default(100) }),
  /** A status-page incident has its newest update twice. */
  z.strictObject({ kind: z.literal("repeatedUpdate"), ...when, ...ofHistory }),
  /** An error status, with a body in one of the formats that deployments send. */
  z.strictObject({
    kind: z.literal("status"),
    ...when,
    ...beforeService,
    code: httpStatus,
    headers: headers.default({}),
    body: z.enum(["service", "error", "message", "string", "html"]).default("service"),
    message: z.string().default("A fault was requested."),
  }),
  /** 429, with a `Retry-After` in seconds or as an HTTP date, or without one. */
  z.strictObject({
    kind: z.literal("rateLimit"),
    ...when,
    retryAfter: z.int().min(0).optional(),
    as: z.enum(["seconds", "date"]).default("seconds"),
  }),
  /** 429 for more than `requests` requests within any `perSeconds`, with the seconds to wait as `Retry-After`. */
  z.strictObject({
    kind: z.literal("quota"),
    ...when,
    requests: count,
    perSeconds: z.number().positive().default(60),
  }),
  /** A redirect. */
  z.strictObject({
    kind: z.literal("redirect"),
    ...when,
    ...beforeService,
    location: z.string().regex(/^[\x21-\x7e]+$/),
    code: z.int().min(300).max(399).default(302),
  }),
  /** An HTML page instead of JSON, as from a captive portal. */
  z.strictObject({ kind: z.literal("html"), ...when, ...beforeService, code: httpStatus.default(200) }),
  /** Success with JSON of another structure (`shape`), or with invalid JSON (`syntax`). */
  z.strictObject({
    kind: z.literal("wrongJson"),
    ...when,
    ...inResponse,
    wrong: z.enum(["shape", "syntax"]).default("shape"),
  }),
  /** Success without a body. */
  z.strictObject({ kind: z.literal("empty"), ...when, ...inResponse, code: httpStatus.default(201) }),
  /** The response in chunks of `bytes` every `everyMs`; `endless` continues with white space forever. */
  z.strictObject({
    kind: z.literal("drip"),
    ...when,
    ...inResponse,
    bytes: count.default(16),
    everyMs: milliseconds.default(50),
    endless: z.boolean().default(false),
  }),
  /** The connection closes in the middle of the body: after `afterBytes` bytes. Default: half of it. */
  z.strictObject({ kind: z.literal("cut"), ...when, ...inResponse, afterBytes: z.int().min(0).optional() }),
  /** No response. */
  z.strictObject({ kind: z.literal("hang"), ...when, ...beforeService }),
  /** The connection is reset instead of a response. */
  z.strictObject({ kind: z.literal("reset"), ...when, ...beforeService }),
  /** A raw response, valid or not, after which the connection is closed. */
  z.strictObject({
    kind: z.literal("answer"),
    ...when,
    ...beforeService,
    code: z.int().default(200),
    /** Lines such as `Content-Length: 7`. */
    headers: z.array(z.string()).default([]),
    body: z.string().default(""),
    encoding: z.enum(["utf8", "base64"]).default("utf8"),
  }),
]);

/** A fault as it is requested. */
export type FaultInput = z.input<typeof fault>;
/** A fault with its defaults. */
export type Fault = z.output<typeof fault>;
/** A fault that replaces the response: at most one for a request. */
export type EndingFault = Exclude<Fault, { kind: (typeof keepingKinds)[number] | "quota" }>;
