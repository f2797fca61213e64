"use strict";

const crypto = require("node:crypto");
const fs = require("node:fs");
const path = require("node:path");
const { SetupFailure } = require("./failure");
const { step } = require("./progress");
const { run } = require("./run");
const manifest = require("../../package.json");

const project = "tsconfig.build.json";

/** Whether dist/ was made of the sources as they are now. @param {string} root */
function isCurrent(root) {
  const stamp = stampOf(root);
  if (!fs.existsSync(stamp) || fs.readFileSync(stamp, "utf8") !== fingerprint(root)) return false;
  return isImportable(root) && commandsOf(root).every(isExecutable);
}

/** Compiles the sources into dist/. @param {string} root */
async function make(root) {
  const made = fingerprint(root);
  await step("Compiling", "a few seconds", async () => {
    const tsc = path.join(root, "node_modules", "typescript", "bin", "tsc");
    const result = await run(process.execPath, [tsc, "-p", project], { cwd: root });
    if (!result.ok) throw new SetupFailure(`The sources don't compile:\n${result.output.trim()}`);
  });
  removeOrphans(root);
  makeImportable(root);
  for (const command of commandsOf(root)) fs.chmodSync(command, 0o755);
  fs.writeFileSync(stampOf(root), made);
}

/** @param {string} root */
function stampOf(root) {
  return path.join(root, "dist", ".sources");
}

/** A hash of all that decides what dist/ holds. @param {string} root */
function fingerprint(root) {
  const hash = crypto.createHash("sha256");
  const sources = roomsOf(root).flatMap((room) => filesUnder(path.join(root, room)));
  const settings = ["tsconfig.json", project, "package-lock.json"].map((name) => path.join(root, name));
  for (const file of [...sources.sort(), ...settings]) {
    hash.update(path.relative(root, file)).update("\0").update(fs.readFileSync(file)).update("\0");
  }
  return hash.digest("hex");
}

/** @param {string} root @returns {string[]} the folders that are compiled */
function roomsOf(root) {
  return JSON.parse(fs.readFileSync(path.join(root, project), "utf8")).include;
}

/** @param {string} folder @returns {string[]} */
function filesUnder(folder) {
  if (!fs.existsSync(folder)) return [];
  return fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const found = path.join(folder, entry.name);
    return entry.isDirectory() ? filesUnder(found) : [found];
  });
}

/** Removes from dist/ what was made of a source that is no more: tsc leaves it, and npm would pack it. @param {string} root */
function removeOrphans(root) {
  const dist = path.join(root, "dist");
  for (const room of fs.readdirSync(dist, { withFileTypes: true }).filter((entry) => entry.isDirectory())) {
    for (const file of filesUnder(path.join(dist, room.name))) {
      const source = path.relative(dist, file).replace(/(\.d\.ts|\.js)$/, ".ts");
      if (!fs.existsSync(path.join(root, source))) fs.rmSync(file);
    }
  }
}

/**
 * The engine's provider process asks for the package by its name, from the program's folder upwards through
 * node_modules: the examples find it by this link.
 * @param {string} root
 */
function linkOf(root) {
  return path.join(root, "node_modules", manifest.name);
}

/** @param {string} root */
function isImportable(root) {
  return fs.existsSync(linkOf(root)) && fs.realpathSync(linkOf(root)) === fs.realpathSync(root);
}

/** @param {string} root */
function makeImportable(root) {
  if (isImportable(root)) return;
  fs.rmSync(linkOf(root), { recursive: true, force: true });
  fs.symlinkSync("..", linkOf(root), "junction");
}

/**
 * What `npx` runs in a clone. npm makes a command executable once for a path, and never again: in the next clone at the
 * same path it would not be.
 * @param {string} root
 */
function commandsOf(root) {
  return Object.values(manifest.bin).map((file) => path.join(root, file));
}

/** @param {string} file */
function isExecutable(file) {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

module.exports = { build: { isCurrent, make } };
