/**
 * What can go wrong on demand, and for which requests.
 *
 * `applied` says whether a write is carried out although its answer is lost or spoilt. Unless told otherwise, a fault
 * on the way back applies it (`drip`, `cut`, `empty`, `wrongJson`), one in front of the service doesn't.
 */
import { z } from "zod";
import { operations } from "./operations";

const count = z.int().min(1);
const milliseconds = z.number().min(0);
const httpStatus = z.int().min(200).max(599);
/** A header's value may hold anything that Node sends. */
const headers = z.record(
  z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/),
  z.string().regex(/^[\t\x20-\x7e\x80-\xff]*$/),
);
const onTheWayBack = { applied: z.boolean().default(true) };
const inFront = { applied: z.boolean().default(false) };

/** Which requests a fault meets: in this order, of those that match, all but the first `skip`, at most `times`. */
const when = {
  /** One operation. Default: all. */
  operation: z.enum(operations.map(({ name }) => name)).optional(),
  /** Requests for this account's id. Default: all. */
  account: z.string().optional(),
  /** The first ones that match and are spared. */
  skip: z.int().min(0).default(0),
  /** How many requests it meets. Default: no end. */
  times: count.optional(),
  /** Share of the requests that it meets, drawn the same way each time for the same `seed`. */
  probability: z.number().min(0).max(1).default(1),
  seed: z.int().default(0),
};

export const fault = z.discriminatedUnion("kind", [
  /** Waits, then goes on as ever. */
  z.strictObject({ kind: z.literal("latency"), ...when, ms: milliseconds }),
  /** What is written now is seen by readers only after `ms`, or after `reads` reads, whichever is first. */
  z
    .strictObject({
      kind: z.literal("lateVisibility"),
      ...when,
      operation: z.literal("createIncidentUpdate").default("createIncidentUpdate"),
      ms: milliseconds.optional(),
      reads: count.optional(),
    })
    .refine(({ ms, reads }) => ms !== undefined || reads !== undefined, { error: "ms or reads is missing" }),
  /** An error status, with a body in one of the shapes that deployments send. */
  z.strictObject({
    kind: z.literal("status"),
    ...when,
    ...inFront,
    code: httpStatus,
    headers: headers.default({}),
    body: z.enum(["service", "error", "message", "string", "html"]).default("service"),
    message: z.string().default("A fault was asked for."),
  }),
  /** 429, with a `Retry-After` in seconds or as an HTTP date, or with none. */
  z.strictObject({
    kind: z.literal("rateLimit"),
    ...when,
    retryAfter: z.int().min(0).optional(),
    as: z.enum(["seconds", "date"]).default("seconds"),
  }),
  /** 429 for what goes beyond `requests` within any `perSeconds`, with the seconds to wait as `Retry-After`. */
  z.strictObject({
    kind: z.literal("quota"),
    ...when,
    requests: count,
    perSeconds: z.number().positive().default(60),
  }),
  /** Sends the client elsewhere. */
  z.strictObject({
    kind: z.literal("redirect"),
    ...when,
    ...inFront,
    location: z.string().regex(/^[\x21-\x7e]+$/),
    code: z.int().min(300).max(399).default(302),
  }),
  /** A page of HTML where JSON should be, as from a captive portal. */
  z.strictObject({ kind: z.literal("html"), ...when, ...inFront, code: httpStatus.default(200) }),
  /** Success with JSON of another shape (`shape`), or with what isn't JSON at all (`syntax`). */
  z.strictObject({
    kind: z.literal("wrongJson"),
    ...when,
    ...onTheWayBack,
    wrong: z.enum(["shape", "syntax"]).default("shape"),
  }),
  /** Success with no body. */
  z.strictObject({ kind: z.literal("empty"), ...when, ...onTheWayBack, code: httpStatus.default(201) }),
  /** The answer in drops of `bytes` every `everyMs`; `endless` goes on with white space for ever. */
  z.strictObject({
    kind: z.literal("drip"),
    ...when,
    ...onTheWayBack,
    bytes: count.default(16),
    everyMs: milliseconds.default(50),
    endless: z.boolean().default(false),
  }),
  /** The connection closes in the middle of the body: after `afterBytes`, or half of it. */
  z.strictObject({ kind: z.literal("cut"), ...when, ...onTheWayBack, afterBytes: z.int().min(0).optional() }),
  /** No answer, ever. */
  z.strictObject({ kind: z.literal("hang"), ...when, ...inFront }),
  /** The connection is reset instead of an answer. */
  z.strictObject({ kind: z.literal("reset"), ...when, ...inFront }),
  /** Written to the socket as it is, right or wrong, before the connection is closed. */
  z.strictObject({
    kind: z.literal("answer"),
    ...when,
    ...inFront,
    code: z.int().default(200),
    /** Lines such as `Content-Length: 7`. */
    headers: z.array(z.string()).default([]),
    body: z.string().default(""),
    encoding: z.enum(["utf8", "base64"]).default("utf8"),
  }),
]);

/** A fault as it is asked for. */
export type FaultInput = z.input<typeof fault>;
/** A fault with its defaults filled in. */
export type Fault = z.output<typeof fault>;
/** Takes the answer's place: one request meets one at most. */
export type EndingFault = Exclude<Fault, { kind: "latency" | "lateVisibility" | "quota" }>;
