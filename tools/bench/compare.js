const { execFileSync } = require("node:child_process");
const os = require("node:os");
const { root } = require("../setup");

/** @typedef {Readonly<Record<string, (round: number) => unknown>>} Contenders by name */

/** @typedef {{what: string, ms: number, other: string, ratio: number, spread: string, limit: number | undefined, rounds: number}} Row */

/**
 * Runs contenders in turns, each round beginning with another one, so that other load on the machine affects all alike.
 * @param {string} what
 * @param {Contenders} contenders the last one is what the others are compared with
 * @param {number} rounds
 * @param {{most?: number, warmUps?: number}} [options] most: the limit of the first one's ratio; warmUps: rounds that don't count
 * @returns {Promise<Row[]>}
 */
async function compare(what, contenders, rounds, { most, warmUps = 0 } = {}) {
  const measured = Object.entries(contenders).map(([name, run]) => {
    /** @type {number[]} */
    const took = [];
    return { name, run, took };
  });
  const turns = [...measured];
  for (let round = -warmUps; round < rounds; round++) {
    turns.push(...turns.splice(0, 1));
    for (const { run, took } of turns) {
      const began = performance.now();
      await run(round);
      if (round >= 0) took.push(performance.now() - began);
    }
  }
  const last = measured.pop();
  if (!last) throw new Error("Nothing is compared.");
  return measured.map(({ name, took }, index) => {
    const ratios = took.map((ms, round) => ms / (last.took[round] ?? NaN));
    const [low, high] = [quantile(ratios, 0.25), quantile(ratios, 0.75)];
    return {
      what: `${what}: ${name}`,
      ms: quantile(took, 0.5),
      other: last.name,
      ratio: quantile(took, 0.5) / quantile(last.took, 0.5),
      // The half of the ratios that is in the middle.
      spread: `${low.toFixed(2)} to ${high.toFixed(2)}`,
      limit: index === 0 ? most : undefined,
      rounds,
    };
  });
}

/** @param {readonly number[]} values @param {number} share 0.5 is the median */
function quantile(values, share) {
  return [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? NaN;
}

/** @param {Row} row */
const isMissed = ({ ratio, limit = Infinity }) => ratio > limit;

/** The table of rows, in Markdown. @param {readonly Row[]} rows */
function tableOf(rows) {
  const titles = [
    "what",
    "ms",
    "relative to",
    "ratio",
    "spread",
    "limit",
    "rounds",
    "date",
    "commit",
    "load",
  ];
  const commit = execFileSync("git", ["describe", "--always", "--dirty", "--exclude=*"], {
    cwd: root,
    encoding: "utf8",
  });
  const run = [new Date().toISOString().slice(0, 10), commit.trim(), os.loadavg()[0]?.toFixed(1)];
  const lines = rows.map((row) => {
    const limit = `${row.limit ?? ""}${isMissed(row) ? " (missed)" : ""}`;
    return [
      row.what,
      row.ms.toFixed(0),
      row.other,
      row.ratio.toFixed(2),
      row.spread,
      limit,
      row.rounds,
      ...run,
    ];
  });
  const rule = titles.map((_, column) => (column === 0 ? "---" : "--:"));
  return [titles, rule, ...lines].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

module.exports = { compare, isMissed, tableOf };
