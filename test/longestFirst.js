const Sequencer = require("@jest/test-sequencer").default;

/**
 * Tests that take the longest, because they start real processes or explore states. Jest would otherwise start with the largest files
 * while their durations are unknown, and these files are small.
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

/** Starts the longest tests first, so that no worker is still running one when the others have finished. */
class LongestFirst extends Sequencer {
  /** @override @param {Tests} tests */
  async sort(tests) {
    const sorted = await super.sort(tests);
    return sorted.sort((one, other) => getRank(one) - getRank(other));
  }
}

/** Keeps Jest's order for tests whose duration is known. @param {Tests[number]} test */
function getRank({ path, duration }) {
  if (duration !== undefined) return longest.length;
  const index = longest.findIndex((start) => path.replaceAll("\\", "/").includes(`/${start}`));
  return index === -1 ? longest.length + 1 : index;
}

module.exports = LongestFirst;
