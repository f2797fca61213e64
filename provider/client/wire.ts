/** One request on its socket, and whether it can have reached the service. */
import * as http from "node:http";
import * as https from "node:https";
import { type Socket } from "node:net";
import { TLSSocket } from "node:tls";

/** Sends one request. axios takes it as its `transport`. */
export class Wire {
  /** Whether the request may have reached the service. In doubt it counts as sent, because a write is sent once. */
  sent = false;
  readonly #secure: boolean;

  constructor(secure: boolean) {
    this.#secure = secure;
  }

  request(
    options: https.RequestOptions,
    onAnswer: (answer: http.IncomingMessage) => void,
  ): http.ClientRequest {
    const request = (this.#secure ? https : http).request(options, (answer) => {
      // What answers before anything was sent is a proxy that opens no tunnel.
      if (this.sent) onAnswer(answer);
      else request.destroy(new Failure(`PROXY_ANSWERED_${answer.statusCode}`));
    });
    // Node leaves a socket that changes its protocol to whoever listens.
    request.once("upgrade", (_, socket) => {
      socket.destroy();
      request.emit("error", new Failure("UNASKED_UPGRADE"));
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

/** Whether what is written to the socket leaves at once. Under TLS nothing leaves before the certificate is checked. */
function isOpen(socket: Socket, secure: boolean): boolean {
  if (!secure) return !socket.connecting;
  // The protocol is null until the handshake is done, then a name or false.
  return socket instanceof TLSSocket && socket.alpnProtocol !== null;
}

class Failure extends Error {
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}
