/** How an answer gets to the client, or doesn't. */
import { type ServerResponse, STATUS_CODES } from "node:http";
import { setTimeout } from "node:timers/promises";
import type { Answer } from "./answers";
import type { EndingFault } from "./faultKinds";
import type { JournalEntry } from "./journal";

/** What the journal says about an answer that meets this fault. */
export function ending(answer: Answer, fault?: EndingFault): Pick<JournalEntry, "status" | "ended"> {
  switch (fault?.kind) {
    case "hang":
    case "reset":
      return { status: null, ended: fault.kind };
    case "cut":
      return { status: answer.status, ended: "cut" };
    case "answer":
      return { status: fault.code, ended: "answered" };
    default:
      return { status: answer.status, ended: "answered" };
  }
}

/** Sends what the fault leaves of the answer. */
export async function deliver(
  response: ServerResponse,
  answer: Answer,
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
      cut(response, answer, fault);
      break;
    case "drip":
      await drip(response, answer, fault, closing);
      break;
    case "answer":
      sendRaw(response, fault);
      break;
    default:
      send(response, answer);
  }
}

export function send(response: ServerResponse, { status, headers, body }: Answer): void {
  response.statusCode = status;
  response.setHeaders(new Map(Object.entries(headers)));
  response.end(body);
}

/** A socket that is closing by itself can't be reset: Node would never let go of it. */
function reset({ socket }: ServerResponse): void {
  if (socket?.writable) socket.resetAndDestroy();
  else socket?.destroy();
}

type Of<Kind> = Extract<EndingFault, { kind: Kind }>;

function cut(response: ServerResponse, { status, headers, body }: Answer, { afterBytes }: Of<"cut">): void {
  const bytes = Buffer.from(body);
  response.writeHead(status, { ...headers, "content-length": bytes.length });
  response.flushHeaders();
  response.write(bytes.subarray(0, afterBytes ?? bytes.length / 2), () => response.destroy());
}

async function drip(
  response: ServerResponse,
  { status, headers, body }: Answer,
  { bytes, everyMs, endless }: Of<"drip">,
  closing: AbortSignal,
): Promise<void> {
  const rest = Buffer.from(body);
  response.writeHead(status, headers);
  for (let sent = 0; (endless || sent < rest.length) && !response.destroyed; sent += bytes) {
    const drop = rest.subarray(sent, sent + bytes);
    response.write(drop.length > 0 ? drop : " ");
    await setTimeout(everyMs, undefined, { signal: closing });
  }
  response.end();
}

function sendRaw(response: ServerResponse, { code, headers, body, encoding }: Of<"answer">): void {
  const head = [`HTTP/1.1 ${code} ${STATUS_CODES[code] ?? "Odd"}`, ...headers, "Connection: close", "", ""];
  response.socket?.write(head.join("\r\n"), "latin1");
  response.socket?.end(Buffer.from(body, encoding));
}
