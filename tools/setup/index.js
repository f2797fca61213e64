const fs = require("node:fs");
const path = require("node:path");
const { name, version } = require("../../package.json");
const { pointNpxAt, prepareEngine } = require("./engine");
const { build, filesUnder, isBuilt, root } = require("./build");
const { npm, say, SetupFailure } = require("./run");

/** Builds dist/ if the sources have changed since the last build. Requires the installed packages. */
async function prepareBuild() {
  if (isBuilt()) return;
  say("Building dist/");
  await build();
}

/** Installs missing packages. */
async function prepareInstalled() {
  if (!areInstalled()) await install(root);
}

/**
 * Performs the whole set-up of a fresh clone: packages, build and engine.
 * @returns {Promise<import("./engine").Engine>}
 */
async function prepare() {
  await prepareInstalled();
  await prepareBuild();
  const engine = await prepareEngine();
  pointNpxAt(root, engine);
  return engine;
}

/** Returns true if node_modules matches the lockfile. Compares the record that npm writes at the end of an installation. */
function areInstalled() {
  const required = packagesIn(path.join(root, "package-lock.json"));
  const installed = packagesIn(path.join(root, "node_modules", ".package-lock.json"));
  return Object.entries(required).every(([folder, entry]) => {
    const found = installed[folder];
    // The entry without a folder is this project.
    if (!found) return folder === "" || entry.optional || entry.devOptional;
    return found.version === entry.version && found.integrity === entry.integrity;
  });
}

/**
 * @param {string} lockfile
 * @returns {Record<string, {version?: string, integrity?: string, optional?: boolean, devOptional?: boolean}>} by folder
 */
function packagesIn(lockfile) {
  return fs.existsSync(lockfile) ? JSON.parse(fs.readFileSync(lockfile, "utf8")).packages : {};
}

/** @param {string} folder */
async function install(folder) {
  say("Installing the npm packages (about half a minute)");
  const args = ["ci", "--include=dev", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  const { ok, output } = await npm(args, { cwd: folder });
  if (ok) return;
  throw new SetupFailure(
    output === "not found"
      ? "npm is not on PATH. It comes with Node: https://nodejs.org. Then run the same command again."
      : `npm could not install the packages:\n${output.trim().replace(/^/gm, "  ")}\n` +
          "`npm ping` shows whether npm reaches its registry. Once it does, run the same command again.",
  );
}

const packed = path.join(root, "node_modules", ".cache", "packed");

/** The package that `npm pack` created when the tests started. */
const archive = path.join(packed, `${name}-${version}.tgz`);

/** Packs the built package. */
async function pack() {
  fs.rmSync(packed, { recursive: true, force: true });
  fs.mkdirSync(packed, { recursive: true });
  // The package's scripts would build it again.
  const { ok, output } = await npm(["pack", "--ignore-scripts", "--pack-destination", packed], { cwd: root });
  if (!ok) throw new SetupFailure(`npm pack failed:\n${output.trim()}`);
}

module.exports = {
  archive,
  filesUnder,
  pack,
  prepare,
  prepareBuild,
  prepareInstalled,
  root,
};
