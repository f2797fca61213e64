/** Every interleaving of the protocol of incident updates, in configurations of one or two resources and contents. */
const { step } = require("../../tools/setup/run");
const { adapters } = require("../driver/adapters");
const { all, none } = require("../../tools/tables");
const { configurations, unguarded } = require("./configurations");
const { drawn, mostStates: mostDrawnStates } = require("./configurations/drawn");
const { randomTraces, randomCommands } = require("./randomTraces");
const { replay } = require("./replay");
const { explore, modelOf } = require("./search");
const { textOf } = require("./engine");
const { isCaught, switches } = require("./switches");

/** @typedef {import("./world").Configuration} Configuration */

/** With more, the memory of a small machine would not suffice. */
const mostStates = 1_000_000;
/** @param {import("../soak").Options} options @returns {Promise<import("../../tools/tables").Figure[]>} */
async function stage({ short, seed, replay: only, engine }) {
  if (engine !== undefined) return [await randomCommands(configurations, { seed, count: engine, only })];
  const [, ofName = seed] = /^drawn \d+ of seed (\d+)$/.exec(only ?? "") ?? [];
  const services = drawn(Number(ofName), short ? 100 : 1_000);
  const chosen = [...configurations, ...(only === undefined ? [] : [...unguarded, ...services])].filter(
    ({ name }) => only === undefined || name === only,
  );
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
      console.log(`${config.name}: ${explored.violation}\n${textOf(explored.trace)}`);
      for (const adapter of adapters) console.log(await replayed(explored.trace, adapter));
    } else if (!explored.isComplete) incomplete++;
  }
  const figures = [
    { what: "states", measured: String(states), bar: "" },
    { what: "configurations that were not finished", measured: String(incomplete), bar: "" },
    none("configurations with a violation", violations),
    await randomTraces(chosen, { seed, each: short ? 1 : 10 }),
  ];
  if (only !== undefined) return figures;
  const wrong = await step(`Explore: ${services.length} drawn services`, "minutes", () =>
    Promise.resolve(services.filter(isViolated)),
  );
  const failing = unguarded.filter((config) => explore(modelOf(config)).violation?.startsWith(config.fails));
  const caught = await step("Explore: each rule switched off", "a minute", () =>
    Promise.resolve(switches.filter((each) => isCaught(each))),
  );
  return [
    ...figures,
    none("drawn services with a violation", wrong.length),
    all("configurations outside the guarantee that fail", failing.length, unguarded.length),
    all("rules whose absence is caught", caught.length, switches.length),
  ];
}

/** @param {readonly import("./engine").Step[]} trace @param {import("../driver/adapters").Adapter} adapter */
async function replayed(trace, adapter) {
  const { posts, mismatch } = await replay(trace, adapter);
  return mismatch === undefined
    ? `The ${adapter.name} provider does the same, with ${posts} posts.`
    : `The ${adapter.name} provider does something else. ${mismatch}`;
}

/** Says what is violated, and how to see it. @param {Configuration} config */
function isViolated(config) {
  const { violation } = explore(modelOf(config), mostDrawnStates);
  if (violation !== undefined) console.log(`${violation}: npm run soak -- explore --replay "${config.name}"`);
  return violation !== undefined;
}

module.exports = { stage };
