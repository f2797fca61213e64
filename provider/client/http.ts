/** One attempt over HTTP. The only file that knows axios; nothing of axios leaves it, errors included. */
import * as http from "node:http";
import * as https from "node:https";
import { type Readable } from "node:stream";
import { Axios, type AxiosProxyConfig, type AxiosResponse } from "axios";
import { getProxyForUrl } from "proxy-from-env";
import { type Body, readBody } from "./body";
import { Wire } from "./wire";

/** Against what would fill the memory; a gzip bomb is counted as it unfolds. */
export const largestResponseMiB = 5;

/** A request that is ready to be sent. */
export interface HttpRequest {
  readonly method: "GET" | "POST";
  /** Path and query, below the base address. */
  readonly path: string;
  /** JSON text. */
  readonly body?: string;
  /** Whether no cache on the way may answer it. */
  readonly fresh?: boolean;
}

/** Where an attempt broke: in each case no whole answer came. */
type Break =
  /** No connection was made, so nothing was sent. */
  | "unreachable"
  /** Time ran out, or the caller cancelled. */
  | "stopped"
  /** The connection was lost, or what came isn't HTTP. */
  | "lost"
  /** The answer is larger than any answer of this service. */
  | "too large";

/** What became of one attempt. */
export type AttemptResult =
  | {
      readonly kind: "answer";
      readonly status: number;
      /** Empty text for a redirect, and for a failure whose body could not be read. */
      readonly body: Body;
      readonly requestId: string | undefined;
      readonly retryAfter: string | undefined;
    }
  | {
      readonly kind: "break";
      readonly at: Break;
      /** Whether the request may have reached the service. */
      readonly sent: boolean;
      /** The operating system's or Node's word for it, such as `ECONNREFUSED`. */
      readonly code?: string;
    };

/** How requests leave, for one client. */
export class Transport {
  readonly #axios: InstanceType<typeof Axios>;
  readonly #secure: boolean;
  readonly #service: string;

  constructor(baseUrl: URL, headers: Readonly<Record<string, string>>, connections: number) {
    this.#secure = baseUrl.protocol === "https:";
    this.#service = baseUrl.href;
    const kept = { keepAlive: true, maxSockets: connections };
    // Not `axios.create`, which starts from defaults that the whole program shares and may have changed.
    this.#axios = new Axios({
      baseURL: baseUrl.href.replace(/\/+$/, ""),
      allowAbsoluteUrls: false,
      adapter: "http",
      headers: { accept: "application/json", ...headers },
      httpAgent: new http.Agent(kept),
      httpsAgent: new https.Agent({ ...kept, ...checkedTls }),
      maxRedirects: 0,
      responseType: "stream",
      transformRequest: [(data: unknown) => data],
      validateStatus: () => true,
    });
  }

  /** Sends the request once. Never rejects: whatever happens is an {@link AttemptResult}. */
  async send(
    { method, path, body, fresh = false }: HttpRequest,
    signal: AbortSignal,
  ): Promise<AttemptResult> {
    const wire = new Wire(this.#secure);
    try {
      // Plain http is for loopback only, where a proxy would be shown the key; https goes through a tunnel.
      const proxy = this.#secure ? proxyFor(this.#service) : false;
      const response = await this.#axios.request<Readable>({
        method,
        url: path,
        signal,
        transport: wire,
        proxy,
        headers: {
          ...(body !== undefined && { "content-type": "application/json" }),
          ...(fresh && { "cache-control": "no-cache" }),
        },
        ...(body !== undefined && { data: body }),
        // A kept connection may be closed just when a write leaves on it; nobody could tell whether it was applied.
        ...(method === "POST" || proxy !== false ? ownConnection(signal) : {}),
      });
      return await readAnswer(response);
    } catch (error) {
      if (error instanceof AnswerTooLarge) return { kind: "break", at: "too large", sent: true };
      if (signal.aborted) return { kind: "break", at: "stopped", sent: wire.sent };
      return { kind: "break", at: wire.sent ? "lost" : "unreachable", sent: wire.sent, ...codeOf(error) };
    }
  }
}

/** Certificates are checked whatever the environment says. */
const checkedTls = { rejectUnauthorized: true };

/** Agents for one attempt. A connection ends with it, also one to a proxy that never opens its tunnel. */
function ownConnection(signal: AbortSignal): { httpAgent: http.Agent; httpsAgent: https.Agent } {
  const tls = { ...checkedTls, signal };
  return { httpAgent: new http.Agent(), httpsAgent: new https.Agent(tls) };
}

/**
 * The proxy that the environment names, if any. axios alone would send its name and password as they are encoded in
 * its URL, and speak TLS to a proxy that is named without a scheme; curl and others speak plain http to it.
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

async function readAnswer({ status, headers, data }: AxiosResponse<Readable>): Promise<AttemptResult> {
  const answer = {
    kind: "answer" as const,
    status,
    body: { text: "" },
    requestId: headerText(headers["x-request-id"]),
    retryAfter: headerText(headers["retry-after"]),
  };
  if (status >= 300 && status < 400) {
    data.destroy();
    return answer;
  }
  try {
    return { ...answer, body: readBody(await readText(data)) };
  } catch (error) {
    if (status < 400) throw error;
    // A failure is known by its status alone; only what the service would have said is lost.
    return answer;
  }
}

class AnswerTooLarge extends Error {}

async function readText(body: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > largestResponseMiB * 1024 * 1024) throw new AnswerTooLarge();
    chunks.push(chunk);
  }
  // Unlike Buffer's, this decoder takes a byte order mark away.
  return new TextDecoder().decode(Buffer.concat(chunks, size));
}

function headerText(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function codeOf(error: unknown): { code?: string } {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" && /^[A-Z][A-Z0-9_]{2,60}$/.test(code) ? { code } : {};
}
