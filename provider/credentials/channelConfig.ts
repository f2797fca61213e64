/** Which settings of an alert channel's `config` may be shown, and what replaces the others. */
import { isObject } from "../values/isObject";
import { isScalar } from "../values/isScalar";
import type { RedactedConfig } from "./redactedCredential";

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
function isDocumented(key: string): boolean {
  return isShown(key) || textCredentials.includes(key) || listCredentials.includes(key);
}

/** The setting that holds the target of each type. */
export const targetSettings: ReadonlyMap<string, string> = new Map([
  ["EMAIL", "address"],
  ["SLACK", "url"],
  ["SLACK_APP", "slackChannels"],
  ["WEBHOOK", "url"],
  ["SMS", "number"],
  ["CALL", "number"],
  ["PAGERDUTY", "serviceKey"],
  ["OPSGENIE", "apiKey"],
]);

interface Configured {
  readonly type: string;
  /** With its credentials or their replacements. */
  readonly config: Readonly<Record<string, unknown>>;
}

/** The undocumented settings in which the target of the channel may be, where no rule on targets looks for it. */
export function undocumentedTargets({ type, config }: Configured): string[] {
  const target = targetSettings.get(type);
  if (target === undefined) return [];
  return Object.entries(config)
    .filter(([key, value]) => !isDocumented(key) && !isEmpty(value))
    .filter(([, value]) => isEmpty(config[target]) || isUrl(value))
    .map(([key]) => key);
}

function isUrl(value: unknown): boolean {
  if (typeof value === "string") return /^\s*https?:/i.test(value);
  return isObject(value) && value.scheme !== undefined;
}

/** Without undocumented settings. The target is marked as malformed if it may be in one of them. */
export function documentedConfig({ type, config }: Configured): RedactedConfig {
  const [other] = undocumentedTargets({ type, config });
  const kept = Object.fromEntries(Object.entries(config).filter(([key]) => isDocumented(key)));
  const target = targetSettings.get(type);
  if (other === undefined || target === undefined) return kept;
  const replacement = config[other];
  return { ...kept, [target]: { ...(isObject(replacement) && replacement), isMalformed: true } };
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
