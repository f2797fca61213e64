/**
 * Sends one request over HTTP and reports the response or the point of failure. No other file sees axios or its errors. This file observes
 * Node's transport below axios, because the meaning of a failed write depends on whether it was sent. It also limits the time of requests
 * and how many run at once.
 */
import * as http from "node:http";
import * as https from "node:https";
import { type Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { type AxiosRequestConfig, type AxiosStatic } from "axios";
import { version } from "../packageManifest";
import { getErrorCode, toOneLine } from "../texts";
import { WorkQueue } from "../workQueue";
import { checkedTls, ErrorWithCode, openTunnel, type Proxy } from "./proxy";

export interface HttpRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path and query, appended to the base URL. */
  readonly path: string;
  /** JSON text. */
  readonly body?: string;
  /** True if the response must not come from a cache. */
  readonly fresh?: boolean;
}

export type AttemptResult = HttpResponse | HttpFailure;

export interface HttpResponse {
  readonly status: number;
  /** Empty text for a redirect, and for an error response whose body could not be read. */
  readonly body: Body;
  /** Returns a header; undefined if it is missing or empty. */
  readonly header: (name: string) => string | undefined;
}

export interface HttpFailure {
  /** The reason why the response is missing or incomplete. `invalid`: it isn't HTTP, or it doesn't have its encoding. */
  readonly kind: "unreachable" | "timed out" | "cancelled" | "lost" | "too large" | "invalid";
  /** True if the request may have reached the service. */
  readonly sent: boolean;
  /** The error code of the operating system or of Node, such as `ECONNREFUSED`. */
  readonly code?: string | undefined;
  /** OpenSSL's reason, such as `wrong version number`, if a TLS handshake failed. */
  readonly tlsReason?: string | undefined;
  /** The header `content-encoding`, if the body doesn't have this encoding. */
  readonly encoding?: string;
  /** The proxy of the request. */
  readonly proxy?: Proxy | undefined;
  /** True if the proxy opened a tunnel to the service, so that the proxy itself didn't fail. */
  readonly hasTunnel?: boolean;
}

/** The parsed JSON of a response body with the number of characters of its text, or the text if it isn't JSON. */
export type Body = { readonly json: unknown; readonly size: number } | { readonly text: string };

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** Protects the memory. The limit applies to the decompressed size of a response. */
export const largestResponseMiB = 32;

export class Transport {
  #axios: ReturnType<Transport["loadAxios"]> | undefined;

  constructor(
    private readonly service: URL,
    private readonly headers: Readonly<Record<string, string>>,
    private readonly connections: number,
    private readonly proxy: Proxy | undefined,
  ) {}

