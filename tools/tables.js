/**
 * @typedef {object} Figure
 * @property {string} what
 * @property {string} measured
 * @property {string} [bar] the required value
 * @property {boolean} [met] whether the bar is met; missing without a bar
 */

/** Returns a figure that must be 0. @param {string} what @param {number} count @returns {Figure} */
function none(what, count) {
  return { what, measured: String(count), bar: "0", met: count === 0 };
}

/** Returns a figure that must be equal to the count. @param {string} what @param {number} right @param {number} count @returns {Figure} */
function all(what, right, count) {
  return { what, measured: `${right} of ${count}`, bar: String(count), met: count > 0 && right === count };
}

/** Returns a row of a table. @param {Figure} figure */
function rowOf({ what, measured, bar = "", met }) {
  return [what, measured, bar, met === undefined ? "" : met ? "ok" : "MISSED"];
}

/** Returns a table for a terminal, with aligned columns. @param {readonly (readonly string[])[]} rows */
function textTable(rows) {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) => row.map((text, column) => text.padEnd(widths[column] ?? 0)));
  return lines.map((cells) => cells.join("  ").trimEnd()).join("\n");
}

module.exports = { all, none, rowOf, textTable };
