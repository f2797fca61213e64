/** Defines the options of a client and of its calls, with their defaults. `api/objects.ts` defines the page size of lists. */
import { z } from "zod";
import { type Mismatch } from "../api";
import { boolean, refineWith, toProblems, strictObject, string, wholeNumber } from "../problems";
import { ConfigurationError } from "./errors";
import { type Proxy, findProxy, proxyVariables } from "./proxy";
import { readLogSetting, logVariable } from "./requestLog";

/** Options of a {@link MonitoringClient}. */
export interface ClientOptions extends z.input<typeof clientOptions> {
  /** Cancels every call of this client. */
  signal?: AbortSignal;
}

/** One attempt that has ended, for logs and progress. Contains no IDs and no credentials. */
export interface RequestEvent {
  /** The client's method, such as `listStatusPages`. */
  readonly operation: string;
  readonly method: "GET" | "POST" | "PUT";
  /** The path's template, such as `/v1/alert-channels/{id}`. */
  readonly path: string;
  /** 1 for the first attempt of a call. */
  readonly attempt: number;
  /** HTTP status; missing without a response. */
  readonly status?: number;
  /** The header `Date` of the response, which is the time on the service's clock. Missing if the response doesn't contain this header. */
  readonly date?: string;
  /** Duration of the attempt, in milliseconds. */
  readonly ms: number;
  /** Wait of the call before its next attempt, in milliseconds; missing for the last attempt. */
  readonly waitMs?: number;
  /** Pause of all calls of the client, because the service limits requests (HTTP 429), in milliseconds. */
  readonly pauseMs?: number;
}

/** Options of one call. */
export interface CallOptions {
  /** Cancels this call. It then rejects with the signal's reason or, if a write was sent, with `OutcomeUnknownError`. */
  signal?: AbortSignal;
  /** Time limit of this call with all its attempts and waits, in milliseconds. Default: `deadlineMs` of the client. */
  deadlineMs?: number;
}

/** Options of a list whose entries are validated separately. */
export interface ListOptions extends CallOptions {
  /**
   * Called with each entry that doesn't match the API; the entry is then left out. By default, the call rejects with a
   * `ResponseShapeError`.
   */
  onMismatch?: (mismatch: Mismatch) => void;
}

/** Options of one read. */
export interface ReadOptions extends CallOptions {
  /**
   * Allows caches between the client and the service to respond. If `false`, the request carries
   * `cache-control: no-cache`. Default: true.
   */
  shared?: boolean;
}

/** Options of one write. */
export interface WriteOptions extends CallOptions {
  /** Called before each attempt is sent. If it rejects, nothing is sent, and the call rejects with its reason. */
  beforeSend?: () => Promise<void>;
}

const callback = <Callback>() =>
  z.custom<Callback>((value) => typeof value === "function", { error: "must be a function" }).optional();

const signal = z.instanceof(AbortSignal, { error: "must be an AbortSignal" }).optional();

/** Trims the value, because a secret that is read from a file ends with a line break. */
const visibleText = string.trim().superRefine(refineWith(validateVisibleText));

/** Headers that HTTP or this client uses, and three names that axios removes from every object. */
const reservedHeaders =
  /^(__proto__|constructor|prototype|accept.*|authorization|cache-control|connection|content-.*|cookie|expect|host|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|user-agent)$/i;

const longestMs = 3_600_000;

/** The options that may differ between accounts. */
export const accountOptions = {
  /** API key, sent as a bearer token. Never printed. White space around it is ignored. */
  apiKey: visibleText,
  /** Base URL: https, or http for loopback hosts. May have a path prefix, but no user info, query or fragment. */
  baseUrl: z.string({ error: "must be a URL" }).trim().superRefine(refineWith(validateBaseUrl)),
  /** ID of the account, sent with each request. By default, the service uses the account of the key. */
  accountId: visibleText.optional(),
};

