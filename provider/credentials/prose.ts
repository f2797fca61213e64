/**
 * Finds credentials in a text for people. There a name doesn't make any value a secret, as in a setting: "the token expired". What looks
 * random without a name is an id as often as not, and says nothing.
 */
import { isPublicParameter, knownCredentialIn, withoutPublished } from "./forms";
import { classOfName, linksIn, literalOf, marked, urlParts, type Value, withoutLinks } from "./grammar";
import { isUnfilled } from "./placeholders";
import { isMixed, looksDrawn, randomIn } from "./shapes";

/** A credential, in words that don't quote it, and how sure it is that it is one. */
export interface Exposed {
  readonly what: string;
  readonly confidence: "certain" | "likely";
}

/** Returns the surest credential in a text; undefined if there is none. */
export function credentialIn(text: string): Exposed | undefined {
  const known = knownCredentialIn(text);
  if (known !== undefined) return { what: known, confidence: "certain" };
  const plain = marked(text);
  const found = [...linksIn(plain).flatMap(inAddress), ...inWords(withoutLinks(plain))];
  return found.find(({ confidence }) => confidence === "certain") ?? found[0];
}

function inAddress(address: string): Exposed[] {
  const { user, password, hostname = "", segments, parameters } = urlParts(address);
  const what = "a credential in an address";
  const named = parameters.flatMap((pair) => {
    if (pair.text === password || isPublicParameter(hostname, pair.name)) return [];
    const isSigned = /sig(?:nature)?$/i.test(pair.name) && strengthOf(pair.text) === 3;
    return isSigned ? [{ what: "a signed address", confidence: "certain" as const }] : exposedBy(pair, what);
  });
  const path = [hostname, ...segments];
  const isOfHook = (segment: string, index: number) =>
    randomIn(segment) === "token" && path.slice(0, index).some((one) => /hook|incoming/i.test(one));
  if (path.some(isOfHook)) named.push({ what: "what may be a hook", confidence: "likely" });
  return [...named, ...inUser(user, password, hostname)];
}

/** Documentation calls them `user:password@host` or `USER:PWD@HOST`, and has the same word twice. */
function inUser(user: string, password: string, hostname: string): Exposed[] {
  const isForm =
    password === user || /^(?:host(?:name)?|localhost)$/i.test(hostname) || /^[A-Z_]*$/.test(password);
  if (isForm || !isLiteral(password)) return [];
  const isWord = /^[a-z]+$/.test(password);
  if (isWord && /^(?:user(?:name)?|anonymous|guest)$/.test(user)) return [];
  return [{ what: "a password in an address", confidence: isWord ? "likely" : "certain" }];
}

/** Neither a mark nor a placeholder. */
function isLiteral(text: string): boolean {
  return literalOf(text) === text && !isUnfilled(text);
}

/** A wallet or a contract, and the name of a resource. */
const publicForm = /^(?:0x[\da-f]{40}|arn:\S+)$/i;
/** A duration, and a member of an object. */
const plainForm = /^(?:[\dhms]+|[a-z_]\w*(?:\.[a-z_]\w*)+)$/i;
/** Groups of capitals and digits, as in a recovery key. */
const groups = /^(?=.*\d)(?:[A-Z\d]{4,6}-){3,8}[A-Z\d]{4,6}$/;

/** How much a value looks like a key: 3 if it is random, 2 if it changes as no word does, 1 if it only mixes letters and digits. */
function strengthOf(value: string): 0 | 1 | 2 | 3 {
  if (!isLiteral(value) || withoutPublished(value).trim() === "" || publicForm.test(value)) return 0;
  if (randomIn(value) !== undefined) return 3;
  if (plainForm.test(value)) return 0;
  if (looksDrawn(value) || groups.test(value)) return 2;
  return isMixed(value) || (value.length >= 8 && /[a-z]/i.test(value) && /\d/.test(value)) ? 1 : 0;
}

/** Only such a name makes one's own words, like Winter2026, a secret. Formats and versions mix letters and digits, too. */
const passwordName =
  /passw|passphrase|pwd|psw|senha|clave|contrase|passe\b|kennwort|wachtwoord|haslo|hasło|пароль|şifre|lösen/i;

