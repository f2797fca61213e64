/**
 * Which folders of test/ a tier runs, or all others than those that it leaves out.
 * @typedef {{only: readonly string[], setUp?: string} | {without: readonly string[], setUp?: string}} Tier setUp: runs before each file
 */

const second = ["docs", "examples", "browser", "release", "journeys"];
const needPrograms = ["backends", "languages"];

/** @satisfies {Record<string, Tier>} */
const tiers = {
  main: { without: [...second, ...needPrograms] },
  /** Every guide, example and screen, by the commands that it shows, what a release has, and long journeys. */
  docs: { only: second },
  /** Stacks whose state is on a PostgreSQL server and in a bucket, on the real engine. */
  backends: { only: ["backends"] },
  /** Programs in YAML and Python on the real engine, and the SDK in Go. */
  languages: { only: ["languages"], setUp: "languages/environment.ts" },
  /** What `.ci/run` tests: the first two at once. */
  pipeline: { without: needPrograms },
};

/** @typedef {keyof typeof tiers} TierName */

/** The environment variable by which a command tells Jest the tier. */
const variable = "TEST_TIER";

/** @param {string} name @returns {name is TierName} */
const isTier = (name) => Object.hasOwn(tiers, name);

/** What Jest runs; the main tier when it is called without one of the commands. @returns {Tier} */
function chosenTier() {
  const name = process.env[variable] ?? "main";
  if (!isTier(name))
    throw new Error(`${variable} must be one of ${Object.keys(tiers).join(", ")}, not ${name}.`);
  return tiers[name];
}

module.exports = { chosenTier, isTier, tiers, variable };
