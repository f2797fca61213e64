const fs = require("node:fs");
const path = require("node:path");
const { SetupFailure } = require("./setup/failure");
const { filesUnder } = require("./setup/files");

/**
 * Writes generated files, formatted as this repository is. With `--check`, only says which are stale.
 * @param {string} root
 * @param {ReadonlyMap<string, string>} texts by file
 * @param {{command: string, parser: "json" | "markdown", folder?: string}} options folder: whose other files are removed
 * @returns {Promise<string[]>} the files that changed
 * @throws {SetupFailure} in a check
 */
async function writeGenerated(root, texts, { command, parser, folder }) {
  const check = isCheck();
  const prettier = require(path.join(__dirname, "..", "node_modules", "prettier"));
  const present = folder === undefined ? [] : filesIn(root, folder);
  const stale = present.filter((file) => !texts.has(file));
  for (const file of check ? [] : stale) fs.rmSync(path.join(root, file));
  for (const [file, text] of texts) {
    const target = path.join(root, file);
    const formatted = await prettier.format(text, { ...(await prettier.resolveConfig(target)), parser });
    if (fs.existsSync(target) && fs.readFileSync(target, "utf8").replaceAll("\r\n", "\n") === formatted)
      continue;
    stale.push(file);
    if (check) continue;
    fs.mkdirSync(path.dirname(target), { recursive: true });
    fs.writeFileSync(target, formatted);
  }
  if (check && stale.length > 0)
    throw new SetupFailure(stale.map((file) => `${file} is stale: run \`${command}\``).join("\n"));
  return stale;
}

const isCheck = () => process.argv.includes("--check");

/** @param {string} root @param {string} folder @returns {string[]} from the root on */
function filesIn(root, folder) {
  return filesUnder(path.join(root, folder)).map((file) => path.relative(root, file).replaceAll("\\", "/"));
}

module.exports = { isCheck, writeGenerated };
