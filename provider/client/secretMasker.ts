/** Removes secrets from text that the service or a proxy wrote, before the text is shown in an error. */
import { normalizeText, collapseSpaces } from "../texts";

const hidden = "[hidden]";
const longestMessage = 300;
/** A secret shorter than this isn't encoded, because its encoded forms also occur in unrelated words. */
const shortestToEncode = 8;
/** A service may repeat only a part of a secret, so a match of this many characters is hidden. */
const shortestPart = 12;

/** Returns the forms that a response may contain: the forms that the client sends, and encodings. */
function listEncodedForms(secret: string): string[] {
  if (secret.length < shortestToEncode) return [secret];
  const bytes = Buffer.from(secret);
  return [
    // The header `Authorization` contains this form,
    secret,
    // the request body this one,
    JSON.stringify(secret).slice(1, -1),
    // the path this one (made from the bytes, because half of a surrogate pair can't be encoded),
    encodeURIComponent(bytes.toString()),
    // and the query this one.
    new URLSearchParams([["", secret]]).toString().slice(1),
    // A proxy may encode every character.
    bytes.toString("hex").replace(/../g, "%$&"),
    bytes.toString("hex"),
    // Gateways pass binary or unparsed parts of a request on as base64.
    ...listBase64Forms(bytes),
  ];
}

/**
 * Returns, for each of the three alignments and both alphabets, the part of the base64 of a longer text that depends only on the secret.
 */
function listBase64Forms(secret: Buffer): string[] {
  return [0, 1, 2].flatMap((shift) => {
    const shifted = Buffer.concat([Buffer.alloc(shift), secret]);
    const begin = Math.ceil((shift * 8) / 6);
    const end = Math.floor((shifted.length * 8) / 6);
    return (["base64", "base64url"] as const).map((alphabet) => shifted.toString(alphabet).slice(begin, end));
  });
}

export class SecretMasker {
  /** The API key, then any others. */
  readonly #secrets: readonly string[];
  #searched: ReturnType<typeof buildSearchTerms> | undefined;
  /** Every form of the first secret, the API key. Empty for a short key, because it also occurs in unrelated words. */
  readonly #keyForms: readonly string[];

  /** @param secrets The API key, then any others. */
  constructor(secrets: readonly string[]) {
    this.#secrets = secrets.map((secret) => secret.trim());
    const [key = ""] = this.#secrets;
    this.#keyForms = key.length < shortestToEncode ? [] : listEncodedForms(key).map(foldCase);
  }

  /** True if the text contains the whole API key, so that a read rejects a response with this text. */
  hasKey(text: string): boolean {
    const searched = foldCase(text);
    return this.#keyForms.some((form) => searched.includes(form));
  }

  /** Replaces every string in a JSON value that contains the whole API key. Returns true if there was one. */
  hideKey(json: object): boolean {
    const shortest = Math.min(...this.#keyForms.map(({ length }) => length));
    const hasKey = (value: unknown): boolean =>
      typeof value === "string" && value.length >= shortest && this.hasKey(value);
    let found = false;
    const left = [json];
    for (let holder = left.pop(); holder; holder = left.pop()) {
      const entries: [string, unknown][] = Object.entries(holder);
      for (const [name, value] of entries) {
        if (typeof value === "object" && value !== null) left.push(value);
        if (!hasKey(name) && !hasKey(value)) continue;
        found = true;
        Reflect.deleteProperty(holder, name);
        Reflect.set(holder, hasKey(name) ? hidden : name, hasKey(value) ? hidden : value);
      }
    }
    return found;
  }

  /** Returns the text without the secrets. Scanning stops once the result is longer than `longest`. */
  mask(text: string, longest = Infinity): string {
    const searched = foldCase(text);
    const { forms } = this.#getSearchTerms();
    let prefixes = forms.map((secret) => secret.slice(0, shortestPart));
    let shown = "";
    let from = 0;
    let part = -1;
    // A regular expression made from a long secret would take seconds to compile, or fail and quote the secret.
    while (shown.length <= longest) {
      const places = prefixes.map((prefix) => searched.indexOf(prefix, from));
      prefixes = prefixes.filter((_, index) => places[index] !== -1);
      if (part < from) part = this.#findPart(searched, from, longest);
      const at = Math.min(part, ...places.filter((place) => place !== -1));
      if (at === Infinity) return shown + text.slice(from);
      shown += text.slice(from, at) + hidden;
      const ends = forms.map((secret) => at + matchLength(searched, at, secret));
      from = Math.max(...ends, at === part ? this.#findPartEnd(searched, at) : at);
    }
    return shown;
  }

  /** Returns the position of the first part of a secret; Infinity if none occurs before the text is cut. */
  #findPart(searched: string, from: number, longest: number): number {
    const { parts } = this.#getSearchTerms();
    const last = Math.min(searched.length - shortestPart, from + longest);
    for (let at = from; at <= last; at++)
      if (searched[at] !== " " && parts.has(searched.slice(at, at + shortestPart))) return at;
    return Infinity;
  }

  #findPartEnd(searched: string, at: number): number {
    const { parts } = this.#getSearchTerms();
    let end = at + shortestPart;
    while (end < searched.length && parts.has(searched.slice(end - shortestPart + 1, end + 1))) end++;
    return end;
  }

