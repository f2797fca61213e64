/** Every interleaving of the protocol of incident updates, in configurations of one or two resources and contents. */
const { step } = require("../../scripts/setup/progress");
const { all, none } = require("../bars");
const { configurations, unguarded } = require("./configurations");
const { explore, modelOf } = require("./search");
const { switches } = require("./switches");

/** With more, the memory of a small machine would not suffice. */
const mostStates = 1_000_000;

/** @param {import("..").Options} options @returns {Promise<import("..").Figure[]>} */
async function stage({ short, replay }) {
  const chosen = configurations.filter(({ name }) => replay === undefined || name === replay);
  let states = 0;
  let incomplete = 0;
  let violations = 0;
  for (const config of chosen) {
    const larger = short ? config : { ...config, interleaves: true, bounds: config.larger ?? config.bounds };
    const explored = await step(`Explore: ${config.name}`, "seconds to minutes", () =>
      Promise.resolve(explore(modelOf(larger), mostStates)),
    );
    states += explored.states;
    if (explored.violation !== undefined) {
      violations++;
      console.log(
        `${config.name}: ${explored.violation}\n${explored.trace.map((line) => `  ${line}`).join("\n")}`,
      );
    } else if (!explored.isComplete) incomplete++;
  }
  const figures = [
    { what: "states", measured: String(states), bar: "" },
    { what: "configurations that were not finished", measured: String(incomplete), bar: "" },
    none("configurations with a violation", violations),
  ];
  if (replay !== undefined) return figures;
  const failing = unguarded.filter((config) => explore(modelOf(config)).violation?.startsWith(config.fails));
  const caught = await step("Explore: each rule switched off", "a minute", () =>
    Promise.resolve(switches.filter((each) => isCaught(each))),
  );
  return [
    ...figures,
    all("configurations outside the guarantee that fail", failing.length, unguarded.length),
    all("rules whose absence is caught", caught.length, switches.length),
  ];
}

/** Whether the named configuration fails without the rule. @param {import("./switches").Switch} off */
function isCaught({ caughtBy, replacements }) {
  const config = configurations.find(({ name }) => name === caughtBy);
  return config !== undefined && explore(modelOf(config, replacements)).violation !== undefined;
}

module.exports = { isCaught, stage };
