/**
 * Recognizes what the text of a setting is: a reference to a secret that the service stores (`{{NAME}}` or `{{{NAME}}}`), a URL,
 * a secret in plain text, or a placeholder that nobody has replaced.
 */
import { z } from "zod";
import { receiverAt } from "./hosts";

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
const anywhere = /\{?\{\{[^{}]*\}\}\}?/;

function hasReference(text: string): boolean {
  return anywhere.test(text);
}

const all = new RegExp(anywhere, "g");

function replaceReferences(text: string, replacement: string): string {
  return text.replace(all, replacement);
}

/** A URL, which may contain references. */
interface Address {
  readonly scheme: string;
  /** Missing when it is a reference. */
  readonly hostname?: string;
}

export function addressOf(text: string): Address | undefined {
  const parts = urlParts(text);
  const plain = replaceReferences(text, "reference");
  if (parts === undefined || !URL.canParse(plain)) return undefined;
  const { scheme, host } = parts;
  return hasReference(host) ? { scheme } : { scheme, hostname: new URL(plain).hostname };
}

/** `rest` is everything but scheme and host: user, path and query. */
function urlParts(text: string): { scheme: string; host: string; rest: string } | undefined {
  const [, scheme, authority = "", path = ""] = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)(.*)$/is.exec(text) ?? [];
  if (scheme === undefined) return undefined;
  const at = authority.lastIndexOf("@") + 1;
  return { scheme: scheme.toLowerCase(), host: authority.slice(at), rest: authority.slice(0, at) + path };
}

/** What the secret part of a credential is, such as the path of a hook's URL or the value of an `Authorization` header. */
export const secretParts = ["literal", "reference", "none"] as const;
type SecretPart = (typeof secretParts)[number];

/** Headers or query parameters. */
const pairs = z.array(z.object({ key: z.string(), value: z.unknown() }));

/** Tells what the secret part of a setting is; undefined when {@link isReference} says everything. */
export function secretPartOf(key: string, value: unknown): SecretPart | undefined {
  if (typeof value === "string") {
    if (isReference(value)) return undefined;
    return key === "template" ? secretPartOfPairs(pairsIn(value), secretMember) : secretPartOfText(value);
  }
  const { data } = pairs.safeParse(value);
  return data && secretPartOfPairs(data);
}

/** Whether a header or a query parameter that is a secret has a placeholder as its value. */
export function isPlaceholderInPairs(value: unknown): boolean {
  const { data = [] } = pairs.safeParse(value);
  return data.some((pair) => secretName.test(pair.key) && isPlaceholder("", pair.value));
}

/** Names of secrets in the body of a request. A `key` is one of a project or an alert there. */
const secretMember =
  /token$|secret|passw|^pwd$|credential|authori[sz]ation|^auth$|(?:api|access|routing|integration|service|private|auth|signing|subscription|license)[-_]?key$/i;

