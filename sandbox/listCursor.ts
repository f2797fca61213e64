/** The cursor of the list of status pages: opaque to clients, valid for one account. */
import type { SandboxAccount } from "./store/data";
import { HttpError } from "./httpResponse";

export function encodeCursor(offset: number, { id }: SandboxAccount): string {
  return Buffer.from(`${offset}:${id}`).toString("base64url");
}

/**
 * The offset of the next page.
 *
 * @throws HttpError for a cursor that the list never returned for this account
 */
export function decodeCursor(cursor: string, account: SandboxAccount): number {
  const offset = Number.parseInt(Buffer.from(cursor, "base64url").toString(), 10);
  if (offset > 0 && offset < account.statusPages.length && encodeCursor(offset, account) === cursor)
    return offset;
  throw new HttpError(400, "nextId: is not a cursor that this list returned", {
    validation: { source: "query", keys: ["nextId"] },
  });
}
