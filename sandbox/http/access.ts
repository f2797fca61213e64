/** Authentication, and the account that a request is for. */
import type { IncomingHttpHeaders } from "node:http";
import { HttpError } from "./httpResponse";
import type { SandboxData } from "../store/data";

/**
 * The id of the account that a request is for, or the error that rejects it. Without the account header, it is the first
 * one of the key.
 *
 * @param accountHeader its name in lower case
 */
export function authorize(
  headers: IncomingHttpHeaders,
  access: SandboxData["access"],
  accountHeader: string,
): string | HttpError {
  const key = /^bearer +(\S+)$/i.exec(headers.authorization ?? "")?.[1] ?? "";
  const accountIds = access.find(({ apiKey }) => apiKey === key)?.accountIds;
  if (accountIds === undefined) {
    const problem = key === "" ? "No API key was sent" : "This API key is not known";
    const advice = "send it as Authorization: Bearer <API key>";
    return new HttpError(401, `${problem}: ${advice}.`, {}, { "www-authenticate": "Bearer" });
  }
  const unknown = unknownHeader(headers, access, accountHeader);
  if (unknown !== undefined) {
    const advice = `This service takes the account from ${accountHeader}`;
    return new HttpError(400, `The header ${unknown} is not known. ${advice}.`);
  }
  const account = headers[accountHeader] ?? accountIds[0];
  if (typeof account === "string" && accountIds.includes(account)) return account;
  return new HttpError(403, `This API key does not belong to the account ${JSON.stringify(account)}.`);
}

/** A header that looks like an account header of another name: ignoring it would answer for the wrong account. */
function unknownHeader(
  headers: IncomingHttpHeaders,
  access: SandboxData["access"],
  accountHeader: string,
): string | undefined {
  const accountIds: readonly unknown[] = access.flatMap((each) => each.accountIds);
  return Object.entries(headers)
    .filter(([name, value]) => /(^|-)account(-id)?$/.test(name) || accountIds.includes(value))
    .map(([name]) => name)
    .find((name) => name !== accountHeader);
}
