/** Tells which settings of a channel are credentials, which one is its target, and which the API doesn't document. */
import { type AlertChannel, isObject, isScalar } from "../api";
import { isPair } from "./judge";

/** Whether the service stores nothing under a key: an empty string or list stands for no value. */
export function isEmpty(value: unknown): boolean {
  return Array.isArray(value) ? value.length === 0 : (value ?? "") === "";
}

/** Settings that hold no credential. Every other key, documented or not, counts as a credential. */
const shown =
  "account address channel method name number priority region serviceName slackChannels webhookType";
const shownKeys = shown.split(" ");
const textCredentials = "url serviceKey apiKey webhookSecret template".split(" ");
const listCredentials = ["headers", "queryParameters"];
const documentedKeys = new Set([...shownKeys, ...textCredentials, ...listCredentials]);

export function isShown(key: string): boolean {
  return shownKeys.includes(key);
}

/** Whether this value may be shown under this key. An object under a shown key could hold a credential. */
export function isShownValue(key: string, value: unknown): boolean {
  if (!isShown(key)) return false;
  return key === "slackChannels" && Array.isArray(value) ? value.every(isScalar) : isScalar(value);
}

/** Whether a credential isn't of its documented type, such as a URL that is a list. */
export function isMalformedCredential(key: string, value: unknown): boolean {
  if (textCredentials.includes(key)) return typeof value !== "string";
  return listCredentials.includes(key) && !(Array.isArray(value) && value.every(isPair));
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

/** With its credentials or their replacements. */
export type Configured = Pick<AlertChannel, "type" | "config">;

/** The undocumented settings in which the target of the channel may be, where no rule on targets looks for it. */
export function undocumentedTargets({ type, config }: Configured): string[] {
  const target = targetSettings.get(type);
  if (target === undefined) return [];
  return Object.entries(config)
    .filter(([key, value]) => !documentedKeys.has(key) && !isEmpty(value))
    .filter(([, value]) => isEmpty(config[target]) || isUrl(value))
    .map(([key]) => key);
}

function isUrl(value: unknown): boolean {
  return isObject(value) ? value.scheme !== undefined : /^\s*https?:/i.test(String(value));
}

/** Without undocumented settings. The target is marked as malformed if it may be in one of them. */
export function documentedConfig({ type, config }: Configured): Record<string, unknown> {
  const [other] = undocumentedTargets({ type, config });
  const kept = Object.fromEntries(Object.entries(config).filter(([key]) => documentedKeys.has(key)));
  const target = targetSettings.get(type);
  if (other === undefined || target === undefined) return kept;
  const replacement = config[other];
  return { ...kept, [target]: { ...(isObject(replacement) && replacement), isMalformed: true } };
}
