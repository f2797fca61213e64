/** Decides which parts of a channel's settings are secrets: by the name, place and shape of each value, and by the other settings. */
import { visibleText } from "../texts";
import * as grammar from "./grammar";
import { classOfName, isSecretName, literalOf, mark, marked, type UrlParts, urlParts } from "./grammar";
import type { Value } from "./grammar";
import * as forms from "./forms";
import { isUnfilled, isUnfilledBody, isUnfilledUrl, placeholderIn } from "./placeholders";
import { isMixed, randomIn } from "./shapes";

/** The secret part of a credential, such as the path of a hook's URL or the value of an `Authorization` header. */
export const secretParts = ["literal", "hidden", "reference", "none"] as const;
type SecretPart = (typeof secretParts)[number];

/** Ways to recognize a literal, the surest first. All are certain but `random`, which makes a secret only likely. */
export const recognitions = ["name", "place", "prefix", "random"] as const;
type Recognition = (typeof recognitions)[number];

/** An `id` counts as a random value unless another setting has a credential. */
type Kind = "placeholder" | "id" | Exclude<SecretPart, "literal"> | Recognition;

/** The judgement of a setting by itself, before the other settings count. */
interface Setting {
  readonly kinds: readonly Kind[];
  /** Whether only some of its parts may be secret. */
  readonly hasParts: boolean;
  /** Whether a name in it says that it has a credential, so that an id in another setting needn't be one. */
  readonly authenticates?: boolean;
  /** Its text, read as a URL. */
  readonly url?: UrlParts;
}

/** @param type of the channel @param config its settings that may be credentials, by key */
export function judge(type: string, config: readonly (readonly [key: string, value: unknown])[]) {
  const settings = config.map(([key, value]) => settingOf(type, key, value));
  const id = settings.some(({ authenticates }) => authenticates) ? "none" : "random";
  return settings.map(({ kinds: own, hasParts, url }) => {
    const kinds = own.map((kind) => (kind === "id" ? id : kind));
    const isPlaceholder = kinds.includes("placeholder");
    // A single reference has no parts, and neither has a value that isn't a string.
    if (!hasParts) return { isPlaceholder, url };
    const kind = surest(kinds);
    const recognizedBy = recognitions.find((one) => one === kind);
    const secretPart = secretParts.find((one) => one === kind) ?? "literal";
    return { secretPart, recognizedBy, isPlaceholder, url };
  });
}

function settingOf(type: string, key: string, value: unknown): Setting {
  if (typeof value !== "string") return pairsSetting(value);
  const text = marked(value);
  const isOneReference = grammar.isReference(value);
  if (key === "template") return { kinds: kindsOfBody(text), hasParts: !isOneReference };
  const url = urlParts(text);
  const hasParts = !isOneReference && (text !== value || url.scheme !== undefined);
  if (wholeSecrets.includes(key) && url.scheme === undefined)
    return { kinds: [kindOfWhole(key, text)], hasParts };
  const kinds = kindsOfUrl(text, url, 1);
  const isOfSlack = type === "SLACK" && key === "url" && slackHost.test(url.hostname ?? "");
  const isIncomplete = isOfSlack && literalOf(text) === text && !isLiteral(kinds);
  if (isIncomplete || isUnfilledUrl(text, url, isLiteral(kinds))) kinds.push("placeholder");
  return { kinds, hasParts, authenticates: authenticates(url.parameters, kinds), url };
}

/** A URL of Slack without a secret is no hook, or only the beginning of one. Some are links for people. */
const slackHost = /(?:^|\.)slack(?:-gov)?\.com$/;

const isLiteral = (kinds: readonly Kind[]) =>
  ["id", ...recognitions].some((kind) => kinds.some((one) => one === kind));

/** Judges headers or query parameters. A value that the service omits counts as hidden. */
function pairsSetting(value: unknown): Setting {
  if (!Array.isArray(value) || !value.every(isPair)) return { kinds: [], hasParts: false };
  const pairs = value.map(({ key: name, value: one }) => ({ name, text: valueText(name, one) }));
  const kinds = pairs.map((pair) => {
    const kind = kindOfPair(pair, 0);
    if (kind !== "none" || /[\s:@]/.test(pair.text)) return kind;
    return mayBeReal(pair.text) ? kind : "placeholder";
  });
  return { kinds, hasParts: true, authenticates: authenticates(pairs, kinds) };
}

/** Whether a text may be a real value, in which words such as `test` stand, too. */
const mayBeReal = (text: string): boolean => [undefined, "word"].includes(placeholderIn(text));

/** Whether the value is a header or a query parameter of the API. */
export function isPair(value: unknown): value is { key: string; value?: unknown } {
  return typeof value === "object" && value !== null && "key" in value && typeof value.key === "string";
}

