require("../setup/nodeVersion");
const fs = require("node:fs");
const path = require("node:path");
const { prepareBuild } = require("../setup");
const { argumentsOf, command, countIn } = require("../setup/run");
const { markdownTable } = require("../tables");
const { cellsOf, misses, titles } = require("./compare");

/** @type {Record<string, () => import("./compare").Bench>} */
const benches = {
  client: () => require("./client").bench,
  notes: () => require("./notes").bench,
  audit: () => require("./audit").bench,
  engine: () => require("./engine").bench,
};

const text = /** @type {const} */ ({ type: "string" });
const readme = path.join(__dirname, "README.md");

/**
 * `npm run bench`: all benchmarks, or those that are named. Fails when a limit is missed. `--sizes 1,100` are the numbers of
 * resources of the engine's; `--write` writes the figures to tools/bench/README.md.
 */
command(async () => {
  const { names, values } = argumentsOf("bench", benches, {
    ...{ sizes: text, rounds: text },
    write: { type: "boolean" },
  });
  const { write, sizes = "1,100,500", rounds } = values;
  const options = {
    sizes: sizes.split(",").map((size) => countIn("sizes", size)),
    rounds: rounds === undefined ? undefined : countIn("rounds", rounds),
  };
  await prepareBuild();
  let missed = false;
  for (const name of names) {
    const rows = (await benches[name]?.()(options)) ?? [];
    const section = `## ${name}\n\n${markdownTable([titles, ...rows.map(cellsOf)], true)}\n`;
    console.log(section);
    if (write) fs.writeFileSync(readme, readmeWith(fs.readFileSync(readme, "utf8"), name, section));
    missed ||= rows.some(misses);
  }
  return missed ? 1 : 0;
});

/** The page with another section in place of the benchmark's own, or at its end. @param {string} page @param {string} name @param {string} section */
function readmeWith(page, name, section) {
  const own = new RegExp(`^## ${name}\n[^]*?(?=^## |(?![^]))`, "m");
  return own.test(page)
    ? page.replace(own, () => `${section}\n`).trimEnd() + "\n"
    : `${page.trimEnd()}\n\n${section}`;
}
