import { z } from "zod";
import { type RequestEvent } from "./call";
import { type Problem } from "./errors";
import { schemaProblems } from "../api/operations";

/** For one call of the client, and for one declared update. */
export const defaultDeadlineMs = 60_000;

/** Options of a {@link MonitoringClient}. */
export interface ClientOptions {
  /** API key, sent as a bearer token. Never printed. */
  apiKey: string;
  /** Base URL: https, or http for loopback hosts. May have a path prefix, but no user info, query or fragment. */
  baseUrl: string;
  /** Account of the requests. Default: the account of the key. */
  accountId?: string;
  /** Header that names the account. Default: `x-service-account`. */
  accountHeader?: string;
  /** Time limit of one attempt, in milliseconds; at most one hour. Default: 15,000. */
  timeoutMs?: number;
  /** Time limit of one call with all its attempts and waits, in milliseconds; at most one hour. Default: 60,000. */
  deadlineMs?: number;
  /** Maximum number of attempts of one call, 1 to 10. Default: 4. */
  maxAttempts?: number;
  /** Maximum number of concurrent requests, 1 to 100. Default: 8. */
  maxConcurrency?: number;
  /** Rejects every write before it is sent. Default: false. */
  readOnly?: boolean;
  /** Cancels every call of this client. */
  signal?: AbortSignal;
  /** Called after every attempt, for logs and progress. Its errors are ignored. */
  onRequest?: (event: RequestEvent) => void;
}

const wholeNumber = (most: number): z.ZodType<number | undefined> =>
  z
    .int({ error: `must be a whole number from 1 to ${most}` })
    .min(1)
    .max(most)
    .optional();

const flag = z.boolean({ error: "must be true or false" }).optional();

const callback = z.custom((value) => typeof value === "function", { error: "must be a function" }).optional();

const visibleText = z
  .string({ error: "must be a string" })
  .regex(/^[\x21-\x7e]+$/, { error: "must be printable ASCII without spaces, and not empty" });

/** Headers that HTTP or this client uses, and three names that axios removes from every object. */
const reservedHeaders =
  /^(__proto__|constructor|prototype|accept.*|authorization|cache-control|connection|content-.*|cookie|expect|host|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|user-agent)$/i;

const longestMs = 3_600_000;

const clientOptions = z.strictObject({
  apiKey: visibleText,
  baseUrl: z.string({ error: "must be a URL" }).superRefine((value, context) => {
    const reason = baseUrlProblem(value);
    if (reason !== undefined) context.addIssue({ code: "custom", message: reason });
  }),
  accountId: visibleText.optional(),
  accountHeader: z
    .string({ error: "must be a string" })
    .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, { error: "must be the name of a header" })
    .refine((name) => !reservedHeaders.test(name), {
      error: "must not be a reserved header, such as Authorization",
    })
    .optional(),
  timeoutMs: wholeNumber(longestMs),
  deadlineMs: wholeNumber(longestMs),
  maxAttempts: wholeNumber(10),
  maxConcurrency: wholeNumber(100),
  readOnly: flag,
  signal: z.instanceof(AbortSignal, { error: "must be an AbortSignal" }).optional(),
  onRequest: callback,
});

/** The options of one call: see `ReadOptions` and `WriteOptions`. */
export const callOptions = clientOptions
  .pick({ signal: true, deadlineMs: true })
  .extend({ shared: flag, beforeSend: callback });

/** Why the value can't be the base URL, or undefined when it can. Never quotes it: it may contain a password. */
function baseUrlProblem(value: string): string | undefined {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined) return "must be a URL, such as https://api.example.com";
  const loopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  if (url.protocol !== "https:" && !(url.protocol === "http:" && loopback)) {
    return "must begin with https:// (plain http only for this machine itself: localhost, 127.0.0.1, [::1])";
  }
  if (url.username !== "" || url.password !== "") return "must not contain a user name or password";
  if (value.includes("?") || value.includes("#")) return "must not contain a query or fragment";
  return undefined;
}

/** Every problem of the options of a client. */
export function optionProblems(options: ClientOptions): Problem[] {
  return schemaProblems(clientOptions, options);
}
