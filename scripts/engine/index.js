"use strict";

const path = require("node:path");
const { SetupFailure, reasonOf } = require("../setup/failure");
const { withLock } = require("../setup/lock");
const { say } = require("../setup/progress");
const { engineInCache } = require("./cache");
const { downloadEngine } = require("./download");
const { oldestGo } = require("./go");
const { engineOnPath } = require("./onPath");
const { pathKey } = require("./path");
const { oldest, version, cacheFolder } = require("./pinned");
const { buildEngine, parts } = require("./source");

/** @typedef {import("./usable").Engine} Engine */

/** Where the engine is kept, among what may be missing. */
const place = "a place for it";

/**
 * @typedef {object} Way a way to come by an engine
 * @property {string} name
 * @property {() => Promise<Engine>} find
 */

/**
 * A Pulumi engine that runs: the one on PATH if it is new enough, else the pinned version in Pulumi's cache, brought
 * there by the official download or else by a build from source.
 * @param {{env?: NodeJS.ProcessEnv, download?: import("./download").Download}} [options]
 * @returns {Promise<Engine>}
 * @throws {SetupFailure} tells of each way why it didn't work, and what to install
 */
async function prepareEngine({ env = process.env, download = {} } = {}) {
  /** @type {Map<string, string>} */
  const reasons = new Map();
  const cache = cacheFolder(env);
  const onPath = { name: "pulumi on PATH", find: () => engineOnPath(env) };
  const cached = { name: "Pulumi's cache", find: () => engineInCache(cache, env) };
  const downloaded = { name: "the official download", find: () => downloadEngine(cache, env, download) };
  const built = {
    name: "a build from source",
    find: () => {
      say(`No official download of Pulumi: ${reasons.get(downloaded.name)}. Building it from source.`);
      return buildEngine(cache, env);
    },
  };

  const ready = await firstThatWorks([onPath, cached], reasons);
  if (ready) return ready;
  const bring = () => firstThatWorks([cached, downloaded, built], reasons);
  const brought = await withLock(`${cache}.lock`, bring).catch((/** @type {unknown} */ error) => {
    reasons.set(place, reasonOf(error));
  });
  if (brought) return brought;
  throw new SetupFailure(explain(reasons));
}

/**
 * @param {Way[]} ways
 * @param {Map<string, string>} reasons is told why a way didn't work
 */
async function firstThatWorks(ways, reasons) {
  for (const { name, find } of ways) {
    try {
      return await find();
    } catch (error) {
      reasons.set(name, reasonOf(error));
    }
  }
  return undefined;
}

/** @param {Map<string, string>} reasons */
function explain(reasons) {
  return [
    "There is no usable Pulumi engine here, and none could be brought:",
    ...[...reasons].map(([name, reason]) => `  - ${name}: ${reason}`),
    "Any one of these helps:",
    ...(reasons.has(place) ? ["  - a folder that can be written, by setting PULUMI_HOME to it"] : []),
    `  - Pulumi ${oldest} or newer on PATH: https://www.pulumi.com/docs/install`,
    `  - Go ${oldestGo(parts[0].module)} or newer on PATH, to build Pulumi ${version} from source: https://go.dev/dl`,
    "  - Python 3 with pip, which brings such a Go by itself: https://www.python.org/downloads",
    "Then run the same command again: it goes on where it stopped.",
  ].join("\n");
}

/**
 * The environment in which a program runs an engine: its folder first on PATH, and of the caller's own settings of
 * Pulumi and of this provider nothing but the cache's place, so that a run is the same everywhere and never reaches
 * a real service.
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

module.exports = { prepareEngine, engineEnvironment };
