/** One attempt over HTTP. Nothing of axios leaves it, errors included. */
import * as http from "node:http";
import * as https from "node:https";
import axios, { Axios, type AxiosRequestConfig } from "axios";
import { version } from "../../machine/packageManifest";
import { type AttemptResult, failureOf, isSuccess, resultOf } from "./attemptResult";
import { proxyAgentFor } from "./proxy";
import { type TimeLimit } from "./timeLimit";
import { type Attempt, transportFor } from "./watchedTransport";

/** Unlike that of Buffer, this decoder removes a byte order mark. */
const decoder = new TextDecoder();

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
      // A redirect would send the key to another URL.
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
    const proxy = proxyAgentFor(this.#service, () => limit.toSignal());
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
