const fs = require("node:fs");
const path = require("node:path");
const { name, version } = require("../../package.json");
const { SetupFailure } = require("./command");
const { npm } = require("./run");

/** @typedef {{version?: string, integrity?: string, optional?: boolean, devOptional?: boolean}} Entry */

/**
 * Whether node_modules matches the lockfile, by the record that npm writes there when it has finished.
 * @param {string} root
 * @returns {boolean}
 */
function areInstalled(root) {
  const required = entriesOf(path.join(root, "package-lock.json"));
  const installed = entriesOf(path.join(root, "node_modules", ".package-lock.json"));
  required.delete("");
  return [...required].every(([folder, entry]) => {
    const found = installed.get(folder);
    if (!found) return entry.optional || entry.devOptional;
    return found.version === entry.version && found.integrity === entry.integrity;
  });
}

/**
 * @param {string} lockfile
 * @returns {Map<string, Entry>} by folder; the empty string is the project itself
 */
function entriesOf(lockfile) {
  if (!fs.existsSync(lockfile)) return new Map();
  return new Map(Object.entries(JSON.parse(fs.readFileSync(lockfile, "utf8")).packages));
}

/** @param {string} root */
async function install(root) {
  process.stderr.write("Installing the npm packages (about half a minute)\n");
  const args = ["ci", "--include=dev", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  const { ok, output } = await npm(args, { cwd: root });
  if (!ok) throw new SetupFailure(explain(output));
}

/** @param {string} output of npm */
function explain(output) {
  if (output === "not found")
    return "npm is not on PATH. It comes with Node: https://nodejs.org. Then run the same command again.";
  return [
    "npm could not install the packages:",
    output.trim().replace(/^/gm, "  "),
    "`npm ping` shows whether npm reaches its registry. Once it does, run the same command again.",
  ].join("\n");
}

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

module.exports = { areInstalled, install, archive, pack };
