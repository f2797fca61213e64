const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { root } = require("../setup");
const { version: engine } = require("../setup/engine/usable");
const { markdownTable, rowOf } = require("../tables");

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

/**
 * The section of a bench in README.md: its figures, and the machine, the commit and the versions that they were measured with.
 * @param {string} name
 * @param {(Figure | Table)[]} results
 * @param {number} load of the machine before
 */
function sectionOf(name, results, load) {
  const [processor] = os.cpus();
  const on = [
    `${os.availableParallelism()} cores (${processor?.model.trim() ?? "unknown"})`,
    `${Math.round(os.totalmem() / 1e9)} GB`,
    `${os.type()} ${os.arch()}`,
    `load ${load.toFixed(1)}`,
  ];
  const versions = [
    `pulumi-monitoring-service ${versionIn()}`,
    `node ${process.versions.node}`,
    `pulumi ${engine}`,
    ...["@pulumi/pulumi", "axios"].map((each) => `${each} ${versionIn("node_modules", each)}`),
  ];
  const date = new Date().toISOString().slice(0, 10);
  const commit = execFileSync("git", ["describe", "--always", "--dirty"], { cwd: root, encoding: "utf8" });
  const figures = results.flatMap((result) => ("what" in result ? [rowOf(result)] : []));
  const tables = results.flatMap((result) => ("rows" in result ? [result] : []));
  return [
    `## ${name}`,
    `${date}, commit ${commit.trim()}, on ${on.join(", ")}; ${versions.join(", ")}.`,
    markdownTable([["figure", "measured", "limit", "result"], ...figures], true),
    ...tables.flatMap(({ title, rows }) => [`${title}:`, markdownTable(rows, true)]),
  ].join("\n\n");
}

/** @param {string[]} folder @returns {string} */
function versionIn(...folder) {
  return JSON.parse(fs.readFileSync(path.join(root, ...folder, "package.json"), "utf8")).version;
}

/**
 * The text of README.md with another section in place of the bench's own, or at its end.
 * @param {string} text
 * @param {string} name
 * @param {string} section
 */
function readmeWith(text, name, section) {
  const begin = text.indexOf(`\n## ${name}\n`) + 1;
  if (begin === 0) return `${text.trimEnd()}\n\n${section}\n`;
  const next = text.indexOf("\n## ", begin);
  return `${text.slice(0, begin)}${section}\n${next === -1 ? "" : text.slice(next)}`;
}

module.exports = { atMost, figure, median, units, readmeWith, sectionOf };
