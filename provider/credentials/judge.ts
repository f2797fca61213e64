/** Decides which parts of a channel's settings are secrets: by the name, place and shape of each value, and by the other settings. */
import { visibleText } from "../texts";
import * as grammar from "./grammar";
import { classOfName, isSecretName, literalOf, mark, marked, type UrlParts, urlParts } from "./grammar";
import type { Value } from "./grammar";
import { knownCredentialIn } from "./known";
import { placeOf, receiverAt } from "./services";
import * as shapes from "./shapes";
import { isIdShape, isMixed, isToken, placeholderIn } from "./shapes";

/** The secret part of a credential, such as the path of a hook's URL or the value of an `Authorization` header. */
export const secretParts = ["literal", "hidden", "reference", "none"] as const;
type SecretPart = (typeof secretParts)[number];

/** An `id` counts as a literal secret unless another setting has a credential. */
type Kind = "placeholder" | "id" | SecretPart;

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
  const id = settings.some(({ authenticates }) => authenticates) ? "none" : "literal";
  return settings.map(({ kinds, hasParts, url }) => {
    const isKind = (part: Kind) => kinds.includes(part) || (part === id && kinds.includes("id"));
    // A single reference has no parts, and neither has a value that isn't a string.
    const secretPart = hasParts ? (secretParts.find(isKind) ?? "none") : undefined;
    return { secretPart, isPlaceholder: kinds.includes("placeholder"), url };
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
  const kinds = [...url.parameters.map(kindOfPair), ...kindsOfPath(url)];
  const isIncomplete = type === "SLACK" && key === "url" && isIncompleteSlackUrl(text, url);
  if (isIncomplete || shapes.isUnfilledUrl(text, url.hostname, looksRandom(kinds))) kinds.push("placeholder");
  return { kinds, hasParts, authenticates: authenticates(url.parameters, kinds), url };
}

const looksRandom = (kinds: readonly Kind[]) => kinds.includes("literal") || kinds.includes("id");

/** Judges headers or query parameters. A value that the service omits counts as hidden. */
function pairsSetting(value: unknown): Setting {
  if (!Array.isArray(value) || !value.every(isPair)) return { kinds: [], hasParts: false };
  const pairs = value.map(({ key: name, value: one }) => ({ name, text: textOf(name, one) }));
  const kinds = pairs.map((pair) => {
    const kind = kindOfPair(pair);
    if (kind !== "none" || /[\s:@]/.test(pair.text)) return kind;
    return [undefined, "word"].includes(placeholderIn(pair.text)) ? kind : "placeholder";
  });
  return { kinds, hasParts: true, authenticates: authenticates(pairs, kinds) };
}

/** Whether the value is a header or a query parameter of the API. */
export function isPair(value: unknown): value is { key: string; value?: unknown } {
  return typeof value === "object" && value !== null && "key" in value && typeof value.key === "string";
}

function textOf(name: string, value: unknown): string {
  if (typeof value === "string") return marked(value);
  if (value === undefined && isSecretName(name)) return mark.hidden;
  return marked(JSON.stringify(value ?? ""));
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
  return kind === "none" ? "literal" : kind;
}

/** Whether a secret-like text is a placeholder. Random strings never are. */
function isUnfilled(text: string): boolean {
  const placeholder = placeholderIn(text);
  return placeholder === "notation" || (placeholder !== undefined && !hasToken(text));
}

/** Decides by the marks of a text alone. */
function kindOfMarks(text: string): Kind {
  if (text.includes(mark.hidden)) return "hidden";
  return text.includes(mark.secret) || text.includes(mark.stored) ? "reference" : "none";
}

/** Values that switch something or name a method, such as that of `require-auth`. */
const choice = /^(?:true|false|yes|no|on|off|none|basic|bearer|null|[01])?$/i;
/** The scheme of an `Authorization` header, such as `Bearer` or `GenieKey`: any word before a space. */
const scheme = /^\s*([\w.-]{1,24})\s+(?=\S)/;

const isKnown = (text: string) => knownCredentialIn(text) !== undefined;

/** Judges a header or a parameter. */
function kindOfPair({ name, text }: Value): Kind {
  const nameClass = classOfName(name);
  if (isKnown(text)) return "literal";
  if (nameClass === "id") return kindOfMarks(text);
  if (nameClass === "other") return hasToken(text) ? "literal" : kindOfMarks(text);
  const [word = "", first = ""] = scheme.exec(text) ?? [];
  const rest = (isToken(first) ? text : text.slice(word.length)).trim();
  if (choice.test(rest)) return "none";
  const parts = grammar.headerParts(rest);
  const isPlain = literalOf(text) === text && parts.every((part) => part.name === "");
  if (isUnfilled(rest)) return "placeholder";
  if (isPlain && nameClass === "secret") return "literal";
  const kinds = parts.map(kindOfPart);
  return (["placeholder", "literal"] as const).find((kind) => kinds.includes(kind)) ?? kindOfMarks(text);
}

/** Judges one part of a header that has several, such as a cookie. */
function kindOfPart({ name, text }: Value): Kind {
  const nameClass = name === "" ? "likely" : classOfName(name);
  const plain = literalOf(text);
  if (nameClass === "id" || !/\w/.test(plain)) return "none";
  if (hasToken(text)) return "literal";
  if (plain === text && isUnfilled(text)) return "placeholder";
  if (plain === text && nameClass === "secret") return choice.test(text) ? "none" : "literal";
  return nameClass !== "other" && plain.split(" ").some(isMixed) ? "literal" : "none";
}

/** Whether a channel's title may contain a secret: a named value, a word, or a part of a word, also in braces. */
export function mayBeSecret(title: string): boolean {
  const text = marked(title);
  const isLong = (word: string) => word.split("@").some((part) => part.length >= shapes.shortestToken);
  const shown = visibleText(`${text} ${title}`);
  const all = [...shown.split(" ").filter(isLong), ...(shown.match(shapes.run) ?? [])];
  return title.includes("://") || isKnown(title) || all.some(hasToken) || looksRandom(kindsOfBody(text));
}

/** Whether a part of a marked text, without spaces, looks random. */
function hasToken(text: string): boolean {
  return literalOf(text).split(" ").some(isToken);
}

function kindsOfPath({ hostname = "", segments }: UrlParts): Kind[] {
  const place = placeOf(hostname, segments);
  return segments.map((segment, index) => {
    const isLiteral = segment !== "" && literalOf(segment) === segment;
    if (isKnown(segment) || (place[index] === "SECRET" && isLiteral)) return "literal";
    if (place[index] === "ID" || !hasToken(segment)) return kindOfMarks(segment);
    return literalOf(segment).split(" ").filter(isToken).every(isIdShape) ? "id" : "literal";
  });
}

/** Matches the value of a header within a body, such as `"value": "Bearer …"`. */
const header = /^(?:bearer|basic|token|bot|apikey|geniekey|splunk)\s+\S+$/i;

function kindsOfBody(text: string): Kind[] {
  const kinds = grammar.bodyValues(text).flatMap(kindsOfMember);
  if (isKnown(text)) kinds.push("literal");
  if (shapes.isUnfilledBody(text)) kinds.push("placeholder");
  return kinds;
}

/** Judges a member of a body. Links often look random, so only a known place or a name says that a part of one is a secret. */
function kindsOfMember({ name, text }: Value): Kind[] {
  const nameClass = classOfName(name);
  if (nameClass === "secret") return [kindOfPair({ name, text })];
  if (text.includes("://")) {
    const url = urlParts(text);
    const { hostname = "", segments } = url;
    const isHook = receiverAt(hostname) === "chat" || placeOf(hostname, segments).length > 0;
    if (isHook && placeholderIn(text) === "notation") return ["placeholder"];
    const pairs = url.parameters.filter((pair) => isHook || isSecretName(pair.name));
    return [...pairs.map(kindOfPair), ...(isHook ? kindsOfPath(url) : [])];
  }
  if (header.test(text)) return [kindOfPair({ name: "signature", text })];
  // In a body, `key` names a project or an alert, and `code` an error.
  if (nameClass !== "id" && isToken(text) && !text.includes(" ")) return [isIdShape(text) ? "id" : "literal"];
  return text.includes(mark.secret) ? ["reference"] : [];
}

/** Matches URLs of Slack that can't be a hook, whose path has a workspace, an app and a token. Some are links for people. */
const noSlackHook =
  /^(?:(?!hooks\.)(?:[\w.-]+\.)?slack\.com\/|hooks\.slack(?:-gov)?\.com\/(?!(?:workflows|triggers)\/|services\/T\w{5,}\/B\w{5,}\/\w{12,}\/?$))/;

function isIncompleteSlackUrl(text: string, { hostname = "", segments }: UrlParts): boolean {
  if (literalOf(text) !== text || segments.some(isToken)) return false;
  return noSlackHook.test([hostname, ...segments].join("/"));
}
