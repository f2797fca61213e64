const fs = require("node:fs");
const path = require("node:path");
const { pointNpxAt, prepareEngine } = require("./engine");
const { SetupFailure } = require("./command");
const { build, filesUnder, isBuilt } = require("./build/compile");
const { areInstalled, install } = require("./packages");

const root = path.resolve(__dirname, "..", "..");

/** Compiles what has changed since the last build. The packages must be there. */
async function prepareBuild() {
  if (!fs.existsSync(path.join(root, "node_modules", "typescript")))
    throw new SetupFailure("The packages are not installed: run `npm ci` first.");
  if (!isBuilt(root)) await build(root);
}

/** Installs missing packages, then compiles what has changed. */
async function prepareInstalledBuild() {
  if (!areInstalled(root)) await install(root);
  await prepareBuild();
}

/**
 * All set-up on a fresh clone: packages, build, engine.
 * @returns {Promise<import("./engine/usable").Engine>}
 */
async function prepare() {
  await prepareInstalledBuild();
  const engine = await prepareEngine();
  pointNpxAt(root, engine);
  return engine;
}

module.exports = { filesUnder, prepare, prepareBuild, prepareInstalledBuild, root };
