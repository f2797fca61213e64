"use strict";

const fs = require("node:fs");
const path = require("node:path");

/**
 * What this reads and writes of a package.json, or of a lockfile.
 * @typedef {object} Manifest
 * @property {string} name
 * @property {string} version
 * @property {Record<string, string>} [dependencies]
 * @property {Record<string, {version?: string}>} [packages]
 */

/** @param {string} root of the clone */
function versionOf(root) {
  return read(path.join(root, "package.json")).version;
}

/**
 * Writes the version wherever it stands: the package, its lockfile, and the examples, which depend on it.
 * @param {string} root of the clone
 * @param {string} version
 */
function setVersion(root, version) {
  const { name } = edit(path.join(root, "package.json"), (manifest) => (manifest.version = version));
  edit(path.join(root, "package-lock.json"), (lockfile) => {
    lockfile.version = version;
    Object.assign(lockfile.packages?.[""] ?? {}, { version });
  });
  const examples = path.join(root, "examples");
  for (const example of fs.readdirSync(examples)) {
    const file = path.join(examples, example, "package.json");
    if (!fs.existsSync(file)) continue;
    edit(file, ({ dependencies = {} }) => {
      if (dependencies[name] !== undefined) dependencies[name] = `^${version}`;
    });
  }
}

/**
 * @param {string} file
 * @returns {Manifest}
 */
function read(file) {
  return JSON.parse(fs.readFileSync(file, "utf8"));
}

/**
 * @param {string} file
 * @param {(content: Manifest) => void} change
 */
function edit(file, change) {
  const content = read(file);
  change(content);
  fs.writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`);
  return content;
}

module.exports = { versionOf, setVersion };
