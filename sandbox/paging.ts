/** The cursor of the list of status pages: opaque to clients, good for one account. */
import { Refusal } from "./answers";
import type { SandboxAccount } from "./data";

export function cursorAt(offset: number, { id }: SandboxAccount): string {
  return Buffer.from(`${offset}:${id}`).toString("base64url");
}

/** Where the next page starts, or a `Refusal` of a cursor that the service never gave to this account. */
export function offsetOf(cursor: string, account: SandboxAccount): number {
  const offset = Number.parseInt(Buffer.from(cursor, "base64url").toString(), 10);
  if (offset > 0 && offset < account.statusPages.length && cursorAt(offset, account) === cursor)
    return offset;
  throw new Refusal(400, "nextId: is not a cursor that this list gave", {
    validation: { source: "query", keys: ["nextId"] },
  });
}
