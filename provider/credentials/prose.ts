/**
 * Finds credentials in a text for people. There a name doesn't make any value a secret, as in a setting: "the token expired". What was
 * drawn at random may be one, whatever stands beside it; UUIDs and hexadecimal digits are ids as often as not, and need a name.
 */
import { hookIn, isPublicParameter, keyIn, withoutPublished } from "./forms";
import { address, classOfName, linksIn, literalOf, marked, urlParts, type Value } from "./grammar";
import { isUnfilled } from "./placeholders";
import { isMixed, looksDrawn, randomIn } from "./shapes";

/** What a credential is, in words that don't quote it, and how sure it is that it is one. */
export type Exposed = Readonly<{ confidence: "certain"; what: string } | { confidence: "likely" }>;

const likely: Exposed = { confidence: "likely" };
const certain = (what: string): Exposed => ({ confidence: "certain", what });

/** What looks drawn and is meant for everybody: public keys, advisories, wallets and names of resources. */
const publicForms = [
  /-----BEGIN (?:CERTIFICATE|[A-Z ]{0,40}PUBLIC KEY)(?: BLOCK)?-----[^-]*/g,
  /\bAAAA[A-Za-z\d+/]{20,}/g,
  /\bM(?:I(?:IBIj|ICIj|GfMA|GbMB)|FkwEw|HYwEA|CowBQ)[A-Za-z\d+/]{20,}/g,
  /\bage1[a-z\d]{58}\b|\bGHSA(?:-[a-z\d]{4}){3}\b|\barn:[^\s"'<>]+|\bdata:[^\s"'<>)]+/g,
  /\b0x[\da-f]{40}\b/gi,
];

/** Returns the surest credential in a text; undefined if there is none. */
export function credentialIn(text: string): Exposed | undefined {
  const plain = marked(publicForms.reduce((rest, form) => rest.replace(form, " "), text));
  const known = keyIn(text) ?? hookIn(plain);
  if (known !== undefined) return certain(known);
  const found = [...linksIn(plain).flatMap(inAddress), ...inWords(plain.replace(address, " "))];
  return found.find(({ confidence }) => confidence === "certain") ?? found[0];
}

function inAddress(link: string): Exposed[] {
  const { user, password, hostname = "", segments, parameters } = urlParts(link);
  const named = parameters.flatMap((pair) => {
    if (pair.text === password || isPublicParameter(hostname, pair.name)) return [];
    const isSigned = /sig(?:nature)?$/i.test(pair.name) && strengthOf(pair.text) === 3;
    return isSigned ? certain("a signed address") : (exposedBy(pair, "a credential in an address") ?? []);
  });
  const path = [hostname, ...segments];
  const isOfHook = (segment: string, index: number) =>
    randomIn(segment) === "token" && path.slice(0, index).some((one) => /hook|incoming/i.test(one));
  return [...named, ...(path.some(isOfHook) ? [likely] : []), ...inUser(user, password, hostname)];
}

/** Documentation calls them `user:password@host` or `USER:PWD@HOST`, and has the same word twice. */
function inUser(user: string, password: string, hostname: string): Exposed[] {
  const isForm =
    password === user || /^(?:host(?:name)?|localhost)$/i.test(hostname) || /^[A-Z_]*$/.test(password);
  if (isForm || !isLiteral(password)) return [];
  const isWord = /^[a-z]+$/.test(password);
  if (isWord && /^(?:user(?:name)?|anonymous|guest)$/.test(user)) return [];
  return [isWord ? likely : certain("a password in an address")];
}

/** Neither a mark nor a placeholder. */
const isLiteral = (text: string): boolean => literalOf(text) === text && !isUnfilled(text);

/** A duration, and a member of an object. */
const plainForm = /^(?:[\dhms]+|[a-z_]\w*(?:\.[a-z_]\w*)+)$/i;
/** Groups of capitals and digits, as in a recovery key. */
const groups = /^(?=.*\d)(?:[A-Z\d]{4,6}-){3,8}[A-Z\d]{4,6}$/;

/** How much a value looks like a key: 3 if it is random, 2 if it changes as no word does, 1 if it only mixes letters and digits. */
function strengthOf(value: string): 0 | 1 | 2 | 3 {
  if (!isLiteral(value) || withoutPublished(value).trim() === "") return 0;
  if (randomIn(value) !== undefined) return 3;
  if (plainForm.test(value)) return 0;
  if (looksDrawn(value) || groups.test(value)) return 2;
  return isMixed(value) || (value.length >= 8 && /[a-z]/i.test(value) && /\d/.test(value)) ? 1 : 0;
}

/** Only such a name makes one's own words, like Winter2026, a secret. Formats and versions mix letters and digits, too. */
const passwordName =
  /passw|passphr|pwd|psw|senha|clave|contrase|passe\b|kennwort|wachtwoord|has[lł]o|пароль|şifre|lösen/i;

/** Judges a value whose name stands beside it, as in `token=…` or `"token": "…"`. */
function exposedBy({ name, text }: Value, what: string): Exposed | undefined {
  const nameClass = classOfName(name);
  const strength = strengthOf(text);
  const isPassword = passwordName.test(name);
  if (nameClass === "id" || (nameClass === "other" && !isPassword)) return undefined;
  if (strength === 3 && (isPassword || nameClass === "secret")) return certain(what);
  // Codes of errors and of vouchers look drawn, too.
  const least = isPassword ? 1 : /code/i.test(name) ? 3 : 2;
  return strength >= least ? likely : undefined;
}

/** Says what follows: the scheme of a header, or the option of curl before a user. */
const scheme = /^(?:bearer|basic|apikey|geniekey|splunk|ssws)$/i;
/** Only these are no words of sentences. */
const ownScheme = /bearer|geniekey|ssws/i;
const userOption = /^(?:-u|--user)$/;
/** Says that what follows is public, or another's. */
const publicWord =
  /^(?:ids?|hash|fingerprint|commit|public|charges?|events?|sha-?\d*|md5|ssh-\w+|ecdsa-\S+)$/i;
const credentialWord =
  /(?:key|token|password|passwd|secret|credential)s?$|^-[pa]$|パスワード|密[码碼]|비밀번호|كلمة/i;
const verb = /^(?:is|was|are|ist|war|lautet|est|es|è|é|は)$/i;
/** A sentence names a value at most so many words before it, such as "the password for it is". */
const nearest = 4;

/** A word with the signs before it, such as `: "`, and the words before it, the nearest first. */
type Word = Readonly<{ text: string; before: string; names: string[]; first: string; second: string }>;

/** White space, quotes and brackets of all scripts, the marks of Markdown, and what divides a name from its value. */
const divider = /[^\s=:,;|"'`*~()[\]{}<>\u00ab\u00bb\u2018-\u201e\u3000-\u3020\uff08\uff09\uff1a\uff1d]+/g;

function inWords(text: string): Exposed[] {
  const names: string[] = [];
  let end = 0;
  return [...text.matchAll(divider)].flatMap((match) => {
    const before = text.slice(end, match.index);
    end = match.index + match[0].length;
    // A call isn't a value.
    const isCall = text.charAt(end) === "(";
    const word = isCall ? "" : match[0].replace(/[.!?\u2026]$|^__|__$/g, "");
    const [first = "", second = ""] = names;
    const found = strengthOf(word) > 0 ? inWord({ text: word, before, names, first, second }) : undefined;
    names.unshift(word);
    names.splice(nearest + 1);
    return found ?? [];
  });
}

function inWord(word: Word): Exposed | undefined {
  return inHeader(word) ?? afterOption(word) ?? afterName(word) ?? byItself(word) ?? nearName(word);
}

function inHeader({ text, before, first, second }: Word): Exposed | undefined {
  const isNamed = [first, second].some((one) => /^authorization$/i.test(one));
  const isScheme = scheme.test(first) && (ownScheme.test(first) || isNamed || randomIn(text) === "token");
  if (!isScheme || /\S/.test(before)) return undefined;
  if (strengthOf(text) === 3) return certain("a credential in a header");
  return isNamed && text.length >= 8 ? likely : undefined;
}

function afterOption({ text, before, first, second }: Word): Exposed | undefined {
  if (!(userOption.test(second) && before === ":") && !userOption.test(first)) return undefined;
  if (strengthOf(text) > 1) return certain("a password after a user");
  return before === ":" ? likely : undefined;
}

function afterName({ text, before, first, second }: Word): Exposed | undefined {
  if (!/[=:\uff1a\uff1d]/.test(before)) return undefined;
  // Two words may be one name: "API key", "public key".
  const name = [`${second}_${first}`, first].find((one) => classOfName(one) !== "other") ?? first;
  // "Session ID: …" is what support asks for.
  return /_id$/i.test(name)
    ? undefined
    : exposedBy({ name, text }, "a credential after a word such as key, token or password");
}

/** Matches what begins as the keys of vendors do, and goes on as long as none of their names. */
const prefixed = /^([A-Za-z][A-Za-z\d]{0,11}(?:[_.-][A-Za-z\d]{1,11}){0,2})([_.-])([A-Za-z\d]{30,})/;

/** Judges what was drawn, unless the words before it say that it is public. */
function byItself({ text, names, first, second }: Word): Exposed | undefined {
  const isId = [first, `${second}_${first.replace(/s$/, "")}`].some((one) => classOfName(one) === "id");
  if (isId || names.slice(0, nearest).some((one) => publicWord.test(one)) || text.includes("@"))
    return undefined;
  const [, prefix = "", sign = "", drawn = ""] = prefixed.exec(text) ?? [];
  const isHex = /^[\da-f]{32,}$/.test(drawn);
  if ((isHex ? sign === "_" : randomIn(drawn) === "token") && classOfName(prefix) !== "id")
    return certain("what begins and is drawn as a key");
  // Numbers of orders and parcels are long. Names have abbreviations, but few digits: `OAuth2ToSAML2Bridge`.
  const rest = text.replace(/\d{8,}/g, " ");
  const isName = rest.length < 24 && rest.replace(/\D/g, "").length < 3;
  return randomIn(rest) === "token" && !isName ? likely : undefined;
}

function nearName({ text, names, first, second }: Word): Exposed | undefined {
  // A password of one's own stands directly after the word.
  if (passwordName.test(verb.test(first) ? second : first) && !text.startsWith("@")) return likely;
  if (strengthOf(text) < 2) return undefined;
  const until = names.findIndex((one) => publicWord.test(one));
  const near = names.slice(0, until < 0 ? nearest : Math.max(0, until - 1));
  const isName = (one: string, at: number) =>
    (credentialWord.test(one) || passwordName.test(one)) &&
    classOfName(`${names[at + 1]}_${one.replace(/s$/, "")}`) !== "id";
  return near.some(isName) ? likely : undefined;
}
