const fs = require("node:fs");
const path = require("node:path");
const { oldestGo } = require("../engine/go");
const { buildProgram, prepareGo } = require("../engine/goBuild");
const { SetupFailure, reasonOf } = require("../command");
const { fingerprint, languagesFolder, makeFolder } = require("./cache");

/** @typedef {import("../engine/goBuild").Program} Program */

/** The program's file in the cache, whose folder is named after the sources. @param {Program} program */
function fileOf(program) {
  const sources = fs
    .readdirSync(program.module)
    .map((name) => fs.readFileSync(path.join(program.module, name)));
  const key = fingerprint(program.command, ...sources);
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

module.exports = { fileOf, prepareGoFor, prepareProgram };