  /** Sends the request once. Never rejects, because every failure is an {@link AttemptResult}. */
  async send(request: HttpRequest, limit: TimeLimit): Promise<AttemptResult> {
    const attempt: Attempt = { limit, sent: false };
    const { axios, client } = await (this.#axios ??= this.loadAxios());
    let connect: (() => Socket) | undefined;
    try {
      const end = (listener: () => void) => limit.onEnd(listener);
      connect = this.proxy && (await openTunnel(this.proxy, this.service, end));
      const config = { ...this.#buildConfig(request), transport: createTransport(attempt, connect) };
      const { status, headers, data } = await client.request<Buffer>(config);
      const text = decoder.decode(data);
      // Brotli decodes some plain text to nothing, and deflate decodes some to binary data. Axios keeps the header if it doesn't decode.
      const isWrong = text === "" ? Number(headers["content-length"]) > 0 : text.startsWith("\ufffd");
      if (isWrong && attempt.encoding && !headers["content-encoding"])
        throw new ErrorWithCode("Z_DATA_ERROR");
      return createResponse(status, headers, text);
    } catch (error) {
      const { statusCode = 0, headers } = attempt.response ?? {};
      // The status is enough to report the failure; only the service's message is lost.
      if (headers && !isSuccess(statusCode)) return createResponse(statusCode, headers, "");
      return { ...toFailure(error, attempt, axios), proxy: this.proxy, hasTunnel: connect !== undefined };
    }
  }

  /** Loads axios with the first request. Loading takes a tenth of a second, and a run without changes sends no requests. */
  private async loadAxios() {
    const { default: axios } = await import("axios");
    // `axios.create` would use defaults that the program may have changed.
    const client = new axios.Axios({
      baseURL: this.service.href.replace(/\/+$/, ""),
      headers: {
        accept: "application/json",
        "user-agent": `pulumi-monitoring-service/${version} axios/${axios.VERSION}`,
        ...this.headers,
      },
      adapter: "http",
      responseType: "arraybuffer",
      maxContentLength: largestResponseMiB * 1024 * 1024,
      decompress: true,
      validateStatus: null,
      // A redirect would send the key to another URL.
      maxRedirects: 0,
      // `openTunnel` connects through the proxy: axios trusts the response of a proxy that opens no tunnel.
      proxy: false,
      ...this.#createAgents({ keepAlive: true, maxSockets: this.connections }),
    });
    return { axios, client };
  }

  #buildConfig({ method, path, body, fresh = false }: HttpRequest): AxiosRequestConfig {
    return {
      method,
      url: path,
      data: body,
      headers: {
        ...(body !== undefined && { "content-type": "application/json" }),
        ...(fresh && { "cache-control": "no-cache" }),
      },
      // The service may close a kept-alive connection while a write is sent on it, and the result would be unknown. Writes use a new
      // connection.
      ...(method !== "GET" && this.#createAgents({})),
    };
  }

  #createAgents(options: http.AgentOptions): Pick<AxiosRequestConfig, "httpAgent" | "httpsAgent"> {
    return this.service.protocol === "https:"
      ? { httpsAgent: new https.Agent(options) }
      : { httpAgent: new http.Agent(options) };
  }
}

/** One request, and the facts that remain when axios rejects. */
interface Attempt {
  /** Ends the request. The `signal` of axios would discard a response that has already arrived. */
  readonly limit: TimeLimit;
  /** True if the request may have reached the service. If in doubt, it is treated as sent, because a write must not be sent twice. */
  sent: boolean;
  /** Set once the status and headers have arrived. */
  response?: http.IncomingMessage;
  /** The header `content-encoding`. Axios removes it from the response. */
  encoding?: string | undefined;
}

/** @param createConnection Connects to the service. By default, the agent connects. */
function createTransport(attempt: Attempt, createConnection?: () => Socket) {
  return {
    request: (options: https.RequestOptions, onResponse: (response: http.IncomingMessage) => void) => {
      const secure = options.protocol === "https:";
      const send = secure ? https.request : http.request;
      const connection = createConnection && { agent: undefined, createConnection };
      // The default of axios would override `NODE_OPTIONS=--insecure-http-parser`.
      const parser = { insecureHTTPParser: undefined };
      const request = send(Object.assign(options, checkedTls, parser, connection), (response) => {
        attempt.response = response;
        attempt.encoding = response.headers["content-encoding"];
        onResponse(response);
        // A redirect isn't followed, so its body isn't read.
        if (Math.floor((response.statusCode ?? 0) / 100) === 3) response.destroy();
      });
      request.once("socket", (socket) => {
        const markSent = (): void => {
          attempt.sent = true;
        };
        if (isOpen(socket, secure)) markSent();
        else socket.once(secure ? "secureConnect" : "connect", markSent);
      });
      // Node passes a socket that changes its protocol to the listeners of this event but never ends the request.
      request.once("upgrade", (_, socket) => {
        socket.destroy();
        request.emit("error", new ErrorWithCode("UNASKED_UPGRADE"));
      });
      attempt.limit.onEnd(() => request.destroy(new Error("The time limit is over.")));
      return request;
    },
  };
}

/** Returns true if data written to the socket is sent immediately. TLS sends none until the certificate is checked. */
function isOpen(socket: Socket, secure: boolean): boolean {
  if (!secure) return !socket.connecting;
  // The protocol is null during the handshake, then a name or false.
  return socket instanceof TLSSocket && socket.alpnProtocol !== null;
}

function createResponse(
  status: number,
  headers: Readonly<Record<string, unknown>>,
  text: string,
): HttpResponse {
  const header = (name: string): string | undefined => {
    const value = headers[name];
    return (typeof value === "string" && value) || undefined;
  };
  return { status, body: parseBody(text), header };
}

/**
 * Node's code for the alert of a server that requires a client certificate. In TLS 1.3 the alert may arrive after the client has sent its
 * request, but the server reads no request before the handshake ends.
 */
export const certificateRequired = "ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED";

function toFailure(
  error: unknown,
  { limit: { over }, encoding, response, sent: wasSent }: Attempt,
  axios: Pick<AxiosStatic, "isAxiosError">,
): HttpFailure {
  if (over)
    return { kind: over.reason instanceof TimeLimitReached ? "timed out" : "cancelled", sent: wasSent };
  const isOfAxios = axios.isAxiosError(error);
  // Axios distinguishes this error only by its message.
  if (isOfAxios && /^maxContentLength/.test(error.message)) return { kind: "too large", sent: wasSent };
  const cause = isOfAxios ? error.cause : error;
  const code = getErrorCode(cause);
  // Node sets the property `reason` only for some codes, but each message of OpenSSL contains the reason.
  const [, tlsReason] = /:SSL routines:\w*:([\w ]{3,80}):/.exec(String(cause)) ?? [];
  if (code?.startsWith("HPE_")) return { kind: "invalid", sent: wasSent, code };
  // After a complete response, only decoding can fail. It may also fail earlier, with a code of zlib or Brotli.
  if (encoding && (response?.complete || /^Z_|_FORMAT_/.test(code ?? "")))
    return { kind: "invalid", sent: wasSent, code, encoding: toOneLine(encoding) };
  const sent = wasSent && code !== certificateRequired;
  return { kind: sent ? "lost" : "unreachable", sent, code, tlsReason };
}

/** This decoder removes a byte order mark; Buffer's decoder doesn't. */
const decoder = new TextDecoder();

function parseBody(text: string): Body {
  // Look for the key, plain or with escaped letters. Two searches are much faster than a regular expression.
  const mayHoldProto = text.includes("__proto__") || text.includes("\\u00");
  try {
    const json: unknown = JSON.parse(text, mayHoldProto ? omitProto : undefined);
    return { json, size: text.length };
  } catch {
    return { text };
  }
}

/** Drops keys `__proto__`: copying one would change the prototype of the copy. */
function omitProto(key: string, value: unknown): unknown {
  return key === "__proto__" ? undefined : value;
}

type Listener = (reason: unknown) => void;

/**
 * Ends after a time, or when another limit or a signal ends it earlier. The owner must `release` it. Creating an AbortController for each
 * attempt would take several times as long.
 */
export class TimeLimit {
  readonly #ends: number;
  readonly #timer: NodeJS.Timeout;
  readonly #stopListening: readonly (() => void)[];
  readonly #listeners = new Set<Listener>();
  #over: { readonly reason: unknown } | undefined;

