/** What may be shown of a text that a stranger wrote, given the secrets that it must not contain. */

const hidden = "[hidden]";
const longestQuote = 300;
/** Encoded forms of a shorter secret would be so short that they stand in innocent words too. */
const leastEncoded = 8;
/** A service may quote only the beginning of a secret: from so many characters on, that is hidden too. */
const longestBeginning = 12;

/** The forms in which a secret comes back: raw, URL-encoded, as HTML, hex, base64, JSON-escaped, and escaped once more. */
function formsOf(secret: string): string[] {
  if (secret.length < leastEncoded) return [secret];
  const bytes = Buffer.from(secret);
  const escaped = JSON.stringify(secret).slice(1, -1);
  return [
    secret,
    escaped,
    JSON.stringify(escaped).slice(1, -1),
    // As PHP escapes.
    escaped.replaceAll("/", "\\/"),
    // Made from the bytes: half a surrogate pair has no encoding.
    encodeURIComponent(bytes.toString()),
    new URLSearchParams([["", secret]]).toString().slice(1),
    ...apostrophes.map((apostrophe) => htmlForm(secret, apostrophe)),
    bytes.toString("hex"),
    ...base64Forms(bytes),
  ];
}

/** As Go and others escape one, PHP, Python, XML, and those that leave it. */
const apostrophes = ["&#39;", "&#039;", "&#x27;", "&apos;", "'"];

function htmlForm(secret: string, apostrophe: string): string {
  const entities: Record<string, string> = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "'": apostrophe,
  };
  return secret.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

/** Base64 of a text that merely contains the secret differs by where the secret begins: three alignments. */
function base64Forms(secret: Buffer): string[] {
  return [0, 1, 2].flatMap((shift) => {
    const shifted = Buffer.concat([Buffer.alloc(shift), secret]);
    const begin = Math.ceil((shift * 8) / 6);
    const end = Math.floor((shifted.length * 8) / 6);
    return [shifted.toString("base64").slice(begin, end), shifted.toString("base64url").slice(begin, end)];
  });
}

/** Takes secrets out of what the service says, and makes one short printable line of it. */
export class SecretMasker {
  /** Every form of every secret, {@link comparable}. */
  readonly #secrets: readonly string[];

  constructor(secrets: readonly string[]) {
    const forms = secrets.map((secret) => secret.trim()).flatMap(formsOf);
    this.#secrets = [...new Set(forms.map((form) => comparable(oneLine(form))))].filter(
      (form) => form !== "",
    );
  }

  /** The text without the secrets; cut off somewhere once it is longer than `longest`. */
  hide(text: string, longest = Infinity): string {
    const searched = comparable(text);
    let beginnings = this.#secrets.map((secret) => secret.slice(0, longestBeginning));
    let shown = "";
    let from = 0;
    // Not by one regular expression: of a long secret it takes seconds to make, or fails and quotes the secret.
    while (shown.length <= longest) {
      const places = beginnings.map((beginning) => searched.indexOf(beginning, from));
      beginnings = beginnings.filter((_, index) => places[index] !== -1);
      if (beginnings.length === 0) return shown + text.slice(from);
      const at = Math.min(...places.filter((place) => place !== -1));
      shown += text.slice(from, at) + hidden;
      from = at + Math.max(...this.#secrets.map((secret) => agreement(searched, at, secret)));
    }
    return shown;
  }

  /** What the service said, without the secrets, as one line of at most 300 characters. */
  quote(said: string): string {
    const text = this.hide(oneLine(said), longestQuote);
    // A pair of surrogates is not taken apart.
    return text.length > longestQuote ? `${text.slice(0, longestQuote).replace(/\p{Cs}/u, "")}…` : text;
  }
}

/** White space is often changed on the way: any run of it, and of what can't be printed, is one space. */
function oneLine(text: string): string {
  return text.replace(/[\p{C}\s]+/gu, " ").trim();
}

/**
 * The same for texts that differ in case alone, and as long: `İ` is the one letter that would grow, and `Σ` the one
 * whose small form depends on what follows.
 */
function comparable(text: string): string {
  return text.replaceAll("İ", "i").toLowerCase().replaceAll("ς", "σ");
}

/** How many characters of the secret stand here. */
function agreement(text: string, at: number, secret: string): number {
  let length = 0;
  while (length < secret.length && text[at + length] === secret[length]) length += 1;
  return length;
}
