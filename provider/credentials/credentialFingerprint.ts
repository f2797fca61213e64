/** What tells whether a credential changed, or is shared, without revealing it. */
import { createHmac } from "node:crypto";

/** The hex digits of a fingerprint. */
export const fingerprintLength = 12;

/** Equal for equal credentials of one account and channel type. They can't be compared across accounts. */
export function credentialFingerprint(text: string, type: string, accountId = ""): string {
  return createHmac("sha256", `${accountId}\n${type}`).update(text).digest("hex").slice(0, fingerprintLength);
}

/** The text of a credential: JSON with sorted keys where it isn't one, so that equal values have equal text. */
export function credentialText(credential: unknown): string {
  if (typeof credential === "string") return credential;
  return JSON.stringify(credential, (_, inner: unknown) => {
    if (typeof inner !== "object" || inner === null || Array.isArray(inner)) return inner;
    // Stryker disable next-line EqualityOperator: no object has a key twice
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
