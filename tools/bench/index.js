require("../setup/nodeVersion");
const { prepareBuild } = require("../setup");
const { argumentsOf, command, countIn } = require("../setup/run");
const { isMissed, tableOf } = require("./compare");

/**
 * @typedef {(options: {sizes: number[], rounds: number | undefined}) => Promise<import("./compare").Row[]>} Bench sizes: how many updates
 *   a stack has; rounds: default is as many as the benchmark needs
 */

/** @type {Record<string, () => Bench>} */
const benches = {
  client: () => require("./client").bench,
  audit: () => require("./audit").bench,
  engine: () => require("./engine").bench,
};

/** `npm run bench`: all benchmarks, or those that are named. Prints sections of the page in Markdown, and fails when a limit is missed. */
command(async () => {
  const { names, values } = argumentsOf("bench", benches, {
    sizes: { type: "string", default: "1,100,500" },
    rounds: { type: "string" },
  });
  const sizes = values.sizes.split(",").map((size) => countIn("sizes", size));
  const rounds = values.rounds === undefined ? undefined : countIn("rounds", values.rounds);
  await prepareBuild();
  let code = 0;
  for (const name of names) {
    const rows = (await benches[name]?.()({ sizes, rounds })) ?? [];
    console.log(`## ${name}\n\n${tableOf(rows)}\n`);
    if (rows.some(isMissed)) code = 1;
  }
  return code;
});
