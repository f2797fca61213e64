const { median, quantity } = require("../figures");
const { names } = require("./contenders");
const { commands } = require("./lives");

/** @typedef {import("../figures").Table} Table */
/** @typedef {import("./contenders").Name} Name */
/** @typedef {import("./lives").Life} Life */
/** @typedef {Record<Name, Life>[]} Rounds */
/** @typedef {Map<number, Rounds>} BySize */
/** @typedef {(life: Life) => number} Cost */

const titles = { package: "this package", native: "its plugin", inline: "inline", noop: "no-op plugin" };
const ratioTitles = ["vs. inline", "vs. no-op", "plugin vs. dynamic"];

/** @param {import("./lives").Command} command @returns {Cost} */
const secondsOf = (command) => (life) => life.seconds[command];

/** @param {BySize} measured @returns {Table} */
function times(measured) {
  return {
    title: "Time of each command: medians, and medians of the ratios of each round",
    head: ["command", "resources", "rounds", ...Object.values(titles), ...ratioTitles],
    rows: commands.flatMap((command) =>
      [...measured].map(([size, rounds]) => [
        command,
        quantity(size, "count"),
        quantity(rounds.length, "count"),
        ...names.map((name) => quantity(medianOf(rounds, name, secondsOf(command)), "s")),
        ...ratios(rounds, secondsOf(command)),
      ]),
    ),
  };
}

/** @param {Rounds} rounds @param {Cost} cost */
function ratios(rounds, cost) {
  return [
    medianRatio(rounds, "inline", cost),
    medianRatio(rounds, "noop", cost),
    medianRatio(rounds, "package", cost, "native"),
  ].map((ratio) => quantity(ratio, "ratio"));
}

/** The median cost for a contender. @param {Rounds} rounds @param {Name} name @param {Cost} cost */
function medianOf(rounds, name, cost) {
  return median(rounds.map((lives) => cost(lives[name])));
}

/**
 * The cost of one contender divided by that of another, in each round.
 * @param {Rounds} rounds
 * @param {Name} other
 * @param {Cost} cost
 * @param {Name} [one]
 */
function medianRatio(rounds, other, cost, one = "package") {
  return median(rounds.map((lives) => cost(lives[one]) / cost(lives[other])));
}

module.exports = { medianOf, medianRatio, times };
