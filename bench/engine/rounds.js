const { median } = require("../figures");

/** @typedef {import("./contenders").Name} Name */
/** @typedef {import("./lives").Life} Life */
/** @typedef {Record<Name, Life>[]} Rounds */
/** @typedef {Map<number, Rounds>} BySize */
/** @typedef {(life: Life) => number} Cost */

/** What something typically costs a contender. @param {Rounds} rounds @param {Name} name @param {Cost} cost */
function medianOf(rounds, name, cost) {
  return median(rounds.map((lives) => cost(lives[name])));
}

/** What it costs this package by what it costs another, each round by itself. @param {Rounds} rounds @param {Name} other @param {Cost} cost */
function medianRatio(rounds, other, cost) {
  return median(rounds.map((lives) => cost(lives.package) / cost(lives[other])));
}

module.exports = { medianOf, medianRatio };
