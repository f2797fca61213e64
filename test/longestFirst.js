const Sequencer = require("@jest/test-sequencer").default;

/**
 * What takes longest: real processes, the explorer. Jest begins with the largest files where it
 * doesn't know yet how long each takes, and these are small.
 */
const longest = [
  "test/docs/guides",
  "test/examples/readmes",
  "test/explore/",
  "test/journeys/",
  "test/engine/",
  "test/release/",
  "test/docs/",
  "test/driver/",
  "test/examples/",
  "test/browser/",
];

/** @typedef {Parameters<import("@jest/test-sequencer").default["sort"]>[0]} Tests */

/** Begins with the tests that take longest, so that no worker waits at the end for one that began last. */
class LongestFirst extends Sequencer {
  /** @override @param {Tests} tests */
  async sort(tests) {
    const sorted = await super.sort(tests);
    return sorted.sort((one, other) => getRank(one) - getRank(other));
  }
}

/** Those whose time is known stay in Jest's order. @param {Tests[number]} test */
function getRank({ path, duration }) {
  if (duration !== undefined) return longest.length;
  const index = longest.findIndex((start) => path.replaceAll("\\", "/").includes(`/${start}`));
  return index === -1 ? longest.length + 1 : index;
}

module.exports = LongestFirst;
