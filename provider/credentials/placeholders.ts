/** Recognizes placeholders that weren't replaced. */
import { stripMarks, mark, markText, type UrlParts } from "./grammar";
import { findRandom } from "./vendorForms";

/** The number of characters of a string that are searched. */
const longest = 4_096;

/** Notations of placeholders. No secret contains a notation. */
const notations = [
  // Brackets after a name belong to it, as in `variables[ALERT]`, as do braces within braces.
  /<[^<>a-z]*[a-z][^<>]*>|(?<![\w\]])\[[a-z][a-z _-]*\]|\{[a-z][\w. -]*\}(?!\})/i,
  /@@[a-z_]+@@|(?:^|\/):[a-z_]+(?=[/?#]|$)/i,
  /(?<![\w$])\$[A-Z][A-Z_]{2,}(?!\w)|\$\{[^{}]*\}|\$\([^()]*\)|%[A-Z][A-Z_]{3,}%|__[A-Z][A-Z_]+__/,
  /\bprocess\.env\b|\bsecrets\.[A-Z]|YOUR|EXAMPLE|\bREPLACE(?![a-z])/,
  // References to secret stores that no tool resolved: a function or a tag, a scheme before a path, and the name of a cloud's resource.
  /@Microsoft\.KeyVault\(|(?<![\w-])ENC[[(]|!vault\b|\$ANSIBLE_VAULT;/,
  /(?<![\w.+/-])(?:ref\+\w+|op|vault|bao|ssm|(?:aws-)?secretsmanager|aws-?s?sm|keyvault|gcp-?sm|doppler|sops):\/{0,2}[\w.-]*\/[\w.]/i,
  /(?<![\w-])secretref:\w|(?<![\w-])arn:aws[\w-]*:(?:secretsmanager|ssm):|(?<![\w/-])projects\/[\w-]+\/secrets\/\w/,
  // Words such as (known after apply) and ((slack-token)).
  /\(\([a-z/][\w:./-]*\)\)|(?:^|\s)\([a-z][a-z _./-]*\)\s*$/i,
];

/** Instructions to fill something in, runs of `x`, and dots. A path may contain such words. */
const instructions = [
  /[^a-z]your(?:[_@/]|$)|^your(?:[_@/.\s]|$)|[/@=:.([{"'\s]your[.\s]/,
  /(?<![a-z])your[-_ ]?(?:account|api|app|channel|company|domain|email|endpoint|here|host|id)(?![a-z])/i,
  /(?<![a-z])your[-_ ]?(?:hook|instance|integration|key|name|org|organization|password|path)(?![a-z])/i,
  /(?<![a-z])your[-_ ]?(?:project|routing|secret|server|service|site|slack|subdomain|team)(?![a-z])/i,
  /(?<![a-z])your[-_ ]?(?:tenant|token|url|user|webhook|workspace)(?![a-z])/i,
  /(?<![a-z])my[-_ ]?(?:api[-_ ]?key|company|domain|org|token|secret|password)(?![a-z])/i,
  /(?<![a-z])(?:(?:change|replace)[-_ ]?(?:me|it|this|with)|(?:set|fill)[-_ ]?(?:me|in|out))(?![a-z])/i,
  /(?<![a-z])(?:(?:key|password|paste|secret|token|url|webhook)[-_ ]here|fixme|dummy)(?![a-z])/i,
  /(?<![A-Za-z])(?:TODO|TBD)(?![A-Za-z])|(?<![a-z])insert[-_ ]?(?:your|here|the)(?![a-z])/,
  /placeholder|x{4,}|(?<![a-z0-9])x{3,}(?![a-z0-9])|\*{3,}|\.{3,}|\u2026/i,
];

const hasOne = (patterns: readonly RegExp[], text: string) => patterns.some((pattern) => pattern.test(text));

/** Sequences that don't occur in random strings, or names of variables. */
const unlikely = [
  /0{8,}|123456789|abcdefgh/,
  /(?<!\w)[A-Z][A-Z0-9]*_(?:[A-Z0-9]+_)*(?:KEY|TOKEN|SECRET|URL|WEBHOOK|PASSWORD)(?!\w)/,
];

/** Example values or names such as `my-api-key`. */
const anyValue = [
  /^(?:foo|bar|baz|test|testing|example|sample|fake|abc|xyz|value|tmpl|template|body|string)[-_]?\d*$/i,
  /^(?:none|null|nil|undefined|n\/?a|\[object object\]|1234[5678]{0,4}|abcd|abcdef)[-_]?\d*$/i,
  /^(?:(?:my|foo|the)[-_ ]?)?(?:(?:api|service)[-_ ]?)?(?:secret|key|token|password|hook|url)[-_]?\d*$/i,
];
/** Text that unset variables result in. */
const unset =
  /(?:[/=:@]|\/bot)(?:undefined|null|None|NaN|(?:%5B|\[)object\W(?:20)?Object\W(?:5D)?)(?=[/?&#:@]|$)/;
const isAnyValue = (text: string) => hasOne(anyValue, text);

/** Domains of examples that RFC 2606 reserves, and others that documentation uses. */
const exampleDomain = [
  /(?:^|[.@])(?:example\.(?:com|net|org|edu)|[^.@]*\.(?:invalid|test|tld)|foo\.(?:bar|org|io|com))$/i,
  /(?:^|[.@])(?:your|my|some)?(?:domain|company|website|email|site|server|host)\.(?:com|org|net)$/i,
];
/** Example domains that also provide real mailboxes, and the names of mailboxes that are placeholders there. */
const mailProvider = /^(?:email|mail|company)\.com$/i;
const anybody =
  /^(?:you|your|user|username|name|me|email|mail|test|foo|someone|(?:john|jane)(?:[._-]?doe)?)\d*$/i;

/**
 * Returns why a marked text is a placeholder. A notation always makes it a placeholder; an instruction or a whole word only does if no part
 * of the text looks random.
 */
export function findPlaceholder(text: string): "notation" | "instruction" | "word" | undefined {
  const short = text.slice(0, longest).trim();
  const plain = stripMarks(short);
  if (text.includes(mark.env) || hasOne(notations, plain)) return "notation";
  if (hasOne(instructions, plain)) return "instruction";
  if (plain !== short) return undefined;
  return isAnyValue(plain) || hasOne(unlikely, plain) ? "word" : undefined;
}

/** Returns true if a secret-like text is a placeholder. Random strings never are. */
export function isUnfilled(text: string): boolean {
  const placeholder = findPlaceholder(text);
  return placeholder === "notation" || (placeholder !== undefined && findRandom(text) === undefined);
}

/**
 * Returns true if a part of a marked URL is a placeholder.
 * @param isRandom True if a part of the URL looks random.
 */
export function isUnfilledUrl(text: string, { hostname = "" }: UrlParts, isRandom: boolean): boolean {
  const short = text.slice(0, longest);
  const placeholder = findPlaceholder(short);
  if (placeholder === "notation" || isAnyValue(short) || unset.test(short)) return true;
  if (hasOne(exampleDomain, hostname)) return true;
  // A number in a path may be the ID of an account.
  const path = short.replace(/[?#].*|(?<![\w-])\d+(?![\w-])/gs, "");
  return !isRandom && (placeholder === "instruction" || (placeholder === "word" && hasOne(unlikely, path)));
}

/**
 * Returns true if a marked body contains an instruction, or is only an example value. "your site" and "to do" also occur in real bodies.
 */
export function isUnfilledBody(text: string): boolean {
  const short = text.slice(0, longest).trim();
  const isTold =
    /(?:YOUR|REPLACE|INSERT)[_-]|FILL[_-]IN|(?<![a-z])your[-_][a-z]|(?:change|replace)[-_]?me(?![a-z])/;
  return isTold.test(short) || text.includes(mark.env) || isAnyValue(short);
}

/** Returns true if an email address is a placeholder. */
export function isPlaceholderAddress(original: string): boolean {
  const text = markText(original.slice(0, longest));
  const address = stripMarks(text).replaceAll(" ", "");
  const [local = "", domain = ""] = address.replace(/^.*<|>$/g, "").split("@");
  // The first notation isn't checked, because a name may precede an email address in angle brackets.
  if (text.includes(mark.env) || hasOne([...notations.slice(1), ...instructions], address)) return true;
  if (domain === "") return isAnyValue(address);
  return mailProvider.test(domain) ? anybody.test(local) : hasOne(exampleDomain, domain);
}
