/** One attempt over HTTP. The only file that knows axios; nothing of axios leaves it, errors included. */
import * as http from "node:http";
import * as https from "node:https";
import { type Readable } from "node:stream";
import { Axios, type AxiosProxyConfig, type AxiosResponse } from "axios";
import { getProxyForUrl } from "proxy-from-env";
import { type Body, readBody } from "./body";
import { TimeLimitReached } from "./time";
import { SendTracker } from "./sendTracker";

/** Protects the memory; compressed responses are counted as they are decompressed. */
export const largestResponseMiB = 5;

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

  constructor(baseUrl: URL, headers: Readonly<Record<string, string>>, connections: number) {
    this.#secure = baseUrl.protocol === "https:";
    this.#service = baseUrl.href;
    const keepAlive = { keepAlive: true, maxSockets: connections };
    // Not `axios.create`, which uses defaults that the program may have changed.
    this.#axios = new Axios({
      baseURL: baseUrl.href.replace(/\/+$/, ""),
      allowAbsoluteUrls: false,
      adapter: "http",
      headers: { accept: "application/json", ...headers },
      httpAgent: new http.Agent(keepAlive),
      httpsAgent: new https.Agent({ ...keepAlive, ...checkedTls }),
      maxRedirects: 0,
      responseType: "stream",
      transformRequest: [(data: unknown) => data],
      validateStatus: () => true,
    });
  }

  /** Sends the request once. Never rejects: every failure is an {@link AttemptResult}. */
  async send(
    { method, path, body, fresh = false }: HttpRequest,
    signal: AbortSignal,
  ): Promise<AttemptResult> {
    const tracker = new SendTracker(this.#secure);
    try {
      // A proxy would see the key in plain http, which is for loopback only; https goes through a tunnel.
      const proxy = this.#secure ? proxyFor(this.#service) : false;
      const response = await this.#axios.request<Readable>({
        method,
        url: path,
        signal,
        transport: tracker,
        proxy,
        headers: {
          ...(body !== undefined && { "content-type": "application/json" }),
          ...(fresh && { "cache-control": "no-cache" }),
        },
        ...(body !== undefined && { data: body }),
        // The service may close a kept connection just when a write is sent on it: the result would be unknown.
        ...(method === "POST" || proxy !== false ? ownConnection(signal) : {}),
      });
      return await readResponse(response);
    } catch (error) {
      if (error instanceof BodyTooLarge) return { kind: "failure", at: "too large", sent: true };
      if (signal.aborted) {
        const at = signal.reason instanceof TimeLimitReached ? "timed out" : "cancelled";
        return { kind: "failure", at, sent: tracker.sent };
      }
      return {
        kind: "failure",
        at: tracker.sent ? "lost" : "unreachable",
        sent: tracker.sent,
        ...codeOf(error),
      };
    }
  }
}

/** Certificates are checked even with NODE_TLS_REJECT_UNAUTHORIZED=0. */
const checkedTls = { rejectUnauthorized: true };

/** Agents for one attempt. The connection ends with it, also one to a proxy that never opens the tunnel. */
function ownConnection(signal: AbortSignal): { httpAgent: http.Agent; httpsAgent: https.Agent } {
  const tls = { ...checkedTls, signal };
  return { httpAgent: new http.Agent(), httpsAgent: new https.Agent(tls) };
}

/**
 * The proxy of the environment, if any. axios alone would send user name and password as they are encoded in the URL,
 * and use TLS for a proxy whose URL has no scheme, where curl and others use plain http.
 */
function proxyFor(service: string): AxiosProxyConfig | false {
  const named = getProxyForUrl(service);
  if (named === "") return false;
  const bare = ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"].every(
    (name) => !process.env[name]?.includes("://"),
  );
  const { protocol, hostname, port, username, password } = new URL(
    bare ? named.replace(/^https:/, "http:") : named,
  );
  return {
    protocol,
    host: hostname,
    port: Number(port) || (protocol === "https:" ? 443 : 80),
    ...(username !== "" && {
      auth: { username: decodeURIComponent(username), password: decodeURIComponent(password) },
    }),
  };
}

async function readResponse({ status, headers, data }: AxiosResponse<Readable>): Promise<AttemptResult> {
  const result = {
    kind: "response" as const,
    status,
    body: { text: "" },
    requestId: headerText(headers["x-request-id"]),
    retryAfter: headerText(headers["retry-after"]),
  };
  if (status >= 300 && status < 400) {
    data.destroy();
    return result;
  }
  try {
    return { ...result, body: readBody(await readText(data)) };
  } catch (error) {
    if (status < 400) throw error;
    // The status alone tells the failure; only the message of the service is lost.
    return result;
  }
}

class BodyTooLarge extends Error {}

async function readText(body: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > largestResponseMiB * 1024 * 1024) throw new BodyTooLarge();
    chunks.push(chunk);
  }
  // Unlike that of Buffer, this decoder removes a byte order mark.
  return new TextDecoder().decode(Buffer.concat(chunks, size));
}

function headerText(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function codeOf(error: unknown): { code?: string } {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" && /^[A-Z][A-Z0-9_]{2,60}$/.test(code) ? { code } : {};
}
