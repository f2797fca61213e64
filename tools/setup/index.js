const { pointNpxAt, prepareEngine } = require("./engine");
const { build, filesUnder, isBuilt, root } = require("./build");
const { say } = require("./run");
const { areInstalled, install } = require("./packages");

/** Compiles what has changed since the last build. The packages must be there. */
async function prepareBuild() {
  if (isBuilt()) return;
  say("Building dist/");
  await build();
}

/** Installs missing packages. */
async function prepareInstalled() {
  if (!areInstalled(root)) await install(root);
}

/** Installs missing packages, then compiles what has changed. */
async function prepareInstalledBuild() {
  await prepareInstalled();
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

module.exports = { filesUnder, prepare, prepareBuild, prepareInstalled, prepareInstalledBuild, root };
