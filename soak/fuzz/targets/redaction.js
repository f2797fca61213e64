/** What the service says, with a secret in one of the forms in which it may come back. */
const assert = require("node:assert");
const { built } = require("../dist");
const { isPlainLine } = require("../plainLine");

/** @type {typeof import("../../../provider/client/secretMasker")} */
const { SecretMasker } = require(built("provider/client/secretMasker"));

const longest = 301;
const marker = "[hidden]";
const usual = "canary/0123456789+abcdef==";

/** @type {((secret: string) => string)[]} */
const forms = [
  (secret) => secret,
  (secret) => Array.from(secret, inCapitals).join(""),
  (secret) => JSON.stringify(secret).slice(1, -1),
  (secret) => encodeURIComponent(secret),
  (secret) => encodeURIComponent(secret).toLowerCase(),
  (secret) => new URLSearchParams({ a: secret }).toString().slice(2),
  (secret) => Buffer.from(secret).toString("base64"),
  (secret) => secret.replace(/ /g, "\r\n  "),
];

/** A letter whose capital is another letter's too, or more than one, stays as it is. @param {string} letter */
function inCapitals(letter) {
  const capital = letter.toUpperCase();
  return capital.toLowerCase() === letter.toLowerCase() ? capital : letter;
}

/** Lines: the secret, the number of a form, what stands before, and all else after it. @param {string} input */
function run(input) {
  const [given = "", number = "", before = "", ...after] = input.split("\n");
  // Half a character has no encoding, and nothing can't be looked for.
  const trimmed = given.replace(/\p{Cs}/gu, "").trim() || usual;
  const masker = new SecretMasker([given, ` ${trimmed}`]);
  const form = forms[number.charCodeAt(0) % forms.length] ?? String;
  const encoded = form(trimmed);
  const shown = masker.maskMessage(before + encoded + after.join("\n"));
  assert.ok(isPlainLine(shown, longest), "what is shown isn't one short printable line of whole characters");
  assert.ok(!holds(shown, trimmed), "the secret is shown");
  if (trimmed.length >= 8) assert.ok(!holds(shown, encoded.trim()), "the secret is shown in another form");
}

/**
 * Whether it is there, not counting what stands in the place of secrets.
 * @param {string} shown
 * @param {string} secret
 */
function holds(shown, secret) {
  if (secret === "" || marker.includes(secret.toLowerCase())) return false;
  const parts = shown.split(marker);
  return parts.some((part) => part.includes(secret) || part.toLowerCase().includes(secret.toLowerCase()));
}

const secrets = [
  usual,
  'Capacity <b>is</b> added & "more" to come.',
  "a.b*c$d^e|f\\g(h)[i]{j}",
  "ΑΣΦΑΛΕΣ ΟΔΟΣ",
  "canary/'34>bcdef==",
  "short",
];

module.exports = {
  run,
  seeds: secrets.flatMap((secret) =>
    forms.map((_, index) => `${secret}\n${String.fromCharCode(index)}\nThe key \nis not known.`),
  ),
  words: [
    ...secrets,
    "%2F",
    "\\u0041",
    "\\\\",
    "\\n",
    "\n",
    "\r\n ",
    "x".repeat(300),
    "😀".repeat(150),
    marker,
  ],
};
