/** Pages of the list of status pages: the walk through them ends, and gives every status page once. */
const assert = require("node:assert");
const { built } = require("../dist");

/** @type {typeof import("../../../provider/client/errors")} */
const { PagingError } = require(built("provider/client/errors"));
/** @type {typeof import("../../../provider/client/paging")} */
const { PagePromise } = require(built("provider/client/paging"));

/** @typedef {import("../../../provider/client/schemas").StatusPageList} StatusPageList */

const mostPages = 1_000;

/**
 * Each line is a page: ids between commas, then a bar and the cursor; `~` stands for one that counts up, and without a
 * bar there is none. After the last line it is given again and again.
 * @param {string} input
 */
async function run(input) {
  const lines = input.split("\n");
  /** @type {StatusPageList[]} */
  const given = [];
  /** @type {(string | undefined)[]} */
  const asked = [];
  const read = (/** @type {string | undefined} */ cursor) => {
    asked.push(cursor);
    assert.ok(asked.length <= mostPages + 1, "the walk doesn't end");
    given.push(pageOf(lines[Math.min(given.length, lines.length - 1)] ?? "", given.length));
    return Promise.resolve(given.at(-1) ?? { entries: [] });
  };
  /** @type {string[]} */
  const seen = [];
  const failure = await walk(new PagePromise(read, lines.length % 2 === 0), seen);
  assert.deepEqual(
    asked,
    [undefined, ...given.slice(0, -1).map(({ nextId }) => nextId)],
    "another cursor was sent",
  );
  assert.deepEqual(
    seen,
    [...new Set(given.flatMap(({ entries }) => entries.map(({ id }) => id)))],
    "not every page once",
  );
  const { nextId: last } = given.at(-1) ?? {};
  assert.equal(failure === undefined, !last, "it ends before the list does, or fails at its end");
}

/**
 * @param {AsyncIterable<{id: string}>} pages
 * @param {string[]} seen
 * @returns {Promise<unknown>} what it fails with
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
  const nextId = cursor.length === 0 ? undefined : cursor.join("|").replace("~", String(number));
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