  constructor(ms: number, sources: readonly (AbortSignal | TimeLimit)[]) {
    this.#ends = performance.now() + ms;
    this.#timer = setTimeout(() => this.#end(new TimeLimitReached()), ms);
    const end: Listener = (reason) => this.#end(reason);
    this.#stopListening = sources.map((source) =>
      source instanceof TimeLimit ? source.onEnd(end) : onAbort(source, end),
    );
  }

  get leftMs(): number {
    return this.#ends - performance.now();
  }

  /** The reason why the limit ended; undefined while it hasn't ended. */
  get over(): { readonly reason: unknown } | undefined {
    return this.#over;
  }

  throwIfOver(): void {
    if (this.#over) throw this.#over.reason;
  }

  /**
   * Calls the listener when the limit ends, or immediately if it has ended already. Returns a function that removes the listener; `release`
   * removes all listeners.
   */
  onEnd(listener: Listener): () => void {
    if (this.#over) listener(this.#over.reason);
    else this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Settles as `work` does, but rejects with the limit's reason if the limit is over first. */
  async race<T>(work: Promise<T>): Promise<T> {
    let stopListening: (() => void) | undefined;
    const settled = new Promise<T>((resolve, reject) => {
      work.then(resolve, reject);
      stopListening = this.onEnd(reject);
    });
    return settled.finally(stopListening);
  }

  /** Waits. Rejects with the reason as soon as the limit ends. */
  async sleep(ms: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const time = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
    await this.race(time).finally(() => clearTimeout(timer));
  }

  release(): void {
    clearTimeout(this.#timer);
    for (const stop of this.#stopListening) stop();
    this.#listeners.clear();
  }

  #end(reason: unknown): void {
    this.#over ??= { reason };
    for (const listener of this.#listeners) listener(this.#over.reason);
    this.#listeners.clear();
  }
}

/** The reason of a {@link TimeLimit} that ended because its own time passed. */
export class TimeLimitReached extends Error {}

/**
 * Calls the listener with the signal's reason when the signal fires. Returns a function that removes the listener. Doesn't use the option
 * `signal` of addEventListener: after a garbage collection, Node 20 no longer removes such a listener.
 */
function onAbort(signal: AbortSignal, listener: Listener): () => void {
  const onEvent = (): void => listener(signal.reason);
  if (signal.aborted) onEvent();
  signal.addEventListener("abort", onEvent);
  return () => signal.removeEventListener("abort", onEvent);
}

/** Limits how many requests of one client run at a time, and starts no request while the service requires a pause. */
export class RequestLimiter {
  readonly #queue: WorkQueue;
  /** Number of pauses after the last request that the service accepted. */
  #pauses = 0;

  constructor(private readonly concurrency: number) {
    this.#queue = new WorkQueue(concurrency);
  }

  /** Calls `send` when the limits allow it. If the deadline is over first, rejects with its reason and never calls it. */
  async run<T>(send: () => Promise<T>, deadline: TimeLimit): Promise<T> {
    return new Promise((resolve, reject) => {
      // Reject as soon as the deadline passes, even while the request is queued; its turn then sends nothing.
      const stopListening = deadline.onEnd(reject);
      const turn = async (): Promise<T> => {
        deadline.throwIfOver();
        // The request may now reach the service, so only `send` can interpret the end of the deadline.
        stopListening();
        return send();
      };
      this.#queue.run(turn).then(resolve, reject);
    });
  }

  /**
   * Pauses all requests after the service rejected one because of a rate limit, and halves their pace afterward. Returns the length of the
   * pause.
   *
   * @param began When the rejected request was sent, on the clock of `performance.now()`.
   * @param askedMs Pause that the response requests. Default: a time that doubles, at most half of `leftMs`, the remaining time of the
   * call.
   */
  slowDown(began: number, askedMs: number | undefined, leftMs: number): number {
    const [queue, now] = [this.#queue, performance.now()];
    let unaskedMs = 0;
    // If several concurrent requests are rejected, only the first rejection slows the client down.
    if (began >= queue.pausedUntil) {
      const gapMs = 2 * Math.max(queue.gapMs, (now - began) / this.concurrency);
      if (this.#pauses === 0) queue.gapMs = Math.min(gapMs, 1_000);
      // The pause is random, because many clients may have been rejected at the same time.
      const doubled = Math.min(1_000 * 2 ** this.#pauses, 15_000) * (0.5 + Math.random() / 2);
      unaskedMs = Math.min(doubled, leftMs / 2);
      this.#pauses += 1;
    }
    const pauseMs = Math.round(Math.max(askedMs ?? unaskedMs, queue.pausedUntil - now));
    queue.pausedUntil = now + pauseMs;
    return pauseMs;
  }

  /** Lets requests start a little faster, because the service accepted one. */
  speedUp(began: number): void {
    if (began < this.#queue.pausedUntil) return;
    this.#pauses = 0;
    this.#queue.gapMs *= this.#queue.gapMs < 1 ? 0 : 0.98;
  }
}
