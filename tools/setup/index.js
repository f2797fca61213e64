const path = require("node:path");
const { prepareEngine } = require("./engine");
const { pointNpxAt } = require("./engine/npx");
const { build } = require("./steps/compile");
const { withLock } = require("./lock");
const { archiveOf, packed } = require("./steps/packed");
const { packages } = require("./steps/packages");
const { pluginBundle } = require("./steps/pluginBundle");

const root = path.resolve(__dirname, "..", "..");

/**
 * @typedef {object} Step
 * @property {(root: string) => boolean} isCurrent
 * @property {(root: string) => Promise<void>} make
 */

/**
 * Does the steps that aren't current.
 * @param {Step[]} steps
 */
async function ensure(...steps) {
  if (steps.every((step) => step.isCurrent(root))) return;
  await withLock(path.join(root, ".setup.lock"), async () => {
    for (const step of steps) if (!step.isCurrent(root)) await step.make(root);
  });
}

/** Set-up of commands that need no more than the packages. */
const preparePackages = () => ensure(packages);

/** Set-up of commands that need no engine: the packages and the compiled sources. */
const prepareBuild = () => ensure(packages, build, pluginBundle);

/**
 * The archive of the package as `npm pack` makes it, once for what is built.
 * @returns {Promise<string>} its path
 */
async function preparePacked() {
  await ensure(packages, build, pluginBundle, packed);
  return archiveOf(root);
}

/**
 * All set-up: packages, build, engine. Takes well under a second when nothing is missing.
 * @returns {Promise<import("./engine/usable").Engine>}
 */
async function prepare() {
  await prepareBuild();
  const engine = await prepareEngine();
  pointNpxAt(root, engine);
  return engine;
}

module.exports = { root, prepare, prepareBuild, preparePacked, preparePackages };
