/** Runs Stryker, which changes the code in one place at a time, on a group. */
const fs = require("node:fs");
const path = require("node:path");
const { root } = require("../../scripts/setup");
const { SetupFailure } = require("../../scripts/setup/failure");
const { groups } = require("./groups");
const { survivorsOf } = require("./survivors");

/**
 * @typedef {ReturnType<typeof survivorsOf> & {name: string, bar: number, met: boolean}} Measured
 */

/**
 * @param {string} name of a group
 * @param {string[]} [reporters] of progress
 * @returns {Promise<Measured>}
 */
async function measure(name, reporters = ["progress-append-only"]) {
  const group = groups[name];
  if (!group) throw new Error(`Unknown group: ${name}`);
  // Stryker would leave out a file that was renamed, without a word.
  const missing = group.mutate.filter((file) => !file.includes("*") && !fs.existsSync(path.join(root, file)));
  if (missing.length > 0) throw new SetupFailure(`There is no ${missing.join(", ")} to mutate.`);
  process.env.MUTANTS_TESTS = group.tests;
  const { Stryker } = await import("@stryker-mutator/core");
  const stryker = new Stryker({ mutate: [...group.mutate], reporters });
  const found = survivorsOf(await stryker.runMutationTest());
  const met = found.score >= group.bar && found.stale.length === 0;
  return { ...found, name, bar: group.bar, met };
}

/** Mutants to look at. @param {Measured} measured */
function remarksOn({ survivors, stale }) {
  return [...survivors, ...stale.map((entry) => `listed as equivalent, but killed or missing: ${entry}`)];
}

module.exports = { measure, remarksOn };
