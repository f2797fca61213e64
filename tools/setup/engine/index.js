const fs = require("node:fs");
const path = require("node:path");
const { SetupFailure, reasonOf } = require("../command");
const { say, withLock } = require("../run");
const { oldestGo } = require("../goPrograms");
const { buildEngine, downloadEngine, parts } = require("./install");
const { cacheFolder, engineOnPath, oldest, pathKey, pinnedEngineIn, version } = require("./usable");

/** @typedef {import("./usable").Engine} Engine */

/**
 * A Pulumi engine that runs: the one on PATH if it is new enough, else the pinned version in Pulumi's cache, put there
 * by the official download or else by a build from source.
 * @param {{env?: NodeJS.ProcessEnv, download?: import("./install").Download}} [options]
 * @returns {Promise<Engine>}
 * @throws {SetupFailure} lists why each way failed, and what to install
 */
async function prepareEngine({ env = process.env, download } = {}) {
  const cache = cacheFolder(env);
  /** @type {Map<string, string>} why a way failed, by its name */
  const reasons = new Map();
  /** @param {string} way @param {() => Promise<Engine>} find */
  const attempt = (way, find) =>
    find().catch((/** @type {unknown} */ error) => void reasons.set(way, reasonOf(error)));
  const cached = () => attempt("Pulumi's cache", () => pinnedEngineIn(cache, env));
  const downloaded = () =>
    attempt("the official download", () =>
      fillCache(cache, env, "download", (folder) => downloadEngine(folder, env, download)),
    );
  const built = () => {
    say(`Building Pulumi from source: ${reasons.get("the official download")}.`);
    return attempt("a build from source", () =>
      fillCache(cache, env, "build", (folder) => buildEngine(folder, staging(cache), env)),
    );
  };
  const bring = async () => (await cached()) ?? (await downloaded()) ?? (await built());
  const engine =
    (await attempt("pulumi on PATH", () => engineOnPath(env))) ??
    (await cached()) ??
    (await withLock(`${cache}.lock`, bring).catch(
      (/** @type {unknown} */ error) => void reasons.set(lockFailed, reasonOf(error)),
    ));
  if (engine) return engine;
  throw new SetupFailure(explain(reasons));
}

const lockFailed = "writing to Pulumi's cache";

/** The folder beside the cache in which an engine is put together. @param {string} cache */
function staging(cache) {
  return `${cache}.partial`;
}

/**
 * Puts a complete engine into the cache, in place of a broken one: an interrupted set-up never leaves half an engine.
 * @param {string} cache
 * @param {NodeJS.ProcessEnv} env
 * @param {string} name of the folder in which it is made
 * @param {(folder: string) => Promise<void>} make
 */
async function fillCache(cache, env, name, make) {
  const made = path.join(staging(cache), name);
  await make(made);
  await pinnedEngineIn(made, env);
  fs.rmSync(cache, { recursive: true, force: true });
  fs.renameSync(made, cache);
  fs.rmSync(staging(cache), { recursive: true, force: true });
  return pinnedEngineIn(cache, env);
}

/** @param {Map<string, string>} reasons */
function explain(reasons) {
  return [
    "No usable Pulumi engine was found, and none could be installed:",
    ...[...reasons].map(([way, reason]) => `  - ${way}: ${reason}`),
    "Any one of these helps:",
    ...(reasons.has(lockFailed) ? ["  - PULUMI_HOME set to a folder that can be written"] : []),
    `  - Pulumi ${oldest} or newer on PATH: https://www.pulumi.com/docs/install`,
    `  - Go ${oldestGo(parts[0].module)} or newer on PATH, to build Pulumi ${version} from source: https://go.dev/dl`,
    "  - Python 3 with pip, which installs such a Go by itself: https://www.python.org/downloads",
    "Then run the same command again: it resumes where it stopped.",
  ].join("\n");
}

/**
 * The environment in which a program runs an engine: its folder first on PATH, and of the caller's own settings of
 * Pulumi and of this provider only the cache's folder, so that a run is the same everywhere and never reaches a real
 * service.
 * @param {Engine} engine
 * @param {NodeJS.ProcessEnv} [settings] what the program sets itself
 * @returns {NodeJS.ProcessEnv}
 */
function engineEnvironment(engine, settings = {}) {
  const own = /^(PULUMI_(?!HOME$)|MONITORING_)/;
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !own.test(name)));
  const key = pathKey(env);
  const searched = [engine.bin, env[key]].filter(Boolean).join(path.delimiter);
  return { ...env, [key]: searched, PULUMI_SKIP_UPDATE_CHECK: "true", ...settings };
}

/**
 * Makes `npx pulumi` run the engine that set-up has found. The npm package `pulumi` only looks in Pulumi's cache, and
 * would download another engine beside the one on PATH.
 * @param {string} root of the clone
 * @param {import("./usable").Engine} engine
 */
function pointNpxAt(root, engine, cache = cacheFolder()) {
  const inCache = engine.bin === path.join(cache, "bin");
  const installer = path.join(root, "node_modules", "pulumi", "run.js");
  const command = path.join(root, "node_modules", ".bin", "pulumi");
  if (process.platform === "win32") {
    const text = inCache ? `@node "${installer}" %*\r\n` : `@"${engine.pulumi}" %*\r\n`;
    if (fs.readFileSync(`${command}.cmd`, "utf8") !== text) fs.writeFileSync(`${command}.cmd`, text);
    return;
  }
  const target = inCache ? path.join("..", "pulumi", "run.js") : engine.pulumi;
  if (fs.readlinkSync(command) === target) return;
  fs.rmSync(command);
  fs.symlinkSync(target, command);
}

module.exports = { prepareEngine, engineEnvironment, pointNpxAt };
