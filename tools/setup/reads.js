const fs = require("node:fs");
const path = require("node:path");
const { root } = require(".");

/** @typedef {(file: string) => boolean} Reads whether a check or a generator depends on the content of a file, by its path from the root */

/** @type {Reads} */
const isNoPage = (file) => !file.endsWith(".md");

/** @type {Reads} */
const isPacked = (file) => !/^(test|tools\/(soak|bench)|docs|examples|\.github)\//.test(file);

/** Nothing is generated from what a test says. @type {Reads} */
const isNoTest = (file) => !/^test\/.*\.ts$/.test(file);

/** Tests import no other test. @type {Reads} */
function decidesOnSnapshots(file) {
  const snapshot = path.join(root, path.dirname(file), "__snapshots__", `${path.basename(file)}.snap`);
  return isNoPage(file) && (!file.endsWith(".test.ts") || fs.existsSync(snapshot));
}

/** @param {string} generator @returns {Reads} */
const readsOf = (generator) => (generator === "snapshots" ? decidesOnSnapshots : isNoTest);

module.exports = { isNoPage, isNoTest, isPacked, readsOf };
