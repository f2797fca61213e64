/** The transport that axios sends with: Node's own, watched. */
import * as http from "node:http";
import * as https from "node:https";
import { type Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { type TimeLimit } from "./timeLimit";
import { ErrorWithCode } from "./errorWithCode";
import { failWithoutTunnel } from "./proxy";
import { checkedTls } from "./tls";

/** One request, and what is known about it when axios rejects. */
export interface Attempt {
  /** Not the `signal` of axios, which discards a response that has arrived by then. */
  readonly limit: TimeLimit;
  /** Whether the request may have reached the service. In doubt it counts as sent, because a write is sent once. */
  sent: boolean;
  /** Its status and headers have arrived. */
  response?: http.IncomingMessage;
}

interface WatchedTransport {
  request(
    options: https.RequestOptions,
    onResponse: (response: http.IncomingMessage) => void,
  ): http.ClientRequest;
}

export function transportFor(attempt: Attempt): WatchedTransport {
  return {
    request: (options, onResponse) => {
      const secure = options.protocol === "https:";
      const send = secure ? https.request : http.request;
      const request = send(Object.assign(options, checkedTls), (response) => {
        attempt.response = response;
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
      // Node leaves a socket that changes its protocol to the listeners of this event, and the request without an end.
      request.once("upgrade", (_, socket) => {
        socket.destroy();
        request.emit("error", new ErrorWithCode("UNASKED_UPGRADE"));
      });
      failWithoutTunnel(request);
      attempt.limit.onEnd(() => request.destroy(new Error("The time limit is over.")));
      return request;
    },
  };
}

/** Whether data written to the socket is sent immediately. Under TLS nothing is sent before the certificate is checked. */
function isOpen(socket: Socket, secure: boolean): boolean {
  if (!secure) return !socket.connecting;
  // The protocol is null until the handshake is done, then a name or false.
  return socket instanceof TLSSocket && socket.alpnProtocol !== null;
}
