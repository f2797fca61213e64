/** Faults that break a response while it is sent: it hangs, ends early, is slow, or has bytes that no server sends. */
import { type ServerResponse, STATUS_CODES } from "node:http";
import { setTimeout } from "node:timers/promises";
import { type HttpResponse, send } from "../http/httpResponse";
import type { EndingFault } from "./faultKinds";

/** Sends the response as the fault changes it. */
export async function deliver(
  response: ServerResponse,
  reply: HttpResponse,
  fault: EndingFault | undefined,
  closing: AbortSignal,
): Promise<void> {
  switch (fault?.kind) {
    case "hang":
      break;
    case "reset":
      reset(response);
      break;
    case "cut":
      cut(response, reply, fault);
      break;
    case "drip":
      await drip(response, reply, fault, closing);
      break;
    case "answer":
      sendRaw(response, fault);
      break;
    default:
      send(response, reply);
  }
}

/** Node never releases a socket that is reset while it is closing. */
function reset({ socket }: ServerResponse): void {
  if (socket?.writable) socket.resetAndDestroy();
  else socket?.destroy();
}

type Of<Kind> = Extract<EndingFault, { kind: Kind }>;

function cut(
  response: ServerResponse,
  { status, headers, body }: HttpResponse,
  { afterBytes }: Of<"cut">,
): void {
  const bytes = Buffer.from(body);
  response.writeHead(status, { ...headers, "content-length": bytes.length });
  response.flushHeaders();
  response.write(bytes.subarray(0, afterBytes ?? bytes.length / 2), () => response.destroy());
}

async function drip(
  response: ServerResponse,
  { status, headers, body }: HttpResponse,
  { bytes, everyMs, endless }: Of<"drip">,
  closing: AbortSignal,
): Promise<void> {
  const rest = Buffer.from(body);
  response.writeHead(status, headers);
  for (let sent = 0; (endless || sent < rest.length) && !response.destroyed; sent += bytes) {
    const chunk = rest.subarray(sent, sent + bytes);
    response.write(chunk.length > 0 ? chunk : " ");
    await setTimeout(everyMs, undefined, { signal: closing });
  }
  response.end();
}

function sendRaw(response: ServerResponse, { code, headers, body, encoding }: Of<"answer">): void {
  const head = [`HTTP/1.1 ${code} ${STATUS_CODES[code] ?? "Odd"}`, ...headers, "Connection: close", "", ""];
  response.socket?.write(head.join("\r\n"), "latin1");
  response.socket?.end(Buffer.from(body, encoding));
}
