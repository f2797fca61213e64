import { SecretMasker } from "../../provider/client/secretMasker";
import { fc } from "../propertySeed";

const masked = (text: string, ...secrets: string[]) => new SecretMasker(secrets).maskMessage(text);
const base64 = (text: string) => Buffer.from(text).toString("base64").replace(/=+$/, "");

type Encode = (text: string) => string;
const json: Encode = (text) => JSON.stringify(text).slice(1, -1);
const hex: Encode = (text) => Buffer.from(text).toString("hex");
const inAscii: Encode = (text) =>
  text.replace(/[^ -~]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const html: Encode = (text) => text.replace(/[&<>"]/g, (sign) => entities[sign] ?? "");

/** The encodings in which a client or a proxy sends a secret. Base64 is tested below. */
const encodings: Encode[] = [
  (text) => text,
  (text) => text.toUpperCase(),
  json,
  encodeURIComponent,
  (text) => new URLSearchParams({ a: text }).toString().slice(2),
  hex,
  (text) => hex(text).replace(/../g, "%$&"),
];
/** Encodings in URLs by other programs, which encode fewer characters, or encode the text twice. */
const inUrls: Encode[] = [
  (text) => encodeURIComponent(text).replace(/%(2F|2B|3D)/g, decodeURIComponent),
  (text) => encodeURIComponent(encodeURIComponent(text)),
];
/** The ways in which a service or a proxy escapes text that it repeats, possibly several times. */
const escapes: Encode[] = [
  json,
  (text) => inAscii(json(text)),
  (text) => json(text).replaceAll("/", "\\/"),
  (text) => json(text).replaceAll("&", "\\u0026").replaceAll("<", "\\u003C"),
  ...["&#39;", "&#x27;", "&apos;"].map((sign) => (text: string) => html(text).replaceAll("'", sign)),
  (text) => text.normalize("NFD"),
  (text) => text.replaceAll(" ", "\r\n\t "),
];

const secrets = fc
  .string({ unit: fc.constantFrom(...Array.from("09 /+%=\"'<>&\\;{}~!-€üÖ😀")), minLength: 6, maxLength: 40 })
  .map((text) => `key-01${text.replace(/ +/g, " ")}z`);

test("a secret is masked in each encoding, in either Unicode form, however often it is escaped", () => {
  const forms = fc.constantFrom("NFC", "NFD");
  const escaped = fc.array(fc.constantFrom(...escapes), { maxLength: 3 });
  fc.assert(
    fc.property(
      secrets,
      forms,
      fc.constantFrom(...encodings, ...inUrls),
      escaped,
      (text, form, encode, applied) => {
        const secret = text.normalize(form);
        const masker = new SecretMasker([` ${secret} `]);
        const sent = encode(secret.includes("\\") ? secret : text.normalize("NFC"));
        const received = applied.reduce((before, escape) => escape(before), sent);
        expect(masker.maskMessage(`(${received})`)).toBe("([hidden])");
        if (form === "NFC" && encodings.includes(encode))
          expect(masker.mask(`(${sent.replace(/\s+/g, " ")})`)).toBe("([hidden])");
      },
    ),
  );
});

test.each(encodings)("a secret is masked as a client or a proxy sends it: %s", (encode) => {
  const secret = 'key-01 "quoted", 100 % + ü';
  expect(new SecretMasker([secret]).mask(`(${encode(secret)})`)).toBe("([hidden])");
});

test.each([0, 1, 2, 3])(
  "a secret is masked in base64 within a longer string, after %i other bytes",
  (before) => {
    const text = base64(`${"x".repeat(before)}??>>ÿ~~?>-key`);
    const [begin, end] = [Math.ceil((before * 8) / 6), Math.floor(((before + 14) * 8) / 6)];
    for (const form of [text, text.replaceAll("+", "-").replaceAll("/", "_")])
      expect(masked(form, "??>>ÿ~~?>-key")).toBe(`${form.slice(0, begin)}[hidden]${form.slice(end)}`);
  },
);

const [one, two] = ["1111-aaaa", "2222-bbbb"];
const [shorter, longer] = ["key-0123456789", "key-0123456789-abc"];
const [alphabet, padded, lines] = ["abcdefghijklmnop", " secret-key-9\n", "The first line\nand another"];
const [seven, eight] = [base64("seven-7"), base64("eight-88")];

test.each<[what: string, text: string, secrets: string[], expected: string]>([
  ["each of several", `one: ${one}, ${two} and ${one}`, [one, two], "one: [hidden], [hidden] and [hidden]"],
  ["completely, if it starts like an earlier secret", longer, [shorter, longer], "[hidden]"],
  ["if its first 12 characters are quoted", "Sent: abcdefghijkl…", [alphabet], "Sent: [hidden]…"],
  ["if its middle is quoted", "Near 'cdefghijklmn' in it", [alphabet], "Near '[hidden]' in it"],
  ["if its end is quoted", "…efghijklmnop!", [alphabet], "…[hidden]!"],
  ["if adjacent parts are quoted", "bcdefghijklmxefghijklmnop", [alphabet], "[hidden]x[hidden]"],
  ["if more than 12 are quoted", "Near 'bcdefghijklmno' in it", [alphabet], "Near '[hidden]' in it"],
  ["if part of its base64 is quoted", `${base64(alphabet).slice(0, 14)}…`, [alphabet], "[hidden]…"],
  ["without the space before a quoted part", "at bcdefghijklmn", ["xx bcdefghijklmn"], "at [hidden]"],
  ["each time, even if it is the second character", `(${one}, ${one}`, [one], "([hidden], [hidden]"],
  ["after its percent signs were decoded", "it is key-9-value", ["key%2D9%2Dvalue"], "it is [hidden]"],
  ["even after its spaces became plus signs", "(it+is+key-9", ["it is key%2D9"], "([hidden]"],
  ["unless fewer are quoted", "Sent: abcdefghijk…", [alphabet], "Sent: abcdefghijk…"],
  [
    "if 12 are quoted with escapes",
    "M\\u00fcller &amp; S\\u00f6hne…",
    ["Müller & Söhne are down"],
    "[hidden]…",
  ],
  ["over its lines, in JSON", `${json(lines)}, ${json(json(lines))}`, [lines], "[hidden], [hidden]"],
  // Found by fuzzing. At the end of a word, the lower case of Σ is a different letter.
  ["in any case", "ΟΔΟΣα ΟΔΟΣ οδός οδοσ", ["ΟΔΟΣ"], "[hidden]α [hidden] οδός [hidden]"],
  ["if its lower case is longer", "İİ secret-İx x", ["secret-İx"], "İİ [hidden] x"],
  ["if its upper case is longer", "ßß secret-ßx x", ["secret-ßx"], "ßß [hidden] x"],
  ["without whitespace around it", `${padded}, ${base64(padded.trim())}`, [padded], "[hidden] , [hidden]"],
  ["without half a surrogate pair", "it is secret-value, no", ["secret-value\ud800"], "it is [hidden], no"],
  ["with 7 characters, but not encoded", `seven-7 ${seven}`, ["seven-7"], `[hidden] ${seven}`],
  ["with 8 characters", `eight-88 ${eight}`, ["eight-88"], `[hidden] [hidden]${eight.slice(10)}`],
  ["only if there is one", "The key is not known.", ["", " \n"], "The key is not known."],
  ["and escapes of anything else stay", "^[^&lt;\\d\\u00e4]+$", [one], "^[^&lt;\\d\\u00e4]+$"],
])("a secret is masked %s: %j", (_, text, secrets, expected) => {
  expect(masked(text, ...secrets)).toBe(expected);
});

test("a secret that contains an escape is masked literally, without the white space around it", () => {
  const escaped = "Tom &amp; Jerry's launch";
  const masker = new SecretMasker([`  ${escaped}  `]);
  expect(masker.mask(`${escaped}, ${encodeURIComponent(escaped)}`)).toBe("[hidden], [hidden]");
});

const nested = (text: string) => ({ a: [7, { [text]: [null, text] }], b: "x" });
type Row = [key: string, json: unknown, shown?: unknown];
test.each<Row>([
  [` ${shorter} `, shorter, "[hidden]"],
  [shorter, `<${shorter.toUpperCase()}>`, "[hidden]"],
  [shorter, base64(shorter), "[hidden]"],
  [shorter, nested(shorter), nested("[hidden]")],
  [shorter, { [shorter]: 1 }, { "[hidden]": 1 }],
  [shorter, { a: [shorter], b: null }, { a: ["[hidden]"], b: null }],
  ["eight-88", "eight-88", "[hidden]"],
  ["seven-7", "seven-7"],
  ["", "a"],
  ...[null, 7, "", shorter.slice(1), "other secret", nested("x")].map((json): Row => [shorter, json]),
])(
  "the API key %j is hidden in the JSON of a response if it has at least 8 characters",
  (key, json, ...[shown]) => {
    const body = { json };
    const isFound = new SecretMasker([key, "other secret"]).hideKey(body);
    expect([isFound, body.json]).toEqual([shown !== undefined, shown ?? json]);
  },
);

test("the API key is hidden even next to more fields than a function accepts arguments", () => {
  const json = { ...Object.fromEntries(Array.from({ length: 150_000 }, (_, index) => [index, 1])), shorter };
  new SecretMasker([shorter]).hideKey({ json });
  expect(json.shorter).toBe("[hidden]");
});

test.each([
  [" \0 two\r\n\n lines\u202e,\u200b three \t words\ud800 ", "two lines , three words"],
  ["x".repeat(300), "x".repeat(300)],
  ["x".repeat(301), `${"x".repeat(300)}…`],
  [`${"x".repeat(292)}secret-key more`, `${"x".repeat(292)}[hidden]…`],
  ["secret-key ".repeat(1_000), `${"[hidden] ".repeat(34).slice(0, 300)}…`],
  // Found by fuzzing. Truncation left the first half of a surrogate pair.
  [`${"x".repeat(299)}😀`, `${"x".repeat(299)}…`],
])(
  "a message is one printable line of at most 300 characters, and shows that it was truncated",
  (text, shown) => {
    expect(masked(text, "secret-key")).toBe(shown);
  },
);

test("a message with many levels of escapes is masked quickly", () => {
  const message = `${"&#3&#5".repeat(100_000)}${"4;".repeat(100_000)}${"\\".repeat(1_000_000)}`;
  expect(masked(message, "Störung bei Müller")).toHaveLength(301);
});
