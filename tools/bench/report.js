const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { version: engine } = require("../setup/engine/usable");
const { markdownTable, rowOf } = require("../tables");
const { root } = require("../setup");

/**
 * The section of a bench in README.md: its figures, and the machine, the commit and the versions that they were measured with.
 * @param {string} name
 * @param {(import("./benchFigures").Figure | import("./benchFigures").Table)[]} results
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

module.exports = { readmeWith, sectionOf };
