"use strict";

const fs = require("node:fs");
const path = require("node:path");
const { SetupFailure } = require("./failure");
const { npm } = require("./npm");
const { step } = require("./progress");

/** @typedef {{version?: string, integrity?: string, optional?: boolean, devOptional?: boolean}} Entry */

/**
 * Whether node_modules is what the lockfile says, by the record that npm leaves there when it has finished.
 * @param {string} root
 * @returns {boolean}
 */
function isCurrent(root) {
  const wanted = entriesOf(path.join(root, "package-lock.json"));
  const installed = entriesOf(path.join(root, "node_modules", ".package-lock.json"));
  wanted.delete("");
  return [...wanted].every(([folder, entry]) => {
    const found = installed.get(folder);
    if (!found) return entry.optional || entry.devOptional;
    return found.version === entry.version && found.integrity === entry.integrity;
  });
}

/**
 * @param {string} lockfile
 * @returns {Map<string, Entry>} by folder; the empty folder is the project itself
 */
function entriesOf(lockfile) {
  if (!fs.existsSync(lockfile)) return new Map();
  return new Map(Object.entries(JSON.parse(fs.readFileSync(lockfile, "utf8")).packages));
}

/** Installs exactly what the lockfile says. @param {string} root */
async function make(root) {
  await step("Installing the npm packages", "about half a minute", async (detail) => {
    const install = () =>
      npm(["ci", "--include=dev", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], {
        cwd: root,
      });
    let result = await install();
    if (!result.ok) {
      detail("once more, it failed the first time");
      result = await install();
    }
    if (!result.ok) throw new SetupFailure(explain(result.output));
  });
}

/** @param {string} output of an npm that failed, or that isn't there */
function explain(output) {
  if (output === "not found")
    return "There is no npm on PATH. It comes with Node: https://nodejs.org. Then run the same command again.";
  const lines = output.split("\n").map((line) => line.replace(/^npm (error|ERR!)/, "").trim());
  const noise =
    /^(|\}|at .*|(code|syscall|errno|path|dest) .*|\w+: ('.*'|\d+),?|npm warn .*|A complete log .*)$/;
  return [
    "npm could not install the packages:",
    // The cause comes first, then all options that npm has.
    ...lines
      .filter((line) => !noise.test(line))
      .slice(0, 4)
      .map((line) => `  ${line}`),
    "`npm ping` tells whether npm reaches its registry. Once it does, run the same command again.",
  ].join("\n");
}

module.exports = { packages: { isCurrent, make } };
