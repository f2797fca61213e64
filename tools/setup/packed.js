const fs = require("node:fs");
const path = require("node:path");
const { SetupFailure } = require("./failure");
const { npm } = require("./npm");
const { name, version } = require("../../package.json");

const root = path.resolve(__dirname, "..", "..");
const folder = path.join(root, "node_modules", ".cache", "packed");

/** The package as `npm pack` made it when the tests began. */
const archive = path.join(folder, `${name}-${version}.tgz`);

/** Packs what is built. */
async function pack() {
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder, { recursive: true });
  // The scripts of the package would build it again.
  const { ok, output } = await npm(["pack", "--ignore-scripts", "--pack-destination", folder], { cwd: root });
  if (!ok) throw new SetupFailure(`npm pack failed:\n${output.trim()}`);
}

module.exports = { archive, pack };
