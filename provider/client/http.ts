/** One attempt over HTTP. Nothing of axios leaves it, errors included. */
import * as http from "node:http";
import * as https from "node:https";
import axios, { Axios } from "axios";
import { checkedTls, directly, proxyFor, tunnelled } from "./adapters";
import { type Body, readBody } from "./body";
import { Exchange } from "./exchange";
import { acceptedEncodings, BodyTooLarge, errorCode, type RawResponse } from "./rawResponse";
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
      readonly code?: string;
    };

/** Sends the requests of one client. */
export class Transport {
  readonly #axios: InstanceType<typeof Axios>;
  readonly #secure: boolean;
  readonly #service: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #server: https.RequestOptions;
  readonly #basePath: string;

  constructor(baseUrl: URL, headers: Readonly<Record<string, string>>, connections: number) {
    this.#secure = baseUrl.protocol === "https:";
    this.#service = baseUrl.href.replace(/\/+$/, "");
    this.#basePath = baseUrl.pathname.replace(/\/+$/, "");
    this.#headers = {
      accept: "application/json",
      "accept-encoding": acceptedEncodings,
      "user-agent": `axios/${axios.VERSION}`,
      ...headers,
    };
    this.#server = {
      hostname: baseUrl.hostname.replace(/^\[|\]$/g, ""),
      port: baseUrl.port,
      agent: this.#agent({ keepAlive: true, maxSockets: connections }),
    };
    // Not `axios.create`, which uses defaults that the program may have changed.
    this.#axios = new Axios({});
  }

  /** Sends the request once. Never rejects: every failure is an {@link AttemptResult}. */
  async send(request: HttpRequest, limit: TimeLimit): Promise<AttemptResult> {
    const exchange = new Exchange(this.#secure);
    try {
      // A proxy would see the key in plain http, which is for loopback only; https goes through a tunnel.
      const proxy = this.#secure ? proxyFor(this.#service) : undefined;
      const { method, path, body: data } = request;
      const headers = this.#headersOf(request);
      await this.#axios.request(
        proxy
          ? { baseURL: this.#service, url: path, method, headers, data, ...tunnelled(exchange, proxy, limit) }
          : { adapter: directly(exchange, { ...this.#optionsOf(request), headers, body: data }, limit) },
      );
      return resultOf(await exchange.response());
    } catch (error) {
      return failureOf(error, exchange, limit);
    }
  }

  #headersOf({ body, fresh = false }: HttpRequest): Record<string, string> {
    return {
      ...this.#headers,
      ...(body !== undefined && { "content-type": "application/json" }),
      ...(fresh && { "cache-control": "no-cache" }),
    };
  }

  #optionsOf({ method, path }: HttpRequest): https.RequestOptions {
    return {
      ...this.#server,
      method,
      path: this.#basePath + path,
      // The service may close a kept connection just when a write is sent on it: the result would be unknown.
      ...(method === "POST" && { agent: this.#agent({}) }),
    };
  }

  #agent(options: http.AgentOptions): http.Agent {
    return this.#secure ? new https.Agent({ ...options, ...checkedTls }) : new http.Agent(options);
  }
}

function resultOf({ status, headers, bytes }: RawResponse): AttemptResult {
  return {
    kind: "response",
    status,
    body: readBody(decoder.decode(bytes)),
    requestId: headerText(headers["x-request-id"]),
    retryAfter: headerText(headers["retry-after"]),
    deprecation: headerText(headers["deprecation"]),
    sunset: headerText(headers["sunset"]),
  };
}

/** Unlike that of Buffer, this decoder removes a byte order mark. */
const decoder = new TextDecoder();

function headerText(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function failureOf(error: unknown, { sent }: Exchange, { over }: TimeLimit): AttemptResult {
  if (error instanceof BodyTooLarge) return { kind: "failure", at: "too large", sent: true };
  if (over) {
    const at = over.reason instanceof TimeLimitReached ? "timed out" : "cancelled";
    return { kind: "failure", at, sent };
  }
  const code = errorCode(error);
  return { kind: "failure", at: sent ? "lost" : "unreachable", sent, ...(code !== undefined && { code }) };
}
