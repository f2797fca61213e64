require("../scripts/setup/nodeVersion");
const fs = require("node:fs");
const path = require("node:path");
const { command } = require("../scripts/command");
const { prepareBuild } = require("../scripts/setup");
const { SetupFailure } = require("../scripts/setup/failure");
const { optionsOf } = require("./options");
const { readmeWith, sectionOf } = require("./report");

/** @type {Record<string, () => import("./figures").Bench>} */
const benches = {
  engine: () => require("./engine").bench,
  import: () => require("./import").bench,
  client: () => require("./client").bench,
  audit: () => require("./audit").bench,
  fleets: () => require("./fleets").bench,
};

const readme = path.join(__dirname, "README.md");

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
    const began = performance.now();
    const measured = await load()({ sizes, rounds, quick });
    // A quick run measures too little to judge by.
    const results = quick
      ? measured.map((result) => ({ ...result, bar: undefined, met: undefined }))
      : measured;
    const section = sectionOf(name, results, (performance.now() - began) / 1000);
    console.log(`${section}\n`);
    // After each, because they take long.
    if (write) fs.writeFileSync(readme, readmeWith(fs.readFileSync(readme, "utf8"), name, section));
    missed ||= results.some((result) => "what" in result && result.met === false);
  }
  return missed ? 1 : 0;
});
