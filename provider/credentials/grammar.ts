/**
 * Reads the text of any setting. Each expression in braces and each mask becomes one mark, a character that divides nothing; what is
 * left is literal. A marked text is split into named values, as a URL, as a header or as a body, and the name tells what a value is.
 */

/**
 * The characters of marks, of Unicode's private use: of a secret that the service stores, by its name (`{{OPS_TOKEN}}`), of another
 * stored value, which may be a secret as well (`{{TEAM}}`), of what each alert fills in (`{{ALERT_TITLE}}`, `{{$UUID}}`), of a value
 * that the service hides (`***masked***`), and of what only a pipeline fills in (`${{ secrets.KEY }}`).
 */
export const mark = { secret: "\uE000", stored: "\uE001", alert: "\uE002", hidden: "\uE003", env: "\uE004" };

/** A text with a space for each mark. */
export function literalOf(text: string): string {
  return text.replace(/[\uE000-\uE004]/g, " ");
}

/** True if the text is one reference and nothing else. */
export function isReference(text: string): boolean {
  return /^\s*(?:\{\{\s*[\w.-]+\s*\}\}|\{\{\{\s*[\w.-]+\s*\}\}\})\s*$/.test(text);
}

/** An expression; a mask, which may leave some letters of the value at either end; and what would be taken for a mark. */
const markedPart =
  /\$?\{?\{\{[^{}]*\}\}\}?|(?<![\w-])[\w-]*(?:(?:\*{3,}|\u2022{2,})[\w-]*)+|(?<![\w-])[\w-]+(?:\u2026|\.{3})[\w-]+|[[<](?:redacted|filtered|masked|hidden|secret)[\]>]|[\uE000-\uE004]/gi;

/** The text with a mark in place of each expression and of each mask. Blocks such as `{{#if GROUP_NAME}}` are left out. */
export function marked(text: string): string {
  return text.replace(markedPart, markOf);
}

