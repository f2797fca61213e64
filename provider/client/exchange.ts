/** One request and its response. Records whether the request can have reached the service. */
import * as http from "node:http";
import * as https from "node:https";
import { type Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { type RawResponse, receive } from "./rawResponse";

export class Exchange {
  /** Whether the request may have reached the service. In doubt it counts as sent, because a write is sent once. */
  sent = false;
  readonly #secure: boolean;
  #response: Promise<RawResponse> | undefined;

  constructor(secure: boolean) {
    this.#secure = secure;
  }

  /** Sends the request. As axios calls the `transport` of a request. */
  request(
    options: https.RequestOptions,
    onResponse: (response: http.IncomingMessage) => void,
  ): http.ClientRequest {
    const request = (this.#secure ? https : http).request(options, (response) => {
      // A response before anything was sent is that of a proxy which doesn't open a tunnel.
      if (!this.sent) return void request.destroy(new ErrorWithCode(`PROXY_ANSWERED_${response.statusCode}`));
      this.#response = receive(response);
      // It may fail before somebody waits for it.
      this.#response.catch(() => undefined);
      onResponse(response);
    });
    // Node leaves a socket that changes its protocol to the listeners of this event.
    request.once("upgrade", (_, socket) => {
      socket.destroy();
      request.emit("error", new ErrorWithCode("UNASKED_UPGRADE"));
    });
    request.once("socket", (socket) => {
      const markSent = (): void => {
        this.sent = true;
      };
      if (isOpen(socket, this.#secure)) markSent();
      else socket.once(this.#secure ? "secureConnect" : "connect", markSent);
    });
    return request;
  }

  /** The complete response. Call it after the request's callback. */
  async response(): Promise<RawResponse> {
    if (!this.#response) throw new Error("There is no response yet.");
    return this.#response;
  }
}

/** Whether data written to the socket is sent at once. Under TLS nothing is sent before the certificate is checked. */
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
