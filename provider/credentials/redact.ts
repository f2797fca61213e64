/** Replaces each credential in an alert channel's `config`, which the service returns in plain text, by facts about it. */
import { createHmac } from "node:crypto";
import { z } from "zod";
import { type AlertChannel, isObject, isScalar } from "../api";
import { oneOf } from "../problems";
import { hostClasses, hostClassOf, receiverAt } from "./hosts";
import {
  addressOf,
  isEmpty,
  isIncompleteSlackUrl,
  isPlaceholder,
  isPlaceholderInPairs,
  isReference,
  secretPartOf,
  secretParts,
} from "./recognize";
import { type ReceiverKind, receiverKinds } from "./services";

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

/** Empty values stay as they are: they stand for none. */
export function redactConfig(
  { type, config }: Pick<AlertChannel, "type" | "config">,
  accountId?: string,
): RedactedConfig {
  return Object.fromEntries(
    Object.entries(config).map(([key, value]) => [
      key,
      isShownValue(key, value) || isEmpty(value) ? value : redactCredential(key, value, type, accountId),
    ]),
  );
}

/** A redacted `config` with only the fingerprint of each credential: what the service has, without the facts derived from it. */
export function fingerprintsOf(config: unknown): unknown {
  if (!isObject(config)) return config;
  return Object.fromEntries(
    Object.entries(config).map(([key, value]) => [key, isObject(value) ? value.fingerprint : value]),
  );
}

/** @param type of the channel */
function redactCredential(key: string, value: unknown, type: string, accountId?: string): RedactedCredential {
  const text = credentialText(value);
  const secretPart = secretPartOf(key, value);
  return {
    fingerprint: credentialFingerprint(text, type, accountId),
    ...urlFacts(text),
    isReference: isReference(text),
    ...(secretPart && { secretPart }),
    ...(isUnfilled(key, value, type) && { isPlaceholder: true }),
    ...(isMalformedCredential(key, value) && { isMalformed: true }),
  };
}

function isUnfilled(key: string, value: unknown, type: string): boolean {
  const isIncomplete = type === "SLACK" && key === "url" && isIncompleteSlackUrl(value);
  return isIncomplete || isPlaceholder(key, value) || isPlaceholderInPairs(value);
}

function urlFacts(text: string): Pick<RedactedCredential, "scheme" | "hostClass" | "receiver"> {
  const { scheme, hostname } = addressOf(text) ?? {};
  const receiver = hostname === undefined ? undefined : receiverAt(hostname);
  return {
    ...(scheme && { scheme }),
    ...(hostname && { hostClass: hostClassOf(hostname) }),
    ...(receiver && { receiver }),
  };
}

/** The hex digits of a fingerprint. */
const fingerprintLength = 12;

/** Equal for equal credentials of one account and channel type. They can't be compared across accounts. */
function credentialFingerprint(text: string, type: string, accountId = ""): string {
  return createHmac("sha256", `${accountId}\n${type}`).update(text).digest("hex").slice(0, fingerprintLength);
}

/** The text of a credential: JSON with sorted keys where it isn't one, so that equal values have equal text. */
function credentialText(credential: unknown): string {
  if (typeof credential === "string") return credential;
  return JSON.stringify(credential, (_, inner: unknown) => {
    if (typeof inner !== "object" || inner === null || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

/** Errors of an expectation never quote its value, which may be the credential itself. */
export const redactedCredential = z.object(
  {
    fingerprint: z.string().regex(new RegExp(`^[0-9a-f]{${fingerprintLength}}$`), {
      error: `must be the ${fingerprintLength} hex digits that the output \`config\` shows`,
    }),
    scheme: z
      .string()
      .regex(/^[a-z][a-z0-9+.-]*$/, { error: "must be the scheme of a URL, such as https" })
      .optional(),
    hostClass: oneOf(hostClasses).optional(),
    isReference: z.boolean(),
    secretPart: oneOf(secretParts).optional(),
    receiver: oneOf(receiverKinds).optional(),
    isPlaceholder: z.literal(true, { error: "must be true, or not set" }).optional(),
    isMalformed: z.literal(true, { error: "must be true, or not set" }).optional(),
  },
  {
    error:
      "is a credential, which is never stored: expect an object with any of fingerprint, scheme, hostClass, isReference, secretPart, receiver, isPlaceholder, isMalformed",
  },
) satisfies z.ZodType<RedactedCredential>;

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
function isDocumentedSetting(key: string): boolean {
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
    .filter(([key, value]) => !isDocumentedSetting(key) && !isEmpty(value))
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
  const kept = Object.fromEntries(Object.entries(config).filter(([key]) => isDocumentedSetting(key)));
  const target = targetSettings.get(type);
  if (other === undefined || target === undefined) return kept;
  const replacement = config[other];
  return { ...kept, [target]: { ...(isObject(replacement) && replacement), isMalformed: true } };
}
