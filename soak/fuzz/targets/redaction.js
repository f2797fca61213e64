/** Quoted text of the service, with a secret in one of the encodings in which it may be echoed. */
const assert = require("node:assert");
const { built } = require("../dist");
const { isPlainLine } = require("../plainLine");

/** @type {typeof import("../../../provider/client/secretMasker")} */
const { SecretMasker } = require(built("provider/client/secretMasker"));

const longest = 301;
const marker = "[hidden]";
const usual = "canary/0123456789+abcdef==";

/** @type {((secret: string) => string)[]} */
const encodings = [
  (secret) => secret,
  (secret) => Array.from(secret, upperCased).join(""),
  (secret) => JSON.stringify(secret).slice(1, -1),
  (secret) => encodeURIComponent(secret),
  (secret) => encodeURIComponent(secret).toLowerCase(),
  (secret) => new URLSearchParams({ a: secret }).toString().slice(2),
  (secret) => Buffer.from(secret).toString("base64"),
  (secret) => secret.replace(/ /g, "\r\n  "),
];

/** A letter without an own upper case of one letter stays as it is. @param {string} letter */
function upperCased(letter) {
  const upper = letter.toUpperCase();
  return upper.toLowerCase() === letter.toLowerCase() ? upper : letter;
}

/** Lines: the secret, the number of an encoding, the text before it, the text after it. @param {string} input */
function run(input) {
  const [given = "", number = "", before = "", ...after] = input.split("\n");
  // A lone surrogate has no encoding, and an empty secret can't be searched for.
  const trimmed = given.replace(/\p{Cs}/gu, "").trim() || usual;
  const masker = new SecretMasker([given, ` ${trimmed}`]);
  const encode = encodings[number.charCodeAt(0) % encodings.length] ?? String;
  const encoded = encode(trimmed);
  const shown = masker.maskMessage(before + encoded + after.join("\n"));
  assert.ok(isPlainLine(shown, longest), "the quote isn't one short printable line");
  assert.ok(!contains(shown, trimmed), "the secret is shown");
  if (trimmed.length >= 8)
    assert.ok(!contains(shown, encoded.trim()), "the secret is shown in another encoding");
}

/**
 * Whether the text contains the secret, not counting the markers of hidden secrets.
 * @param {string} shown
 * @param {string} secret
 */
function contains(shown, secret) {
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
    encodings.map((_, index) => `${secret}\n${String.fromCharCode(index)}\nThe key \nis not known.`),
  ),
  words: [
    ...secrets,
    ...["%2F", "\\u0041", "\\\\", "\\n", "\n", "\r\n ", "x".repeat(300), "😀".repeat(150), marker],
  ],
};
