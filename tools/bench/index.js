require("../setup/nodeVersion");
const fs = require("node:fs");
const path = require("node:path");
const { prepareBuild } = require("../setup");
const { argumentsOf, command, countIn, SetupFailure } = require("../setup/run");
const { tableOf } = require("./compare");

/**
 * @typedef {object} BenchOptions
 * @property {number[]} sizes numbers of updates of the stacks
 * @property {number | undefined} rounds default: depends on the benchmark
 * @property {boolean} isQuick
 * @property {string | undefined} beside folder with a built checkout of another commit
 *
 * @typedef {(options: BenchOptions) => Promise<import("./compare").Row[] | string>} Bench returns rows, or a table in Markdown
 */

/** @type {Record<string, () => Bench>} */
const benches = {
  requests: () => require("./requests").bench,
  client: () => require("./client").bench,
  audit: () => require("./audit").bench,
  engine: () => require("./engine").bench,
};

const page = path.join(__dirname, "README.md");

/**
 * `npm run bench`: runs all benchmarks or the named ones. Prints sections of the page in Markdown, and fails if a limit is missed.
 * `--quick` runs few rounds, and no stacks of more than 100 updates. `--beside` compares stacks with a built checkout of another commit.
 * `--write` writes the sections to the page.
 */
command(async () => {
  const { names, values } = argumentsOf("bench", benches, {
    sizes: { type: "string" },
    rounds: { type: "string" },
    quick: { type: "boolean", default: false },
    beside: { type: "string" },
    write: { type: "boolean", default: false },
  });
  const { quick: isQuick, sizes, rounds = isQuick ? "2" : undefined } = values;
  const beside = values.beside === undefined ? undefined : path.resolve(values.beside);
  if (beside !== undefined && !fs.existsSync(path.join(beside, "dist")))
    throw new SetupFailure(`${beside} isn't a built checkout. Run \`npm ci && npm run build\` there.`);
  const given = sizes?.split(",").map((size) => countIn("sizes", size));
  const options = {
    sizes: given ?? (isQuick ? [1, 100] : [1, 100, 300, 1_000]),
    rounds: rounds === undefined ? undefined : countIn("rounds", rounds),
    isQuick,
    beside,
  };
  /** @type {Map<string, string>} */
  const tables = new Map();
  await prepareBuild();
  let code = 0;
  for (const name of names) {
    const rows = (await benches[name]?.()(options)) ?? [];
    const table = typeof rows === "string" ? rows : tableOf(rows);
    tables.set(name, table);
    console.log(`## ${name}\n\n${table}\n`);
    if (table.includes("| missed |")) code = 1;
  }
  // Write the page at the end, because each row contains the commit, and a changed file would mark it as dirty.
  if (values.write) for (const [name, table] of tables) writeSection(name, table);
  return code;
});

/** @param {string} name @param {string} table */
function writeSection(name, table) {
  const [before, ...sections] = fs.readFileSync(page, "utf8").split(/^(?=## )/m);
  const written = sections.map((section) =>
    section.startsWith(`## ${name}\n`) ? `## ${name}\n\n${table}\n\n` : section,
  );
  fs.writeFileSync(page, `${[before, ...written].join("").trimEnd()}\n`);
}
