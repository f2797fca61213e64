"use strict";

const fs = require("node:fs");
const path = require("node:path");
const { SetupFailure, reasonOf } = require("../setup/failure");
const { foldersOf } = require("./path");
const { oldest, isAtLeast } = require("./pinned");
const { cli, engineIn, isExecutable } = require("./usable");

/**
 * The first `pulumi` on PATH that is usable and new enough. One inside a node_modules folder isn't an engine but the
 * installer of the npm package `pulumi`, and `npm run` puts that first.
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<import("./usable").Engine>}
 */
async function engineOnPath(env) {
  const reasons = [];
  const folders = foldersOf(env);
  for (const bin of folders) {
    const pulumi = path.join(bin, cli);
    if (!isExecutable(pulumi) || isInNodeModules(bin) || isInNodeModules(fs.realpathSync(pulumi))) continue;
    try {
      const engine = await engineIn(bin, env, folders);
      if (isAtLeast(engine.version, oldest)) return engine;
      reasons.push(`${pulumi} is ${engine.version}, older than ${oldest}`);
    } catch (error) {
      reasons.push(reasonOf(error));
    }
  }
  throw new SetupFailure(reasons.join("; ") || "there is none");
}

/** @param {string} file */
function isInNodeModules(file) {
  return file.split(path.sep).includes("node_modules");
}

module.exports = { engineOnPath };
