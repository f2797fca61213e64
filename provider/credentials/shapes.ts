/** Recognizes tokens by their random look, and placeholders that nobody has replaced. */
import { literalOf, mark, marked } from "./grammar";
import { knownCredentialIn } from "./known";

const uuid = /(?<![0-9a-f])(?!0{8}-)[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}(?![0-9a-f])/i;
/** Up to three letters may precede the digits and name the kind of an id, such as `AC` of Twilio. */
const hex = /(?<![0-9a-z])(?:[a-z]{1,3}_?)?(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{16,}(?![0-9a-z])/i;

/** Whether a token has a shape that ids have, too. */
export function isIdShape(token: string): boolean {
  return (uuid.test(token) || hex.test(token)) && knownCredentialIn(token) === undefined;
}

/** Ids in public paths are shorter, such as T0AB12CD3 of a Slack workspace or the 12 letters and digits of a Statuspage. */
export const shortestToken = 16;

/** Whether a text without spaces looks random. */
export function isToken(text: string): boolean {
  if (text.length < shortestToken) return false;
  return uuid.test(text) || hex.test(text) || isScrambled(text);
}

/** Matches a time in the notation of AWS, such as 20261120T120000Z. */
const time = /^\d{8}T\d{6}Z?$/i;
/** `run` matches letters and digits without a separator, and `chunk` the parts that a reader sees in it: words, acronyms, numbers. */
export const run = /[A-Za-z0-9]+/g;
const chunk = /[A-Z]?[a-z]+|[A-Z]+|\d+/g;

/**
 * Whether a text changes so often between letters, digits and cases that a program made it. A text of letters of one case alone
 * never does.
 */
function isScrambled(text: string): boolean {
  const runs = (text.match(run) ?? []).map((one) => one.match(chunk) ?? []);
  // Sentences and versions have more separators. A run that is a single word or number was typed.
  if (time.test(text) || runs.length - 1 > text.length / 6) return false;
  if (runs.some(([first = "", ...others]) => others.length === 0 && first.length >= 5)) return false;
  if (text === text.toLowerCase() || text === text.toUpperCase())
    return runs.some((run) => run.length > 3 && run.join("").length >= shortestToken);
  const mixed = runs.filter((run) => run.length > 1);
  const length = mixed.flat().join("").length;
  // In camelCase, each word but the first begins with a capital.
  const isWord = (one: string, index: number) =>
    /^[A-Za-z][a-z]+$/.test(one) && (index === 0 || (one < "a" && one.length > 2));
  const words = mixed.flatMap((run) => run.filter(isWord));
  const areShort = length / mixed.flat().length <= 3.6;
  return length >= shortestToken && areShort && words.join("").length < length * 0.7;
}

/** Whether a text has digits between its letters. Where a secret is likely, only a secret has. */
export function isMixed(text: string): boolean {
  return text.length >= 6 && /[a-z]\d+[a-z]|\d[a-z]+\d/i.test(text);
}

/** Only this many characters of a text are searched. */
const longest = 4_096;

/** Notations of placeholders. No secret has one, not even as a part. */
const notations = [
  // Brackets after a name belong to it, as in `variables[ALERT]`, and so do braces within braces.
  /<[^<>a-z]*[a-z][^<>]*>|(?<![\w\]])\[[a-z][a-z _-]*\]|\{[a-z][\w. -]*\}(?!\})|@@[a-z_]+@@|(?:^|\/):[a-z_]+(?=[/?#]|$)/i,
  /(?<![\w$])\$[A-Z][A-Z_]{2,}(?!\w)|\$\{[^{}]*\}|\$\([^()]*\)|%[A-Z][A-Z_]{3,}%|\bprocess\.env\b|\bsecrets\.[A-Z]|YOUR|\bREPLACE(?![a-z])|__[A-Z][A-Z_]+__/,
];

/** Instructions to fill something in, runs of `x`, and dots. A path may contain such words. */
const instructions = [
  /(?:^|[^a-z])your(?:[_@/]|$)|(?:^|[/@=:.([{"'\s])your(?=[_/@.\s]|$)|(?:^|[^A-Za-z])(?:TODO|TBD)(?![A-Za-z])/,
  new RegExp(
    [
      "(?:^|[^a-z])(?:your[-_ ]?(?:account|api|app|channel|company|domain|email|endpoint|here|hook|host|id|instance|integration",
      "key|name|number|org|organization|password|path|project|routing|secret|server|service|site|slack|subdomain|team|tenant",
      "token|url|user|webhook|workspace)|my[-_ ]?(?:api[-_ ]?key|token|secret|password|company|domain|org)",
      "(?:change|replace)[-_ ]?(?:me|it|this|with)|set[-_ ]?me|fill[-_ ]?(?:in|me|out)|fixme|dummy",
      "insert[-_ ]?(?:your|here|the|key|token|url|webhook)|(?:key|paste|password|secret|token|url|webhook)[-_ ]here)(?![a-z])",
      "placeholder|x{4,}|(?<![a-z0-9])x{3,}(?![a-z0-9])|\\*{3,}|\\.{3,}|\u2026",
    ].join("|"),
    "i",
  ),
];

/** Sequences that no random text has, and names of variables. */
const unlikely =
  /0{8,}|123456789|abcdefgh|(?<![a-z0-9])abc-?123(?![a-z0-9])|(?<![A-Za-z0-9_])[A-Z][A-Z0-9]*_(?:[A-Z0-9]+_)*(?:KEY|TOKEN|SECRET|URL|WEBHOOK|PASSWORD|HOOK|PATH|ID)(?![A-Za-z0-9_])/;

/** Example values, and the texts that unset variables leave. */
const anyValue =
  /^(?:foo|bar|baz|test(?:ing)?|(?:my|foo|some|fake|test|the|dummy|example|sample)?[-_ ]?(?:api|service|integration|routing|web)?[-_ ]?(?:secret|key|token|password|pass|hook|url|uri)(?:[-_ ](?:url|secret))?|example|sample|fake|abc|xyz|none|null|nil|undefined|n\/?a|value|tmpl|template|body|string|\[object object\]|12345?6?7?8?|abcd(?:ef)?)[-_]?\d*$/i;
const unset =
  /(?:[/=:@]|\/bot)(?:undefined|null|None|NaN|(?:%5B|\[)object(?:%20|\+| )Object(?:%5D|\]))(?=[/?&#:@]|$)/;

/** Domains of examples: those that RFC 2606 reserves, and others that documentation uses. */
const exampleDomain =
  /(?:^|[.@])(?:example\.(?:com|net|org|edu)|(?:your|my|some)?(?:domain|company|website|email|site|org|server|host)\.(?:com|tld|org|net)|(?:foo|bar|baz|test|somewhere|something|address|acme-corp)\.com|foo\.(?:bar|org|io)|bar\.(?:foo|baz)|[^.@]*\.(?:invalid|test|tld))$/i;
/** Tests and examples use subdomains of these for hosts of their own. `example.com` is a placeholder with any subdomain. */
const ownHost = /^(?!www\.).+\.example\.(?:net|org|edu)$/i;
/** Example domains at which people really have mailboxes. */
const mailProvider = /^(?:email|mail|company)\.com$/i;
const anybody =
  /^(?:you|your|user|username|name|me|email|mail|test|foo|bar|someone|somebody|john|jane|j?doe|(?:john|jane)[._-]?doe|first[._-]?(?:name[._-]?)?last(?:name)?)\d*$/i;

/**
 * Says how a marked text shows that it is a placeholder. A notation always makes it one; an instruction or a whole word does so only if
 * no part of the text looks random.
 */
export function placeholderIn(text: string): "notation" | "instruction" | "word" | undefined {
  const short = text.slice(0, longest).trim();
  const plain = literalOf(short);
  const hasOne = (patterns: readonly RegExp[]) => patterns.some((pattern) => pattern.test(plain));
  if (text.includes(mark.env) || hasOne(notations)) return "notation";
  if (hasOne(instructions)) return "instruction";
  return plain === short && hasOne([anyValue, unlikely]) ? "word" : undefined;
}

/** Whether a part of a marked URL is a placeholder. @param isRandom True if a part of it looks random. */
export function isUnfilledUrl(text: string, hostname = "", isRandom = false): boolean {
  const short = text.slice(0, longest);
  const placeholder = placeholderIn(short);
  if (placeholder === "notation" || anyValue.test(short) || unset.test(short)) return true;
  if (exampleDomain.test(hostname) && !ownHost.test(hostname)) return true;
  // A number in a path may be the id of an account.
  const path = short.replace(/[?#].*$|(?<![\w-])\d+(?![\w-])/gs, "");
  return !isRandom && (placeholder === "instruction" || (placeholder === "word" && unlikely.test(path)));
}

/** Matches an instruction in a text for people, who may well read "your site" or "to do". */
const instructionForText =
  /YOUR[_-]|(?:^|[^a-z])your[-_][a-z]|FILL[_-]IN|REPLACE[_-]|INSERT[_-]|(?:change|replace)[-_]?me(?![a-z])/;

/** Whether a marked body has an instruction, or is only an example value. */
export function isUnfilledBody(text: string): boolean {
  const short = text.slice(0, longest).trim();
  return instructionForText.test(short) || text.includes(mark.env) || anyValue.test(short);
}

/** Whether an email address is a placeholder. */
export function isPlaceholderAddress(original: string): boolean {
  const text = marked(original.slice(0, longest));
  const address = literalOf(text).replaceAll(" ", "");
  const [, local = "", domain = ""] = /^(?:.*<)?([^@]*)@(.*?)>?$/.exec(address) ?? [];
  // A name may stand before an address in brackets, so these are no notation.
  const isUnfilled = [...notations.slice(1), ...instructions].some((pattern) => pattern.test(address));
  if (isUnfilled || text.includes(mark.env)) return true;
  if (domain === "") return anyValue.test(address);
  return mailProvider.test(domain) ? anybody.test(local) : exampleDomain.test(domain);
}
