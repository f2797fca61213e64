/** How axios sends a request: by Node's own http and https. The adapter of axios takes several times as long. */
import * as http from "node:http";
import * as https from "node:https";
import { type Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { type AxiosAdapter, type InternalAxiosRequestConfig } from "axios";
import { type RawResponse, receive } from "./rawResponse";
import { type TimeLimit } from "./time";

/** Certificates are checked even with NODE_TLS_REJECT_UNAUTHORIZED=0. */
export const checkedTls = { rejectUnauthorized: true };

/** What is known about one request when axios rejects. */
export interface Attempt {
  /** Not the `signal` of axios, which discards a response that has arrived by then. */
  readonly limit: TimeLimit;
  /** Whether the request may have reached the service. In doubt it counts as sent, because a write is sent once. */
  sent: boolean;
}

/** Resolves with every status, follows no redirect, and reads at most `maxContentLength` bytes. */
export function adapterFor(attempt: Attempt): AxiosAdapter {
  return async (config) => {
    const { status, headers, bytes } = await exchange(config, attempt);
    return { status, statusText: "", headers: { ...headers }, data: bytes, config };
  };
}

async function exchange(config: InternalAxiosRequestConfig, attempt: Attempt): Promise<RawResponse> {
  const { baseURL = "", url = "", method = "", headers, maxContentLength = 0 } = config;
  const { protocol, hostname, port, pathname, search } = new URL(baseURL + url);
  const secure = protocol === "https:";
  const agent: unknown = secure ? config.httpsAgent : config.httpAgent;
  const body: unknown = config.data;
  const options = {
    protocol,
    hostname: hostname.replace(/^\[|\]$/g, ""),
    port: port || (secure ? 443 : 80),
    path: pathname + search,
    method: method.toUpperCase(),
    headers: headers.toJSON(),
    ...(agent instanceof http.Agent && { agent }),
    ...checkedTls,
  };
  return new Promise((resolve, reject) => {
    const request = (secure ? https : http).request(options, (response) =>
      resolve(receive(response, maxContentLength)),
    );
    request.on("error", reject);
    // Node leaves a socket that changes its protocol to the listeners of this event.
    request.once("upgrade", (_, socket) => {
      socket.destroy();
      reject(new ErrorWithCode("UNASKED_UPGRADE"));
    });
    // Without the check, the response of a proxy that opens no tunnel would pass for that of the service.
    request.once("proxyConnect", ({ statusCode }: { statusCode: number }) => {
      if (statusCode !== 200) request.destroy(new ErrorWithCode(`PROXY_ANSWERED_${statusCode}`));
    });
    request.once("socket", (socket) => {
      const markSent = (): void => {
        attempt.sent = true;
      };
      if (isOpen(socket, secure)) markSent();
      else socket.once(secure ? "secureConnect" : "connect", markSent);
    });
    attempt.limit.onEnd(() => request.destroy(new Error("The time limit is over.")));
    request.end(body);
  });
}

/** Whether data written to the socket is sent immediately. Under TLS nothing is sent before the certificate is checked. */
function isOpen(socket: Socket, secure: boolean): boolean {
  if (!secure) return !socket.connecting;
  // The protocol is null until the handshake is done, then a name or false.
  return socket instanceof TLSSocket && socket.alpnProtocol !== null;
}

export class ErrorWithCode extends Error {
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}
