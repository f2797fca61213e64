/** Paging through the status pages ends, and gives every status page once. */
const assert = require("node:assert");
const { built } = require("../dist");

/** @type {typeof import("../../../provider/client/errors")} */
const { PagingError } = require(built("provider/client/errors"));
/** @type {typeof import("../../../provider/client/paging")} */
const { PagePromise } = require(built("provider/client/paging"));

/** @typedef {import("../../../provider/api").StatusPageList} StatusPageList */

const mostPages = 1_000;
const theEnd = "the list has ended";
const advice = "Raise `limit` (maximum 100), or report this to the service.";

/**
 * Each line is a page: ids between commas, then a bar and the cursor, in which `~` is the number of the page. Without a
 * bar the cursor is missing or, on every other page, null. The last page repeats.
 * @param {string} input
 */
async function run(input) {
  const lines = input.split("\n");
  /** @type {StatusPageList[]} */
  const given = [];
  /** @type {(string | null | undefined)[]} */
  const asked = [];
  /** @param {import("../../../provider/client/paging").PageRequest} request */
  const read = ({ cursor }) => {
    asked.push(cursor);
    assert.ok(asked.length <= mostPages, "paging doesn't end");
    const json = pageOf(lines[Math.min(given.length, lines.length - 1)] ?? "", given.length);
    given.push(json);
    return Promise.resolve({ json, check: () => json });
  };
  /** @type {string[]} */
  const seen = [];
  const failure = await walk(new PagePromise(read, { prefetch: lines.length % 2 === 0 }), seen);
  assert.deepEqual(
    asked,
    [undefined, ...given.slice(0, -1).map(({ nextId }) => nextId)],
    "another cursor was sent",
  );
  assert.deepEqual(
    seen,
    [...new Set(given.flatMap(({ entries }) => entries.map(({ id }) => id)))],
    "not every status page once",
  );
  checkEnd(given, failure);
}

/**
 * Paging has to end where the pages give a reason, and nowhere else.
 * @param {readonly StatusPageList[]} given
 * @param {Error | undefined} failure
 */
function checkEnd(given, failure) {
  const stops = stopsIn(given);
  const last = stops.pop() ?? [];
  assert.deepEqual(stops.flat(), [], "it continues where it has to stop");
  if (last.includes(theEnd)) {
    assert.equal(failure, undefined, "it fails at the end of the list");
    return;
  }
  assert.ok(failure !== undefined, "it ends before the list does");
  const entries = given.flatMap((page) => page.entries).length;
  const expected = last.map(
    (reason) =>
      `listStatusPages: ${reason}. Stopped after ${given.length} pages with ${entries} entries. ${advice}`,
  );
  assert.ok(expected.includes(failure.message), "it stops for another reason than the pages give");
}

/**
 * The reasons to stop after each page: only the last page may have any.
 * @param {readonly StatusPageList[]} given
 */
function stopsIn(given) {
  /** @type {Set<string>} */
  const cursors = new Set();
  return given.map(({ entries, nextId }, index) => {
    if (!nextId) return [theEnd];
    const reasons = [];
    if (cursors.has(nextId)) reasons.push("the service returned the same cursor twice");
    if (entries.length + (given[index - 1]?.entries.length ?? 1) === 0)
      reasons.push("the service returned two empty pages in a row that were not the last");
    if (index + 1 === mostPages) reasons.push("there are more than 1000 pages");
    cursors.add(nextId);
    return reasons;
  });
}

/**
 * @param {AsyncIterable<{id: string}>} pages
 * @param {string[]} seen
 * @returns {Promise<Error | undefined>}
 */
async function walk(pages, seen) {
  try {
    for await (const { id } of pages) seen.push(id);
    return undefined;
  } catch (error) {
    if (error instanceof PagingError) return error;
    throw error;
  }
}

/**
 * @param {string} line
 * @param {number} number
 * @returns {StatusPageList}
 */
function pageOf(line, number) {
  const [ids = "", ...cursor] = line.split("|");
  const entries = ids
    .split(",")
    .filter((id) => id !== "")
    .map((id) => ({ id, name: id }));
  const none = number % 2 === 0 ? undefined : null;
  const nextId = cursor.length === 0 ? none : cursor.join("|").replace("~", String(number));
  return {
    entries,
    length: entries.length % 3 === 0 ? null : entries.length,
    ...(nextId !== undefined && { nextId }),
  };
}

module.exports = {
  run,
  seeds: [
    "a,b,c",
    "a,b|1\nc,d|2\ne",
    "a|1\na|1\nb",
    "|1\n|2\na",
    "a|1\n|2\nb|3\n|4\nc|",
    "a|\nb",
    "a,a,b|x\nb,c|y\n,|",
    "a|~",
  ],
  words: ["a", ",", "|", "\n", "|1\n", "|\n", "a|1\n", "__proto__", "~", "\n\n", "|x\n|y\n"],
};
