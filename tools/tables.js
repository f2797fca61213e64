/**
 * @typedef {object} Figure
 * @property {string} what
 * @property {string} measured
 * @property {string} [bar] the required value
 * @property {boolean} [met] whether the bar is met; missing without a bar
 */

/** Must be 0. @param {string} what @param {number} count @returns {Figure} */
function none(what, count) {
  return { what, measured: String(count), bar: "0", met: count === 0 };
}

/** Must be all. @param {string} what @param {number} right @param {number} count @returns {Figure} */
function all(what, right, count) {
  return { what, measured: `${right} of ${count}`, bar: String(count), met: count > 0 && right === count };
}

/** A row of a table. @param {Figure} figure */
function rowOf({ what, measured, bar = "", met }) {
  return [what, measured, bar, met === undefined ? "" : met ? "ok" : "MISSED"];
}

/**
 * Cells as wide as their column, and as prettier formats them in a table.
 * @param {readonly (readonly string[])[]} rows
 * @param {boolean} [right] whether all but the first cell of a row end at the right
 */
function aligned(rows, right = false) {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(3, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows.map((row) =>
    row.map((text, column) => text[right && column > 0 ? "padStart" : "padEnd"](widths[column] ?? 0)),
  );
}

/** A table for a terminal. @param {readonly (readonly string[])[]} rows @param {boolean} [right] */
function textTable(rows, right) {
  return aligned(rows, right)
    .map((row) => row.join("  ").trimEnd())
    .join("\n");
}

/**
 * A table in Markdown.
 * @param {readonly (readonly string[])[]} rows the first has the titles
 * @param {boolean} [right]
 */
function markdownTable(rows, right = false) {
  const [head = [], ...others] = aligned(rows, right);
  const rule = head.map(({ length }, column) =>
    right && column > 0 ? `${"-".repeat(length - 1)}:` : "-".repeat(length),
  );
  return [head, rule, ...others].map((row) => `| ${row.join(" | ")} |`).join("\n");
}

module.exports = { all, none, rowOf, markdownTable, textTable };
