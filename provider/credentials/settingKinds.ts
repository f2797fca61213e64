/** Which settings of an alert channel's `config` may be shown, are documented, malformed or empty. */
import { isScalar } from "../values/isScalar";

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

const textCredentials: readonly string[] = ["url", "serviceKey", "apiKey", "webhookSecret", "template"];
const listCredentials: readonly string[] = ["headers", "queryParameters"];

/** Whether the API documents the setting. */
export function isDocumented(key: string): boolean {
  return isShown(key) || textCredentials.includes(key) || listCredentials.includes(key);
}

/** Whether a credential isn't of its documented type, such as a URL that is a list. */
export function isMalformedCredential(key: string, value: unknown): boolean {
  if (textCredentials.includes(key)) return typeof value !== "string";
  return listCredentials.includes(key) && !(Array.isArray(value) && value.every(isPair));
}

function isPair(value: unknown): boolean {
  return typeof value === "object" && value !== null && "key" in value && typeof value.key === "string";
}

/** Whether the service stores nothing under a key: an empty string or list stands for no value. */
export function isEmpty(value: unknown): boolean {
  return (
    value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0)
  );
}
