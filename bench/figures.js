/** The results of a bench: figures with a unit and, if there is one, a limit. */

/**
 * @typedef {"s" | "ms" | "MB" | "bytes" | "ratio" | "count"} Unit
 * @typedef {{value: number, unit: Unit}} Quantity
 *
 * @typedef {object} Figure
 * @property {string} what
 * @property {Quantity} measured
 * @property {string} [bar] the limit
 * @property {boolean} [met] whether the limit is met
 *
 * @typedef {object} Table figures side by side
 * @property {string} title
 * @property {string[]} head
 * @property {(string | Quantity)[][]} rows
 *
 * @typedef {object} Options
 * @property {number[]} sizes how many resources a stack has
 * @property {number} rounds the number of runs of each size
 * @property {boolean} quick the fewest rounds: shows that the bench runs; its figures are not comparable
 *
 * @typedef {(options: Options) => Promise<(Figure | Table)[]>} Bench
 */

/** @type {Record<Unit, (value: number) => string>} */
const texts = {
  s: (value) => `${value.toFixed(value < 10 ? 2 : 1)} s`,
  ms: (value) => `${value.toFixed(Math.abs(value) < 10 ? 1 : 0)} ms`,
  MB: (value) => `${value.toFixed(value < 10 ? 1 : 0)} MB`,
  bytes: (value) => `${whole(value)} B`,
  ratio: (value) => value.toFixed(2),
  count: whole,
};

/** @param {number} value */
function whole(value) {
  return Math.round(value).toLocaleString("en");
}

/** With its unit. @param {string | Quantity} measured */
function textOf(measured) {
  return typeof measured === "string" ? measured : texts[measured.unit](measured.value);
}

/** @param {number} value @param {Unit} unit @returns {Quantity} */
function quantity(value, unit) {
  return { value, unit };
}

/** A measured value and whether it is small enough. @param {Quantity} measured @param {number} most */
function atMost(measured, most) {
  const bar = `<= ${textOf({ ...measured, value: most })}`;
  return { measured, bar, met: measured.value <= most };
}

/** A measured value and whether it is large enough. @param {Quantity} measured @param {number} least */
function atLeast(measured, least) {
  const bar = `>= ${textOf({ ...measured, value: least })}`;
  return { measured, bar, met: measured.value >= least };
}

/** @param {number[]} values */
function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}

module.exports = { atLeast, atMost, median, quantity, textOf };
