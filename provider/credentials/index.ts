/** Decides which settings of an alert channel are credentials and replaces these with facts that can be shown and stored. */
import { createHmac } from "node:crypto";
import { z } from "zod";
import { type AlertChannel, isObject, isScalar } from "../api";
import { hostClasses, classifyHost } from "../hosts";
import { oneOf } from "../problems";
import { parseJson } from "../texts";
import { isReference } from "./grammar";
import { isPair, classifySettings, recognitions, secretParts } from "./classify";
import { findHook, findKey, findReceiver } from "./vendorForms";
import { type ReceiverKind, receiverKinds } from "./vendors";

export { isPlaceholderAddress } from "./placeholders";
export { findCredential } from "./prose";
export { isOnCallMailDomain } from "./vendorForms";

/** Replacement for a credential. Shows whether the credential changed, is shared, or is a URL with a forbidden host. */
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
   * Kind of the secret part of a URL, a template, headers, query parameters, or other text that contains a reference: a literal, a
   * reference, `hidden` when the service masks it, or `none` when nothing suggests a secret. A literal beside a reference is a literal,
   * unless its name suggests no secret.
   */
  secretPart?: (typeof secretParts)[number];
  /**
   * How a literal was recognized: by its `name`, by its `place` in a known hook, by the `prefix` of a vendor or the header of a key; or
   * only because it looks `random`.
   */
  recognizedBy?: (typeof recognitions)[number];
  /**
   * Kind of well-known service that the URL leads to, such as `on-call`. `people` is a link for people, such as an invitation, and `closed`
   * is a service that is switched off. Missing for all other URLs, for example for a private service.
   */
  receiver?: ReceiverKind;
  /** Set when the value is a placeholder, such as `YOUR_API_KEY`. */
  isPlaceholder?: true;
  /** Set when a template starts like JSON but is invalid with any values of its variables. */
  isInvalidJson?: true;
  /** Set when the value isn't as documented, such as a URL that is a list or is under another key. */
  isMalformed?: true;
}

/** `config` with a {@link RedactedCredential} instead of each credential. */
export type RedactedConfig = Record<string, unknown>;

/**
 * Classifies each value of a `config` once. Returns it with facts instead of credentials, the settings and the title that are shown, and
 * the host of `url`, because no fact reveals it. Empty values are kept, because they mean that a setting isn't set.
 */
export function readConfig({ type, config }: Configured, accountId?: string) {
  const isCredential = ([key, value]: [string, unknown]) => !isShownValue(key, value) && !isEmpty(value);
  const credentials = Object.entries(config).filter(isCredential);
  const judged = classifySettings(type, credentials);
  const shown = maskSettings({ type, config }, accountId);
  const redacted: RedactedConfig = { ...config, ...shown.settings };
  for (const [index, [key, value]] of credentials.entries()) {
    const fingerprint = computeFingerprint(value, type, accountId);
    redacted[key] = { fingerprint, ...collectFacts(key, value, judged[index]) };
  }
  const hostname = judged[credentials.findIndex(([key]) => key === "url")]?.url?.hostname;
  return { config: redacted, shown, hostname };
}

/** Returns `config` with a {@link RedactedCredential} instead of each credential. */
export function redactConfig(channel: Configured, accountId?: string): RedactedConfig {
  return readConfig(channel, accountId).config;
}

/** Reduces each credential of a redacted `config` to its fingerprint. Unlike the other facts, it doesn't depend on this release. */
export function reduceToFingerprints(config: unknown): unknown {
  if (!isObject(config)) return config;
  return Object.fromEntries(
    Object.entries(config).map(([key, value]) => [key, isObject(value) ? value.fingerprint : value]),
  );
}

type Classification = Partial<ReturnType<typeof classifySettings>[number]>;

