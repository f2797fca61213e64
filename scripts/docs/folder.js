"use strict";

const fs = require("node:fs");
const path = require("node:path");

/**
 * The files of a folder that are missing, surplus or stale.
 * @param {string} folder
 * @param {ReadonlyMap<string, string>} pages by file name
 */
function changesIn(folder, pages) {
  const present = fs.existsSync(folder) ? fs.readdirSync(folder, { recursive: true, encoding: "utf8" }) : [];
  const files = present.filter((name) => fs.statSync(path.join(folder, name)).isFile());
  const names = new Set([...files.map((name) => name.replaceAll("\\", "/")), ...pages.keys()]);
  return [...names].filter((name) => textOf(path.join(folder, name)) !== pages.get(name)).sort();
}

/** @param {string} file */
function textOf(file) {
  return fs.existsSync(file) ? fs.readFileSync(file, "utf8").replaceAll("\r\n", "\n") : undefined;
}

/**
 * Writes these pages to a folder and removes all other files.
 * @param {string} folder
 * @param {ReadonlyMap<string, string>} pages
 * @returns {number} how many files changed
 */
function writePages(folder, pages) {
  const changed = changesIn(folder, pages);
  for (const name of changed) {
    const file = path.join(folder, name);
    const text = pages.get(name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    if (text === undefined) fs.rmSync(file);
    else fs.writeFileSync(file, text);
  }
  return changed.length;
}

module.exports = { changesIn, writePages };
