const fs = require("node:fs");
const path = require("node:path");
const { root } = require("../setup");
const { SetupFailure } = require("../setup/failure");
const { run } = require("../setup/run");

/**
 * Runs a command of an installed package.
 * @param {string} name of the package
 * @param {string} bin
 * @param {string[]} args
 */
function runTool(name, bin, ...args) {
  const folder = path.join(root, "node_modules", name);
  const manifest = JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8"));
  const file = path.join(folder, typeof manifest.bin === "string" ? manifest.bin : manifest.bin[bin]);
  return run(process.execPath, [file, ...args], { cwd: root });
}

/** The same, which must succeed. @param {Parameters<typeof runTool>} command */
async function tool(...command) {
  const { ok, output } = await runTool(...command);
  if (!ok) throw new SetupFailure(output.trim());
}

module.exports = { runTool, tool };