function collectFacts(key: string, value: unknown, judged: Classification = {}) {
  const { secretPart, recognizedBy, isPlaceholder, url } = judged;
  const { scheme, hostname } = url ?? {};
  const receiver = url && findReceiver(url);
  const isInvalid = key === "template" && isInvalidJson(serializeCredential(value));
  return {
    ...(scheme && { scheme }),
    ...(hostname && { hostClass: classifyHost(hostname) }),
    ...(receiver && { receiver }),
    isReference: typeof value === "string" && isReference(value),
    ...(secretPart && { secretPart }),
    ...(recognizedBy && { recognizedBy }),
    ...(isPlaceholder && { isPlaceholder }),
    ...(isInvalid && { isInvalidJson: true }),
    ...(isMalformedCredential(key, value) && { isMalformed: true }),
  };
}

/**
 * Returns true if a template starts like JSON but is invalid with any values of its variables. Returns false if it contains a block such as
 * `{{#if GROUP_NAME}}`, because its result is unknown. Some receivers accept one JSON value per line.
 */
function isInvalidJson(template: string): boolean {
  if (!/^[\s[]*\{\s*["}]/.test(template) || /\{\{~?[#^!]/.test(template)) return false;
  const filled = template.replace(/\{\{\{[^{}]*\}\}\}|\{\{[^{}]*\}\}/g, "1");
  const lines = filled.match(/\S.*/g) ?? [];
  return parseJson(filled) === undefined && lines.some((line) => parseJson(line) === undefined);
}

const fingerprintLength = 12;

/** Returns equal fingerprints for equal credentials of one account and channel type. Fingerprints of two accounts can't be compared. */
function computeFingerprint(credential: unknown, type: string, accountId = ""): string {
  const hmac = createHmac("sha256", `${accountId}\n${type}`).update(serializeCredential(credential));
  return hmac.digest("hex").slice(0, fingerprintLength);
}

/** Serializes a credential that isn't a string as JSON with sorted keys, so that equal values result in equal strings. */
function serializeCredential(credential: unknown): string {
  if (typeof credential === "string") return credential;
  return JSON.stringify(credential, (_, inner: unknown) => {
    if (typeof inner !== "object" || inner === null || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

const flag = z.literal(true, { error: "must be true or unset" }).optional();

/** Its messages never quote the expected value, because it may be the credential itself. */
export const redactedCredential = z.object(
  {
    fingerprint: z.string().regex(new RegExp(`^[0-9a-f]{${fingerprintLength}}$`), {
      error: `must be the ${fingerprintLength} hex digits in the output \`config\``,
    }),
    scheme: z
      .string()
      .regex(/^[a-z][a-z0-9+.-]*$/, { error: "must be the scheme of a URL, such as https" })
      .optional(),
    hostClass: oneOf(hostClasses).optional(),
    isReference: z.boolean(),
    secretPart: oneOf(secretParts).optional(),
    recognizedBy: oneOf(recognitions).optional(),
    receiver: oneOf(receiverKinds).optional(),
    isPlaceholder: flag,
    isInvalidJson: flag,
    isMalformed: flag,
  },
  {
    error:
      "is a credential, whose value is never stored. Use an object with any of fingerprint, scheme, hostClass, isReference, secretPart, recognizedBy, receiver, isPlaceholder, isInvalidJson, isMalformed",
  },
) satisfies z.ZodType<RedactedCredential>;

/** Returns true if the service stores nothing under a key. An empty string or list means no value. */
const isEmpty = (value: unknown): boolean =>
  Array.isArray(value) ? value.length === 0 : (value ?? "") === "";

/** Settings whose name shows that they contain no credential. Every other key, documented or not, is treated as a credential. */
export const shownKeys =
  "account address channel method name number priority region serviceName slackChannels webhookType".split(
    " ",
  );

export const isShown = (key: string): boolean => shownKeys.includes(key);

const textCredentials = "url serviceKey apiKey webhookSecret template".split(" ");
const listCredentials = ["headers", "queryParameters"];
const documentedKeys: ReadonlySet<string> = new Set([...shownKeys, ...textCredentials, ...listCredentials]);

/** Settings that people fill in, the most descriptive first. */
const titles = ["name", "serviceName", "channel", "address", "number", "account"];
export const filledTexts: readonly string[] = [...titles, "slackChannels"];

/** Returns true if a value may be shown. An object could contain a credential, even under a key that is shown. */
function isShownValue(key: string, value: unknown): boolean {
  return isShown(key) && (key === "slackChannels" ? [value].flat() : [value]).every(isScalar);
}

/** The settings of a channel that may be shown, with a fingerprint instead of each string that contains a secret, and the title. */
export type ShownSettings = ReturnType<typeof maskSettings>;

/** Checks the names and addresses of a channel for secrets. Only this function does, so that each is checked once. */
export function maskSettings({ type, config }: Configured, accountId?: string) {
  const maskValue = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(maskValue);
    return typeof value === "string" ? maskText(value, type, accountId) : value;
  };
  const filled = Object.entries(config).filter(([key, value]) => isShownValue(key, value) && !isEmpty(value));
  const settings: Readonly<Record<string, unknown>> = Object.fromEntries(
    filled.map(([key, value]) => [key, filledTexts.includes(key) ? maskValue(value) : value]),
  );
  const [title] = titles.flatMap((key) => settings[key] ?? []);
  const isTitle = typeof title === "string" && !title.includes("://") && !hiddenText.test(title);
  return { settings, title: isTitle ? title : undefined };
}

/** Matches the replacement that {@link maskSettings} writes for a string that contains a secret. */
export const hiddenText = /(?<![\w-])hidden-[\da-f]{12}(?![\w-])/;

function maskText(text: string, type: string, accountId?: string): string {
  const isSecret = findKey(text) !== undefined || findHook(text) !== undefined;
  return isSecret ? `hidden-${computeFingerprint(text, type, accountId)}` : text;
}

/** Returns true if a credential isn't of its documented type, such as a URL that is a list. */
export function isMalformedCredential(key: string, value: unknown): boolean {
  if (textCredentials.includes(key)) return typeof value !== "string";
  return listCredentials.includes(key) && !(Array.isArray(value) && value.every(isPair));
}

/** Maps each type to the setting that contains its target. */
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

/** A channel's settings, with its credentials or with their replacements. */
export type Configured = Pick<AlertChannel, "type" | "config">;

/** Returns the undocumented settings that may contain the channel's target. No rule on targets reads them. */
function findUndocumentedTargets({ type, config }: Configured): string[] {
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

/**
 * Returns the facts about the documented credentials. `wrong` contains the keys whose value isn't of the documented type, and `others` the
 * keys of undocumented settings that may contain the target.
 *
 * @param getFacts Returns the facts about a credential; undefined if the value doesn't have the documented type.
 */
export function collectCredentials<Facts extends object>(
  channel: Configured,
  getFacts: (key: string, value: unknown) => Facts | undefined,
) {
  const credentials: Record<string, Facts> = {};
  const wrong: string[] = [];
  for (const [key, value] of Object.entries(channel.config)) {
    if (isEmpty(value)) continue;
    const facts = isShown(key) ? undefined : getFacts(key, value);
    const isShownText = key === "slackChannels" ? Array.isArray(value) && value.every(isText) : isText(value);
    if (isShown(key) ? !isShownText : facts === undefined) wrong.push(key);
    else if (facts !== undefined && documentedKeys.has(key)) credentials[key] = facts;
  }
  return { credentials, wrong, others: findUndocumentedTargets(channel) };
}

const isText = (value: unknown) => typeof value === "string";

/** Removes undocumented settings and marks the target as malformed if one of them may contain it. */
export function pickDocumentedConfig({ type, config }: Configured): Record<string, unknown> {
  const [other] = findUndocumentedTargets({ type, config });
  const kept = Object.fromEntries(Object.entries(config).filter(([key]) => documentedKeys.has(key)));
  const target = targetSettings.get(type);
  if (other === undefined || target === undefined) return kept;
  const replacement = config[other];
  return { ...kept, [target]: { ...(isObject(replacement) && replacement), isMalformed: true } };
}