/** The strings in a JSON template and the values in a form, by name. A template needn't be JSON until its references are replaced. */
function pairsIn(template: string): z.output<typeof pairs> {
  const members = [...template.matchAll(/"([\w.-]{1,100})"\s*:\s*"((?:[^"\\]|\\.)*)"/g)];
  const fields = /^\s*[{[<]/.test(template) ? [] : [...new URLSearchParams(template)];
  return [
    ...members.map(([, key = "", value]) => ({ key, value })),
    ...fields.map(([key, value]) => ({ key, value })),
  ];
}
const secretName =
  /auth(?!or(?!i[sz]))|token|secret|passw|^pwd$|credential|cookie|signature|^sig$|^code$|(?<!idempotency[-_]?)key$/i;
/** Names of cookies that are as good as a password. */
const sessionName = /sess(?:ion)?(?:[._-]?id)?$|(?:^|[._-])sid$/i;

function secretPartOfPairs(members: z.output<typeof pairs>, names: RegExp = secretName): SecretPart {
  const secrets = members.filter(({ key, value }) => names.test(key) && !isEmpty(value));
  if (secrets.length === 0) return "none";
  return secrets.every(({ value }) => isOnlyReferences(String(value))) ? "reference" : "literal";
}

/** A scheme, such as `Bearer` or `GenieKey`. Other words with a digit could be a secret. */
const scheme = /^\s*(?:[a-z-]{1,20}|aws4-[a-z0-9-]{1,20})\s+/i;
/** A part that separators don't divide. AWS lists the names of headers with `;` in one value. */
const part = /(?:"[^"]*"|'[^']*'|;(?!\s*[\w.-]+=)|[^"'\s;,&]+)+/g;
const flag = /^(?:secure|httponly);?$/i;

/** Whether references are the only secrets in a text that must contain one. */
function isOnlyReferences(text: string): boolean {
  const plain = replaceReferences(text, "{}").replace(scheme, "");
  return hasReference(text) && !(plain.match(part) ?? []).some(hasSecret);
}

/** Whether a part of a text without its references is a secret: of `name=value`, as in a cookie, the name tells. */
function hasSecret(text: string): boolean {
  const [, key, value = text] = /^([\w.-]+)=(?=[^\s=])(.*)$/s.exec(text) ?? [];
  if (!/\w/.test(value) || flag.test(text)) return false;
  return key === undefined || secretName.test(key) || sessionName.test(key);
}

/**
 * The host of a URL is no secret. Its query and its fragment are one only under a name that suggests it; its user name only
 * without a password, because then services take a token there.
 */
function secretPartOfText(text: string): SecretPart | undefined {
  const url = urlParts(text);
  if (!hasReference(text) && addressOf(text) === undefined) return undefined;
  const [, beforeQuery = "", query, fragment] = /^([^?#]*)\??([^#]*)#?(.*)$/s.exec(url?.rest ?? text) ?? [];
  const [, user = "", password = ""] = /^([^/@:]*)(?::([^/@]*))?@/.exec(beforeQuery) ?? [];
  const parameters = [query, fragment].flatMap((one) => [...new URLSearchParams(one)]);
  const inNames = secretPartOfPairs([
    { key: "password", value: password === "" && url ? user : password },
    ...parameters.map(([key, value]) => ({ key, value })),
  ]);
  if (inNames !== "none") return inNames;
  if (hasReference(beforeQuery)) return "reference";
  if (hasReference(text)) return "literal";
  const path = beforeQuery.replace(/^[^/]*/, "");
  return url && path.length > 1 && receiverAt(url.host.replace(/:\d*$/, ""))?.hasSecretPath === true
    ? "literal"
    : "none";
}

/** Patterns of instructions to replace a value, wherever they are in it. */
const instructions = [
  /<[^<>]*[a-z][^<>]*>|\[[a-z][a-z _-]*\]/i,
  /\$\{[^}]*\}|\$\([^)]*\)|%[A-Z][A-Z_]{3,}%|\bprocess\.env\b|\bsecrets\.[A-Z]/,
  /YOUR|(?:^|[^a-z])your(?:[_@/]|$)|(?:^|[/@=:.([{"'\s])your(?=[_/@.\s]|$)/,
  /(?:^|[^a-z])(?:your[-_ ]?(?:account|api|app|channel|company|domain|email|endpoint|here|hook|host|id|instance|integration|key|name|number|org|organization|password|path|project|routing|secret|server|service|site|slack|subdomain|team|tenant|token|url|user|webhook|workspace)|my[-_ ]?(?:api[-_ ]?key|token|secret|password|company|domain|org))(?![a-z])/i,
  /\bREPLACE(?![a-z])|(?:^|[^a-z])replace[-_ ]?(?:me|with|this|w)(?![a-z])/i,
  /(?:^|[^a-z])(?:change[-_ ]?(?:me|it|this)|fill[-_ ]?(?:in|me|out)|insert[-_ ]?(?:your|here|the|key|token|url|webhook))(?![a-z])/i,
  /placeholder|(?:^|[^a-z])(?:redacted|fixme|dummy)(?![a-z])/i,
  /(?:^|[^A-Za-z])(?:TODO|TBD)(?![A-Za-z])/,
];

/** The same in a text for people, which may well say "your site" or "to do". */
const instructionInText =
  /YOUR[_-]|(?:^|[^a-z])your[-_][a-z]|FILL[_-]IN|REPLACE[_-]|INSERT[_-]|(?:change|replace)[-_]?me(?![a-z])/;

/** Patterns that random characters don't contain. */
const unlikely = [
  /x{4,}|(?<![a-z0-9])x{3,}(?![a-z0-9])/i,
  /\*{3,}|\.{3,}|\u2026/,
  /0{8,}|123456789|abcdefgh|(?<![a-z0-9])abc-?123(?![a-z0-9])/i,
  /(?<![A-Za-z0-9_])[A-Z][A-Z0-9]*_(?:[A-Z0-9]+_)*(?:KEY|TOKEN|SECRET|URL|WEBHOOK|PASSWORD|HOOK|PATH|ID)(?![A-Za-z0-9_])/,
];

const words =
  /^(?:foo|bar|baz|test|testing|secret|key|token|password|pass|dummy|example|sample|abc|xyz|none|null|nil|undefined|todo|tbd|n\/?a|url|uri|webhook|hook|tmpl|template|body|string|value|\[object object\]|(?:web)?hook[-_ ]?(?:url|secret)|(?:api|service|integration)[-_ ]?key|(?:my|foo|some|fake|test|the)[-_ ]?(?:api[-_ ]?|service[-_ ]?)?(?:key|token|secret|url|password|webhook))[-_]?\d*$/i;

/** Whole domains that stand for any: those that RFC 2606 reserves, and those of examples. */
const domains =
  /(?:^|[.@])(?:example\.(?:com|net|org|edu)|(?:your|my|some)?(?:domain|company|website|email|site|org|server|host)\.(?:com|tld|org|net)|(?:foo|bar|baz|test|somewhere|something|address|acme-corp)\.com|foo\.(?:bar|org|io)|bar\.(?:foo|baz)|[a-z0-9.-]+\.(?:invalid|test|tld))$/i;
/** Domains of examples at which people also have mailboxes. */
const mailProviders = /^(?:email|mail|company)\.com$/i;
const anybody =
  /^(?:you|your|user|username|name|me|email|mail|test|foo|bar|someone|somebody|john|jane|j?doe|(?:john|jane)[._-]?doe|first[._-]?(?:name[._-]?)?last(?:name)?)\d*$/i;

/** The rest isn't searched: that would take a time that grows with the square of the length. */
const longest = 4_096;

/** Services reject shorter keys. */
const shortestKey = 16;

/** Whether the value of a setting of an alert channel is a placeholder. References to secrets aren't any. */
export function isPlaceholder(key: string, setting: unknown): boolean {
  if (typeof setting !== "string") return false;
  const value = setting.slice(0, longest);
  const text = value.replace(/\{?\{\{[^{}]*\}\}\}?/g, "").trim();
  if (text === "") return false;
  switch (key) {
    case "address":
      return isPlaceholderAddress(text);
    case "url":
      return has(instructions, text) || has(unlikely, text) || isPlaceholderUrl(value.trim());
    case "template":
      return instructionInText.test(text) || words.test(text);
    case "serviceKey":
    case "apiKey":
      return (
        has(instructions, text) || has(unlikely, text) || (text === value.trim() && text.length < shortestKey)
      );
    default:
      return has(instructions, text) || has(unlikely, text) || words.test(text);
  }
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

function isPlaceholderUrl(url: string): boolean {
  if (words.test(url) || unset.test(url)) return true;
  const [, host = "", path = ""] = /^https?:\/\/(?:[^/?#]*@)?([^/?#:]*)(?::\d+)?([^?#]*)/i.exec(url) ?? [];
  if (domains.test(host)) return true;
  // Hooks of Slack have a workspace, an app and a token; nothing else at Slack is one.
  if (/^(?:www\.)?slack\.com$/i.test(host)) return true;
  const isSlackHook = /^hooks\.slack\.com$/i.test(host) && !/^\/(?:workflows|triggers)\//.test(path);
  return isSlackHook && !path.includes("{{") && !/^\/services\/T\w{5,}\/B\w{5,}\/\w{12,}\/?$/.test(path);
}
