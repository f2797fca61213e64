/** One attempt over HTTP. Nothing of axios leaves it, errors included. */
import * as http from "node:http";
import * as https from "node:https";
import axios, { Axios, type AxiosRequestConfig } from "axios";
import { errorCode } from "../../machine/errorCode";
import { version } from "../../machine/packageManifest";
import { type Body, parseBody } from "./body";
import { proxyAgentFor } from "./proxy";
import { type TimeLimit, TimeLimitReached } from "./timeLimit";
import { type Attempt, transportFor } from "./watchedTransport";

/** Protects the memory; compressed responses are counted as they are decompressed. */
export const largestResponseMiB = 32;

export interface HttpRequest {
  readonly method: "GET" | "POST";
  /** Path and query, below the base address. */
  readonly path: string;
  /** JSON text. */
  readonly body?: string;
  /** Whether caches on the way must not respond to it. */
  readonly fresh?: boolean;
}

/** Why there is no complete response. */
type FailurePoint =
  /** No connection was made, so nothing was sent. */
  | "unreachable"
  /** Time ran out. */
  | "timed out"
  /** The caller cancelled. */
  | "cancelled"
  /** The connection was lost, or the response isn't HTTP. */
  | "lost"
  /** The response is larger than any of this service. */
  | "too large";

export type AttemptResult =
  | {
      readonly kind: "response";
      readonly status: number;
      /** Empty text for a redirect, and for an error response whose body could not be read. */
      readonly body: Body;
      readonly requestId: string | undefined;
      readonly retryAfter: string | undefined;
      /** The service's clock. */
      readonly date?: string | undefined;
    }
  | {
      readonly kind: "failure";
      readonly at: FailurePoint;
      /** Whether the request may have reached the service. */
      readonly sent: boolean;
      /** The error code of the operating system or of Node, such as `ECONNREFUSED`. */
      readonly code?: string | undefined;
    };

/** Sends the requests of one client. */
export class Transport {
  readonly #axios: InstanceType<typeof Axios>;
  readonly #service: string;
  readonly #secure: boolean;

  constructor(baseUrl: URL, headers: Readonly<Record<string, string>>, connections: number) {
    this.#service = baseUrl.href.replace(/\/+$/, "");
    this.#secure = baseUrl.protocol === "https:";
    // Not `axios.create`, which uses defaults that the program may have changed.
    this.#axios = new Axios({
      baseURL: this.#service,
      headers: {
        accept: "application/json",
        "user-agent": `pulumi-monitoring-service/${version} axios/${axios.VERSION}`,
        ...headers,
      },
      adapter: "http",
      responseType: "arraybuffer",
      maxContentLength: largestResponseMiB * 1024 * 1024,
      decompress: true,
      validateStatus: null,
      maxRedirects: 0,
      // Not by axios, which trusts the response of a proxy that opens no tunnel: see `proxyAgentFor`.
      proxy: false,
      ...this.#agents({ keepAlive: true, maxSockets: connections }),
    });
  }

  /** Sends the request once. Never rejects: every failure is an {@link AttemptResult}. */
  async send(request: HttpRequest, limit: TimeLimit): Promise<AttemptResult> {
    const attempt: Attempt = { limit, sent: false };
    try {
      const config = { ...this.#configOf(request, limit), transport: transportFor(attempt) };
      const { status, headers, data } = await this.#axios.request<Buffer>(config);
      return resultOf(status, headers, decoder.decode(data));
    } catch (error) {
      const { statusCode = 0, headers } = attempt.response ?? {};
      // The status alone tells the failure; only the message of the service is lost.
      if (headers && !isSuccess(statusCode)) return resultOf(statusCode, headers, "");
      return failureOf(error, attempt);
    }
  }

  #configOf({ method, path, body, fresh = false }: HttpRequest, limit: TimeLimit): AxiosRequestConfig {
    // A proxy would see the key in plain http, which is for loopback only; https goes through a tunnel.
    const proxy = this.#secure ? proxyAgentFor(this.#service, () => limit.toSignal()) : undefined;
    return {
      method,
      url: path,
      data: body,
      headers: {
        ...(body !== undefined && { "content-type": "application/json" }),
        ...(fresh && { "cache-control": "no-cache" }),
      },
      // The service may close a kept connection just when a write is sent on it: the result would be unknown.
      ...(method === "POST" && this.#agents({})),
      ...(proxy && { httpsAgent: proxy }),
    };
  }

  #agents(options: http.AgentOptions): Pick<AxiosRequestConfig, "httpAgent" | "httpsAgent"> {
    return this.#secure ? { httpsAgent: new https.Agent(options) } : { httpAgent: new http.Agent(options) };
  }
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

function resultOf(status: number, headers: Readonly<Record<string, unknown>>, text: string): AttemptResult {
  return {
    kind: "response",
    status,
    body: parseBody(text),
    requestId: headerText(headers["x-request-id"]),
    retryAfter: headerText(headers["retry-after"]),
    date: headerText(headers["date"]),
  };
}

/** Unlike that of Buffer, this decoder removes a byte order mark. */
const decoder = new TextDecoder();

function headerText(value: unknown): string | undefined {
  // Stryker disable next-line ConditionalExpression: Node returns these headers as one string
  return (typeof value === "string" && value) || undefined;
}

function failureOf(error: unknown, { limit: { over }, sent }: Attempt): AttemptResult {
  if (over) {
    const at = over.reason instanceof TimeLimitReached ? "timed out" : "cancelled";
    return { kind: "failure", at, sent };
  }
  const isOfAxios = axios.isAxiosError(error);
  // Only its message tells this error of axios.
  if (isOfAxios && /^maxContentLength/.test(error.message)) return { kind: "failure", at: "too large", sent };
  const code = errorCode(isOfAxios ? error.cause : error);
  return { kind: "failure", at: sent ? "lost" : "unreachable", sent, code };
}
