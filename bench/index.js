require("../scripts/setup/nodeVersion");
const { command } = require("../scripts/command");
const { prepareBuild } = require("../scripts/setup");
const { SetupFailure } = require("../scripts/setup/failure");
const { optionsOf } = require("./options");
const { machine, versions } = require("./report/machine");
const { writeReadme } = require("./report/readme");
const { textOfTables } = require("./report/text");

/** @typedef {import("./figures").Bench} Bench */
/** @typedef {import("./report/readme").Report} Report */

/** @type {Record<string, () => Bench>} */
const benches = {
  engine: () => require("./engine").bench,
  memory: () => require("./memory").bench,
  import: () => require("./import").bench,
  client: () => require("./client").bench,
  audit: () => require("./audit").bench,
  fleets: () => require("./fleets").bench,
};

/** `npm run bench`: all benches, or those that are named. Fails when a limit is missed. */
command(async () => {
  const { named, sizes, rounds, quick, write } = optionsOf(process.argv.slice(2));
  const unknown = named.filter((name) => !Object.hasOwn(benches, name));
  if (unknown.length > 0) {
    throw new SetupFailure(
      `No bench is called ${unknown.join(", ")}. There are: ${Object.keys(benches).join(", ")}`,
    );
  }
  await prepareBuild();
  let missed = false;
  for (const [name, load] of Object.entries(benches)) {
    if (named.length > 0 && !named.includes(name)) continue;
    const report = await reportOf(load(), { sizes, rounds, quick });
    console.log(`${name} (${Math.round(report.seconds)} s)\n\n${textOfTables(report.results)}\n`);
    // After each, because they take long.
    if (write) writeReadme(name, report);
    missed ||= report.results.some((result) => "what" in result && result.met === false);
  }
  return missed ? 1 : 0;
});

/**
 * @param {Bench} bench
 * @param {import("./figures").Options} options
 * @returns {Promise<Report>}
 */
async function reportOf(bench, options) {
  const began = performance.now();
  const measured = await bench(options);
  // A quick run measures too little to judge by.
  const results = options.quick
    ? measured.map((result) => ({ ...result, bar: undefined, met: undefined }))
    : measured;
  const seconds = (performance.now() - began) / 1000;
  return {
    measuredAt: new Date().toISOString(),
    seconds,
    machine: machine(),
    versions: versions(),
    results,
  };
}
