/** Changes the code in one place at a time, and runs the tests that are to tell. */
const { groups } = require("./groups");
const { survivorsOf } = require("./survivors");

/**
 * @typedef {ReturnType<typeof survivorsOf> & {name: string, bar: number, met: boolean}} Measured
 */

/**
 * @param {string} name of a group
 * @param {string[]} [reporters] who hears how far it is
 * @returns {Promise<Measured>}
 */
async function measure(name, reporters = ["progress-append-only"]) {
  const group = groups[name];
  if (!group) throw new Error(`No group is called ${name}.`);
  process.env.MUTANTS_TESTS = group.tests;
  const { Stryker } = await import("@stryker-mutator/core");
  const stryker = new Stryker({ mutate: [...group.mutate], reporters });
  const found = survivorsOf(await stryker.runMutationTest());
  const met = found.score >= group.bar && found.stale.length === 0;
  return { ...found, name, bar: group.bar, met };
}

/** What to look at. @param {Measured} measured */
function remarksOn({ survivors, stale }) {
  return [...survivors, ...stale.map((entry) => `no longer equivalent, or gone: ${entry}`)];
}

module.exports = { measure, remarksOn };
