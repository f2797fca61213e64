/**
 * Jest's environment for the tests of one file. A server or a process that a test leaves running would prevent the command from ending.
 * Therefore, it fails the file, with its kind in the message. Child processes print the same output in a terminal as elsewhere.
 */
const { createRequire } = require("node:module");
const { setTimeout: wait } = require("node:timers/promises");

/** Jest's default environment, from the version of Jest that runs. */
const { TestEnvironment } = createRequire(require.resolve("jest"))("jest-environment-node");

/** How long to wait for resources that end by themselves, such as a killed process. */
const longestMs = 5_000;
/** The kinds of resources that a test can leave running. Pipes and connections belong to one of these or to Node. */
const counted = /Server|Process|Timeout|FSEvent|StatWatcher|Worker/;

/** The variables that turn colors on or off, such as COLORTERM, COLOR, FORCE_COLOR and NO_COLOR. */
const ofColors = /color/i;

class Isolation extends TestEnvironment {
  /** The number of resources that exist before the tests, by kind. */
  #before = countKinds(process.getActiveResourcesInfo());
  /** @type {NodeJS.ProcessEnv} */
  #colors = {};

  /** @param {{name: string}} event @param {{unhandledErrors: Error[]}} state */
  async handleTestEvent({ name }, { unhandledErrors }) {
    // The variables aren't removed earlier, because Jest colors its own output according to them.
    if (name === "setup") this.#takeColors();
    // An error that `teardown` throws would replace the tests' errors, so the error is added when the tests end.
    if (name === "run_finish") unhandledErrors.push(...(await this.#leftovers()));
  }

  async teardown() {
    // The next test file of this process starts with the original variables.
    Object.assign(process.env, this.#colors);
    await super.teardown();
  }

  #takeColors() {
    // A test has a copy of the variables. A child process that is started without an environment inherits the variables of this process.
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

/** Removes the variables that turn colors on or off. @param {NodeJS.ProcessEnv} env @returns {NodeJS.ProcessEnv} the removed variables */
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
