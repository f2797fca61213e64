const fs = require("node:fs");
const path = require("node:path");
const { aligned, tablesOf } = require("./tables");

/**
 * @typedef {object} Report the results of a bench, with time, machine and versions
 * @property {string} measuredAt
 * @property {number} seconds how long it took
 * @property {ReturnType<typeof import("./machine").machine>} machine
 * @property {ReturnType<typeof import("./machine").versions>} versions
 * @property {(import("../figures").Figure | import("../figures").Table)[]} results
 */

const readme = path.join(__dirname, "..", "README.md");

/** Writes the section of a bench. @param {string} name @param {Report} report */
function writeReadme(name, report) {
  fs.writeFileSync(readme, readmeWith(fs.readFileSync(readme, "utf8"), name, report));
}

/**
 * The README with this report in place of the bench's section.
 * @param {string} text as it is
 * @param {string} name
 * @param {Report} report
 */
function readmeWith(text, name, report) {
  const begin = text.indexOf(`\n## ${name}\n`) + 1;
  if (begin === 0) throw new Error(`bench/README.md has no section "## ${name}" to write the figures to.`);
  const next = text.indexOf("\n## ", begin);
  const section = `${sectionOf(name, report)}\n`;
  return text.slice(0, begin) + section + (next === -1 ? "" : text.slice(next));
}

/** @param {string} name @param {Report} report */
function sectionOf(name, { measuredAt, seconds, machine, versions, results }) {
  const on = `${machine.cores} cores (${machine.processor}), ${machine.memoryGB} GB, ${machine.system}, load ${machine.load.toFixed(1)}`;
  const tables = tablesOf(results).map(({ title, head, rows }) =>
    [...(title ? [`${title}:\n`] : []), ...markdown(head, rows)].join("\n"),
  );
  const withVersions = Object.entries(versions).map((version) => version.join(" "));
  return [
    `## ${name}`,
    `${measuredAt.slice(0, 10)}, in ${Math.ceil(seconds / 60)} min, on ${on}; ${withVersions.join(", ")}.`,
    ...tables,
  ].join("\n\n");
}

/** As prettier formats a table. @param {string[]} head @param {string[][]} rows */
function markdown(head, rows) {
  const [names = [], ...cells] = aligned([head, ...rows]);
  const rule = names.map((name, column) =>
    column === 0 ? "-".repeat(name.length) : `${"-".repeat(name.length - 1)}:`,
  );
  return [names, rule, ...cells].map((row) => `| ${row.join(" | ")} |`);
}

module.exports = { readmeWith, writeReadme };
