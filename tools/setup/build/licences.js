const fs = require("node:fs");
const path = require("node:path");

/**
 * The licences of the packages in a bundle, which their terms want to go with it.
 * @param {string[]} folders of the packages
 */
function licencesOf(folders) {
  return folders.map(licenceOf).join(`\n\n${"-".repeat(80)}\n\n`);
}

/** @param {string} folder */
function licenceOf(folder) {
  const { name, version, license } = JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8"));
  const files = fs.readdirSync(folder).sort();
  const licences = files.filter((file) => /^(licen[cs]e|copying|notice)/i.test(file));
  // Some packages have theirs in the README alone.
  const sources = licences.length > 0 ? licences : files.filter((file) => /^readme/i.test(file));
  const texts = sources.map((file) => fs.readFileSync(path.join(folder, file), "utf8").trim());
  return [`${name} ${version}, ${license}`, ...texts].join("\n\n");
}

module.exports = { licencesOf };
