require("../setup/nodeVersion");
const fs = require("node:fs");
const path = require("node:path");
const { prepareBuild, root } = require("../setup");
const { argumentsOf, command, countIn } = require("../setup/run");
const { textTable } = require("../tables");
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
    const cells = rows.map((row) => row.cells);
    console.log(`${name}:\n\n${textTable([titles, ...cells], true)}\n`);
    if (write) await writeSection(name, cells);
    if (rows.some(({ isMissed }) => isMissed)) code = 1;
  }
  return code;
});

/** Writes a section in place of the benchmark's own, or at the end of the page. @param {string} name @param {string[][]} rows */
async function writeSection(name, rows) {
  const prettier = require(path.join(root, "node_modules", "prettier"));
  const file = path.join(__dirname, "README.md");
  const rule = titles.map((_, column) => (column === 0 ? "---" : "--:"));
  const table = [titles, rule, ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
  const page = `${fs.readFileSync(file, "utf8").trimEnd()}\n\n`;
  const own = new RegExp(`^## ${name}\n[^]*?(?=^## |(?![^]))`, "m");
  const section = `## ${name}\n\n${table}\n\n`;
  const changed = own.test(page) ? page.replace(own, () => section) : `${page}${section}`;
  fs.writeFileSync(file, await prettier.format(changed, { parser: "markdown" }));
}