/** Judges a value whose name stands beside it, as in `token=…` or `"token": "…"`. */
function exposedBy({ name, text }: Value, what: string): Exposed[] {
  const nameClass = classOfName(name);
  const strength = strengthOf(text);
  const isPassword = passwordName.test(name);
  if (nameClass === "id" || (nameClass === "other" && !isPassword)) return [];
  if (strength === 3 && nameClass === "secret") return [{ what, confidence: "certain" }];
  if (isPassword && strength > 0) return [{ what, confidence: strength === 3 ? "certain" : "likely" }];
  // Codes of errors and of vouchers look drawn, too.
  return strength > (/code$/i.test(name) ? 2 : 1) ? [{ what, confidence: "likely" }] : [];
}

/** Says what follows: the scheme of a header, or the option of curl before a user. */
const scheme = /^(?:bearer|basic|apikey|geniekey|splunk|ssws)$/i;
/** Only these are no words of sentences. */
const ownScheme = /^(?:bearer|geniekey|ssws)$/i;
const userOption = /^(?:-u|--user)$/;
/** Says that what follows is public, or another's. */
const publicWord = /^(?:ids?|hash|fingerprint|commit|public|sha-?\d*|md5|ssh-\w+|ecdsa-\S+)$/i;
/** A sentence names a value at most so many words before it, such as "the password for it is". */
const nearest = 4;

interface Word {
  readonly text: string;
  /** The signs before it, such as `: "`. */
  readonly before: string;
}

/** White space, quotes and brackets of all scripts, the marks of Markdown, and what divides a name from its value. */
const divider = /[^\s=:,;|"'`*~()[\]{}<>\u00ab\u00bb\u2018-\u201e\u3000-\u3020\uff08\uff09\uff1a\uff1d]+/g;

function inWords(text: string): Exposed[] {
  let end = 0;
  const words = [...text.matchAll(divider)].map((match): Word => {
    const before = text.slice(end, match.index);
    end = match.index + match[0].length;
    // A call isn't a value.
    const isCall = text.charAt(end) === "(";
    return { text: isCall ? "" : match[0].replace(/[.!?\u2026]$|^__|__$/g, ""), before };
  });
  return words.flatMap((word, index) => {
    if (strengthOf(word.text) === 0) return [];
    const others = words.slice(Math.max(0, index - nearest - 1), index).reverse();
    return inWord(word, others, words.slice(index + 1, index + 4));
  });
}

/** @param others The words before it, the nearest first. @param later Those after it. */
function inWord({ text, before }: Word, others: readonly Word[], later: readonly Word[]): Exposed[] {
  const names = others.map((other) => other.text);
  const [first = "", second = ""] = names;
  const strength = strengthOf(text);
  const isInHeader = names.slice(0, 2).some((one) => /^authorization$/i.test(one));
  if (
    scheme.test(first) &&
    (ownScheme.test(first) || isInHeader || randomIn(text) === "token") &&
    !/\S/.test(before)
  ) {
    if (strength === 3) return [{ what: "a credential in a header", confidence: "certain" }];
    if (isInHeader && text.length >= 8) return [{ what: "a credential in a header", confidence: "likely" }];
  }
  const isOfUser = (userOption.test(second) && before === ":") || userOption.test(first);
  if (isOfUser && (strength > 1 || (before === ":" && strength > 0)))
    return [{ what: "a password after a user", confidence: strength > 1 ? "certain" : "likely" }];
  const what = "a credential after a word such as key, token or password";
  if (/[=:\uff1a\uff1d]/.test(before)) {
    // Two words may be one name: "API key", "public key".
    const name = [`${second}_${first}`, first].find((one) => classOfName(one) !== "other") ?? first;
    // "Session ID: …" is what support asks for.
    const direct = /_id$/i.test(name) ? [] : exposedBy({ name, text }, what);
    if (direct.length > 0 || classOfName(name) === "id") return direct;
  }
  if (strength < 2) return [];
  const isSaidLater = later[0]?.text === "as" && later.some((one) => credentialWord.test(one.text));
  // It also says so before the name: "the public key".
  const until = names.findIndex((one) => publicWord.test(one));
  const near = names.slice(0, until < 0 ? nearest : Math.max(0, until - 1));
  const isName = (one: string, at: number) =>
    (credentialWord.test(one) || passwordName.test(one)) &&
    classOfName(`${names[at + 1]}_${one.replace(/s$/, "")}`) !== "id";
  return isSaidLater || near.some(isName) ? [{ what, confidence: "likely" }] : [];
}

const credentialWord =
  /(?:key|token|password|passwd|secret|credential)s?$|^-[pa]$|パスワード|密[码碼]|비밀번호|كلمة/i;
