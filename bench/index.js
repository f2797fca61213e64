require("../scripts/setup/nodeVersion");
const { command } = require("../scripts/command");
const { prepareBuild } = require("../scripts/setup");
const { SetupFailure } = require("../scripts/setup/failure");

/**
 * @typedef {object} Figure
 * @property {string} what
 * @property {string} measured
 * @property {string} [bar] what it should be
 * @property {boolean} [met] whether it is
 *
 * @typedef {() => Promise<Figure[]>} Bench
 */

/** @type {Record<string, () => Bench>} */
const benches = {
  audit: () => require("./audit").bench,
  client: () => require("./client").bench,
  engine: () => require("./engine").bench,
  import: () => require("./import").bench,
  kills: () => require("./kills").bench,
};

/** `npm run bench`: all benches, or those that are named: `npm run bench -- client`. Fails when a bar is missed. */
command(async () => {
  const named = process.argv.slice(2);
  const unknown = named.filter((name) => !benches[name]);
  if (unknown.length > 0) {
    throw new SetupFailure(
      `No bench is called ${unknown.join(", ")}. There are: ${Object.keys(benches).join(", ")}`,
    );
  }
  await prepareBuild();
  let missed = 0;
  for (const [name, load] of Object.entries(benches)) {
    if (named.length > 0 && !named.includes(name)) continue;
    const figures = await load()();
    console.log(`${name}\n${table(figures)}\n`);
    missed += figures.filter(({ met }) => met === false).length;
  }
  return missed === 0 ? 0 : 1;
});

/** @param {Figure[]} figures */
function table(figures) {
  const widest = Math.max(...figures.map(({ what }) => what.length));
  return figures
    .map(({ what, measured, bar, met }) => {
      const verdict = bar === undefined ? "" : `   ${bar} ${met ? "ok" : "MISSED"}`;
      return `  ${what.padEnd(widest)}  ${measured.padStart(12)}${verdict}`;
    })
    .join("\n");
}
