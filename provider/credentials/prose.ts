/**
 * Finds credentials in prose. There a name doesn't make every value a secret, as it does in a setting: "the token expired". A
 * random-looking string may be a credential in any context; UUIDs and hexadecimal digits are often IDs, so they need a name.
 */
import {
  findHook,
  findRandom,
  isMixed,
  isPublicParameter,
  findKey,
  looksRandom,
  stripPublished,
} from "./vendorForms";
import { address, classifyName, findLinks, stripMarks, markText, parseUrl, type Value } from "./grammar";
import { isUnfilled } from "./placeholders";

/** A description of a credential that doesn't quote it, and the confidence that it is a credential. */
export type Exposure = Readonly<{ confidence: "certain"; what: string } | { confidence: "likely" }>;

const likely: Exposure = { confidence: "likely" };
const toCertain = (what: string): Exposure => ({ confidence: "certain", what });

/** Public values that look random: public keys, advisories and names of resources. */
const publicForms = [
  /-----BEGIN (?:CERTIFICATE|[A-Z ]{0,40}PUBLIC KEY)(?: BLOCK)?-----[^-]*|\b(?:arn|data):[^\s"'<>)]+/g,
  /\bM(?:I(?:IBIj|ICIj|GfMA|GbMB)|FkwEw|HYwEA|CowBQ)[A-Za-z\d+/]{20,}/g,
  /\bage1[a-z\d]{58}\b|\bGHSA(?:-[a-z\d]{4}){3}\b/g,
];

/** Returns the most certain credential in text; undefined if it contains no credential. */
export function findCredential(text: string): Exposure | undefined {
  const plain = markText(publicForms.reduce((rest, form) => rest.replace(form, " "), text));
  const known = findKey(text) ?? findHook(plain);
  if (known !== undefined) return toCertain(known);
  const found = [...findLinks(plain).flatMap(matchAddress), ...matchWords(plain.replace(address, " "))];
  return found.find(({ confidence }) => confidence === "certain") ?? found[0];
}

function matchAddress(link: string): Exposure[] {
  const { user, password, hostname = "", segments, parameters } = parseUrl(link);
  const named = parameters.filter(
    ({ name, text }) => text !== password && !isPublicParameter(hostname, name),
  );
  const path = [hostname, ...segments];
  const isOfHook = (segment: string, index: number) =>
    findRandom(segment) === "token" && path.slice(0, index).some((one) => /hook|incoming/i.test(one));
  // Documentation writes `user:password@host` or `USER:PWD@HOST`, or repeats the user name as the password.
  const isForm =
    password === user || /^(?:host(?:name)?|localhost)$/i.test(hostname) || /^[A-Z_]*$/.test(password);
  const ofUser = /^[a-z]+$/.test(password) ? likely : toCertain("a password in a URL");
  return [
    ...named.flatMap((pair) => matchValue(pair, "a credential in a URL") ?? []),
    ...(path.some(isOfHook) ? [likely] : []),
    ...(isForm || !isLiteral(password) ? [] : [ofUser]),
  ];
}

/** Returns true if the text contains no mark and isn't a placeholder. */
const isLiteral = (text: string): boolean => stripMarks(text) === text && !isUnfilled(text);

/**
 * Returns how much a value looks like a key: 3 if it looks random, 2 if it mixes cases as no word does, 1 if it only mixes letters and
 * digits.
 */
function rateValue(value: string): 0 | 1 | 2 | 3 {
  if (!isLiteral(value) || stripPublished(value).trim() === "") return 0;
  if (findRandom(value) !== undefined) return 3;
  if (looksRandom(value)) return 2;
  return isMixed(value) || (value.length >= 8 && /[a-z]/i.test(value) && /\d/.test(value)) ? 1 : 0;
}

/** A made-up password such as Winter2026 is a secret only after such a name, because formats and versions also mix letters and digits. */
const passwordName = /passw|passphr|pwd|senha|contrase|passe\b|kennwort|wachtwoord|has[lł]o|пароль/i;

/** Classifies a value next to its name, as in `token=…` or `"token": "…"`. */
function matchValue({ name, text }: Value, what: string): Exposure | undefined {
  const nameClass = classifyName(name);
  const strength = rateValue(text);
  const isPassword = passwordName.test(name);
  if (nameClass === "id" || (nameClass === "other" && !isPassword)) return undefined;
  const isSure = isPassword || nameClass === "secret" || /sig(?:nature)?$/i.test(name);
  if (strength === 3 && isSure) return toCertain(what);
  return strength >= (isPassword ? 1 : 2) ? likely : undefined;
}

/**
 * Match the word before a credential, such as the scheme of a header (the schemes in `scheme` also occur as ordinary words), or the option
 * of curl before a user.
 */
const ownScheme = /^(?:bearer|geniekey|ssws)$/i;
const scheme = /^(?:basic|apikey|splunk)$/i;
const userOption = /^(?:-u|--user)$/;
/** Matches a word that shows that the next value isn't a secret. */
const publicWord = /^(?:ids?|hash|fingerprint|commit|public|charges?|events?|sha-?\d*|md5|ssh-\w+)$/i;
const credentialWord = /(?:key|token|password|passwd|secret|credential)s?$/i;
/** The largest number of words between a name and its value in a sentence, as in "the password for it is". */
const nearest = 4;

/** A word, the characters between it and the previous word, such as `: "`, and the previous words, the nearest first. */
type Word = Readonly<{ text: string; before: string; names: string[]; first: string; second: string }>;

/** Matches text between dividers: white space, quotes, brackets, the marks of Markdown, and separators of a name and its value. */
const divider = /[^\s=:,;|"'`*~()[\]{}<>\u00ab\u00bb\u2018-\u201e\u3000-\u3020\uff08\uff09\uff1a\uff1d]+/g;

function matchWords(text: string): Exposure[] {
  const names: string[] = [];
  let end = 0;
  return [...text.matchAll(divider)].flatMap((match) => {
    const before = text.slice(end, match.index);
    end = match.index + match[0].length;
    const word = match[0].replace(/[.!?\u2026]$|^__|__$/g, "");
    const [first = "", second = ""] = names;
    const found = rateValue(word) > 0 ? matchWord({ text: word, before, names, first, second }) : undefined;
    names.unshift(word);
    names.splice(nearest + 1);
    return found ?? [];
  });
}

function matchWord(word: Word): Exposure | undefined {
  const { text, before, first, second } = word;
  const isHeader = ownScheme.test(first)
    ? rateValue(text) === 3
    : scheme.test(first) && findRandom(text) === "token";
  if (isHeader && !/\S/.test(before)) return toCertain("a credential in a header");
  if (userOption.test(second) && before === ":") return toCertain("a password after a user name");
  // Two words may form one name, such as "API key" or "public key".
  const name = [`${second}_${first}`, first].find((one) => classifyName(one) !== "other") ?? first;
  const isNamed = /[=:\uff1a\uff1d]/.test(before);
  const what = "a credential after a word such as key, token or password";
  // "Session ID: …" is a value that support teams request.
  const ofName = isNamed && !/_id$/i.test(name) ? matchValue({ name, text }, what) : undefined;
  return ofName ?? matchShape(word) ?? matchNearName(word);
}

/** Matches text that starts like the keys of vendors and is longer than any other name with such a prefix. */
const prefixed = /^([A-Za-z][A-Za-z\d]{0,11}(?:[_.-][A-Za-z\d]{1,11}){0,2})([_.-])([\w-]{30,})/;

/** Matches a prefix that starts with up to three letters, or with letters without a vowel. */
const abbreviation = /^(?:[a-z]{1,3}|[b-df-hj-np-tv-z]+)(?![a-z])/i;

/** Matches a ULID, which starts with its time, and may have a prefix for its type. */
const ulid = /^(?:[a-z]{1,20}_)?01[\dA-HJKMNP-TV-Z]{24}$/i;

const isIdName = (first: string, second = "") =>
  classifyName(first) === "id" || classifyName(`${second}_${first.replace(/s$/, "")}`) === "id";

/** Classifies a random-looking word, unless the words before it show that it is public. */
function matchShape({ text, names, first, second }: Word): Exposure | undefined {
  const isPublic = names.slice(0, nearest).some((one) => publicWord.test(one));
  if (isIdName(first, second) || isPublic || text.includes("@") || ulid.test(text)) return undefined;
  const [, prefix = "", sign = "", drawn = ""] = prefixed.exec(text) ?? [];
  const isHex = /^[\da-f]{32,}$/.test(drawn);
  const isKey = (isHex || findRandom(drawn) === "token") && classifyName(prefix) !== "id";
  // A word, a hyphen and hexadecimal digits are the name of a build.
  if (isKey && isHex && sign !== "_") return abbreviation.test(prefix) ? likely : undefined;
  if (isKey) return toCertain("a random value with a prefix, like an API key");
  // Numbers of orders and parcels are long. Names contain abbreviations but few digits, as in `OAuth2ToSAML2Bridge`.
  const rest = text.replace(/\d{8,}/g, " ");
  const isName = rest.length < 24 && rest.replace(/\D/g, "").length < 3;
  return findRandom(rest) === "token" && !isName ? likely : undefined;
}

function matchNearName({ text, names, first, second }: Word): Exposure | undefined {
  // A made-up password directly follows the word for it, or a verb.
  const isVerb = /^(?:is|was|are|ist|war|lautet|est|es|\u00e8|\u00e9)$/i.test(first);
  if (passwordName.test(isVerb ? second : first) && !text.startsWith("@")) return likely;
  if (rateValue(text) < 2) return undefined;
  const until = names.findIndex((one) => publicWord.test(one));
  const near = names.slice(0, until < 0 ? nearest : Math.max(0, until - 1));
  return near.some((one, at) => credentialWord.test(one) && !isIdName(one, names[at + 1]))
    ? likely
    : undefined;
}
