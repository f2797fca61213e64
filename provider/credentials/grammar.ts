/**
 * Parses the text of a setting. Replaces each expression in braces and each masked value with a mark (a character that no parser treats as
 * a separator), and splits the marked text into named values, as a URL, a header or a body. The name determines whether a value can be a
 * secret.
 */

/**
 * Marks are characters of Unicode's private use area. `secret` replaces a stored value whose name suggests a secret (`{{OPS_TOKEN}}`),
 * `stored` any other stored value, which may also be a secret (`{{TEAM}}`), and `alert` a value that each alert fills in
 * (`{{ALERT_TITLE}}`, `{{$UUID}}`). `hidden` replaces a value that the service masks (`***masked***`), and `env` a value that a pipeline
 * or a deployment fills in (`${{ secrets.KEY }}`, `{{resolve:ssm:NAME}}`).
 */
export const mark = { secret: "\uE000", stored: "\uE001", alert: "\uE002", hidden: "\uE003", env: "\uE004" };

/** Replaces each mark with a space. */
export const stripMarks = (text: string): string => text.replace(/[\uE000-\uE004]/g, " ");

/** Returns true if the whole text is one reference. */
export function isReference(text: string): boolean {
  return /^\s*(?:\{\{\s*[\w.-]+\s*\}\}|\{\{\{\s*[\w.-]+\s*\}\}\})\s*$/.test(text);
}

const expression = /\$?\{?\{\{[^{}]*\}\}\}?/g;
/** Match masked values. Some letters may be left at either end. */
const masks = [
  /(?<![\w-])[\w-]*(?:(?:\*{3,}|\u2022{2,})[\w-]*)+|(?<![\w-])[\w-]+(?:\u2026|\.{3})[\w-]+/g,
  /[[<](?:redacted|filtered|masked|hidden|secret)[\]>]/gi,
];

/** Replaces each expression and each masked value with a mark. Removes blocks such as `{{#if GROUP_NAME}}`. */
export function markText(text: string): string {
  const own = text.replace(/[\uE000-\uE004]/g, "\uFFFD").replace(expression, getMark);
  return masks.reduce((rest, mask) => rest.replace(mask, mark.hidden), own);
}

