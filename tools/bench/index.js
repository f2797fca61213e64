require("../setup/nodeVersion");
const fs = require("node:fs");
const path = require("node:path");
const { prepareBuild } = require("../setup");
const { argumentsOf, command, countIn } = require("../setup/run");
const { markdownTable } = require("../tables");
const { compared, titles } = require("./compare");

/** @type {Record<string, () => import("./compare").Bench>} */
const benches = {
  client: () => require("./client").bench,
  notes: () => require("./notes").bench,
  audit: () => require("./audit").bench,
  engine: () => require("./engine").bench,
};

/**
 * `npm run bench`: all benchmarks, or those that are named. Fails when a limit is missed. `--sizes 1,100` are the numbers of
 * resources of the engine's; `--write` writes the figures to tools/bench/README.md.
 */
command(async () => {
  const { names, values } = argumentsOf("bench", benches, {
    sizes: { type: "string", default: "1,100,500" },
    rounds: { type: "string" },
    write: { type: "boolean" },
  });
  const { write, sizes, rounds } = values;
  const options = {
    sizes: sizes.split(",").map((size) => countIn("sizes", size)),
    rounds: rounds === undefined ? undefined : countIn("rounds", rounds),
  };
  await prepareBuild();
  let code = 0;
  for (const name of names) {
    const rows = ((await benches[name]?.()(options)) ?? []).map(compared);
    const section = `## ${name}\n\n${markdownTable([titles, ...rows.map(({ cells }) => cells)], true)}\n`;
    console.log(section);
    if (write) writeSection(name, section);
    if (rows.some(({ isMissed }) => isMissed)) code = 1;
  }
  return code;
});

/** Writes a section in place of the benchmark's own, or at the end of the page. @param {string} name @param {string} section */
function writeSection(name, section) {
  const file = path.join(__dirname, "README.md");
  const page = `${fs.readFileSync(file, "utf8").trimEnd()}\n\n`;
  const own = new RegExp(`^## ${name}\n[^]*?(?=^## |(?![^]))`, "m");
  const changed = own.test(page) ? page.replace(own, () => `${section}\n`) : `${page}${section}`;
  fs.writeFileSync(file, `${changed.trimEnd()}\n`);
}
