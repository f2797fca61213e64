const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { version: engine } = require("../scripts/engine/pinned");
const { root } = require("../scripts/setup");
const { markdownTable } = require("../scripts/table");
const { textOf } = require("./figures");

/** @typedef {import("./figures").Figure} Figure */
/** @typedef {import("./figures").Table} Table */

/**
 * The section of a bench in README.md: its figures, and the machine and the versions that they were measured with.
 * @param {string} name
 * @param {(Figure | Table)[]} results
 * @param {number} seconds how long the bench took
 */
function sectionOf(name, results, seconds) {
  const [processor] = os.cpus();
  const on = [
    `${os.availableParallelism()} cores (${processor?.model.trim() ?? "unknown"})`,
    `${Math.round(os.totalmem() / 1e9)} GB`,
    `${os.type()} ${os.arch()}`,
    `load ${(os.loadavg()[0] ?? 0).toFixed(1)}`,
  ];
  const packages = ["@pulumi/pulumi", "axios"].map((each) => `${each} ${versionIn("node_modules", each)}`);
  const versions = [
    `pulumi-monitoring-service ${versionIn()}`,
    `node ${process.versions.node}`,
    `pulumi ${engine}`,
  ];
  const date = new Date().toISOString().slice(0, 10);
  return [
    `## ${name}`,
    `${date}, in ${Math.ceil(seconds / 60)} min, on ${on.join(", ")}; ${[...versions, ...packages].join(", ")}.`,
    ...tablesOf(results),
  ].join("\n\n");
}

/** @param {string[]} folder @returns {string} */
function versionIn(...folder) {
  return JSON.parse(fs.readFileSync(path.join(root, ...folder, "package.json"), "utf8")).version;
}

/** The single figures first, in a table of their own. @param {(Figure | Table)[]} results @returns {string[]} */
function tablesOf(results) {
  const figures = results.flatMap((result) => ("what" in result ? [result] : []));
  const rows = figures.map(({ what, measured, bar = "", met }) => [
    what,
    textOf(measured),
    bar,
    met === undefined ? "" : met ? "ok" : "MISSED",
  ]);
  return [
    ...(rows.length > 0 ? [markdownTable([["figure", "measured", "limit", "result"], ...rows], true)] : []),
    ...results.flatMap((result) =>
      "rows" in result
        ? [
            `${result.title}:`,
            markdownTable([result.head, ...result.rows.map((row) => row.map(textOf))], true),
          ]
        : [],
    ),
  ];
}

/**
 * The text of README.md with another section in place of the bench's own.
 * @param {string} text
 * @param {string} name
 * @param {string} section
 */
function readmeWith(text, name, section) {
  const begin = text.indexOf(`\n## ${name}\n`) + 1;
  if (begin === 0) throw new Error(`bench/README.md has no section "## ${name}" to write the figures to.`);
  const next = text.indexOf("\n## ", begin);
  return `${text.slice(0, begin)}${section}\n${next === -1 ? "" : text.slice(next)}`;
}

module.exports = { readmeWith, sectionOf };
