/** Which settings of an alert channel's `config` may be shown, and what replaces the others. */

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

/** Whether it is a plain value, which has no fields. */
export function isScalar(value: unknown): boolean {
  return value === null || ["string", "number", "boolean"].includes(typeof value);
}

/** Where a URL points to: this machine, a private network, or the internet. */
export const hostClasses = ["loopback", "private", "public"] as const;

/** Replacement for a credential. Shows whether the credential changed, is shared, or is a URL of a forbidden host. */
export interface RedactedCredential {
  /** 12 hex digits, equal for equal credentials of one account and channel type. */
  fingerprint: string;
  /** Scheme of the URL, such as `https`, if the credential is a URL. */
  scheme?: string;
  /** Where the URL points to: this machine, a private network, or the internet. */
  hostClass?: (typeof hostClasses)[number];
  /** Whether it is only a reference to a secret that the service stores, such as `{{OPS_TOKEN}}`. */
  isReference: boolean;
}

/** `config` with each credential replaced by a {@link RedactedCredential}. */
export type RedactedConfig = Record<string, unknown>;
