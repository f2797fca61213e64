/** @typedef {import(".").Figure} Figure */

/** One line for each figure: stage, name, measured value, required value. @param {{stage: string, figures: Figure[]}[]} results */
function tableOf(results) {
  const rows = results.flatMap(({ stage, figures }) =>
    figures.map(({ what, measured, bar, met }) => [stage, what, measured, bar, verdict(met)]),
  );
  const head = ["stage", "figure", "measured", "required", "result"];
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => (row[column] ?? "").length)));
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** @param {boolean} [met] */
function verdict(met) {
  if (met === undefined) return "";
  return met ? "ok" : "MISSED";
}

module.exports = { tableOf };
