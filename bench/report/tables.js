const { textOf } = require("../figures");

/** @typedef {import("../figures").Figure} Figure */
/** @typedef {import("../figures").Table} Table */

/**
 * Results as texts in tables: the single figures first, in a table of their own.
 * @param {(Figure | Table)[]} results
 * @returns {{title?: string, head: string[], rows: string[][]}[]}
 */
function tablesOf(results) {
  const figures = results.flatMap((result) => ("what" in result ? [result] : []));
  const tables = results.flatMap((result) => ("rows" in result ? [result] : []));
  const judged = figures.some(({ bar }) => bar !== undefined);
  const ofFigures = {
    head: ["figure", "measured", ...(judged ? ["limit", "result"] : [])],
    rows: figures.map(({ what, measured, bar = "", met }) => [
      what,
      textOf(measured),
      ...(judged ? [bar, verdict(met)] : []),
    ]),
  };
  return [
    ...(figures.length > 0 ? [ofFigures] : []),
    ...tables.map(({ title, head, rows }) => ({ title, head, rows: rows.map((row) => row.map(textOf)) })),
  ];
}

/** @param {boolean | undefined} met */
function verdict(met) {
  if (met === undefined) return "";
  return met ? "ok" : "MISSED";
}

/**
 * Cells as wide as their column: the first begins at the left, the others end at the right.
 * @param {string[][]} rows
 */
function aligned(rows) {
  const widths =
    rows[0]?.map((_, column) => Math.max(3, ...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows.map((row) =>
    row.map((text, column) =>
      column === 0 ? text.padEnd(widths[column] ?? 0) : text.padStart(widths[column] ?? 0),
    ),
  );
}

module.exports = { aligned, tablesOf };
