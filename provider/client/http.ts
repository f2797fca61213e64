/** One attempt over HTTP. Nothing of axios leaves it, errors included. */
import * as http from "node:http";
import * as https from "node:https";
import axios, { Axios, type AxiosRequestConfig, type AxiosResponse } from "axios";
import { adapterFor, type Attempt } from "./adapter";
import { type Body, readBody } from "./body";
import { proxyAgentFor } from "./proxy";
import { acceptedEncodings, BodyTooLarge, errorCode, largestResponseMiB } from "./rawResponse";
import { type TimeLimit, TimeLimitReached } from "./time";

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
      readonly deprecation?: string | undefined;
      readonly sunset?: string | undefined;
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
        "accept-encoding": acceptedEncodings,
        "user-agent": `axios/${axios.VERSION}`,
        ...headers,
      },
      maxContentLength: largestResponseMiB * 1024 * 1024,
      ...this.#agents({ keepAlive: true, maxSockets: connections }),
    });
  }

  /** Sends the request once. Never rejects: every failure is an {@link AttemptResult}. */
  async send(request: HttpRequest, limit: TimeLimit): Promise<AttemptResult> {
    const attempt = { limit, sent: false };
    try {
      return resultOf(
        await this.#axios.request({ ...this.#configOf(request, limit), adapter: adapterFor(attempt) }),
      );
    } catch (error) {
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

function resultOf({ status, headers, data }: AxiosResponse<Buffer>): AttemptResult {
  return {
    kind: "response",
    status,
    body: readBody(decoder.decode(data)),
    requestId: headerText(headers["x-request-id"]),
    retryAfter: headerText(headers["retry-after"]),
    deprecation: headerText(headers["deprecation"]),
    sunset: headerText(headers["sunset"]),
  };
}

/** Unlike that of Buffer, this decoder removes a byte order mark. */
const decoder = new TextDecoder();

function headerText(value: unknown): string | undefined {
  // Stryker disable next-line ConditionalExpression: Node returns these headers as one string
  return (typeof value === "string" && value) || undefined;
}

function failureOf(error: unknown, { limit: { over }, sent }: Attempt): AttemptResult {
  if (error instanceof BodyTooLarge) return { kind: "failure", at: "too large", sent: true };
  if (over) {
    const at = over.reason instanceof TimeLimitReached ? "timed out" : "cancelled";
    return { kind: "failure", at, sent };
  }
  return { kind: "failure", at: sent ? "lost" : "unreachable", sent, code: errorCode(error) };
}
