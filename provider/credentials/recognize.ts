/**
 * Recognizes what the text of a setting is: a reference to a secret that the service stores (`{{NAME}}` or `{{{NAME}}}`), a URL,
 * a secret in plain text, or a placeholder that nobody has replaced. References and variables of the alert are taken out first;
 * a secret is what looks random in the rest, or what stands under a name that says so.
 */
import { z } from "zod";
import { afterKnownPath, receiverAt } from "./hosts";
import { publicPaths, secretPaths } from "./services";

/** Whether the service stores nothing under a key: an empty string or list stands for no value. */
export function isEmpty(value: unknown): boolean {
  return (
    value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0)
  );
}

const name = "\\s*[\\w.-]+\\s*";
const whole = new RegExp(`^\\s*(\\{\\{${name}\\}\\}|\\{\\{\\{${name}\\}\\}\\})\\s*$`);

/** Whether the text is one reference and nothing else. */
export function isReference(text: string): boolean {
  return whole.test(text);
}

/** A URL, which may contain references. */
interface Address {
  readonly scheme: string;
  /** Missing when it is a reference. */
  readonly hostname?: string;
}

export function addressOf(original: string): Address | undefined {
  const text = simplify(original);
  const parts = urlParts(text);
  const plain = withoutExpressions(text, "reference");
  if (parts === undefined || !URL.canParse(plain)) return undefined;
  const { scheme, host } = parts;
  return expressionsIn(host).length > 0 ? { scheme } : { scheme, hostname: new URL(plain).hostname };
}

/** What the secret part of a credential is, such as the path of a hook's URL or the value of an `Authorization` header. */
export const secretParts = ["literal", "reference", "none"] as const;
type SecretPart = (typeof secretParts)[number];

/** Tells what the secret part of a setting is; undefined when {@link isReference} says everything. */
export function secretPartOf(key: string, value: unknown): SecretPart | undefined {
  if (typeof value === "string") {
    if (isReference(value)) return undefined;
    return key === "template" ? secretPartOfTemplate(simplify(value)) : secretPartOfText(value);
  }
  const { data } = pairs.safeParse(value);
  return data && together(data.map((pair) => secretPartOfPair(pair.key, simplify(valueText(pair.value)))));
}

/** Whether a header or a query parameter that is a secret has a placeholder as its value. */
export function isPlaceholderInPairs(value: unknown): boolean {
  const { data = [] } = pairs.safeParse(value);
  return data.some(({ key, value: one }) => typeof one === "string" && isPlaceholderOf(key, one));
}