function getMark(original: string): string {
  const dollar = original.startsWith("$") ? "$" : "";
  const content = original.replace(/^\$?\{+[&~\s]*|(?<![\s~}])[\s~}]+$/g, "");
  if (dollar && /^(?:secrets|vars|env|inputs|parameters|variables)\W/.test(content)) return mark.env;
  // CloudFormation's dynamic reference.
  if (content.startsWith("resolve:")) return mark.env;
  if (/^(?:[#/^!>]|else\b)/.test(content)) return "";
  const names = content.match(/[a-z_$][\w.$-]*/gi) ?? [];
  const stored = names.find((one) => isStoredSecret(one) || !variable.test(toSnakeCase(one)));
  if (stored === undefined) return dollar + mark.alert;
  return dollar + (isStoredSecret(stored) ? mark.secret : mark.stored);
}

/** The first words of variables and helpers that the vendor documents at https://www.checklyhq.com/docs/integrations/alerts/webhooks.md. */
const variable =
  /^(?:_|this$|(?:ai_analysis|alert|(?:api_)?check|group|moment|re(?:gion|sponse|sult)|run|ssl|started|tags?)(?:_|$))/;

/** Returns true if the name of a reference suggests a secret, or a part of a URL that is often stored as a secret. */
function isStoredSecret(one: string): boolean {
  return classifyName(one) === "secret" || /(?:key|pass|auth|hook|url|uri|host|path|dsn)$/i.test(one);
}

/** Matches a URL without the punctuation that follows it in a sentence. */
export const address = /(?<![a-z\d])[a-z][a-z\d+.-]{1,30}:\/\/[^\s"'<>`]*[^\s"'<>`.,;:!?)\]}]/gi;
/** Returns the URLs in text. */
export const findLinks = (text: string): string[] => text.match(address) ?? [];

/** A value and its name. The name is empty for an unnamed value. */
export interface Value {
  readonly name: string;
  readonly text: string;
}

/** The parts of a marked text, read as a URL. A mark in one part doesn't affect the others. */
export type UrlParts = ReturnType<typeof parseUrl>;

export function parseUrl(text: string) {
  const [, scheme, authority = "", rest = text] =
    /^([a-z][a-z0-9+.-]*):\/\/([^/\\?#]*)(.*)$/is.exec(text) ?? [];
  const [, user = "", password = "", host = "", port = ""] =
    /^(?:([^:]*)(?::(.*))?@)?(.*?)(:[^:\]]*)?$/s.exec(authority) ?? [];
  const [, path = "", query = "", fragment = ""] = /^([^?#]*)\??([^#]*)#?(.*)$/s.exec(rest) ?? [];
  const secret = /^(?:x|x-oauth-basic|api_token)?$/i.test(password) ? user : password;
  const parameters = [query, fragment].flatMap((each) =>
    (each.match(/[^&;]+/g) ?? []).map((one) => parsePair(decodePercents(one.replaceAll("+", " ")))),
  );
  if (secret !== "") parameters.push({ name: "password", text: decodePercents(secret) });
  return {
    ...parseAddress(scheme, host, port),
    user: decodePercents(user),
    password: decodePercents(password),
    segments: splitPath(path),
    parameters,
  };
}

/** Returns no scheme if the text isn't a URL or starts with a reference, and no host name if the host is a reference. */
function parseAddress(scheme = "", host: string, port: string): { scheme?: string; hostname?: string } {
  const isKnown = stripMarks(host) === host;
  // If the port is a reference, the host is still known.
  const address = `${scheme}://${isKnown ? host : "host"}${stripMarks(port) === port ? port : ""}`;
  if (host === "" || !URL.canParse(address)) return {};
  return { scheme: scheme.toLowerCase(), ...(isKnown && { hostname: new URL(address).hostname }) };
}

/** Returns the decoded segments of the path that a client requests, without `.` and `..`. */
function splitPath(path: string): string[] {
  const { pathname } = new URL(`https://host/${path.replace(/^[/\\]/, "")}`);
  return pathname.slice(1).split("/").map(decodePercents);
}

/** Parses a parameter of the query. A parameter without `=` is an unnamed value. */
function parsePair(text: string): Value {
  const [, name = "", value = text] = /^([^=]+)=(?==*[^=])(.*)$/s.exec(text) ?? [];
  return { name, text: value };
}

function decodePercents(text: string): string {
  if (!text.includes("%")) return text;
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (octets) =>
    Buffer.from(octets.replaceAll("%", ""), "hex").toString("utf8"),
  );
}

/** Matches an element of XML. */
const element = /<([\w.:-]{1,100})(?:\s[^<>]*)?>([^<>]*)<\/\1/g;
/**
 * Match the tokens of a body: quoted strings (an unclosed string extends to the end of the body), unquoted words, and the end of a name.
 */
const quoted = /(["'])((?:(?!\1)[^\\]|\\(?:[^]|$))*)(?:\1|$)/y;
const words = /[a-z][a-z0-9+.-]*:\/\/[^\s"'<>&]+|[^\s"'<>{}()[\],;&:=][^"'<>{}()[\],;&:=\n]*/iy;
const separator = /\s*[:=](?!=)/y;

/**
 * Finds the named values of a body in JSON, YAML, XML or form encoding, even within its strings. The body may be invalid before its
 * expressions are filled in.
 */
export function parseBody(body: string): Value[] {
  const values = [...body.matchAll(element)].map(([, name = "", text = ""]) => ({ name, text }));
  let name = "";
  let at = 0;
  const next = (pattern: RegExp) => {
    pattern.lastIndex = at;
    const found = pattern.exec(body);
    if (found) at = pattern.lastIndex;
    return found?.at(-1);
  };
  while (at < body.length) {
    const string = next(quoted);
    const text = string?.replace(/\\(.)/gs, (_, one: string) => (one === "n" ? "\n" : one)) ?? next(words);
    if (text === undefined) at++;
    else if (next(separator) !== undefined) name = text.trim();
    else {
      const isBody =
        string !== undefined && /^\s*[[{<]|\\["']/.test(string) && classifyName(name) !== "secret";
      const inner = isBody ? parseBody(text) : [];
      values.push(...(inner.length > 0 ? inner : [{ name, text: decodePercents(text.trim()) }]));
      name = "";
    }
  }
  return values;
}

/**
 * How a name classifies its value. `secret`: every value is a secret. `likely`: a value with digits between its letters is a secret, but
 * words and numbers aren't. `id`: not even a random value is a secret. `other`: the shape of the value decides.
 */
export type NameClass = "secret" | "likely" | "id" | "other";

/** Patterns of names in snake_case. The first class with a matching pattern applies. */
const classes: readonly (readonly [NameClass, ...RegExp[]])[] = [
  ["secret", /(?:^|connect_)sid$|sess(?:ion)?_?id$/],
  [
    "id",
    /(?:ids?|identifiers?|version|public_?key|sentry_key|trace(?:parent|_context)?|user_agent|referr?er)$/,
    /(?:^|_)(?:sha_?\d*|md5|digest|checksum|commit|revision|release|build|ref|nonce|etag|timestamp)$/,
    /(?:^|_)(?:type|method|algorithm|account|tenant|org|organization|project|workspace|environment|site)$/,
    /(?:^|_)(?:channel|room|thread|group|assignee|owner|service|event)$|^(?:if|accept|content)_|dedup/,
    /(?:^|_)(?:booking|case|correlation|deployment|device|incident|invoice|job|order|payment|reference)(?:_(?:number|no|code))?$/,
    /(?:^|_)(?:batch|evt|msg|req|request|resp|run|serial|task|ticket|trace|tracking|transaction|txn|wallet)(?:_(?:number|no|code))?$/,
    /idempotency/,
  ],
  [
    "secret",
    /(?:token|secret|passwor[dt]|passwd|passphrase|credentials?|authori[sz]ation|cookie)$/,
    /(?:^|_)(?:pwd|psw|pw|pass|senha|contrase[n_]a|clave|kennwort|wachtwoord|haslo|mot_de_passe)$/,
    /(?:api|app|access|account|auth|client|integration)_?key$/,
    /(?:license|master|private|routing|secret|service|shared|signing|storage|subscription|webhook)_?key$/,
  ],
  [
    "likely",
    /auth(?!or(?!i[sz]))|token|secret|passw|credential|cookie|signature|^(?:sig|code|session)$|key$|pass$/,
  ],
];

export function classifyName(name: string): NameClass {
  if (name === "") return "other";
  const snake = toSnakeCase(name);
  return classes.find(([, ...looks]) => looks.some((look) => look.test(snake)))?.[0] ?? "other";
}

/** Returns true if a name suggests that its value is, or may be, a secret. */
export const isSecretName = (name: string): boolean => ["secret", "likely"].includes(classifyName(name));

const toSnakeCase = (name: string): string =>
  name.replace(/(?<=[a-z\d])(?=[A-Z])|[^A-Za-z\d]+/g, "_").toLowerCase();
