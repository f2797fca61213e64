const { median } = require("../figures");

/** @typedef {import("./contenders").Name} Name */
/** @typedef {import("./lives").Life} Life */
/** @typedef {Record<Name, Life>[]} Rounds */
/** @typedef {Map<number, Rounds>} BySize */
/** @typedef {(life: Life) => number} Cost */

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

module.exports = { medianOf, medianRatio };