/** @param key that names the value */
function isPlaceholderOf(key: string, value: string): boolean {
  if (!possibleName.test(key)) return isInstruction(value);
  const parts = [...value.slice(0, longest).matchAll(/([\w.-]{1,100})=["']?([^"'\s,;&]+)/g)];
  return (
    isPlaceholder("", value.replace(scheme, "")) ||
    parts.some(([, name = "", one = ""]) =>
      isSecretName(name) ? isPlaceholder("", one) : isInstruction(one),
    )
  );
}

/** Whether a value that needn't be a secret is an instruction. A name may stand before an address in brackets, and text be long. */
function isInstruction(value: string): boolean {
  return !/[\s:@]/.test(value) && has([...instructions, ...masks], value.slice(0, longest));
}

/** Whether a part of a text looks random: of letters that words don't have in this order, or with digits between them. */
export function isToken(text: string): boolean {
  if (uuid.test(text) || hex.test(text)) return true;
  if (text.length < shortestToken || date.test(text)) return false;
  let score = 0;
  for (let index = 1; index < text.length; index += 1) score += scoreOf(text.slice(index - 1, index + 1));
  return score >= randomScore;
}

const uuid = /(?<![0-9a-f])(?!0{8}-)[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}(?![0-9a-f])/i;
const hex = /(?<![0-9a-z])(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{16,}(?![0-9a-z])/i;

/** A time as AWS writes it, such as 20261120T120000Z. */
const date = /^\d{8}T\d{6}Z?$/;

/** Ids in public paths are shorter, such as T0AB12CD3 of a Slack workspace or the 12 letters and digits of a Statuspage. */
const shortestToken = 16;

/** Logarithm of how much rarer a text is as words than as random characters. */
const randomScore = 6;

/** The same for two neighbours. Its figures were estimated on the names of files and identifiers, and on random texts. */
function scoreOf(two: string): number {
  if (/[^a-z\d]/i.test(two)) return -0.75;
  if (/^\d\d$/.test(two)) return 0;
  if (isRun(two)) return -1.35;
  if (/\d/.test(two)) return 2.2;
  if (/^[a-z][A-Z]$/.test(two)) return 0.7;
  return commonPairs.has(two.toLowerCase()) ? -1.35 : 1.65;
}

/** Whether two neighbours are those of XXXX or of ABCD. */
function isRun(two: string): boolean {
  return [0, 1].includes(two.charCodeAt(1) - two.charCodeAt(0));
}

/** The pairs of letters that make up five sixths of those in English words. */
const commonPairs = new Set(
  `th he in er an re on at en nd ti es or te of ed is it al ar st to nt ng se ha as ou io le ve co me de hi ri ro ic ne ea
  ra ce li ch ll be ma si om ur ca el ta la ns di fo ho pe ec pr no ct us ac ot il tr ly nc et ut ss so rs un lo wa ge ie
  wh ee wi em ad ol rt po we na ul ni ts mo ow pa im mi ai sh ir su id os iv ia am fi ci vi pl ig tu ev ld ry mp fe bl ab
  gh ty op wo sa ay ex ke fr oo av ag ap gr od bo sp do ok ck fa au lt ef js qu eq ua lu ks wn fl sk kb sy ph ht uc lk fu`.split(
    /\s+/,
  ),
);

const expression = /\{?\{\{[^{}]*\}\}\}?/g;

/**
 * A text in which each expression is a name in braces: of a reference to a secret, or the same one for all variables of the
 * alert. Blocks such as `{{#if GROUP_NAME}}` are taken out: they have characters that divide a URL.
 */
function simplify(text: string): string {
  return text.replace(expression, (one) => {
    const content = one.replace(/^\{+\s*&?|[{}]+$/g, "").trim();
    if (/^(?:[#/^!>]|else\b)/.test(content)) return "";
    const [first = "", ...others] = content.match(/"[^"]*"|'[^']*'|[^\s=]+/g) ?? [];
    // Of a helper, only what it is called with can be a secret.
    const names = others.length === 0 ? [first] : others.filter((other) => /^[a-z_]/i.test(other));
    const stored = names.find((each) => !isVariable(each));
    return stored === undefined ? alertVariable : `{{${stored.replace(/[^\w.-]/g, "_")}}}`;
  });
}

const alertVariable = "{{ALERT}}";

/**
 * Variables of the alert that the vendor documents, by their first word: ALERT_TITLE, CHECK_NAME, RESULT_LINK, STARTED_AT,
 * SSL_DAYS_REMAINING, $UUID and the others of https://www.checklyhq.com/docs/integrations/alerts/webhooks.md.
 */
const variable =
  /^(?:[@$]|(?:ALERT|(?:API_)?CHECK|GROUP|RESPONSE|RESULT|RUN|SSL|STARTED|TAGS?|REGION)(?:_|$))/;
/** Last words of the name of a secret, or of a part of a URL that is kept as one. */
const storedName =
  /(?:KEY|TOKEN|SECRET|PASS|PASSWORD|PWD|AUTH|CREDENTIALS?|HOOK|WEBHOOK|URL|URI|HOST|PATH|DSN)$/;

function isVariable(one: string): boolean {
  const snake = one
    .replace(/([a-z\d])([A-Z])/g, "$1_$2")
    .replace(/[^\w@$]+/g, "_")
    .toUpperCase();
  return variable.test(snake) && !storedName.test(snake);
}

function expressionsIn(text: string): string[] {
  return text.match(expression) ?? [];
}

function withoutExpressions(text: string, replacement: string): string {
  return text.replace(expression, replacement);
}

/** The names of the secrets that a simplified text refers to. */
function referencesIn(text: string): string[] {
  return expressionsIn(text)
    .filter((one) => one !== alertVariable)
    .map((one) => one.replace(/[{}]/g, ""));
}

/** Whether the name of a reference suggests a secret, where that of its setting doesn't. */
function isNamedSecret(reference: string): boolean {
  return storedName.test(reference.toUpperCase());
}

/** Whether a reference is in capitals, as variables with secrets are. */
function isInCapitals(reference: string): boolean {
  return !/[a-z]/.test(reference);
}

function urlParts(text: string): { scheme: string; user: string; host: string; rest: string } | undefined {
  const [, scheme, authority = "", rest = ""] = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)(.*)$/is.exec(text) ?? [];
  if (scheme === undefined) return undefined;
  const at = authority.lastIndexOf("@");
  return {
    scheme: scheme.toLowerCase(),
    user: authority.slice(0, Math.max(at, 0)),
    host: authority.slice(at + 1),
    rest,
  };
}

/** Headers or query parameters. */
const pairs = z.array(z.object({ key: z.string(), value: z.unknown() }));

function valueText(value: unknown): string {
  return typeof value === "string" ? value : isEmpty(value) ? "" : JSON.stringify(value);
}

/** The secret part of several: one literal is enough. */
function together(parts: readonly SecretPart[]): SecretPart {
  return secretParts.find((part) => parts.includes(part)) ?? "none";
}

/** Names of settings that hold a secret, whatever it looks like. */
const secretName =
  /(?:token|secret|passw(?:or)?d|passphrase|^pwd|credentials?|authori[sz]ation|^auth|[-_]auth|cookie|(?:api|app|access|auth|client|integration|license|master|private|routing|secret|service|shared|signing|subscription|team|webhook|zapi)[-_.]?key)$/i;
/** Values that say whether or how, such as that of `require-auth`. */
const choice = /^(?:true|false|yes|no|on|off|none|basic|bearer|[01])$/i;
/** Names of settings that hold a secret unless it looks like a word or a number. */
const possibleName =
  /auth(?!or(?!i[sz]))|token|secret|passw|^pwd$|credential|cookie|signature|^sig$|^code$|key$/i;
/** Names of cookies that are as good as a password. */
const sessionName = /sess(?:ion)?(?:[._-]?id)?$|(?:^|[._-])sid$/i;
/** Names of settings that hold what looks random without being a secret: an id, a hash, or what has an id. */
const publicName =
  /^id_|^if-|^b3$|public[-_]?key$|(?:id|uuid|guid|identifier)s?$|idempotency|dedup|^content[-_]|^accept|^user[-_]agent$|^trace|[-_]trace(?:$|[-_]context$)|version$|(?:^|[-_])(?:hash|sha[-_]?\d*|md5|digest|checksum|commit|revision|release|build|ref|nonce|etag|boundary|type|method|algorithm|timestamp|account|tenant|org|organization|project|workspace|environment|site|channel|room|thread|group|assignee|assigned_to|owner|service|ci)$/i;

/** Segments of a path after which an id stands, as in `/accounts/3f1c2b7a-…/alerts`. */
const collection =
  /^(?:accounts?|app(?:lication)?s|boards|cards|channels|chats|clusters|commits|customers|dashboards|databases|devices|environments|flows|groups|incidents|issues|lists|org(?:anization)?s|pages|projects|rooms|schedules|sites|spaces|statuses|subscriptions|teams|tenants|tickets|users|workspaces|zones)$/i;
/** An id there: a UUID, a hash, also with the letters of its kind before it, or a room at a host. Other random texts are secrets. */
const idInCollection = /^(?:[a-z]{0,3}[\da-f]{16,40}|[\da-f-]{36}|!.+:.+|\d+:.+@.+)$/i;

function isSecretName(key: string): boolean {
  return sessionName.test(key) || (possibleName.test(key) && !isPublicName(key));
}

function isPublicName(key: string): boolean {
  return publicName.test(key.replace(/([a-z])([A-Z])/g, "$1_$2"));
}

/** The secret part of a header or a parameter. */
function secretPartOfPair(key: string, text: string): SecretPart {
  if (text === "") return "none";
  const plain = withoutExpressions(text, expressionMark);
  if (isSecretName(key)) {
    if (plain !== text) return hasSecretPart(plain) ? "literal" : "reference";
    if (/cookie$/i.test(key)) return hasSecretPart(plain) ? "literal" : "none";
    const isSecret =
      (secretName.test(key) && !choice.test(text)) || sessionName.test(key) || isMixed(text) || isToken(text);
    return isSecret ? "literal" : "none";
  }
  if (!isPublicName(key) && plain.split(/\s+/).some(isToken)) return "literal";
  return referencesIn(text).some((one) => isNamedSecret(one) || isInCapitals(one)) ? "reference" : "none";
}

/** Stands for a reference or a variable that was taken out. */
const expressionMark = "{}";

/** The scheme of an `Authorization` header, such as `Bearer` or `GenieKey`: any word before a space. */
const scheme = /^\s*[\w.-]{1,24}\s+/;
/** A part that separators don't divide. AWS lists the names of headers with `;` in one value. */
const part = /(?:"[^"]*"|'[^']*'|;(?!\s*[\w.-]+=)|[^"'\s;,&]+)+/g;
const flag = /^(?:secure|httponly);?$/i;

/** Whether a secret is left in the value of a header or a parameter after its references and its scheme. */
function hasSecretPart(plain: string): boolean {
  const [word = ""] = scheme.exec(plain) ?? [];
  const rest = isToken(word) ? plain : plain.slice(word.length);
  return (rest.match(part) ?? []).some(isSecretPart);
}

/** Whether a part of a text without its references is a secret: of `name=value`, as in a cookie, the name tells. */
function isSecretPart(text: string): boolean {
  const [, key, value = text] = /^([\w.-]+)=(?=[^\s=])(.*)$/s.exec(text) ?? [];
  const plain = value.replaceAll(expressionMark, " ");
  if (!/\w/.test(plain) || flag.test(text)) return false;
  if (key === undefined) return plain.split(" ").some((one) => isMixed(one) || isToken(one));
  if (!isSecretName(key)) return !isPublicName(key) && hasToken(value);
  return plain === value || plain.split(" ").some((one) => isMixed(one) || isToken(one));
}

/** Whether a short text has digits between its letters, as only a secret has where one is expected. */
function isMixed(text: string): boolean {
  return text.length >= 6 && /[a-z]\d+[a-z]|\d[a-z]+\d/i.test(text);
}

/** Names of secrets in a body. A `key` is one of a project or an alert there, and a `code` one of an error. */
const memberName =
  /token$|secret$|passw(?:or)?d$|^pwd$|credentials?$|authori[sz]ation$|^auth$|(?:api|app|access|routing|integration|service|private|auth|signing|subscription|license)[-_]?key$/i;

/**
 * The members of an object, the fields of a form, the attributes and elements of XML, by name, also of those within a string. A body
 * needn't be valid until it is filled in.
 */
function membersOf(body: string): [key: string, value: string][] {
  const text = body.replace(/<!\[CDATA\[|\]\]>/g, "");
  const members = [...text.matchAll(member)].flatMap(
    ([, , key = "", double, single, bare]): [string, string][] => {
      // Of a link, the scheme isn't a name.
      if (bare?.startsWith("//")) return [["", `${key}:${bare}`]];
      if (/^(?:true|false|null)$/.test(bare ?? "")) return [];
      const value = double ?? single ?? bare ?? "";
      const inner = /\\["']/.test(value) ? membersOf(value.replace(/\\(["'\\])/g, "$1")) : [];
      // A password may look as if it had members.
      return inner.length > 0 && !memberName.test(key) ? inner : [[key, value]];
    },
  );
  const elements = [...text.matchAll(element)];
  const fields = /^\s*[{[<]/.test(text) ? [] : [...new URLSearchParams(text)];
  return [
    ...members,
    ...elements.map(([, key = "", value = ""]): [string, string] => [key, value]),
    ...fields,
  ];
}

const quoted = `"((?:[^"\\\\]|\\\\.)*)"|'((?:[^'\\\\]|\\\\.)*)'`;
/** A placeholder such as `<token>` or `$(TOKEN)`. Mark-up goes on after it. */
const inBrackets = `\\$?[<[(][^<>()[\\]{}"',\\n]*[>\\])](?=[\\s&,;}\\]]|$)`;
/** The scheme of a header, before what isn't the next member. */
const firstWord = `[a-z][\\w-]{0,23}[^\\S\\n]+(?=[\\w{<$])(?![\\w.-]+[^\\S\\n]*(?::|=[^=\\s]))`;
const bare = `(?:${firstWord})?(?:${inBrackets}|(?:\\{+[\\w. -]+\\}+|[^\\s"'&,;<>()[\\]{}])+)`;
/** YAML has a long text in the lines below its name, and objects as well. */
const separator = `\\s*[:=](?:[^\\S\\n]*[|>][+-]?[^\\S\\n]*\\n)?[^\\S\\n]*`;

/** `"name": "value"`, where neither needs quotes. No name begins within a word: that would take a hundred times as long. */
const member = new RegExp(`(["']?)(?<![\\w.-])([\\w.-]{1,100})\\1${separator}(?:${quoted}|(${bare}))`, "gi");

const element = /<([\w.:-]{1,100})(?:\s[^<>]*)?>(<[^<>/]*>|[^<>]*)<\/\1/g;

function secretPartOfTemplate(template: string): SecretPart {
  return together(membersOf(template).map(([key, value]) => secretPartOfMember(key, value)));
}

/** A header within the body, such as `"value": "Bearer …"`. */
const header = /^(?:bearer|basic|token|bot|apikey|geniekey|splunk)\s+\S+$/i;

function secretPartOfMember(key: string, value: string): SecretPart {
  const plain = withoutExpressions(value, expressionMark);
  if (memberName.test(key)) {
    if (value === "" || choice.test(value)) return "none";
    return plain === value || hasSecretPart(plain) ? "literal" : "reference";
  }
  const url = addressOf(value);
  if (url) {
    return isChat(url)
      ? (secretPartOfText(value) ?? "none")
      : together(secretsOfLink(value).map(([name, one]) => secretPartOfPair(name, one)));
  }
  const isHeader = header.test(plain);
  // Words for people may have a link or the name of a file.
  const isSecret = isHeader
    ? hasSecretPart(plain)
    : !isPublicName(key) && !/\s/.test(plain) && isToken(plain);
  if (isSecret) return "literal";
  return referencesIn(value).some((one) => isHeader || isNamedSecret(one)) ? "reference" : "none";
}

function isChat({ hostname }: Address): boolean {
  return hostname !== undefined && receiverAt(hostname) === "chat";
}

/** Links and images have paths and parameters that look random: only a name tells that one is a secret. */
function secretsOfLink(url: string): [key: string, value: string][] {
  return pairsOf(simplify(url)).filter(([name]) => isSecretName(name));
}

/**
 * The host of a URL is no secret. Its path is one where a segment looks random, or at a service whose paths are short secrets.
 * Its user name is one only without a password, because then services take a token there.
 */
function secretPartOfText(original: string): SecretPart | undefined {
  const address = addressOf(original);
  if (expressionsIn(original).length === 0 && address === undefined) return undefined;
  const text = simplify(original);
  const url = urlParts(text);
  const [path = ""] = /^[^?#]*/.exec(url?.rest ?? text) ?? [];
  return together([
    ...pairsOf(text).map(([key, value]) => secretPartOfPair(key, value)),
    secretPartOfPath(path, address?.hostname),
  ]);
}

/** What services document as the password where the user is a token: nothing, or a word for nothing. */
const noPassword = /^(?:x|x-oauth-basic|api_token)?$/i;

/** The password or the user, and the parameters of the query and of the fragment. */
function pairsOf(url: string): [key: string, value: string][] {
  const [, user = "", password = ""] = /^([^:]*)(?::(.*))?$/s.exec(urlParts(url)?.user ?? "") ?? [];
  const [, query, fragment] = /^[^?#]*\??([^#]*)#?(.*)$/s.exec(url) ?? [];
  const parameters = [query, fragment].flatMap((one) => [...new URLSearchParams(one)]);
  return [
    ["password", noPassword.test(password) ? user : password],
    // One without a value is a value without a name.
    ...parameters.map(([key, value]): [string, string] => (value === "" ? ["", key] : [key, value])),
  ];
}

/** @param path of a URL, or a text that begins with a reference. */
function secretPartOfPath(path: string, hostname: string | undefined): SecretPart {
  const segments = path.split("/").slice(path.startsWith("/") ? 1 : 0);
  // Before the secret, such a path may have ids.
  const rest = afterKnownPath(secretPaths, hostname, segments);
  const short = rest?.join("/") ?? "";
  const isSecret =
    (short !== "" && expressionsIn(short).length === 0) ||
    (afterKnownPath(publicPaths, hostname, segments) === undefined &&
      (rest ?? segments).some(
        (one, index, all) =>
          hasToken(one) && !(collection.test(all[index - 1] ?? "") && idInCollection.test(one)),
      ));
  if (isSecret) return "literal";
  return referencesIn(path).length > 0 ? "reference" : "none";
}

/** Whether a segment of a path looks random without its references. */
function hasToken(segment: string): boolean {
  return decoded(withoutExpressions(segment, " ")).split(" ").some(isToken);
}

function decoded(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (octets) =>
    Buffer.from(octets.replaceAll("%", ""), "hex").toString("utf8"),
  );
}

/** Patterns of instructions to replace a value, or a part of one that has a secret besides. */
const explicit = [
  // A name in brackets after another one is a part of it, such as `variables[ALERT]`, as are braces within others.
  /<[^<>]*[a-z][^<>]*>|(?<![\w\]])\[[a-z][a-z _-]*\]|\{[a-z][\w. -]*\}(?!\})|__[a-z][a-z_]+__|@@[a-z_]+@@|(?:^|\/):[a-z_]+(?=[/?#]|$)/i,
  /(?<![\w$])\$[A-Z][A-Z_]{2,}(?!\w)|\$\{[^}]*\}|\$\([^)]*\)|%[A-Z][A-Z_]{3,}%|\bprocess\.env\b|\bsecrets\.[A-Z]/,
  /YOUR|\bREPLACE(?![a-z])/,
];

/** Words that may be those of a path, where nothing random stands beside them. */
const instructions = [
  ...explicit,
  /(?:^|[^a-z])your(?:[_@/]|$)|(?:^|[/@=:.([{"'\s])your(?=[_/@.\s]|$)/,
  /(?:^|[^a-z])(?:your[-_ ]?(?:account|api|app|channel|company|domain|email|endpoint|here|hook|host|id|instance|integration|key|name|number|org|organization|password|path|project|routing|secret|server|service|site|slack|subdomain|team|tenant|token|url|user|webhook|workspace)|my[-_ ]?(?:api[-_ ]?key|token|secret|password|company|domain|org))(?![a-z])/i,
  /(?:^|[^a-z])replace[-_ ]?(?:me|with|this|w)(?![a-z])/i,
  /(?:^|[^a-z])(?:change[-_ ]?(?:me|it|this)|set[-_ ]?me|fill[-_ ]?(?:in|me|out)|insert[-_ ]?(?:your|here|the|key|token|url|webhook))(?![a-z])/i,
  /placeholder|(?:^|[^a-z])(?:(?:key|paste|password|secret|token|url|webhook)[-_ ]here|redacted|fixme|dummy)(?![a-z])/i,
  /(?:^|[^A-Za-z])(?:TODO|TBD)(?![A-Za-z])/,
];

/** The same in a text for people, which may well say "your site" or "to do". */
const instructionInText =
  /YOUR[_-]|(?:^|[^a-z])your[-_][a-z]|FILL[_-]IN|REPLACE[_-]|INSERT[_-]|(?:change|replace)[-_]?me(?![a-z])/;

const masks = [/x{4,}|(?<![a-z0-9])x{3,}(?![a-z0-9])/i, /\*{3,}|\.{3,}|\u2026/];

/** Patterns that random characters don't contain. */
const unlikely = [
  /0{8,}|123456789|abcdefgh|(?<![a-z0-9])abc-?123(?![a-z0-9])/i,
  /(?<![A-Za-z0-9_])[A-Z][A-Z0-9]*_(?:[A-Z0-9]+_)*(?:KEY|TOKEN|SECRET|URL|WEBHOOK|PASSWORD|HOOK|PATH|ID)(?![A-Za-z0-9_])/,
];

const words =
  /^(?:foo|bar|baz|test|testing|secret|key|token|password|pass|dummy|example|sample|fake|abc|xyz|none|null|nil|undefined|todo|tbd|n\/?a|url|uri|webhook|hook|tmpl|template|body|string|value|\[object object\]|(?:web)?hook[-_ ]?(?:url|secret)|(?:(?:pagerduty|opsgenie|pd)[-_ ]?)?(?:api|service|integration|routing)?[-_ ]?key|pagerduty|opsgenie|12345?6?7?8?|abcd(?:ef)?|(?:my|foo|some|fake|test|the|dummy|example|sample)[-_ ]?(?:api[-_ ]?|service[-_ ]?)?(?:key|token|secret|url|password|webhook))[-_]?\d*$/i;

/** Whole domains that stand for any: those that RFC 2606 reserves, and those of examples. */
const domains =
  /(?:^|[.@])(?:example\.(?:com|net|org|edu)|(?:your|my|some)?(?:domain|company|website|email|site|org|server|host)\.(?:com|tld|org|net)|(?:foo|bar|baz|test|somewhere|something|address|acme-corp)\.com|foo\.(?:bar|org|io)|bar\.(?:foo|baz)|[a-z0-9.-]+\.(?:invalid|test|tld))$/i;
/** Domains of examples at which people also have mailboxes. */
const mailProviders = /^(?:email|mail|company)\.com$/i;
const anybody =
  /^(?:you|your|user|username|name|me|email|mail|test|foo|bar|someone|somebody|john|jane|j?doe|(?:john|jane)[._-]?doe|first[._-]?(?:name[._-]?)?last(?:name)?)\d*$/i;

/** What only a pipeline fills in, although it looks as a reference. */
const pipelineExpression = /\$\{\{\s*(?:secrets|vars|env|inputs|parameters|variables)\W/;

/** The rest isn't searched: that would take a time that grows with the square of the length. */
const longest = 4_096;

/** Whether the value of a setting of an alert channel is a placeholder. References to secrets and random texts aren't any. */
export function isPlaceholder(key: string, setting: unknown): boolean {
  if (typeof setting !== "string") return false;
  const value = setting.slice(0, longest).trim();
  if (pipelineExpression.test(value)) return true;
  const text = withoutExpressions(value, "").trim();
  if (text === "") return false;
  // Unlikely characters beside a reference, in a parameter or as a number in a path are an id, such as the account 123456789012.
  const path = key === "url" ? text.replace(/[?#].*$|(?<![\w-])\d+(?![\w-])/gs, "") : text;
  const isUnfilled = has([...instructions, ...masks], text) || (text === value && has(unlikely, path));
  const isRandom = text.split(/[/?&=#:@\s]/).some(isToken);
  switch (key) {
    case "address":
      return isPlaceholderAddress(text);
    case "url":
      return (
        has(explicit, text) ||
        isPlaceholderUrl(value) ||
        (!isRandom && isUnfilled) ||
        isPlaceholderInLink(value)
      );
    case "template":
      return (
        instructionInText.test(text) ||
        words.test(text) ||
        membersOf(value).some(([name, one]) => isPlaceholderMember(name, one))
      );
    default:
      return has(explicit, text) || (!isRandom && (isUnfilled || (text === value && words.test(text))));
  }
}

function isPlaceholderMember(key: string, value: string): boolean {
  if (memberName.test(key)) return !choice.test(value) && isPlaceholder("", value.replace(scheme, ""));
  const url = addressOf(value);
  if (url === undefined) return header.test(value) && has(explicit, value);
  return isChat(url) ? isPlaceholder("url", value) : isPlaceholderInLink(value);
}

function isPlaceholderInLink(url: string): boolean {
  return secretsOfLink(url).some(([, one]) => isPlaceholder("", one));
}

function has(patterns: readonly RegExp[], text: string): boolean {
  return patterns.some((pattern) => pattern.test(text));
}

function isPlaceholderAddress(address: string): boolean {
  const [, local = "", domain = ""] = /^([^@]*)@(.*?)>?$/.exec(address.replace(/^.*</, "")) ?? [];
  if (domain === "") return words.test(address) || has(instructions.slice(1), address);
  const stands = mailProviders.test(domain) ? anybody.test(local) : domains.test(domain);
  return stands || has(instructions.slice(1), address);
}

/** The texts that programs write for a variable that isn't set. */
const unset =
  /(?:[/=:@]|\/bot)(?:undefined|null|None|NaN|(?:%5B|\[)object(?:%20|\+| )Object(?:%5D|\]))(?=[/?&#:@]|$)/;

/** `example.com` is copied with any subdomain; one of the others stands for a host of one's own in examples and tests. */
const ownHost = /^(?!www\.).+\.example\.(?:net|org|edu)$/i;

function isPlaceholderUrl(url: string): boolean {
  const { hostname = "" } = addressOf(url) ?? {};
  return words.test(url) || unset.test(url) || (domains.test(hostname) && !ownHost.test(hostname));
}

/**
 * Whether the URL of a channel of type SLACK can't be a hook, which has a workspace, an app and a token. A webhook may have its
 * key elsewhere.
 */
export function isIncompleteSlackUrl(url: unknown): boolean {
  if (typeof url !== "string" || expressionsIn(url).length > 0) return false;
  const [, host = "", path = ""] = /^https?:\/\/([^/?#:]*)(?::\d+)?([^?#]*)/i.exec(url) ?? [];
  if (path.split("/").some(isToken)) return false;
  // The others show a workspace to people.
  if (/^(?!hooks\.)(?:[\w.-]+\.)?slack\.com$/i.test(host)) return true;
  const isSlackHook = /^hooks\.slack(?:-gov)?\.com$/i.test(host) && !/^\/(?:workflows|triggers)\//.test(path);
  return isSlackHook && !/^\/services\/T\w{5,}\/B\w{5,}\/\w{12,}\/?$/.test(path);
}
