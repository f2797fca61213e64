/** `Retry-After`: whatever it says, the wait is one that a call can make. */
const assert = require("node:assert");
const { built } = require("../dist");

/** @type {typeof import("../../../provider/client/retry")} */
const { waitAfter } = require(built("provider/client/retry"));

const now = Date.parse("2026-01-31T09:30:00Z");
const longestAsked = 60_000;
const longestDrawn = [250, 500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000, 8_000, 8_000];

/** The first character chooses the attempt, the rest is the header. @param {string} input */
function run(input) {
  const attempt = 1 + (input.charCodeAt(0) % 10 || 0);
  const retryAfter = input.slice(1);
  const answer = {
    kind: /** @type {const} */ ("response"),
    status: 429,
    body: { text: "" },
    requestId: undefined,
    retryAfter,
  };
  const shortest = waitAfter(answer, attempt, now, () => 0);
  const longest = waitAfter(answer, attempt, now, () => 1);
  if (shortest === 0) {
    assert.equal(longest, longestDrawn[attempt - 1], "the wait isn't drawn as described");
  } else {
    assert.equal(longest, shortest, "a wait that was asked for isn't kept to");
    assert.ok(shortest > 0 && shortest <= longestAsked, "the wait is longer than a minute, or none");
  }
  checkSeconds(retryAfter, shortest);
  checkDate(retryAfter, shortest);
}

/**
 * @param {string} header
 * @param {number} wait
 */
function checkSeconds(header, wait) {
  const [, digits] = /^0*(\d+)$/.exec(header) ?? [];
  if (digits === undefined) return;
  const seconds = digits.length > 3 ? 1_000 : Number(digits);
  assert.equal(wait, Math.min(seconds * 1_000, longestAsked), "so many seconds were asked for");
}

/**
 * An HTTP date, in the one form that services send.
 * @param {string} header
 * @param {number} wait
 */
function checkDate(header, wait) {
  if (!/^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/.test(header)) return;
  const moment = new Date(header);
  if (Number.isNaN(moment.getTime()) || moment.toUTCString() !== header) return;
  const asked = Math.max(0, moment.getTime() - now);
  assert.equal(wait, Math.min(asked, longestAsked), "a wait until then was asked for");
}

const headers = [
  "7",
  "0",
  "060",
  "3600",
  "-5",
  "1.5",
  "soon",
  "",
  "Sat, 31 Jan 2026 09:30:07 GMT",
  "Saturday, 31-Jan-26 09:30:07 GMT",
  "Fri, 31 Dec 2100 23:59:59 GMT",
  "Fri, 31 Dec 1999 23:59:59 GMT",
];

module.exports = {
  run,
  seeds: headers.flatMap((header) => ["\0", "\u0009"].map((attempt) => attempt + header)),
  words: [
    "Sat, ",
    "Saturday, ",
    "31 Jan 2026",
    "09:30:07",
    " GMT",
    " +0000",
    "1e3",
    "0x10",
    "9".repeat(400),
    "Infinity",
    "NaN",
    ", ",
  ],
};
