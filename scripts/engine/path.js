"use strict";

const path = require("node:path");

/**
 * The absolute folders of PATH; an empty or relative one means another folder wherever the engine is started.
 * @param {NodeJS.ProcessEnv} env
 */
function foldersOf(env) {
  return (env[pathKey(env)] ?? "").split(path.delimiter).filter((folder) => path.isAbsolute(folder));
}

/** Windows writes it `Path`. @param {NodeJS.ProcessEnv} env */
function pathKey(env) {
  return Object.keys(env).find((key) => key.toUpperCase() === "PATH") ?? "PATH";
}

module.exports = { foldersOf, pathKey };
