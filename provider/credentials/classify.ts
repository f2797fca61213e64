/** Decides which parts of a channel's settings are secrets, based on the name, place and shape of each value. */
import * as grammar from "./grammar";
import { classifyName, isSecretName, stripMarks, mark, markText, type UrlParts, parseUrl } from "./grammar";
import type { Value } from "./grammar";
import * as forms from "./vendorForms";
import { isMixed, findRandom } from "./vendorForms";
import { isUnfilled, isUnfilledBody, isUnfilledUrl, findPlaceholder } from "./placeholders";

/**
 * How the secret part of a credential is given, such as the path of a webhook URL: in plain text, hidden by the service, as a reference, or
 * not at all.
 */
export const secretParts = ["literal", "hidden", "reference", "none"] as const;
type SecretPart = (typeof secretParts)[number];

/** Ways to recognize a literal, the surest first. All of them are certain except `random`, where a secret is only likely. */
export const recognitions = ["name", "place", "prefix", "random"] as const;
type Recognition = (typeof recognitions)[number];

type Kind = "placeholder" | Exclude<SecretPart, "literal"> | Recognition;

interface Setting {
  readonly kinds: readonly Kind[];
  /** True if only some of its parts may be secret. */
  readonly hasParts: boolean;
  /** Its text, read as a URL. */
  readonly url?: UrlParts;
}

/**
 * @param type Type of the channel.
 * @param config Settings of the channel that may be credentials, with their keys.
 */
export function classifySettings(type: string, config: readonly (readonly [key: string, value: unknown])[]) {
  return config.map(([key, value]) => {
    const { kinds, hasParts, url } = classifySetting(type, key, value);
    const isPlaceholder = kinds.includes("placeholder");
    // A single reference isn't divided into parts, and neither is a value that isn't a string.
    if (!hasParts) return { isPlaceholder, url };
    const kind = toKind(kinds);
    const recognizedBy = recognitions.find((one) => one === kind);
    const secretPart = recognizedBy ? "literal" : (secretParts.find((one) => one === kind) ?? "none");
    return { secretPart, recognizedBy, isPlaceholder, url };
  });
}

const toKind = (kinds: readonly Kind[]) =>
  ([...recognitions, "hidden", "reference"] as const).find((one) => kinds.includes(one));

/** Settings whose whole value is a secret. */
const wholeSecrets: readonly string[] = ["serviceKey", "apiKey", "webhookSecret"];

function classifySetting(type: string, key: string, value: unknown): Setting {
  if (typeof value !== "string") return classifyPairs(value);
  const text = markText(value);
  const isOneReference = grammar.isReference(value);
  if (key === "template") return { kinds: classifyBody(text), hasParts: !isOneReference };
  const url = parseUrl(text);
  const hasParts = !isOneReference && (text !== value || url.scheme !== undefined);
  if (wholeSecrets.includes(key) && url.scheme === undefined)
    return { kinds: [classifyWhole(key, text)], hasParts };
  const kinds = classifyUrl(url, 1);
  const isLiteral = recognitions.some((kind) => kinds.includes(kind)) || findRandom(text) !== undefined;
  // A Slack URL without a secret isn't a complete hook.
  const isOfSlack =
    type === "SLACK" && key === "url" && /(?:^|\.)slack(?:-gov)?\.com$/.test(url.hostname ?? "");
  const isIncomplete = isOfSlack && stripMarks(text) === text && !isLiteral;
  if (isIncomplete || isUnfilledUrl(text, url, isLiteral)) kinds.push("placeholder");
  return { kinds, hasParts, url };
}

/** Classifies headers or query parameters. A value that the service omits is treated as hidden. */
function classifyPairs(value: unknown): Setting {
  if (!Array.isArray(value) || !value.every(isPair)) return { kinds: [], hasParts: false };
  const pairs = value.map(({ key: name, value: one }) => ({ name, text: markValue(name, one) }));
  const kinds = pairs.map((pair) => {
    const kind = classifyPair(pair);
    if (kind !== "none" || /[\s:@]/.test(pair.text)) return kind;
    return canBeReal(pair.text) ? kind : "placeholder";
  });
  return { kinds, hasParts: true };
}

/** Returns true if text may be a real value. Real values can contain words such as `test`. */
const canBeReal = (text: string): boolean => [undefined, "word"].includes(findPlaceholder(text));

/** Returns true if the value is a header or a query parameter of the API. */
export function isPair(value: unknown): value is { key: string; value?: unknown } {
  return typeof value === "object" && value !== null && "key" in value && typeof value.key === "string";
}

function markValue(name: string, value: unknown): string {
  if (typeof value === "string") return markText(value);
  if (value === undefined && isSecretName(name)) return mark.hidden;
  return value == null ? "" : markText(JSON.stringify(value));
}

/** PagerDuty keys consist of 32 letters and digits, and Opsgenie keys are UUIDs. A shorter text or a number can't be either. */
function classifyWhole(key: string, text: string): Kind {
  const kind = classifyMarks(text);
  const isNoKey = kind === "none" && key !== "webhookSecret" && !/^(?=.*[a-z])[\w-]{16,}$/i.test(text.trim());
  if (kind !== "hidden" && (isNoKey || isUnfilled(text))) return "placeholder";
  return kind === "none" ? "name" : kind;
}

