/** Prints what is found in all configurations of a kind, or with each rule switched off, as JSON by name. */
const { configurations, unguarded } = require("./configurations");
const { drawn, mostStates } = require("./configurations/drawn");
const { explore, modelOf } = require("./search");
const { isCaught, switches } = require("./switches");

/** @param {import("./world").Configuration} config @param {number} [most] states to visit */
function foundIn(config, most) {
  const { violation, trace, isComplete } = explore(modelOf(config), most);
  return { violation, trace: trace.map(({ label }) => label), isComplete };
}

/** @type {Record<string, () => (readonly [name: string, found: unknown])[]>} */
const kinds = {
  configurations: () => [...configurations, ...unguarded].map((config) => [config.name, foundIn(config)]),
  drawn: () => drawn(1, 20).map((config) => [config.name, foundIn(config, mostStates)]),
  switches: () => switches.map((off) => [off.name, { isCaught: isCaught(off) }]),
};

const found = process.argv.slice(2).flatMap((kind) => kinds[kind]?.() ?? []);
console.log(JSON.stringify(Object.fromEntries(found)));
