const fs = require("node:fs");
const path = require("node:path");
const ts = require("typescript");
const { filesUnder, root } = require("../setup");
const { modules } = require("./dependencyRules");

/** @typedef {{name: string, file: string | undefined}} Import file: path in this repository, if the import refers to one */

/** Folders of the product. */
const product = [...new Set(Object.keys(modules).map((name) => name.split("/")[0] ?? ""))];

/** Matches imports of only types. They need no package at run time. */
const typeImport = /^import (type [^;]*|\{(\s*type \w+( as \w+)?,?)+\s*\}) from "[^."][^;]*;/gm;

/**
 * Returns the imports of each source file in some folders.
 * @param {readonly string[]} folders
 * @returns {Map<string, Import[]>} by its path from the root
 */
function importsIn(folders) {
  const all = folders.flatMap((folder) => filesUnder(path.join(root, folder)));
  const files = new Set(all.map((file) => path.relative(root, file).replaceAll("\\", "/")));
  const sources = [...files].filter((file) => /\.(ts|js|cjs|mjs)$/.test(file));
  return new Map(sources.map((file) => [file, importsOf(file, files)]));
}

/** @param {string} from @param {ReadonlySet<string>} files @returns {Import[]} */
function importsOf(from, files) {
  const text = fs.readFileSync(path.join(root, from), "utf8").replace(typeImport, "");
  return ts.preProcessFile(text, true, true).importedFiles.map(({ fileName: name }) => {
    const target = path.posix.join(path.posix.dirname(from), name);
    const candidates = [target, ...[".ts", ".js", "/index.ts", "/index.js"].map((end) => target + end)];
    const file = candidates.find((each) => files.has(each)) ?? target;
    return { name, file: name.startsWith(".") ? file : undefined };
  });
}

module.exports = { importsIn, product };
