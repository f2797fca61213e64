/**
 * The environment of the tests of a file. What they leave running, such as a server or a process, would keep the command from ending,
 * so it fails their file, which names it.
 */
const { createRequire } = require("node:module");
const { setTimeout: wait } = require("node:timers/promises");

/** Jest's own environment, of the version that runs. */
const { TestEnvironment } = createRequire(require.resolve("jest"))("jest-environment-node");

/** For what ends by itself, such as a process that was killed. */
const longestMs = 5_000;
/** What a test can leave: servers, processes, timers, watchers and threads. Pipes and connections are of one of these, or Node's own. */
const counted = /Server|Process|Timeout|FSEvent|StatWatcher|Worker/;

class Leftovers extends TestEnvironment {
  /** What runs without a test, by kind. */
  #before = countsOf(process.getActiveResourcesInfo());

  async teardown() {
    await super.teardown();
    for (let waited = 0; waited < longestMs && this.#left().length > 0; waited += 50) await wait(50);
    const left = this.#left();
    if (left.length > 0) throw new Error(`These tests leave something running: ${left.join(", ")}.`);
  }

  #left() {
    const now = countsOf(process.getActiveResourcesInfo());
    return [...now].flatMap(([kind, count]) => {
      const more = count - (this.#before.get(kind) ?? 0);
      return more > 0 ? [`${more} ${kind}`] : [];
    });
  }
}

/** @param {readonly string[]} kinds */
function countsOf(kinds) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const kind of kinds) if (counted.test(kind)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

module.exports = Leftovers;
