/** Recognizes placeholders that nobody has replaced. */
import { literalOf, mark, marked, type UrlParts } from "./grammar";
import { randomIn } from "./shapes";
import { vendors } from "./vendors";

/** Only this many characters of a text are searched. */
const longest = 4_096;

/** Notations of placeholders. No secret has one, not even as a part. */
const notations = [
  // Brackets after a name belong to it, as in `variables[ALERT]`, and so do braces within braces.
  /<[^<>a-z]*[a-z][^<>]*>|(?<![\w\]])\[[a-z][a-z _-]*\]|\{[a-z][\w. -]*\}(?!\})/i,
  /@@[a-z_]+@@|(?:^|\/):[a-z_]+(?=[/?#]|$)/i,
  /(?<![\w$])\$[A-Z][A-Z_]{2,}(?!\w)|\$\{[^{}]*\}|\$\([^()]*\)|%[A-Z][A-Z_]{3,}%|__[A-Z][A-Z_]+__/,
  /\bprocess\.env\b|\bsecrets\.[A-Z]|YOUR|EXAMPLE|\bREPLACE(?![a-z])/,
];

/** Instructions to fill something in, runs of `x`, and dots. A path may contain such words. */
const instructions = [
  /[^a-z]your(?:[_@/]|$)|^your(?:[_@/.\s]|$)|[/@=:.([{"'\s]your[.\s]/,
  /(?<![A-Za-z])(?:TODO|TBD)(?![A-Za-z])/,
  /(?<![a-z])your[-_ ]?(?:account|api|app|channel|company|domain|email|endpoint|here|host)(?![a-z])/i,
  /(?<![a-z])your[-_ ]?(?:instance|integration|name|number|org|organization|path|project)(?![a-z])/i,
  /(?<![a-z])your[-_ ]?(?:routing|server|service|site|slack|subdomain|team|tenant)(?![a-z])/i,
  /(?<![a-z])your[-_ ]?(?:id|hook|key|password|secret|token|url|user|webhook|workspace)(?![a-z])/i,
  /(?<![a-z])my[-_ ]?(?:api[-_ ]?key|company|domain|org|token|secret|password)(?![a-z])/i,
  /(?<![a-z])(?:(?:change|replace)[-_ ]?(?:me|it|this|with)|set[-_ ]?me)(?![a-z])/i,
  /(?<![a-z])(?:fill[-_ ]?(?:in|me|out)|fixme|dummy|insert[-_ ]?(?:your|here|the))(?![a-z])/i,
  /(?<![a-z])(?:insert[-_ ]?(?:key|token|url|webhook)|paste[-_ ]here)(?![a-z])/i,
  /(?<![a-z])(?:key|password|secret|token|url|webhook)[-_ ]here(?![a-z])/i,
  /placeholder|x{4,}|(?<![a-z0-9])x{3,}(?![a-z0-9])/i,
  /\*{3,}|\.{3,}|\u2026/,
];

const hasOne = (patterns: readonly RegExp[], text: string) => patterns.some((pattern) => pattern.test(text));

/** Sequences that no random text has, and names of variables. */
const unlikely = [
  /0{8,}|123456789|abcdefgh|(?<![a-z0-9])abc-?123(?![a-z0-9])/,
  /(?<!\w)[A-Z][A-Z0-9]*_(?:[A-Z0-9]+_)*(?:KEY|TOKEN|SECRET|URL|WEBHOOK|PASSWORD|HOOK|PATH|ID)(?!\w)/,
];

/** Example values, and the texts that unset variables leave. */
const anyValue = [
  /^(?:foo|bar|baz|test|testing|example|sample|fake|abc|xyz|value|tmpl)[-_]?\d*$/i,
  /^(?:none|null|nil|undefined|n\/?a)[-_]?\d*$/i,
  /^(?:template|body|string|\[object object\]|1234[5678]{0,4}|abcd|abcdef)[-_]?\d*$/i,
];
/** A name such as `my-api-key`: before, its kind and after it. */
const anyName = /^[-_ ]?(?:secret|key|token|password|pass|hook|url|uri)(?:[-_ ](?:url|secret))?[-_]?\d*$/i;
const ofName =
  /(?:my|foo|some|fake|test|the|dummy|example|sample)?[-_ ]?(?:api|service|integration|routing|web)?/i;
const unset = [
  /(?:[/=:@]|\/bot)(?:undefined|null|None|NaN)(?=[/?&#:@]|$)/,
  /[/=:@](?:%5B|\[)object(?:%20|\+| )Object(?:%5D|\])(?=[/?&#:@]|$)/,
];

const names = new Set(vendors.flatMap(({ name }) => name.toLowerCase().match(/[a-z]{4,}/g) ?? []));
/** Removes the names of vendors, so that `your-opsgenie-key` is `your-key`. */
const withoutNames = (text: string) =>
  text.replace(/(?<![a-z])[a-z]+[-_ ]/gi, (word) => (names.has(word.slice(0, -1).toLowerCase()) ? "" : word));

const isAnyValue = (text: string) => hasOne(anyValue, text) || anyName.test(text.replace(ofName, ""));

/** Domains of examples: those that RFC 2606 reserves, and others that documentation uses. */
const exampleDomain = [
  /(?:^|[.@])(?:example\.(?:com|net|org|edu)|[^.@]*\.(?:invalid|test|tld))$/i,
  /(?:^|[.@])(?:foo\.(?:bar|org|io)|bar\.(?:foo|baz))$/i,
  /(?:^|[.@])(?:your|my|some)?(?:domain|company|website|email)\.(?:com|tld|org|net)$/i,
  /(?:^|[.@])(?:your|my|some)?(?:site|org|server|host)\.(?:com|tld|org|net)$/i,
  /(?:^|[.@])(?:foo|bar|baz|test|somewhere|something|address|acme-corp)\.com$/i,
];
/** Tests and examples use subdomains of these for hosts of their own. `example.com` is a placeholder with any subdomain. */
const ownHost = /^(?!www\.).+\.example\.(?:net|org|edu)$/i;
/** Example domains at which people really have mailboxes. */
const mailProvider = /^(?:email|mail|company)\.com$/i;
const anybody = [
  /^(?:you|your|user|username|name|me|email|mail|test|foo|bar|someone|somebody|john|jane|j?doe)\d*$/i,
  /^(?:(?:john|jane)[._-]?doe|first[._-]?(?:name[._-]?)?last(?:name)?)\d*$/i,
];

/**
 * Says how a marked text shows that it is a placeholder. A notation always makes it one; an instruction or a whole word does so only if
 * no part of the text looks random.
 */
export function placeholderIn(text: string): "notation" | "instruction" | "word" | undefined {
  const short = text.slice(0, longest).trim();
  const plain = /[/.:]/.test(short) ? literalOf(short) : withoutNames(literalOf(short));
  if (text.includes(mark.env) || hasOne(notations, plain)) return "notation";
  if (hasOne(instructions, plain)) return "instruction";
  if (literalOf(short) !== short) return undefined;
  return isAnyValue(plain) || hasOne(unlikely, plain) ? "word" : undefined;
}

/** Whether a secret-like text is a placeholder. Random strings never are. */
export function isUnfilled(text: string): boolean {
  const placeholder = placeholderIn(text);
  return placeholder === "notation" || (placeholder !== undefined && randomIn(text) === undefined);
}

/** Whether a part of a marked URL is a placeholder. @param isRandom True if a part of it looks random. */
export function isUnfilledUrl(text: string, { hostname = "" }: UrlParts, isRandom: boolean): boolean {
  const short = text.slice(0, longest);
  const placeholder = placeholderIn(short);
  if (placeholder === "notation" || isAnyValue(short) || hasOne(unset, short)) return true;
  if (hasOne(exampleDomain, hostname) && !ownHost.test(hostname)) return true;
  // A number in a path may be the id of an account.
  const path = short.replace(/[?#].*|(?<![\w-])\d+(?![\w-])/gs, "");
  return !isRandom && (placeholder === "instruction" || (placeholder === "word" && hasOne(unlikely, path)));
}

/** Matches an instruction in a text for people, who may well read "your site" or "to do". */
const instructionForText =
  /(?:YOUR|REPLACE|INSERT)[_-]|FILL[_-]IN|(?<![a-z])your[-_][a-z]|(?:change|replace)[-_]?me(?![a-z])/;

/** Whether a marked body has an instruction, or is only an example value. */
export function isUnfilledBody(text: string): boolean {
  const short = text.slice(0, longest).trim();
  return instructionForText.test(short) || text.includes(mark.env) || isAnyValue(short);
}

/** Whether an email address is a placeholder. */
export function isPlaceholderAddress(original: string): boolean {
  const text = marked(original.slice(0, longest));
  const address = literalOf(text).replaceAll(" ", "");
  const [local = "", domain = ""] = address.replace(/^.*<|>$/g, "").split("@");
  // A name may stand before an address in brackets, so these are no notation.
  if (text.includes(mark.env) || hasOne(notations.slice(1), address) || hasOne(instructions, address))
    return true;
  if (domain === "") return isAnyValue(address);
  return mailProvider.test(domain) ? hasOne(anybody, local) : hasOne(exampleDomain, domain);
}