const clientOptions = strictObject({
  ...accountOptions,
  /** Header that names the account. Default: `x-service-account`. */
  accountHeader: string
    .trim()
    .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, { error: "must be a valid header name" })
    .refine((name) => !reservedHeaders.test(name), {
      error: "must not be a reserved header, such as Authorization",
    })
    .default("x-service-account"),
  /** Time limit of one attempt, in milliseconds; at most one hour. Default: 15,000. */
  timeoutMs: wholeNumber(1, longestMs).default(15_000),
  /** Time limit of one call with all its attempts and waits, in milliseconds; at most one hour. Default: 60,000. */
  deadlineMs: wholeNumber(1, longestMs).default(60_000),
  /** Maximum number of attempts of one call, 1 to 10. Attempts that a 429 rejects aren't included, unless the maximum is 1. Default: 4. */
  maxAttempts: wholeNumber(1, 10).default(4),
  /** Maximum number of concurrent requests, 1 to 100. Default: 8. */
  maxConcurrency: wholeNumber(1, 100).default(8),
  /** Rejects every write before it is sent. Default: false. */
  readOnly: boolean.default(false),
  signal,
  /** Called after every attempt, for logs and progress. Its errors are ignored. */
  onRequest: callback<(event: RequestEvent) => void>(),
});

/** The options of a client with their defaults, and the settings from the environment. */
export type ClientSettings = z.output<typeof clientOptions> & {
  readonly proxy: Proxy | undefined;
  /** True if each attempt is logged. */
  readonly logsRequests: boolean;
};

/** The variables that every client reads. */
export const clientVariables: readonly string[] = [...proxyVariables, logVariable];

export const defaults = clientOptions.omit({ apiKey: true, baseUrl: true }).parse({});

export const callOptions = z.strictObject({
  signal,
  deadlineMs: wholeNumber(1, longestMs).optional(),
  shared: boolean.optional(),
  beforeSend: callback<WriteOptions["beforeSend"]>(),
  onMismatch: callback<ListOptions["onMismatch"]>(),
} satisfies Record<keyof (ReadOptions & WriteOptions & ListOptions), z.ZodType>);

/** @throws ConfigurationError with every problem of the options and of the environment. */
export function parseClientOptions(options: ClientOptions): ClientSettings {
  // The options are copied, because the caller may change the object later.
  const given = { ...options };
  const { data, error } = clientOptions.safeParse(given);
  // A program in JavaScript may pass a value that isn't a string and can't be converted to one.
  const url = z.string().safeParse(given.baseUrl).data ?? "";
  const { problems, ...settings } = readEnvironment(
    URL.canParse(url) ? new URL(url) : undefined,
    process.env,
  );
  const all = [...(error ? toProblems(error) : []), ...problems];
  if (data && all.length === 0) return { ...data, ...settings };
  throw new ConfigurationError("MonitoringClient", all);
}

/** Returns the settings from the environment for requests to a URL, and every problem in them. */
export function readEnvironment(address: URL | undefined, environment: typeof process.env) {
  const { proxy, problem } = address ? findProxy(address, environment) : {};
  const log = readLogSetting(environment);
  return { proxy, logsRequests: log.isOn, problems: [problem ?? [], log.problem ?? []].flat() };
}

/**
 * Returns why the value can't be a credential or an ID in a header; undefined if it can. The message contains the first wrong character and
 * nothing else from the value.
 */
function validateVisibleText(value: string): string | undefined {
  const problem = "must be printable ASCII without spaces, and not empty";
  if (value === "") return problem;
  const wrong = /[^\x21-\x7e]/u.exec(value);
  if (!wrong) return undefined;
  const [character] = wrong;
  const code = `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}`;
  return `${problem}: character ${wrong.index + 1} is ${describeCharacter(character)}${code}. Copy or type the value again`;
}

/** Describes a character that isn't visible. */
function describeCharacter(character: string): string {
  if (/\s/.test(character)) return "white space, ";
  return /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/u.test(character) ? "invisible, " : "";
}

/** Returns why the value can't be the base URL; undefined if it can. Never quotes the value, because it may contain a password. */
function validateBaseUrl(value: string): string | undefined {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined) return "must be a URL, such as https://api.example.com";
  const loopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  if (url.protocol !== "https:" && !(url.protocol === "http:" && loopback)) {
    return "must start with https:// (http:// is allowed only for this machine: localhost, 127.0.0.1, [::1])";
  }
  if (url.username !== "" || url.password !== "") return "must not contain a user name or password";
  if (value.includes("?") || value.includes("#")) return "must not contain a query or fragment";
  return undefined;
}
