const fs = require("node:fs");
const path = require("node:path");

/** All files in a folder and its folders; none when it is missing. @param {string} folder @returns {string[]} */
function filesUnder(folder) {
  if (!fs.existsSync(folder)) return [];
  const names = fs.readdirSync(folder, { recursive: true, encoding: "utf8" });
  return names.map((name) => path.join(folder, name)).filter((file) => fs.statSync(file).isFile());
}

module.exports = { filesUnder };
