require("../setup/nodeVersion");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { SetupFailure, argumentsOf, command, countIn } = require("../setup/command");
const { prepareBuild } = require("../setup");
const { readmeWith, sectionOf } = require("./report");

/** @type {Record<string, () => import("./report").Bench>} */
const benches = {
  engine: () => require("./engine").bench,
  client: () => require("./client").bench,
  audit: () => require("./audit").bench,
  notes: () => require("./notes").bench,
};

const text = /** @type {const} */ ({ type: "string" });
const flag = /** @type {const} */ ({ type: "boolean", default: false });

/** Beyond it, figures say how busy the machine was. */
const quietLoad = 0.5;
const readme = path.join(__dirname, "README.md");

/**
 * `npm run bench`: all benches, or those that are named. Fails when a limit is missed. `--sizes 1,100` are the numbers of
 * resources of the engine's bench, and `--rounds` the runs for each; `--quick` takes about a minute, and its figures are not
 * comparable; `--write` writes the figures of a quiet machine to tools/bench/README.md.
 */
command(async () => {
  const { names, values } = argumentsOf("bench", benches, {
    sizes: text,
    rounds: text,
    quick: flag,
    write: flag,
  });
  const { quick, write, sizes = quick ? "20" : "1,100,500,2000", rounds = quick ? "1" : "3" } = values;
  const options = {
    sizes: sizes.split(",").map((size) => countIn("sizes", size)),
    rounds: countIn("rounds", rounds),
    quick,
  };
  const [load = 0] = os.loadavg();
  if (write && quick)
    throw new SetupFailure("--write takes the figures of a full run, not of a --quick one.");
  if (write && load > quietLoad)
    throw new SetupFailure(
      `--write needs a quiet machine: its load is ${load.toFixed(1)}, not ${quietLoad}.`,
    );
  await prepareBuild();
  let missed = false;
  for (const name of names) {
    const measured = (await benches[name]?.()(options)) ?? [];
    // A quick run measures too little to judge by.
    const results = quick ? measured.map((result) => ({ ...result, bar: "", met: undefined })) : measured;
    const section = sectionOf(name, results, load);
    console.log(`${section}\n`);
    // After each, because they take long.
    if (write) fs.writeFileSync(readme, readmeWith(fs.readFileSync(readme, "utf8"), name, section));
    missed ||= results.some((result) => "what" in result && result.met === false);
  }
  return missed ? 1 : 0;
});
