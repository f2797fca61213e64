/**
 * Finds credentials in a text for people. There a name doesn't make any value a secret, as in a setting: "the token expired". What looks
 * random without a name is an id as often as not, and says nothing.
 */
import { classOfName, literalOf, marked, urlParts, type Value } from "./grammar";
import { knownCredentialIn } from "./known";
import { isUnfilled } from "./placeholders";
import { isPublicParameter, placeOf } from "./services";
import { isChangeable, isMixed, looksDrawn, published, randomIn } from "./shapes";

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
  const found = [...(plain.match(link) ?? []).flatMap(inAddress), ...inWords(plain.replace(link, " "))];
  return found.find(({ confidence }) => confidence === "certain") ?? found[0];
}

/** Ends before the signs that follow an address in a sentence. */
const link = /(?<![a-z\d])[a-z][a-z\d+.-]{1,30}:\/\/[^\s"'<>`]*[^\s"'<>`.,;:!?)\]}]/gi;

function inAddress(address: string): Exposed[] {
  const { user, password, hostname = "", segments, parameters } = urlParts(address);
  const what = "a credential in an address";
  const places = placeOf(hostname, segments);
  const isAt = (segment: string, index: number) =>
    places[index] === "SECRET" && /\d/.test(segment) && isLiteral(segment);
  if (segments.some(isAt)) return [{ what, confidence: "certain" }];
  const named = parameters.flatMap((pair) =>
    pair.text === password || isPublicParameter(hostname, pair.name) ? [] : exposedBy(pair, what),
  );
  const path = [hostname, ...segments];
  const isOfHook = (segment: string, index: number) =>
    strengthOf(segment) === 3 && path.slice(0, index).some((one) => /hook|incoming/i.test(one));
  if (path.some(isOfHook)) named.push({ what: "what may be a hook", confidence: "likely" });
  // Documentation calls them `user:password`, and has the same word twice.
  const isFilled = password !== "" && password !== user && isLiteral(password);
  if (!isFilled) return named;
  return [...named, { what, confidence: /^[a-z]+$/.test(password) ? "likely" : "certain" }];
}

/** Neither a mark nor a placeholder. */
function isLiteral(text: string): boolean {
  return literalOf(text) === text && !isUnfilled(text);
}

/** How much a value looks like a password or a key: 3 if it is random, 2 if it mixes letters and digits as no word does, 0 for words. */
function strengthOf(value: string): 0 | 1 | 2 | 3 {
  if (!isLiteral(value) || value.replace(published, "") === "") return 0;
  if (randomIn(value) !== undefined) return 3;
  if (isMixed(value) || looksDrawn(value)) return 2;
  return value.length >= 8 && /[a-z]/i.test(value) && (/\d/.test(value) || isChangeable(value)) ? 1 : 0;
}

/** Judges a value whose name stands beside it, as in `token=…` or `"token": "…"`. */
function exposedBy({ name, text }: Value, what: string): Exposed[] {
  const nameClass = classOfName(name);
  const strength = strengthOf(text);
  if (strength === 0 || nameClass === "id" || nameClass === "other") return [];
  if (nameClass === "secret") return [{ what, confidence: strength > 1 ? "certain" : "likely" }];
  // Codes of errors and of vouchers mix letters and digits, too.
  return strength >= (/key$/i.test(name) ? 2 : 3) ? [{ what, confidence: "likely" }] : [];
}

/** Says what follows: the scheme of a header, or the option of curl before a user. */
const scheme = /^(?:bearer|basic|apikey|geniekey|splunk|ssws)$/i;
const userOption = /^(?:-u|--user)$/;
/** Says that what follows is public, or another's. */
const publicWord = /^(?:ids?|hash|fingerprint|commit|public|sha-?\d*|md5|ssh-\w+|ecdsa-\S+)$/i;
/** A sentence names a value up to three words before it, such as "the password for it is". */
const nearest = 3;

interface Word {
  readonly text: string;
  /** The signs before it, such as `: "`. */
  readonly before: string;
}

function inWords(text: string): Exposed[] {
  let end = 0;
  const words = [
    ...text.matchAll(/[^\s=:,;|"'`()[\]{}<>\u00ab\u00bb\u2018-\u201e\u3000-\u3020\uff08\uff09\uff1a]+/g),
  ].map((match): Word => {
    const before = text.slice(end, match.index);
    end = match.index + match[0].length;
    return { text: match[0].replace(/[.!?\u2026]$/, ""), before };
  });
  return words.flatMap((word, index) => {
    if (strengthOf(word.text) === 0) return [];
    return inWord(word, words.slice(Math.max(0, index - nearest - 1), index).reverse());
  });
}

/** @param others The words before it, the nearest first. */
function inWord({ text, before }: Word, others: readonly Word[]): Exposed[] {
  const names = others.map((other) => other.text);
  const [first = "", second = ""] = names;
  if (scheme.test(first) && strengthOf(text) === 3)
    return [{ what: "a credential in a header", confidence: "certain" }];
  if (userOption.test(second) && before === ":" && strengthOf(text) > 1)
    return [{ what: "a password after a user", confidence: "certain" }];
  const what = "a credential after a word such as key, token or password";
  if (/[=:\uff1a]/.test(before)) {
    // Two words may be one name: "API key", "public key".
    const name = [`${second}_${first}`, first].find((one) => classOfName(one) !== "other") ?? first;
    const direct = exposedBy({ name, text }, what);
    if (direct.length > 0 || classOfName(name) === "id") return direct;
  }
  if (randomIn(text) === undefined && !looksDrawn(text)) return [];
  // It also says so before the name: "the public key".
  const until = names.findIndex((one) => publicWord.test(one));
  const near = names.slice(0, until < 0 ? nearest : Math.max(0, until - 1));
  const isName = (one: string, at: number) =>
    (credentialWord.test(one) || classOfName(one) === "secret") &&
    classOfName(`${names[at + 1]}_${one.replace(/s$/, "")}`) !== "id";
  return near.some(isName) ? [{ what, confidence: "likely" }] : [];
}

const credentialWord =
  /(?:key|token|password|passwd|secret|credential)s?$|^-p$|パスワード|密[码碼]|비밀번호/i;
