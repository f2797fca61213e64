import { createHmac } from "node:crypto";

/** 12 hex digits, equal for equal credentials of one account and channel type. They can't be compared across accounts. */
export function fingerprintOf(text: string, type: string, accountId = ""): string {
  return createHmac("sha256", `${accountId}\n${type}`).update(text).digest("hex").slice(0, 12);
}