  /** Computed for the first message, because most calls don't fail. */
  #getSearchTerms(): ReturnType<typeof buildSearchTerms> {
    return (this.#searched ??= buildSearchTerms(this.#secrets));
  }

  /** Returns a message of the service without the secrets, as one printable line of at most 300 characters. */
  maskMessage(message: string): string {
    const plain = unescapeText(decodePercents(message));
    const masked = this.mask(plain, longestMessage);
    // Keep the escapes if they hide no secret, because the message may be about an escape, for example in a pattern.
    const text = masked === plain ? this.mask(collapseSpaces(message), longestMessage) : masked;
    // Remove half of a surrogate pair, which the cut may leave.
    return text.length > longestMessage ? `${text.slice(0, longestMessage).replace(/\p{Cs}/u, "")}…` : text;
  }
}

/** Returns every form of every secret, folded like the searched text, and the parts of the secrets that a service may quote. */
function buildSearchTerms(secrets: readonly string[]) {
  const sent = secrets.flatMap((secret) => [secret, secret.replaceAll(" ", "+")]);
  const received = [...secrets, ...sent.map(decodePercents)].map(unescapeText);
  // Whitespace often changes in transit, so both sides are compared with single spaces.
  const forms = [...secrets, ...received]
    .flatMap(listEncodedForms)
    .map((form) => foldCase(collapseSpaces(form)));
  const parts = received
    .map(foldCase)
    .flatMap((text) =>
      Array.from({ length: Math.max(0, text.length - shortestPart + 1) }, (_, at) =>
        text.slice(at, at + shortestPart),
      ),
    );
  return { forms: [...new Set(forms)].filter((form) => form !== ""), parts: new Set(parts) };
}

/** Decodes percent-encoded characters, including those that were encoded several times. */
function decodePercents(text: string): string {
  return text.replace(/(?:%(?:25)*[\da-f]{2})+/gi, (encoded) =>
    Buffer.from(encoded.replace(/%(?:25)*(?=[\da-f]{2})/gi, ""), "hex").toString(),
  );
}

/** Removes the escapes of JSON and HTML, because a service may use them for any character, and normalizes the Unicode form. */
function unescapeText(text: string): string {
  // The lookbehinds keep the time linear.
  const plain = text
    .replace(/(?<!\\)\\+u([\da-f]{4})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
    .replace(/(?<!\\)\\+[bfnrt]/g, " ")
    .replaceAll("\\", "");
  return collapseSpaces(normalizeText(plain));
}

/**
 * Returns the text in lower case without changing its length. Plain `toLowerCase` turns `İ` into two characters, and `Σ` into a letter that
 * depends on the next character.
 */
function foldCase(text: string): string {
  return text.replaceAll("İ", "i").toLowerCase().replaceAll("ς", "σ");
}

/** Returns how many characters of the secret match the text at this position. */
function matchLength(text: string, at: number, secret: string): number {
  let length = 0;
  while (length < secret.length && text[at + length] === secret[length]) length += 1;
  return length;
}
