/** Secrets that the service repeats escaped, or in another Unicode form. */
import { SecretMasker } from "../../provider/client/secretMasker";

const secret = 'Störung: Tom & Jerry\'s <Acme>/"Müller" verliert c:\\data';
const html = secret
  .replaceAll("&", "&amp;")
  .replaceAll("<", "&lt;")
  .replaceAll(">", "&gt;")
  .replaceAll('"', "&quot;");
const ascii = (text: string) =>
  text.replace(/[^ -~]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
const json = (text: string) => JSON.stringify(text).slice(1, -1);

test.each([
  ["HTML, with a decimal apostrophe", html.replace("'", "&#39;")],
  ["HTML, with a hexadecimal apostrophe", html.replace("'", "&#x27;")],
  ["HTML, with a named apostrophe", html.replace("'", "&apos;")],
  ["HTML, twice", html.replaceAll("&", "&amp;")],
  ["JSON in ASCII", ascii(json(secret))],
  ["JSON in ASCII, twice", json(ascii(json(secret)))],
  ["JSON with escaped slashes", json(secret).replaceAll("/", "\\/")],
  ["JSON that escapes what HTML does", json(secret).replaceAll("&", "\\u0026").replaceAll("<", "\\u003C")],
  ["HTML of JSON in ASCII", ascii(html)],
  ["another Unicode form", secret.normalize("NFD")],
  ["HTML in a path", encodeURIComponent(secret).replaceAll("'", "&#39;")],
])("a secret is masked in %s", (_, form) => {
  expect(new SecretMasker([secret]).maskMessage(`Sent: ${form}.`)).toBe("Sent: [hidden].");
});

test.each([(text: string) => text, encodeURIComponent])("a secret in NFD is masked in NFC: %p", (encode) => {
  const masker = new SecretMasker(["Störung bei Müller".normalize("NFD")]);
  expect(masker.maskMessage(`Sent: ${encode("Störung bei Müller")}.`)).toBe("Sent: [hidden].");
});

test.each([json, (text: string) => json(json(text))])(
  "lines of a secret are masked in JSON: %p",
  (escape) => {
    const lines = "The first line\nand another one";
    expect(new SecretMasker([lines]).maskMessage(`Sent: ${escape(lines)}.`)).toBe("Sent: [hidden].");
  },
);

test("a secret that contains an escape is masked as it is, without the white space around it", () => {
  const escaped = "Tom &amp; Jerry's launch";
  const masker = new SecretMasker([`  ${escaped}  `]);
  expect(masker.mask(`${escaped}, ${encodeURIComponent(escaped)}`)).toBe("[hidden], [hidden]");
});

test("a secret is masked from 12 characters on, when only its escaped beginning is quoted", () => {
  const masker = new SecretMasker(["Müller & Söhne are down"]);
  expect(masker.maskMessage("Sent: M\\u00fcller &amp; S\\u00f6hne…")).toBe("Sent: [hidden]…");
});

test("escapes in a message without a secret stay as they are", () => {
  const message = "name must match ^[^&lt;\\d\\n\\u00e4]+$";
  expect(new SecretMasker([secret]).maskMessage(message)).toBe(message);
});

test("a message that is escaped many times is masked in time", () => {
  const message = `${"&#3&#5".repeat(100_000)}${"4;".repeat(100_000)}${"\\".repeat(1_000_000)}`;
  expect(new SecretMasker([secret]).maskMessage(message)).toHaveLength(301);
});
