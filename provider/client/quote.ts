/** What may be shown of a text that a stranger wrote, given the secrets that it must not contain. */

const hidden = "[hidden]";
const longestQuote = 300;
/** Encoded forms of a shorter secret would be so short that they stand in innocent words too. */
const leastEncoded = 8;

/** The forms in which a secret comes back: raw, URL-encoded, as HTML, base64, JSON-escaped, and escaped once more. */
function formsOf(secret: string): string[] {
  if (secret.length < leastEncoded) return [secret];
  const bytes = Buffer.from(secret);
  const escaped = JSON.stringify(secret).slice(1, -1);
  return [
    secret,
    escaped,
    JSON.stringify(escaped).slice(1, -1),
    // Made from the bytes: half a surrogate pair has no encoding.
    encodeURIComponent(bytes.toString()),
    new URLSearchParams([["", secret]]).toString().slice(1),
    secret.replace(/[&<>"']/g, (character) => htmlEntities[character] ?? character),
    bytes.toString("hex"),
    ...base64Forms(bytes),
  ];
}

const htmlEntities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

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
export class Quoter {
  readonly #secrets: RegExp;

  constructor(secrets: readonly string[]) {
    const forms = secrets.map((secret) => secret.trim()).filter((secret) => secret !== "");
    // The longest first: a form that stands inside another must not break it up.
    const longestFirst = forms.flatMap(formsOf).sort((a, b) => b.length - a.length);
    this.#secrets = new RegExp(longestFirst.map(patternOf).join("|"), "gi");
  }

  /** The text without the secrets. */
  hide(text: string): string {
    return text.replace(this.#secrets, hidden);
  }

  /** What the service said, without the secrets, as one line of at most 300 characters. */
  quote(said: string): string {
    const text = this.hide(said)
      .replace(/[\p{C}\s]+/gu, " ")
      .trim();
    return text.length > longestQuote ? `${text.slice(0, longestQuote)}…` : text;
  }
}

/** White space is often changed on the way: any run of it stands for any other. */
function patternOf(form: string): string {
  return form.replace(/[$()*+./?[\\\]^{|}-]/g, "\\$&").replace(/\s+/g, "\\s+");
}
