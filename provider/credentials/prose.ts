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

/** What looks drawn and is meant for everybody: public keys, advisories and names of resources. */
const publicForms = [
  /-----BEGIN (?:CERTIFICATE|[A-Z ]{0,40}PUBLIC KEY)(?: BLOCK)?-----[^-]*|\b(?:arn|data):[^\s"'<>)]+/g,
  /\bM(?:I(?:IBIj|ICIj|GfMA|GbMB)|FkwEw|HYwEA|CowBQ)[A-Za-z\d+/]{20,}/g,
  /\bage1[a-z\d]{58}\b|\bGHSA(?:-[a-z\d]{4}){3}\b/g,
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
  const named = parameters.filter(
    ({ name, text }) => text !== password && !isPublicParameter(hostname, name),
  );
  const path = [hostname, ...segments];
  const isOfHook = (segment: string, index: number) =>
    randomIn(segment) === "token" && path.slice(0, index).some((one) => /hook|incoming/i.test(one));
  // Documentation calls them `user:password@host` or `USER:PWD@HOST`, and has the same word twice.
  const isForm =
    password === user || /^(?:host(?:name)?|localhost)$/i.test(hostname) || /^[A-Z_]*$/.test(password);
  const ofUser = /^[a-z]+$/.test(password) ? likely : certain("a password in a URL");
  return [
    ...named.flatMap((pair) => exposedBy(pair, "a credential in a URL") ?? []),
    ...(path.some(isOfHook) ? [likely] : []),
    ...(isForm || !isLiteral(password) ? [] : [ofUser]),
  ];
}

/** Neither a mark nor a placeholder. */
const isLiteral = (text: string): boolean => literalOf(text) === text && !isUnfilled(text);

/** How much a value looks like a key: 3 if it is random, 2 if it changes as no word does, 1 if it only mixes letters and digits. */
function strengthOf(value: string): 0 | 1 | 2 | 3 {
  if (!isLiteral(value) || withoutPublished(value).trim() === "") return 0;
  if (randomIn(value) !== undefined) return 3;
  if (looksDrawn(value)) return 2;
  return isMixed(value) || (value.length >= 8 && /[a-z]/i.test(value) && /\d/.test(value)) ? 1 : 0;
}

/** Only such a name makes one's own words, like Winter2026, a secret. Formats and versions mix letters and digits, too. */
const passwordName = /passw|passphr|pwd|senha|contrase|passe\b|kennwort|wachtwoord|has[lł]o|пароль/i;

/** Judges a value whose name stands beside it, as in `token=…` or `"token": "…"`. */
function exposedBy({ name, text }: Value, what: string): Exposed | undefined {
  const nameClass = classOfName(name);
  const strength = strengthOf(text);
  const isPassword = passwordName.test(name);
  if (nameClass === "id" || (nameClass === "other" && !isPassword)) return undefined;
  const isSure = isPassword || nameClass === "secret" || /sig(?:nature)?$/i.test(name);
  if (strength === 3 && isSure) return certain(what);
  return strength >= (isPassword ? 1 : 2) ? likely : undefined;
}

/** Say what follows: the scheme of a header, of which some are words of sentences, or the option of curl before a user. */
const ownScheme = /^(?:bearer|geniekey|ssws)$/i;
const scheme = /^(?:basic|apikey|splunk)$/i;
const userOption = /^(?:-u|--user)$/;
/** Says that what follows is public, or another's. */
const publicWord = /^(?:ids?|hash|fingerprint|commit|public|charges?|events?|sha-?\d*|md5|ssh-\w+)$/i;
const credentialWord = /(?:key|token|password|passwd|secret|credential)s?$/i;
/** A sentence names a value at most so many words before it, such as "the password for it is". */
const nearest = 4;

/** A word with the signs before it, such as `: "`, and the words before it, the nearest first. */
type Word = Readonly<{ text: string; before: string; names: string[]; first: string; second: string }>;

/** White space, quotes and brackets, the marks of Markdown, and what divides a name from its value. */
const divider = /[^\s=:,;|"'`*~()[\]{}<>\u00ab\u00bb\u2018-\u201e\u3000-\u3020\uff08\uff09\uff1a\uff1d]+/g;

function inWords(text: string): Exposed[] {
  const names: string[] = [];
  let end = 0;
  return [...text.matchAll(divider)].flatMap((match) => {
    const before = text.slice(end, match.index);
    end = match.index + match[0].length;
    const word = match[0].replace(/[.!?\u2026]$|^__|__$/g, "");
    const [first = "", second = ""] = names;
    const found = strengthOf(word) > 0 ? inWord({ text: word, before, names, first, second }) : undefined;
    names.unshift(word);
    names.splice(nearest + 1);
    return found ?? [];
  });
}

function inWord(word: Word): Exposed | undefined {
  const { text, before, first, second } = word;
  const isHeader = ownScheme.test(first)
    ? strengthOf(text) === 3
    : scheme.test(first) && randomIn(text) === "token";
  if (isHeader && !/\S/.test(before)) return certain("a credential in a header");
  if (userOption.test(second) && before === ":") return certain("a password after a user name");
  // Two words may be one name: "API key", "public key".
  const name = [`${second}_${first}`, first].find((one) => classOfName(one) !== "other") ?? first;
  const isNamed = /[=:\uff1a\uff1d]/.test(before);
  const what = "a credential after a word such as key, token or password";
  // "Session ID: …" is what support asks for.
  const ofName = isNamed && !/_id$/i.test(name) ? exposedBy({ name, text }, what) : undefined;
  return ofName ?? byItself(word) ?? nearName(word);
}

/** Matches what begins as the keys of vendors do, and goes on as long as none of their names. */
const prefixed = /^([A-Za-z][A-Za-z\d]{0,11}(?:[_.-][A-Za-z\d]{1,11}){0,2})([_.-])([A-Za-z\d]{30,})/;

const isIdName = (first: string, second = "") =>
  classOfName(first) === "id" || classOfName(`${second}_${first.replace(/s$/, "")}`) === "id";

/** Judges what was drawn, unless the words before it say that it is public. */
function byItself({ text, names, first, second }: Word): Exposed | undefined {
  const isPublic = names.slice(0, nearest).some((one) => publicWord.test(one));
  if (isIdName(first, second) || isPublic || text.includes("@")) return undefined;
  const [, prefix = "", sign = "", drawn = ""] = prefixed.exec(text) ?? [];
  const isHex = /^[\da-f]{32,}$/.test(drawn);
  if ((isHex ? sign === "_" : randomIn(drawn) === "token") && classOfName(prefix) !== "id")
    return certain("a random value with a prefix, like an API key");
  // Numbers of orders and parcels are long. Names have abbreviations, but few digits: `OAuth2ToSAML2Bridge`.
  const rest = text.replace(/\d{8,}/g, " ");
  const isName = rest.length < 24 && rest.replace(/\D/g, "").length < 3;
  return randomIn(rest) === "token" && !isName ? likely : undefined;
}

function nearName({ text, names, first, second }: Word): Exposed | undefined {
  // A password of one's own stands directly after the word, or after a verb.
  const isVerb = /^(?:is|was|are|ist|war|lautet|est|es|\u00e8|\u00e9)$/i.test(first);
  if (passwordName.test(isVerb ? second : first) && !text.startsWith("@")) return likely;
  if (strengthOf(text) < 2) return undefined;
  const until = names.findIndex((one) => publicWord.test(one));
  const near = names.slice(0, until < 0 ? nearest : Math.max(0, until - 1));
  return near.some((one, at) => credentialWord.test(one) && !isIdName(one, names[at + 1]))
    ? likely
    : undefined;
}