function markOf(original: string): string {
  if (!original.includes("{{")) return original >= "\uE000" ? "\uFFFD" : mark.hidden;
  const dollar = original.startsWith("$") ? "$" : "";
  const content = original.replace(/^\$?\{+[&~\s]*|[\s~}]+$/g, "");
  if (dollar && /^(?:secrets|vars|env|inputs|parameters|variables)\W/.test(content)) return mark.env;
  if (/^(?:[#/^!>]|else\b)/.test(content)) return "";
  const [first = "", ...others] = content.match(/"[^"]*"|'[^']*'|[^\s=]+/g) ?? [];
  // Only the arguments of a helper can be secrets.
  const names = others.length === 0 ? [first] : others.filter((other) => /^[a-z_]/i.test(other));
  const stored = names.find((one) => isStoredSecret(one) || !variable.test(snakeCase(one)));
  if (stored === undefined) return dollar + mark.alert;
  return dollar + (isStoredSecret(stored) ? mark.secret : mark.stored);
}

/** Variables and helpers that the vendor documents at https://www.checklyhq.com/docs/integrations/alerts/webhooks.md, by their first word. */
const variable =
  /^(?:_|this$|(?:ai_analysis|alert|(?:api_)?check|group|moment|region|response|result|run|ssl|started|tags?)(?:_|$))/;

/** True if the name of a reference suggests a secret, or a part of a URL that is kept as one. */
function isStoredSecret(one: string): boolean {
  return classOfName(one) === "secret" || /(?:key|pass|auth|hook|url|uri|host|path|dsn)$/i.test(one);
}

/** A value with its name, which is empty where it has none. */
export interface Value {
  readonly name: string;
  readonly text: string;
}

/** The scheme and the rest, the user and the password, the host and the port, the path, the query and the fragment. */
const url =
  /^(?:([a-z][a-z0-9+.-]*):\/\/(?:([^/\\?#:]*)(?::([^/\\?#]*))?@)?([^/\\?#]*?)(:[^/\\?#:\]]*)?(?=[/\\?#]|$))?([^?#]*)\??([^#]*)#?(.*)$/is;
/** The passwords that services document where the user is a token: nothing, or a word for nothing. */
const noPassword = /^(?:x|x-oauth-basic|api_token)?$/i;

/** A marked text as a URL. A mark in one part doesn't make another part unknown. */
export type UrlParts = ReturnType<typeof urlParts>;

export function urlParts(text: string) {
  const [, scheme, user = "", password = "", host = "", port = "", path = "", query = "", fragment = ""] =
    url.exec(text) ?? [];
  const secret = noPassword.test(password) ? user : password;
  const parameters = [query, fragment].flatMap((each) => each.split("&").flatMap(parameterOf));
  if (secret !== "") parameters.push({ name: "password", text: decoded(secret) });
  return { ...addressOf(scheme, host, port), segments: segmentsOf(path), parameters };
}

/** Has no scheme when the text isn't a URL or begins with a reference, and no host that is one. */
function addressOf(scheme = "", host: string, port: string): { scheme?: string; hostname?: string } {
  const isKnown = literalOf(host) === host;
  // A port that is a reference says nothing about the host.
  const address = `${scheme}://${isKnown ? host : "host"}${literalOf(port) === port ? port : ""}`;
  if (host === "" || !URL.canParse(address)) return {};
  return { scheme: scheme.toLowerCase(), ...(isKnown && { hostname: new URL(address).hostname }) };
}

/** Segments of the path that a client requests: decoded, without `.` and `..`. */
function segmentsOf(path: string): string[] {
  const segments: string[] = [];
  for (const segment of path.split(/[/\\]/).map(decoded)) {
    if (segment === "..") segments.pop();
    else if (segment !== ".") segments.push(segment);
  }
  return segments[0] === "" ? segments.slice(1) : segments;
}

/** One without a value is a value without a name. */
function parameterOf(text: string): Value[] {
  const [name = "", ...value] = decoded(text.replaceAll("+", " ")).split("=");
  const isNamed = value.some((part) => part !== "");
  return name === "" && !isNamed
    ? []
    : [{ name: isNamed ? name : "", text: isNamed ? value.join("=") : name }];
}

function decoded(text: string): string {
  if (!text.includes("%")) return text;
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (octets) =>
    Buffer.from(octets.replaceAll("%", ""), "hex").toString("utf8"),
  );
}

/** A part of a header that separators don't divide, of which `name=value` has a name. */
const headerPart = /(?:([\w.-]+)=(?=[^\s=]))?(?:"([^"]*)"|'([^']*)'|([^\s"',;&]+))/g;

/** The parts of the value of a header: of a cookie, of a digest, or of several words. */
export function headerParts(header: string): Value[] {
  return [...header.matchAll(headerPart)].map(([, name = "", double, single, word = ""]) => ({
    name,
    text: double ?? single ?? word,
  }));
}

/** Text between quotes. A quote that isn't closed goes on to the end, so that no text is searched twice. */
const quoted = `"((?:[^"\\\\]|\\\\.)*)(?:"|$)|'((?:[^'\\\\]|\\\\.)*)(?:'|$)`;
/** A placeholder such as `<token>` or `$(TOKEN)`, a link, or any characters that neither quotes nor separators end. */
const bare = `\\$?[<[({][\\w .-]+[>\\])}](?=[\\s&,;}\\]<]|$)|[a-z][a-z0-9+.-]*://[^\\s"'<>&]+|[^\\s"'<>{}()[\\],;&:=][^\\s"<>{}()[\\],;&:=]*`;
/** The end of a name. In YAML, a long text stands in the lines below it. */
const separator = `\\s*[:=](?!=)(?:[^\\S\\n]*[|>][+-]?(?=\\n))?`;
const bodyToken = new RegExp(`(?:${quoted}|(${bare}))(${separator})?|\\n|[^\\s]`, "gi");
const element = /<([\w.:-]{1,100})(?:\s[^<>]*)?>(<[^<>/]*>|[^<>]*)<\/\1/g;

/**
 * The values of a body in JSON, YAML, XML, or as a form, with their names, also of those within a string. It needn't be valid, as
 * templates often aren't until they are filled in.
 */
export function bodyValues(body: string): Value[] {
  const content = body.replace(/<!\[CDATA\[|\]\]>/g, "");
  const values = [...content.matchAll(element)].map(([, name = "", text = ""]) => ({ name, text }));
  let name = "";
  let words: string[] = [];
  const end = () => {
    if (words.length > 0) values.push({ name, text: decoded(words.join(" ")) });
    name = "";
    words = [];
  };
  for (const [token, double, single, word, isName] of content.matchAll(bodyToken)) {
    const text = double ?? single ?? word;
    if (text === undefined ? token !== "\n" || words.length > 0 : isName !== undefined) end();
    if (text === undefined) continue;
    if (isName !== undefined) name = text;
    else if (word !== undefined) words.push(word);
    else values.push(...stringValues(name, text));
    if (word === undefined && isName === undefined) end();
  }
  end();
  return values;
}

/** The value of a string, or the values within it. A password may look as if it had some. */
function stringValues(name: string, content: string): Value[] {
  const isBody = /^\s*[[{<]|\\["']/.test(content) && classOfName(name) !== "secret";
  const text = content.replace(/\\(.)/gs, (_, one: string) => (one === "n" ? "\n" : one));
  const inner = isBody ? bodyValues(text) : [];
  return inner.length > 0 ? inner : [{ name, text }];
}

/**
 * `secret`: any value is one. `likely`: a value with digits between its letters is one, others are words and numbers. `id`: what looks
 * random is no secret. `other`: the shape tells.
 */
export type NameClass = "secret" | "likely" | "id" | "other";

/** Classes of names in snake_case; the first one that matches decides. */
const classes: readonly (readonly [NameClass, RegExp])[] = [
  [
    "id",
    /(?<!^s|connect_s|sess(?:ion)?_?)id$|(?:ids|uuid|guid|iden|identifier)s?$|(?:^|_)(?:hash|sha_?\d*|md5|digest|checksum|commit|revision|release|build|ref|nonce|etag|boundary|type|method|algorithm|timestamp|account|tenant|org|organization|project|workspace|environment|site|channel|room|thread|group|assignee|assigned_to|owner|service|ci)$|version$|public_?key$|^(?:id|if|accept|content|trace)_|^b3$|^user_agent$|_?trace(?:parent|_context)?$|idempotency|dedup/,
  ],
  [
    "secret",
    /(?:token|secret|passw(?:or)?d|passphrase|credentials?|authori[sz]ation|cookie|sess(?:ion)?_?id)$|(?:^|_)(?:pwd|auth|session|sess)$|(?:^|connect_)sid$|(?:api|app|access|auth|client|integration|license|master|private|routing|secret|service|shared|signing|subscription|team|webhook)_?key$/,
  ],
  ["likely", /auth(?!or(?!i[sz]))|token|secret|passw|credential|cookie|signature|^(?:sig|code)$|key$/],
];

export function classOfName(name: string): NameClass {
  if (name === "") return "other";
  const snake = snakeCase(name);
  return classes.find(([, pattern]) => pattern.test(snake))?.[0] ?? "other";
}

/** True if a name says that its value is or may be a secret. */
export function isSecretName(name: string): boolean {
  return ["secret", "likely"].includes(classOfName(name));
}

function snakeCase(name: string): string {
  return name.replace(/(?<=[a-z\d])(?=[A-Z])|[^A-Za-z\d]+/g, "_").toLowerCase();
}
