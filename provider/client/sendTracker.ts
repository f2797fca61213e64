/** Sends one request, and records whether it can have reached the service. */
import * as http from "node:http";
import * as https from "node:https";
import { type Socket } from "node:net";
import { TLSSocket } from "node:tls";

/** The `transport` of one request of axios. */
export class SendTracker {
  /** Whether the request may have reached the service. In doubt it counts as sent, because a write is sent once. */
  sent = false;
  readonly #secure: boolean;

  constructor(secure: boolean) {
    this.#secure = secure;
  }

  request(
    options: https.RequestOptions,
    onResponse: (response: http.IncomingMessage) => void,
  ): http.ClientRequest {
    const request = (this.#secure ? https : http).request(options, (response) => {
      // A response before anything was sent is that of a proxy which doesn't open a tunnel.
      if (this.sent) onResponse(response);
      else request.destroy(new ErrorWithCode(`PROXY_ANSWERED_${response.statusCode}`));
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
}

/** Whether data written to the socket is sent at once. Under TLS nothing is sent before the certificate is checked. */
function isOpen(socket: Socket, secure: boolean): boolean {
  if (!secure) return !socket.connecting;
  // The protocol is null until the handshake is done, then a name or false.
  return socket instanceof TLSSocket && socket.alpnProtocol !== null;
}

class ErrorWithCode extends Error {
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}
