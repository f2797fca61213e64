/**
 * Which settings of an alert channel's `config` may be shown. It imports nothing, because the audit, which knows no
 * HTTP, uses the same list.
 */

/** Keys of settings that hold no credential. Every other key, documented or not, counts as a credential. */
const shownKeys: ReadonlySet<string> = new Set([
  "account",
  "address",
  "channel",
  "method",
  "name",
  "number",
  "priority",
  "region",
  "serviceName",
  "slackChannels",
  "webhookType",
]);

export function isShown(key: string): boolean {
  return shownKeys.has(key);
}

/** Whether this value may be shown under this key. An object under a shown key could hold a credential. */
export function isShownValue(key: string, value: unknown): boolean {
  if (!isShown(key)) return false;
  return key === "slackChannels" && Array.isArray(value) ? value.every(isScalar) : isScalar(value);
}

/** Whether it is a plain value, which has no undocumented fields. */
export function isScalar(value: unknown): boolean {
  return value === null || ["string", "number", "boolean"].includes(typeof value);
}
