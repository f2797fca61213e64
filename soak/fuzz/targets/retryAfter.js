/** `Retry-After`: any value gives a wait of at most a minute. */
const assert = require("node:assert");
const { built } = require("../dist");

/** @type {typeof import("../../../provider/client/retry")} */
const { waitAfter } = require(built("provider/client/retry"));

const now = Date.parse("2026-01-31T09:30:00Z");
const longestRequested = 60_000;
const longestBackoff = [250, 500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000, 8_000, 8_000];

/** The first character chooses the attempt, the rest is the header. @param {string} input */
function run(input) {
  const attempt = 1 + (input.charCodeAt(0) % 10 || 0);
  const retryAfter = input.slice(1);
  const response = {
    kind: /** @type {const} */ ("response"),
    status: 429,
    body: { text: "" },
    requestId: undefined,
    retryAfter,
  };
  const shortest = waitAfter(response, attempt, now, () => 0);
  const longest = waitAfter(response, attempt, now, () => 1);
  if (shortest === 0) {
    assert.equal(longest, longestBackoff[attempt - 1], "the wait isn't the usual backoff");
  } else {
    assert.equal(longest, shortest, "the requested wait isn't used");
    assert.ok(shortest > 0 && shortest <= longestRequested, "the wait isn't between 0 and a minute");
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
  assert.equal(wait, Math.min(seconds * 1_000, longestRequested), "the wait isn't the number of seconds");
}

/**
 * An HTTP date in the preferred format.
 * @param {string} header
 * @param {number} wait
 */
function checkDate(header, wait) {
  if (!/^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/.test(header)) return;
  const date = new Date(header);
  if (Number.isNaN(date.getTime()) || date.toUTCString() !== header) return;
  const requested = Math.max(0, date.getTime() - now);
  assert.equal(wait, Math.min(requested, longestRequested), "the wait doesn't end at the date");
}

const headers = [
  ...["", "7", "0", "060", "3600", "-5", "1.5", "soon"],
  ...["Sat, 31 Jan 2026 09:30:07 GMT", "Saturday, 31-Jan-26 09:30:07 GMT"],
  ...["Fri, 31 Dec 2100 23:59:59 GMT", "Fri, 31 Dec 1999 23:59:59 GMT"],
];

module.exports = {
  run,
  seeds: headers.flatMap((header) => ["\0", "\u0009"].map((attempt) => attempt + header)),
  words: [
    ...["Sat, ", "Saturday, ", "31 Jan 2026", "09:30:07", " GMT", " +0000", ", "],
    ...["1e3", "0x10", "9".repeat(400), "Infinity", "NaN"],
  ],
};
