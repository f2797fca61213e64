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
  /** @type {Record<string, number[]>} */
  const measured = Object.fromEntries(Object.keys(contenders).map((name) => [name, []]));
  const turns = Object.entries(contenders);
  for (let round = -warmUps; round < rounds; round++) {
    turns.push(...turns.splice(0, 1));
    for (const [name, run] of turns) {
      const began = performance.now();
      await run(round);
      if (round >= 0) measured[name]?.push(performance.now() - began);
    }
  }
  return measured;
}

const titles = ["what", "ms", "relative to", "ratio", "spread", "limit", "rounds", "date", "commit", "load"];

/** The cells of a row, and whether it misses its limit. @param {Row} row */
function compared({ what, one, other, measured, most, unit = "" }) {
  const { [one]: values = [], [other]: others = [] } = measured;
  const value = quantile(values, 0.5);
  const ratio = value / quantile(others, 0.5);
  const ratios = values.map((each, round) => each / (others[round] ?? NaN));
  const isMissed = most !== undefined && ratio > most;
  const cells = [
    `${what}: ${one}`,
    `${value.toFixed(value < 10 ? 2 : 0)} ${unit}`.trim(),
    other,
    ratio.toFixed(2),
    // The half of the ratios that is in the middle.
    `${quantile(ratios, 0.25).toFixed(2)} to ${quantile(ratios, 0.75).toFixed(2)}`,
    `${most ?? ""}${isMissed ? " (missed)" : ""}`,
    String(ratios.length),
    new Date().toISOString().slice(0, 10),
    commit(),
    (os.loadavg()[0] ?? NaN).toFixed(1),
  ];
  return { cells, isMissed };
}

/** @param {readonly number[]} values @param {number} share 0.5 is the median */
function quantile(values, share) {
  return [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? NaN;
}

/** Names the commit that is measured. The page that an earlier benchmark has written doesn't count as an edit. */
function commit() {
  const git = (/** @type {string[]} */ ...args) => execFileSync("git", args, { cwd: root, encoding: "utf8" });
  const isEdited = git("status", "--porcelain", "--", ".", ":!tools/bench/README.md") !== "";
  return `${git("rev-parse", "--short", "HEAD").trim()}${isEdited ? "-dirty" : ""}`;
}

module.exports = { compared, inTurns, titles };
