const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { devDependencies, peerDependencies } = require("../../../package.json");
const { SetupFailure, reasonOf } = require("../command");
const { lastLines, run } = require("../run");

/** The version that set-up installs: that of the npm package `pulumi`. */
const version = devDependencies.pulumi;

/** The oldest supported engine on PATH: the version of the oldest supported SDK. */
const oldest = peerDependencies["@pulumi/pulumi"].replace("^", "");

/** Pulumi's own folder. @param {NodeJS.ProcessEnv} env */
function pulumiHome(env) {
  return path.resolve(env.PULUMI_HOME || path.join(os.homedir(), ".pulumi"));
}

/**
 * Where Pulumi's own installers keep this version; the Automation API shares it.
 * @param {NodeJS.ProcessEnv} [env]
 */
function cacheFolder(env = process.env) {
  return path.join(pulumiHome(env), "versions", version);
}

/** Whether a version such as 3.259.0 is equal to another or newer. @param {string} one @param {string} other */
function isAtLeast(one, other) {
  return one.localeCompare(other, "en", { numeric: true }) >= 0;
}

/**
 * @typedef {object} Engine
 * @property {string} pulumi the CLI
 * @property {string} bin its folder
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
 * @param {string[]} [elsewhere] other folders that may hold the latter
 * @returns {Promise<Engine>}
 * @throws {SetupFailure} says what is missing or broken
 */
async function engineIn(bin, env, elsewhere = []) {
  const pulumi = path.join(bin, cli);
  if (!isExecutable(pulumi)) throw new SetupFailure(`no ${cli} in ${bin}`);
  for (const part of [languageHost, dynamicProvider]) {
    if (![bin, ...elsewhere].some((folder) => isExecutable(path.join(folder, part)))) {
      throw new SetupFailure(`${part} is missing beside ${pulumi}`);
    }
  }
  const { stdout, output } = await run(pulumi, ["version"], {
    cwd: bin,
    env: { ...env, PULUMI_SKIP_UPDATE_CHECK: "true" },
    signal: AbortSignal.timeout(20_000),
  });
  const found = /^v(\d+\.\d+\.\d+)/m.exec(stdout)?.[1];
  if (!found) throw new SetupFailure(`${pulumi} doesn't print its version: ${lastLines(output)}`);
  return { pulumi, bin, version: found };
}

/**
 * The engine of the pinned version in a folder such as Pulumi's cache.
 * @param {string} folder that holds `bin`
 * @param {NodeJS.ProcessEnv} env
 */
async function pinnedEngineIn(folder, env) {
  const engine = await engineIn(path.join(folder, "bin"), env);
  if (engine.version !== version) throw new SetupFailure(`${engine.pulumi} is ${engine.version}`);
  return engine;
}

/**
 * The first `pulumi` on PATH that is usable and new enough. A file inside a node_modules folder is not an engine but
 * the npm package `pulumi`, an installer, which `npm run` puts first on PATH.
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<Engine>}
 */
async function engineOnPath(env) {
  const reasons = [];
  // The engine runs in other folders, where a relative entry names another folder.
  const folders = (env[pathKey(env)] ?? "").split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  for (const bin of folders) {
    const pulumi = path.join(bin, cli);
    if (!isExecutable(pulumi)) continue;
    const parts = [bin, fs.realpathSync(pulumi)].flatMap((file) => file.split(path.sep));
    if (parts.includes("node_modules")) continue;
    try {
      const engine = await engineIn(bin, env, folders);
      if (isAtLeast(engine.version, oldest)) return engine;
      reasons.push(`${pulumi} is ${engine.version}, older than ${oldest}`);
    } catch (error) {
      reasons.push(reasonOf(error));
    }
  }
  throw new SetupFailure(reasons.join("; ") || "not found");
}

/** Windows spells it `Path`. @param {NodeJS.ProcessEnv} env */
function pathKey(env) {
  return Object.keys(env).find((key) => key.toUpperCase() === "PATH") ?? "PATH";
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

module.exports = {
  version,
  oldest,
  pulumiHome,
  cacheFolder,
  isAtLeast,
  program,
  cli,
  languageHost,
  dynamicProvider,
  script,
  engineOnPath,
  pinnedEngineIn,
  pathKey,
  isExecutable,
};
