/** What may be shown of a text that a stranger wrote, given the secrets that it must not contain. */

const hidden = "[hidden]";
const longestQuote = 300;
/** Encoded forms of a shorter secret would be so short that they stand in innocent words too. */
const leastEncoded = 8;

/** The forms in which a secret comes back: raw, base64, URL-encoded, JSON-escaped, and escaped once more. */
function formsOf(secret: string): string[] {
  if (secret.length < leastEncoded) return [secret];
  const escaped = JSON.stringify(secret).slice(1, -1);
  const bytes = Buffer.from(secret, "utf8");
  // Base64 of a text that merely contains the secret differs by where the secret begins: three alignments.
  const base64 = [0, 1, 2].map((shift) => {
    const encoded = Buffer.concat([Buffer.alloc(shift), bytes])
      .toString("base64")
      .replace(/=+$/, "");
    const whole = Math.floor(((shift + bytes.length) * 8) / 6);
    return encoded.slice(Math.ceil((shift * 8) / 6), whole);
  });
  return [
    secret,
    escaped,
    JSON.stringify(escaped).slice(1, -1),
    encodeURIComponent(secret),
    encodeURIComponent(secret).replace(/%20/g, "+"),
    bytes.toString("hex"),
    ...base64,
    ...base64.map((form) => form.replace(/\+/g, "-").replace(/\//g, "_")),
  ];
}

/** Takes secrets out of what the service says, and makes one short printable line of it. */
export class Quoter {
  readonly #forms: readonly string[];

  constructor(secrets: readonly string[]) {
    this.#forms = [...new Set(secrets.filter((secret) => secret !== "").flatMap(formsOf))]
      // The longest first: a form that stands inside another must not break it up.
      .sort((a, b) => b.length - a.length);
  }

  quote(said: string): string {
    let text = said;
    for (const form of this.#forms) text = text.split(form).join(hidden);
    text = text.replace(/[\p{C}\s]+/gu, " ").trim();
    return text.length > longestQuote ? `${text.slice(0, longestQuote)}…` : text;
  }
}
