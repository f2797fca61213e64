/** Which settings of an alert channel's `config` may be shown, and what replaces the others. */
import { isObject } from "./isObject";

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

/** Whether it is a plain value, which has no fields. */
export function isScalar(value: unknown): boolean {
  return value === null || ["string", "number", "boolean"].includes(typeof value);
}

/** Where a URL points to: this machine, a private network, or the internet. */
export const hostClasses = ["loopback", "private", "public"] as const;

/** What kind of well-known service a URL leads to. */
export const receiverKinds = [
  "chat",
  "on-call",
  "ticket",
  "status-page",
  "automation",
  "message",
  "data",
  "inspection",
] as const;
/** Kind of well-known service that a URL leads to. */
export type ReceiverKind = (typeof receiverKinds)[number];

/** What the secret part of a credential is, such as the path of a hook's URL or the value of an `Authorization` header. */
export const secretParts = ["literal", "reference", "none"] as const;

/** Replacement for a credential. Shows whether the credential changed, is shared, or is a URL of a forbidden host. */
export interface RedactedCredential {
  /** 12 hex digits, equal for equal credentials of one account and channel type. */
  fingerprint: string;
  /** Scheme of the URL, such as `https`, if the credential is a URL. */
  scheme?: string;
  /** Where the URL points to: this machine, a private network, or the internet. Missing if its host is a reference. */
  hostClass?: (typeof hostClasses)[number];
  /** Whether it is only a reference to a secret that the service stores, such as `{{OPS_TOKEN}}` or `{{{OPS_TOKEN}}}`. */
  isReference: boolean;
  /**
   * What its secret part is, for a URL, a template, headers, query parameters, and other text that contains a reference:
   * a literal, a reference, or `none` when nothing suggests a secret. A literal beside a reference is a literal, unless its
   * name suggests no secret.
   */
  secretPart?: (typeof secretParts)[number];
  /** What kind of well-known service the URL leads to, such as `chat`. Missing for all others, such as one's own. */
  receiver?: ReceiverKind;
  /** Set when the value is a placeholder that nobody has replaced, such as `YOUR_API_KEY`. */
  isPlaceholder?: true;
  /** Set when the value isn't as documented, such as a URL that is a list, or that has another key. */
  isMalformed?: true;
}

/** `config` with each credential replaced by a {@link RedactedCredential}. */
export type RedactedConfig = Record<string, unknown>;
