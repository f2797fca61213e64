/** Judges the settings of a channel together: each value by its name, its place and its shape, and all by what stands beside them. */
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

/** The kind of a value. An `id` is a literal unless a credential stands beside it. */
type Kind = "placeholder" | "id" | SecretPart;

/** A setting whose values are judged, but not yet together with others. */
interface Setting {
  readonly kinds: readonly Kind[];
  /** True if it has parts of which only some may be secret. */
  readonly hasParts: boolean;
  /** True if it has a credential by its name, so that an id elsewhere needn't be one. */
  readonly authenticates?: boolean;
  /** Its text as a URL. */
  readonly url?: UrlParts;
}

/** @param type of the channel @param config its settings that may be credentials, by key */
export function judge(type: string, config: readonly (readonly [key: string, value: unknown])[]) {
  const settings = config.map(([key, value]) => settingOf(type, key, value));
  const id = settings.some(({ authenticates }) => authenticates) ? "none" : "literal";
  return settings.map(({ kinds, hasParts, url }) => {
    const isKind = (part: Kind) => kinds.includes(part) || (part === id && kinds.includes("id"));
    // One reference says everything, and what isn't a text has no parts.
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

/** Headers or query parameters. What the service leaves out is hidden. */
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

/** A header or a query parameter as the API has it. */
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

/** Settings that are a secret as a whole. */
const wholeSecrets: readonly string[] = ["serviceKey", "apiKey", "webhookSecret"];
/** The keys of PagerDuty have 32 letters and digits, those of Opsgenie are a UUID. Shorter ones and numbers can't be one. */
const serviceKey = /^(?=[^a-z]*[a-z])[\w-]{16,}$/i;

function kindOfWhole(key: string, text: string): Kind {
  const kind = kindOfMarks(text);
  const isNoKey = kind === "none" && key !== "webhookSecret" && !serviceKey.test(text.trim());
  if (kind !== "hidden" && (isNoKey || isUnfilled(text))) return "placeholder";
  return kind === "none" ? "literal" : kind;
}

/** True if a text that would be a secret is to be filled in. Nothing random is. */
function isUnfilled(text: string): boolean {
  const placeholder = placeholderIn(text);
  return placeholder === "notation" || (placeholder !== undefined && !hasToken(text));
}

/** The kind of a text by its marks alone. */
function kindOfMarks(text: string): Kind {
  if (text.includes(mark.hidden)) return "hidden";
  return text.includes(mark.secret) || text.includes(mark.stored) ? "reference" : "none";
}

/** Values that say whether or how, such as that of `require-auth`. */
const choice = /^(?:true|false|yes|no|on|off|none|basic|bearer|null|[01])?$/i;
/** The scheme of an `Authorization` header, such as `Bearer` or `GenieKey`: any word before a space. */
const scheme = /^\s*([\w.-]{1,24})\s+(?=\S)/;

const isKnown = (text: string) => knownCredentialIn(text) !== undefined;

/** The kind of a header or a parameter. */
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

/** The kind of a part of a structured header, such as of a cookie or beside a reference. */
function kindOfPart({ name, text }: Value): Kind {
  const nameClass = name === "" ? "likely" : classOfName(name);
  const plain = literalOf(text);
  if (nameClass === "id" || !/\w/.test(plain)) return "none";
  if (hasToken(text)) return "literal";
  if (plain === text && isUnfilled(text)) return "placeholder";
  if (plain === text && nameClass === "secret") return choice.test(text) ? "none" : "literal";
  return nameClass !== "other" && plain.split(" ").some(isMixed) ? "literal" : "none";
}

/** True if what a channel is called might have a secret: with a name, or as a word or a part of one, also in braces. */
export function mayBeSecret(title: string): boolean {
  const text = marked(title);
  const isLong = (word: string) => word.split("@").some((part) => part.length >= shapes.shortestToken);
  const shown = visibleText(`${text} ${title}`);
  const all = [...shown.split(" ").filter(isLong), ...(shown.match(shapes.run) ?? [])];
  return title.includes("://") || isKnown(title) || all.some(hasToken) || looksRandom(kindsOfBody(text));
}

/** True if a marked text without spaces has a part that looks random. */
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

/** A header within a body, such as `"value": "Bearer …"`. */
const header = /^(?:bearer|basic|token|bot|apikey|geniekey|splunk)\s+\S+$/i;

function kindsOfBody(text: string): Kind[] {
  const kinds = grammar.bodyValues(text).flatMap(kindsOfMember);
  if (isKnown(text)) kinds.push("literal");
  if (shapes.isUnfilledBody(text)) kinds.push("placeholder");
  return kinds;
}

/** The kind of a member of a body. Links have paths and parameters that look random: only a place or a name tells that one is a secret. */
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
  // A `key` is one of a project or an alert here, and a `code` one of an error.
  if (nameClass !== "id" && isToken(text) && !text.includes(" ")) return [isIdShape(text) ? "id" : "literal"];
  return text.includes(mark.secret) ? ["reference"] : [];
}

/** URLs of Slack that can't be a hook, which has a workspace, an app and a token. Some show a workspace to people. */
const noSlackHook =
  /^(?:(?!hooks\.)(?:[\w.-]+\.)?slack\.com\/|hooks\.slack(?:-gov)?\.com\/(?!(?:workflows|triggers)\/|services\/T\w{5,}\/B\w{5,}\/\w{12,}\/?$))/;

function isIncompleteSlackUrl(text: string, { hostname = "", segments }: UrlParts): boolean {
  if (literalOf(text) !== text || segments.some(isToken)) return false;
  return noSlackHook.test([hostname, ...segments].join("/"));
}
