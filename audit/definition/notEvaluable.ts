/** Why something isn't evaluable, and what to do about it. */

/** Of a credential without facts. */
export const plaintextDiscarded =
  "was passed as plain text and discarded; pass the channel as the data source getAlertChannel returns it";

export const notReturned = "not returned by the service; check it there";

/** @param what What the reference hides. */
export function isReferenced(
  what: "address" | "target" | "value",
  how = "is a reference to a secret",
): string {
  return `${how}, so its ${what} is unknown; check the secret in the service`;
}
