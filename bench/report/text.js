const { aligned, tablesOf } = require("./tables");

/** Results for a terminal. @param {(import("../figures").Figure | import("../figures").Table)[]} results */
function textOfTables(results) {
  return tablesOf(results)
    .map(({ title, head, rows }) => {
      const lines = aligned([head, ...rows]).map((row) => row.join("  "));
      return [...(title ? [title] : []), ...lines].map((line) => `  ${line}`.trimEnd()).join("\n");
    })
    .join("\n\n");
}

module.exports = { textOfTables };
