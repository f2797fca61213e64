"use strict";

const fs = require("node:fs");
const path = require("node:path");
const { SetupFailure } = require("../setup/failure");
const { version } = require("./pinned");
const { engineIn } = require("./usable");

/**
 * The engine of the pinned version in Pulumi's cache.
 * @param {string} cache
 * @param {NodeJS.ProcessEnv} env
 */
async function engineInCache(cache, env) {
  const engine = await engineIn(path.join(cache, "bin"), env);
  if (engine.version !== version) throw new SetupFailure(`${engine.pulumi} is ${engine.version}`);
  return engine;
}

/** The folder beside the cache in which an engine is made. @param {string} cache */
function workshopOf(cache) {
  return `${cache}.partial`;
}

/**
 * Moves a finished engine into the cache, in place of a broken one: there is never half an engine in it.
 * @param {string} made the folder that holds `bin`
 * @param {string} cache
 * @param {NodeJS.ProcessEnv} env
 */
async function moveIntoCache(made, cache, env) {
  await engineInCache(made, env);
  const workshop = workshopOf(cache);
  const broken = path.join(workshop, "broken");
  fs.rmSync(broken, { recursive: true, force: true });
  if (fs.existsSync(cache)) fs.renameSync(cache, broken);
  fs.renameSync(made, cache);
  fs.rmSync(workshop, { recursive: true, force: true });
  return engineInCache(cache, env);
}

module.exports = { engineInCache, moveIntoCache, workshopOf };
