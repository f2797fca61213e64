"use strict";

const fs = require("node:fs");
const path = require("node:path");
const { SetupFailure } = require("../setup/failure");
const { run, lastWords } = require("../setup/run");

/**
 * @typedef {object} Engine
 * @property {string} pulumi the CLI
 * @property {string} bin the folder it lies in
 * @property {string} version such as 3.259.0
 */

const windows = process.platform === "win32";
const program = windows ? ".exe" : "";
const script = windows ? ".cmd" : "";

const cli = `pulumi${program}`;
const languageHost = `pulumi-language-nodejs${program}`;
const dynamicProvider = `pulumi-resource-pulumi-nodejs${script}`;

/**
 * The engine in a folder: the CLI, and beside it or elsewhere what runs Node programs and dynamic providers.
 * @param {string} bin
 * @param {NodeJS.ProcessEnv} env
 * @param {string[]} [elsewhere] other folders in which it looks for them
 * @returns {Promise<Engine>}
 * @throws {SetupFailure} says what is missing or broken
 */
async function engineIn(bin, env, elsewhere = []) {
  const pulumi = path.join(bin, cli);
  if (!isExecutable(pulumi)) throw new SetupFailure(`no ${cli} in ${bin}`);
  for (const part of [languageHost, dynamicProvider]) {
    if (![bin, ...elsewhere].some((folder) => isExecutable(path.join(folder, part)))) {
      throw new SetupFailure(`${pulumi} comes without ${part}`);
    }
  }
  const { stdout, output } = await run(pulumi, ["version"], {
    cwd: bin,
    env: { ...env, PULUMI_SKIP_UPDATE_CHECK: "true" },
    signal: AbortSignal.timeout(20_000),
  });
  const version = /^v(\d+\.\d+\.\d+)/m.exec(stdout)?.[1];
  if (!version) throw new SetupFailure(`${pulumi} doesn't tell its version: ${lastWords(output)}`);
  return { pulumi, bin, version };
}

/** @param {string} file */
function isExecutable(file) {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).size > 0;
  } catch {
    return false;
  }
}

module.exports = { cli, languageHost, dynamicProvider, script, engineIn, isExecutable };
