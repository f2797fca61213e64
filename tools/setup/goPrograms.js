const crypto = require("node:crypto");
const fs = require("node:fs");
const path = require("node:path");
const { SetupFailure, reasonOf } = require("./command");
const { buildProgram, oldestGo, prepareGo } = require("./engine/goBuild");
const { withLock } = require("./run");
const { pulumiHome } = require("./engine/usable");

/** Where the tests of the languages keep what they install. @param {NodeJS.ProcessEnv} [env] */
function languagesFolder(env = process.env) {
  return path.join(pulumiHome(env), "monitoring-languages");
}

/** A short hash of what something is made from. @param {(string | Buffer)[]} parts */
function fingerprint(...parts) {
  const hash = crypto.createHash("sha256");
  for (const part of parts) hash.update(part).update("\0");
  return hash.digest("hex").slice(0, 12);
}

/**
 * Makes a folder once, in one process at a time. An attempt that was interrupted leaves none.
 * @param {string} folder
 * @param {(partial: string) => Promise<void>} make
 */
async function makeFolder(folder, make) {
  if (fs.existsSync(folder)) return;
  await withLock(`${folder}.lock`, async () => {
    if (fs.existsSync(folder)) return;
    const partial = `${folder}.partial`;
    fs.rmSync(partial, { recursive: true, force: true });
    fs.mkdirSync(partial, { recursive: true });
    await make(partial);
    fs.renameSync(partial, folder);
  });
}

/** @typedef {import("./engine/goBuild").Program} Program */

/** The program's file in the cache, whose folder is named after the sources. @param {Program} program */
function fileOf(program) {
  const sources = fs
    .readdirSync(program.module)
    .map((name) => fs.readFileSync(path.join(program.module, name)));
  const key = fingerprint(program.command ?? ".", ...sources);
  const [name] = program.file.split(".");
  return path.join(languagesFolder(), `${name}-${key}`, program.file);
}

/** @param {Program} program @returns {Promise<string>} its file */
async function prepareProgram(program) {
  const file = fileOf(program);
  await makeFolder(path.dirname(file), async (folder) => {
    await buildProgram(await prepareGoFor(program.module, program.title), program, folder);
  });
  return file;
}

/**
 * A Go that can build a module.
 * @param {string} module
 * @param {string} purpose what can't be had without it
 */
async function prepareGoFor(module, purpose) {
  try {
    return await prepareGo(module, languagesFolder(), process.env);
  } catch (error) {
    throw new SetupFailure(
      `Go ${oldestGo(module)} or newer is needed for ${purpose}, and none was found: ${reasonOf(error)}. ` +
        "Install it, https://go.dev/dl, and run the same command again.",
    );
  }
}

module.exports = { fingerprint, languagesFolder, makeFolder, fileOf, prepareGoFor, prepareProgram };
