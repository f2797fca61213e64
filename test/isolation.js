/**
 * The environment of the tests of a file. What they leave running, such as a server or a process, would keep the command from ending,
 * so it fails their file, which names it. What they start prints in a terminal what it prints elsewhere.
 */
const { createRequire } = require("node:module");
const { setTimeout: wait } = require("node:timers/promises");

/** Jest's own environment, of the version that runs. */
const { TestEnvironment } = createRequire(require.resolve("jest"))("jest-environment-node");

/** For what ends by itself, such as a process that was killed. */
const longestMs = 5_000;
/** What a test can leave: servers, processes, timers, watchers and threads. Pipes and connections are of one of these, or Node's own. */
const counted = /Server|Process|Timeout|FSEvent|StatWatcher|Worker/;

/** Variables by which terminals, npm and jest ask for colors, and users for none, such as COLORTERM, COLOR, FORCE_COLOR and NO_COLOR. */
const ofColors = /color/i;

class Isolation extends TestEnvironment {
  /** What runs without a test, by kind. */
  #before = countKinds(process.getActiveResourcesInfo());
  /** @type {NodeJS.ProcessEnv} */
  #colors = {};

  /** @param {{name: string}} event @param {{unhandledErrors: Error[]}} state */
  async handleTestEvent({ name }, { unhandledErrors }) {
    // Not before, because jest colors the differences that it shows as they say.
    if (name === "setup") this.#takeColors();
    // An error that teardown() throws would replace those of the tests.
    if (name === "run_finish") unhandledErrors.push(...(await this.#leftovers()));
  }

  async teardown() {
    // The next file of this process begins like the first.
    Object.assign(process.env, this.#colors);
    await super.teardown();
  }

  #takeColors() {
    // A test has a copy of the variables, but a child that gets none from it inherits those of this process.
    this.#colors = takeColors(process.env);
    takeColors(this.global.process.env);
  }

  async #leftovers() {
    for (let waited = 0; waited < longestMs && this.#left().length > 0; waited += 50) await wait(50);
    const left = this.#left();
    return left.length > 0 ? [new Error(`These tests leave something running: ${left.join(", ")}.`)] : [];
  }

  #left() {
    const now = countKinds(process.getActiveResourcesInfo());
    return [...now].flatMap(([kind, count]) => {
      const more = count - (this.#before.get(kind) ?? 0);
      return more > 0 ? [`${more} ${kind}`] : [];
    });
  }
}

/** Removes the variables of colors. @param {NodeJS.ProcessEnv} env @returns {NodeJS.ProcessEnv} what it removed */
function takeColors(env) {
  const taken = Object.entries(env).filter(([name]) => ofColors.test(name));
  for (const [name] of taken) Reflect.deleteProperty(env, name);
  return Object.fromEntries(taken);
}

/** @param {readonly string[]} kinds */
function countKinds(kinds) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const kind of kinds) if (counted.test(kind)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

module.exports = Isolation;
