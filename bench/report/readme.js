const fs = require("node:fs");
const path = require("node:path");
const { textOf } = require("../figures");
const { aligned, tablesOf } = require("./tables");

/**
 * @typedef {object} Report what a bench found, when, where and with what
 * @property {string} measuredAt
 * @property {number} seconds how long it took
 * @property {boolean} quick
 * @property {ReturnType<typeof import("./machine").machine>} machine
 * @property {ReturnType<typeof import("./machine").versions>} versions
 * @property {(import("../figures").Figure | import("../figures").Table)[]} results
 */

const latest = path.join(__dirname, "..", "latest.json");
const readme = path.join(__dirname, "..", "README.md");
const [begin, end] = ["<!-- npm run bench -- --write -->", "<!-- end -->"];

/** Keeps reports, beside the latest ones of the benches that weren't run, and shows all. @param {Record<string, Report>} reports */
function writeReadme(reports) {
  /** @type {Record<string, Report>} */
  const all = { ...JSON.parse(fs.readFileSync(latest, "utf8")), ...reports };
  fs.writeFileSync(latest, `${JSON.stringify(all, null, 2)}\n`);
  fs.writeFileSync(readme, readmeWith(fs.readFileSync(readme, "utf8"), all));
}

/**
 * The README with these reports between its marks.
 * @param {string} text as it is
 * @param {Record<string, Report>} reports
 */
function readmeWith(text, reports) {
  const before = text.slice(0, text.indexOf(begin));
  const after = text.slice(text.indexOf(end));
  const sections = [...Object.entries(reports).map(sectionOf), lossesOf(reports)];
  return before + [begin, ...sections, after].join("\n\n");
}

/** @param {[string, Report]} report */
function sectionOf([name, { measuredAt, seconds, machine, versions, results }]) {
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

/** The missed limits, each with its reason. @param {Record<string, Report>} reports */
function lossesOf(reports) {
  const lines = Object.entries(reports).flatMap(([name, { machine, results }]) =>
    results.flatMap((result) => {
      if (!("what" in result) || result.met !== false) return [];
      const { what, measured, bar = "", because = withoutReason(machine) } = result;
      return [`- ${name}: ${what}: ${textOf(measured)}, limit ${bar}. Reason: ${because}.`];
    }),
  );
  return ["## Missed limits", lines.length > 0 ? lines.join("\n") : "None."].join("\n\n");
}

/** A bench itself keeps about as many processes busy as there are cores. @param {Report["machine"]} machine */
function withoutReason({ load, cores }) {
  if (load <= 2 * cores) return "unknown";
  return `unknown; the machine was busy (load ${load.toFixed(0)} on ${cores} cores)`;
}

module.exports = { readmeWith, writeReadme };
