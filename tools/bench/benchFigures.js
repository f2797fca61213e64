/** The results of a bench: figures, some with a limit. */

/**
 * @typedef {import("../tables").Figure} Figure
 *
 * @typedef {object} Table figures side by side
 * @property {string} title
 * @property {string[][]} rows the first has the titles
 *
 * @typedef {object} Options
 * @property {number[]} sizes how many resources a stack has
 * @property {number} rounds the number of runs of each size
 * @property {boolean} quick the fewest rounds: shows that the bench runs; its figures are not comparable
 *
 * @typedef {(options: Options) => Promise<(Figure | Table)[]>} Bench
 */

/** How values are shown. */
const units = {
  s: (/** @type {number} */ value) => `${value.toFixed(value < 10 ? 2 : 1)} s`,
  ms: (/** @type {number} */ value) => `${value.toFixed(Math.abs(value) < 10 ? 1 : 0)} ms`,
  MB: (/** @type {number} */ value) => `${value.toFixed(value < 10 ? 1 : 0)} MB`,
  ratio: (/** @type {number} */ value) => value.toFixed(2),
  count: (/** @type {number} */ value) => Math.round(value).toLocaleString("en"),
};

/** @typedef {keyof typeof units} Unit */

/** @param {string} what @param {number} value @param {Unit} unit @returns {Figure} */
function figure(what, value, unit) {
  return { what, measured: units[unit](value) };
}

/** @param {string} what @param {number} value @param {Unit} unit @param {number} most @returns {Figure} */
function atMost(what, value, unit, most) {
  return { ...figure(what, value, unit), bar: `<= ${units[unit](most)}`, met: value <= most };
}

/** @param {number[]} values */
function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}

module.exports = { atMost, figure, median, units };