function valueText(name: string, value: unknown): string {
  if (typeof value === "string") return marked(value);
  if (value === undefined && isSecretName(name)) return mark.hidden;
  return value == null ? "" : marked(JSON.stringify(value));
}

function authenticates(pairs: readonly Value[], kinds: readonly Kind[]): boolean {
  const isCredential = (kind: Kind | undefined) => kind !== "none" && kind !== "placeholder";
  const isNamed = ({ name, text }: Value) => isSecretName(name) || text.includes(mark.secret);
  return pairs.some((pair, index) => isCredential(kinds[index]) && isNamed(pair));
}

/** Settings whose whole value is a secret. */
const wholeSecrets: readonly string[] = ["serviceKey", "apiKey", "webhookSecret"];
/** PagerDuty keys have 32 letters and digits, Opsgenie keys are UUIDs. A shorter text or a number can't be either. */
const serviceKey = /^(?=[^a-z]*[a-z])[\w-]{16,}$/i;

function kindOfWhole(key: string, text: string): Kind {
  const kind = kindOfMarks(text);
  const isNoKey = kind === "none" && key !== "webhookSecret" && !serviceKey.test(text.trim());
  if (kind !== "hidden" && (isNoKey || isUnfilled(text))) return "placeholder";
  return kind === "none" ? "name" : kind;
}

function kindOfMarks(text: string): "hidden" | "reference" | "none" {
  if (text.includes(mark.hidden)) return "hidden";
  return text.includes(mark.secret) || text.includes(mark.stored) ? "reference" : "none";
}

/** Judges a text by a key or a hook that it contains. */
function kindOfKnown(text: string): Kind | undefined {
  return forms.hookIn(text) !== undefined ? "place" : forms.keyIn(text) !== undefined ? "prefix" : undefined;
}

/** Values that switch something or name a method, such as that of `require-auth`. */
const choice = /^(?:true|false|yes|no|on|off|none|basic|bearer|null|[01])?$/i;
/** The scheme of an `Authorization` header, such as `Bearer` or `GenieKey`: any word before a space. */
const scheme = /^\s*([\w.-]{1,24})\s+(?=\S)/;

/** URLs within URLs are parsed to this depth, so that the time stays linear. */
const deepest = 2;

/** Judges a header or a parameter. @param depth The number of URLs that it is in. */
function kindOfPair({ name, text }: Value, depth: number): Kind {
  const nameClass = classOfName(name);
  const known = kindOfKnown(text);
  if (known !== undefined) return known;
  if (forms.withoutPublished(text).trim() === "") return "none";
  if (nameClass === "id") return kindOfMarks(text);
  if (nameClass === "other") {
    if (text.includes("://") && depth < deepest) return surest(kindsOfUrl(text, urlParts(text), depth + 1));
    return randomIn(text) === undefined ? kindOfMarks(text) : "random";
  }
  const [word = "", first = ""] = scheme.exec(text) ?? [];
  const rest = (randomIn(first) === undefined ? text.slice(word.length) : text).trim();
  if (choice.test(rest)) return "none";
  const parts = grammar.headerParts(rest);
  const isPlain = literalOf(text) === text && parts.every((part) => part.name === "");
  if (isUnfilled(rest)) return "placeholder";
  if (isPlain && nameClass === "secret") return "name";
  const kinds = parts.map(kindOfPart);
  return (["placeholder", "name"] as const).find((kind) => kinds.includes(kind)) ?? kindOfMarks(text);
}

function surest(kinds: readonly Kind[]): Kind {
  return ([...recognitions, "hidden", "reference"] as const).find((kind) => kinds.includes(kind)) ?? "none";
}

/** Judges one part of a header that has several, such as a cookie. */
function kindOfPart({ name, text }: Value): Kind {
  const nameClass = name === "" ? "likely" : classOfName(name);
  const plain = literalOf(text);
  if (nameClass === "id" || !/\w/.test(plain)) return "none";
  if (randomIn(text) !== undefined) return "name";
  if (plain === text && isUnfilled(text)) return "placeholder";
  if (plain === text && nameClass === "secret") return choice.test(text) ? "none" : "name";
  return nameClass !== "other" && plain.split(" ").some(isMixed) ? "name" : "none";
}

/** Whoever knows the address of a list of tasks or of a check's pings may write there. */
export function isSecretMailbox(local: string, domain: string): boolean {
  return forms.isMailboxDomain(domain) ? /\d/.test(local) : randomIn(local) !== undefined;
}

