/** Who is asking, and for which account (part 5 of the contract). */
import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { Refusal } from "./answers";
import type { SandboxData } from "./data";

/** The id of the account that a request is about, or why it is refused. */
export function authorise(headers: IncomingHttpHeaders, access: SandboxData["access"]): string | Refusal {
  const sent = /^bearer +(\S+)$/i.exec(headers.authorization ?? "")?.[1] ?? "";
  const accountIds = access.find(({ apiKey }) => sameSecret(sent, apiKey))?.accountIds;
  if (accountIds === undefined) {
    const problem = sent === "" ? "No API key was sent" : "This API key is not known";
    const advice = "send it as Authorization: Bearer <API key>";
    return new Refusal(401, `${problem}: ${advice}.`, {}, { "www-authenticate": "Bearer" });
  }
  const wanted = headers["x-service-account"] ?? accountIds[0];
  if (typeof wanted === "string" && accountIds.includes(wanted)) return wanted;
  return new Refusal(403, `This API key does not belong to the account ${JSON.stringify(wanted)}.`);
}

/** Takes as long for a near miss as for any other. */
function sameSecret(one: string, other: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