function classifyMarks(text: string): "hidden" | "reference" | "none" {
  if (text.includes(mark.hidden)) return "hidden";
  return text.includes(mark.secret) || text.includes(mark.stored) ? "reference" : "none";
}

/**
 * Classifies a header or a parameter.
 * @param depth Number of URLs that contain it. At most two are parsed, so that the time stays linear.
 */
function classifyPair({ name, text }: Value, depth = 0): Kind {
  const nameClass = classifyName(name);
  if (forms.findHook(text) !== undefined) return "place";
  if (forms.findKey(text) !== undefined) return "prefix";
  if (forms.stripPublished(text).trim() === "") return "none";
  if (nameClass === "id") return classifyMarks(text);
  if (nameClass === "other") {
    if (text.includes("://") && depth < 2) return toKind(classifyUrl(parseUrl(text), depth + 1)) ?? "none";
    return findRandom(text) === undefined ? classifyMarks(text) : "random";
  }
  // A header may start with its scheme, such as `Bearer` or `GenieKey`, or contain only the name of a method.
  const rest = text.replace(/^\s*[\w.-]{1,24}\s+(?=\S)/, "").trim();
  if (/^(?:true|false|yes|no|on|off|none|basic|bearer|null|[01])?$/i.test(rest)) return "none";
  if (isUnfilled(rest)) return "placeholder";
  if (nameClass === "secret" && stripMarks(text) === text) return "name";
  const isSecret = (one: string) => isMixed(one) || findRandom(one) !== undefined;
  return stripMarks(rest)
    .split(/[\s"',;&]+/)
    .some(isSecret)
    ? "name"
    : classifyMarks(text);
}

/** Match the URL of an API, whose path contains IDs, and a URL with a word before a secret. */
const api = /(?:^|[./])api[./]|\/v\d+\//;
const beforeSecret = /hook|incoming|\/in\//i;

function classifyUrl(url: UrlParts, depth: number): Kind[] {
  const { hostname = "", parameters, segments } = url;
  const place = forms.matchHook(url)?.segments ?? [];
  const path = `${[hostname, ...segments].join("/")}/`;
  // Where the path ends with a reference or a parameter contains one, the secret is stored, and the segments before it are IDs.
  const hasReference =
    classifyMarks(segments.findLast((one) => one !== "") ?? "") === "reference" ||
    parameters.some(({ name, text }) => isSecretName(name) && classifyMarks(text) === "reference");
  const isOfIds = hasReference || (api.test(path) && !beforeSecret.test(path));
  const ofPath = segments.map((segment, index): Kind => {
    if (segment === "") return "none";
    if (place[index] === "secret" && stripMarks(segment) === segment && canBeReal(segment)) return "place";
    if (forms.findKey(segment) !== undefined) return "prefix";
    const random = place[index] === "id" ? undefined : findRandom(segment);
    if (random === undefined) return classifyMarks(segment);
    return random === "token" && !isOfIds ? "random" : "none";
  });
  const isHook = (one: Value) => forms.matchHook({ hostname, segments: [], parameters: [one] }) !== undefined;
  const ofParameters = parameters.map((one): Kind => {
    if (forms.isPublicParameter(hostname, one.name)) return "none";
    return isHook(one) && stripMarks(one.text) === one.text && canBeReal(one.text)
      ? "place"
      : classifyPair(one, depth);
  });
  return [...ofParameters, ...ofPath];
}

/**
 * Classifies the members of a body. Links and IDs often look random there, so only a known place or a name identifies a secret. A
 * notification gateway accepts the hooks of other services as targets, such as `slack://T0AB/B0EF/…`.
 */
function classifyBody(text: string): Kind[] {
  const kinds = grammar.parseBody(text).flatMap((member): Kind | Kind[] => {
    const nameClass = classifyName(member.name);
    if (nameClass === "secret") return classifyPair(member);
    if (member.text.includes("://")) {
      const url = parseUrl(member.text);
      const isHook = forms.matchHook(url) !== undefined;
      if (isHook && findPlaceholder(member.text) === "notation") return "placeholder";
      if (/^(?!https?:|wss?:)[a-z]+:/i.test(member.text) && findRandom(member.text) === "token")
        return "place";
      const named = url.parameters
        .filter(({ name }) => isSecretName(name))
        .map((pair) => classifyPair(pair, 1));
      return isHook ? classifyUrl(url, 1) : named;
    }
    // The name `key` in a body means the key of a project or an alert.
    const isNamed = nameClass === "likely" && !/key$|\s/i.test(member.name) && isMixed(member.text);
    if (isNamed && !/\s/.test(member.text)) return isUnfilled(member.text) ? "placeholder" : "name";
    return member.text.includes(mark.secret) ? "reference" : [];
  });
  const known =
    forms.findHook(text) !== undefined ? "place" : forms.findKey(text) !== undefined ? "prefix" : "none";
  return [...kinds, known, isUnfilledBody(text) ? "placeholder" : "none"];
}