/** Whether a name has a secret: a named value, a word, or a part of a word, also in braces. */
export function hasSecret(name: string): boolean {
  // Most names are short words. A secret is as long as a key, or has a sign or a scheme beside it.
  if (!/\S{15}|[^\w #+.,&()-]/.test(name) && !header.test(name.trim())) return false;
  const text = marked(name);
  const shown = visibleText(`${text} ${name}`);
  if (forms.keyIn(shown) !== undefined || randomIn(shown) !== undefined) return true;
  return isLiteral(kindsOfBody(text)) || isLiteral(kindsOfUrl(text, urlParts(text), 1));
}

function kindsOfUrl(text: string, url: UrlParts, depth: number): Kind[] {
  const { hostname = "", parameters } = url;
  const isPublic = ({ name }: Value) => forms.isPublicParameter(hostname, name);
  const kinds = [
    ...parameters.map((one) => (isPublic(one) ? "none" : kindOfPair(one, depth))),
    ...kindsOfPath(url),
  ];
  // A known hook has its secret at its place, whatever it looks like.
  if (forms.hookIn(text) === undefined) return kinds;
  return [...kinds.map((kind) => (["random", "id"].includes(kind) ? "place" : kind)), "place"];
}

/** Matches a host or a segment of an API, in whose path ids stand, and one that says that its secret follows, also in an API. */
const api = /^(?:api|v\d+)$|(?:^|\.)api\./;
const beforeSecret = /hook|incoming|key|token|secret|^in$/i;
/** Matches the name of a collection, as in `/projects/ID/pause`. A hook's key is the end of its path. */
const collection = /^(?!.*(?:hook|key|token|secret)s$)[a-z][a-z_-]*s$/;

function kindsOfPath(url: UrlParts): Kind[] {
  const { segments } = url;
  const place = forms.placeOf(url)?.segments ?? [];
  const path = [url.hostname ?? "", ...segments];
  const [ofApi = -1, ofSecret = -1] = [api, beforeSecret].map((one) =>
    path.findIndex((part) => one.test(part)),
  );
  return segments.map((segment, index) => {
    if (segment === "") return "none";
    if (place[index] === "secret" && literalOf(segment) === segment && mayBeReal(segment)) return "place";
    if (forms.keyIn(segment) !== undefined) return "prefix";
    const random = place[index] === "id" ? undefined : randomIn(segment);
    if (random === undefined) return kindOfMarks(segment);
    const isInApi = ofApi >= 0 && ofApi <= index && !(ofSecret >= 0 && ofSecret <= index);
    const isItem = collection.test(segments[index - 1] ?? "") && /^[a-z]/.test(segments[index + 1] ?? "");
    return random === "token" && !isInApi && !isItem ? "random" : "id";
  });
}

/** Matches the value of a header within a body, such as `"value": "Bearer …"`. */
const header = /^(?:bearer|basic|token|bot|apikey|geniekey|splunk)\s+\S+$/i;

function kindsOfBody(text: string): Kind[] {
  const kinds = [...grammar.bodyValues(text).flatMap(kindsOfMember), kindOfKnown(text) ?? []].flat();
  return isUnfilledBody(text) ? [...kinds, "placeholder"] : kinds;
}

/** Judges a member of a body. Links often look random, so only a known place or a name says that a part of one is a secret. */
function kindsOfMember({ name, text }: Value): Kind[] {
  const nameClass = classOfName(name);
  if (nameClass === "secret") return [kindOfPair({ name, text }, 0)];
  if (text.includes("://")) {
    const url = urlParts(text);
    const isHook = forms.receiverAt(url) === "chat" || forms.placeOf(url) !== undefined;
    if (isHook && placeholderIn(text) === "notation") return ["placeholder"];
    // A gateway of notifications takes the hooks of others as addresses, such as `slack://T0AB/B0EF/…`.
    if (/^(?!https?:|wss?:)[a-z]+:/i.test(text) && randomIn(text) === "token") return ["place"];
    const pairs = url.parameters.filter((pair) => isHook || isSecretName(pair.name));
    return [...pairs.map((pair) => kindOfPair(pair, 1)), ...(isHook ? kindsOfPath(url) : [])];
  }
  if (header.test(text)) return [kindOfPair({ name: "signature", text }, 0)];
  if (nameClass === "id" || /\s/.test(text)) return text.includes(mark.secret) ? ["reference"] : [];
  // In a body, `key` names a project or an alert.
  if (nameClass === "likely" && !/key$/i.test(name) && isMixed(text))
    return [isUnfilled(text) ? "placeholder" : "name"];
  const random = randomIn(text);
  if (random !== undefined) return [random === "token" ? "random" : "id"];
  return text.includes(mark.secret) ? ["reference"] : [];
}
