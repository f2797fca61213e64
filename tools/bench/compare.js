const { execFileSync } = require("node:child_process");
const os = require("node:os");
const { root } = require("../setup");

/**
 * @typedef {object} Options
 * @property {number[]} sizes how many resources a stack has
 * @property {number} [rounds] default: as many as the benchmark needs
 *
 * @typedef {Readonly<Record<string, readonly number[]>>} Measured what each contender took in each round
 *
 * @typedef {object} Row two contenders of one run
 * @property {string} what
 * @property {string} one
 * @property {string} other what it is compared with
 * @property {Measured} measured
 * @property {number} [most] the limit of the ratio
 * @property {string} [unit] default: ms
 *
 * @typedef {(options: Options) => Promise<Row[]>} Bench
 */

/**
 * Runs contenders in turns, each round beginning with another one, so that other load on the machine affects all alike.
 * @param {Readonly<Record<string, (round: number) => unknown>>} contenders
 * @param {number} rounds
 * @param {number} [warmUps] rounds that don't count
 * @returns {Promise<Record<string, number[]>>} the milliseconds of each round
 */
async function inTurns(contenders, rounds, warmUps = 0) {
  const turns = Object.entries(contenders).map(([name, run]) => ({
    name,
    run,
    ms: /** @type {number[]} */ ([]),
  }));
  for (let round = -warmUps; round < rounds; round++) {
    turns.push(...turns.splice(0, 1));
    for (const { run, ms } of turns) {
      const began = performance.now();
      await run(round);
      if (round >= 0) ms.push(performance.now() - began);
    }
  }
  return Object.fromEntries(turns.map(({ name, ms }) => [name, ms]));
}

/** @param {readonly number[]} values @param {number} share 0.5 is the median */
function quantile(values, share) {
  return [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? NaN;
}

const titles = ["what", "ms", "relative to", "ratio", "spread", "limit", "rounds", "date", "commit", "load"];

/** @param {Row} row */
function ratiosOf({ one, other, measured }) {
  const others = measured[other] ?? [];
  return (measured[one] ?? []).map((value, round) => value / (others[round] ?? NaN));
}

/** Whether a row misses its limit. @param {Row} row */
const misses = (row) => row.most !== undefined && ratioOf(row) > row.most;

/** The ratio of the medians. @param {Row} row */
const ratioOf = ({ one, other, measured }) =>
  quantile(measured[one] ?? [], 0.5) / quantile(measured[other] ?? [], 0.5);

/** The cells of a row, with the half of the ratios of single rounds that is in the middle as its spread. @param {Row} row */
function cellsOf(row) {
  const { what, one, other, measured, most, unit = "ms" } = row;
  const ratios = ratiosOf(row);
  const value = quantile(measured[one] ?? [], 0.5);
  const git = (/** @type {string[]} */ ...args) => execFileSync("git", args, { cwd: root, encoding: "utf8" });
  // The page that a benchmark before has written isn't measured.
  const isEdited = git("status", "--porcelain", "--", ".", ":!tools/bench/README.md") !== "";
  const commit = `${git("rev-parse", "--short", "HEAD").trim()}${isEdited ? "-dirty" : ""}`;
  return [
    `${what}: ${one}`,
    `${value.toFixed(value < 10 ? 2 : 0)}${unit === "ms" ? "" : ` ${unit}`}`,
    other,
    ratioOf(row).toFixed(2),
    `${quantile(ratios, 0.25).toFixed(2)} to ${quantile(ratios, 0.75).toFixed(2)}`,
    most === undefined ? "" : `${most}${misses(row) ? " (missed)" : ""}`,
    String(ratios.length),
    new Date().toISOString().slice(0, 10),
    commit,
    (os.loadavg()[0] ?? NaN).toFixed(1),
  ];
}

module.exports = { cellsOf, inTurns, misses, titles };
