"use strict";

const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { SetupFailure } = require("../setup/failure");
const { step } = require("../setup/progress");
const { run, lastWords } = require("../setup/run");
const { moveIntoCache, workshopOf } = require("./cache");
const { version } = require("./pinned");

/**
 * @typedef {object} Download
 * @property {string} [site] Pulumi's download site
 * @property {number} [silenceMs] a site that sends nothing for this long is given up
 * @property {string} [installer] the script of the npm package `pulumi`
 */

const defaults = {
  site: "https://get.pulumi.com",
  silenceMs: 10_000,
  installer: path.resolve(__dirname, "../../node_modules/pulumi/run.js"),
};

/**
 * Has the npm package `pulumi`, the official installer, download the pinned version into the cache.
 * @param {string} cache
 * @param {NodeJS.ProcessEnv} env
 * @param {Download} options
 */
async function downloadEngine(cache, env, options) {
  const { site, silenceMs, installer } = { ...defaults, ...options };
  await probe(site, silenceMs);
  const home = path.join(workshopOf(cache), "download");
  fs.rmSync(home, { recursive: true, force: true });
  fs.mkdirSync(home, { recursive: true });
  const here = { PULUMI_HOME: home, PULUMI_VERSION: version, TMPDIR: home, TMP: home, TEMP: home };
  try {
    await step(`Downloading Pulumi ${version}`, "about a minute", async (detail) => {
      // PowerShell writes an archive only when it has all of it.
      const stallMs = process.platform === "win32" ? 6 * silenceMs : silenceMs;
      const watch = watchGrowth(home, stallMs, detail);
      const result = await run(process.execPath, [installer, "version"], {
        cwd: home,
        env: { ...env, ...here },
        signal: watch.signal,
      });
      watch.stop();
      if (watch.signal.aborted) throw new SetupFailure(`nothing came from ${site} for ${stallMs / 1000} s`);
      if (!result.ok) throw new SetupFailure(`the installer failed: ${lastWords(result.output)}`);
    });
    return await moveIntoCache(path.join(home, "versions", version), cache, env);
  } finally {
    fs.rmSync(home, { recursive: true, force: true });
  }
}

/**
 * Asks the site for anything at all.
 * @param {string} site
 * @param {number} silenceMs
 */
async function probe(site, silenceMs) {
  try {
    const answer = await fetch(`${site}/install.sh`, { signal: AbortSignal.timeout(silenceMs) });
    await answer.body?.cancel();
    if (!answer.ok) throw new SetupFailure(`${site} answered ${answer.status}`);
  } catch (error) {
    if (error instanceof SetupFailure) throw error;
    const { name, cause } = /** @type {Error & {cause?: NodeJS.ErrnoException}} */ (error);
    if (name === "TimeoutError") throw new SetupFailure(`${site} didn't answer within ${silenceMs / 1000} s`);
    throw new SetupFailure(`${site} can't be reached (${cause?.code ?? cause?.message ?? name})`);
  }
}

/**
 * Aborts when what the installer writes has stopped to grow.
 * @param {string} home
 * @param {number} silenceMs
 * @param {(text: string) => void} detail
 */
function watchGrowth(home, silenceMs, detail) {
  const controller = new AbortController();
  let size = 0;
  let grown = Date.now();
  const timer = setInterval(() => {
    const now = written(home);
    if (now !== size) grown = Date.now();
    else if (Date.now() - grown >= silenceMs) controller.abort();
    size = now;
    detail(`${Math.round(size / 1e6)} MB`);
  }, silenceMs / 20);
  return { signal: controller.signal, stop: () => clearInterval(timer) };
}

/**
 * Bytes that the installer has written, its archive in the system's temporary folder included: on macOS mktemp
 * takes that one whatever TMPDIR says.
 * @param {string} home
 */
function written(home) {
  const archives = fs.readdirSync(os.tmpdir()).filter((name) => name.startsWith("pulumi"));
  return [home, ...archives.map((name) => path.join(os.tmpdir(), name))].reduce(
    (sum, file) => sum + sizeOf(file),
    0,
  );
}

/** @param {string} file @returns {number} */
function sizeOf(file) {
  try {
    const stats = fs.lstatSync(file);
    if (!stats.isDirectory()) return stats.size;
    return fs.readdirSync(file).reduce((sum, name) => sum + sizeOf(path.join(file, name)), 0);
  } catch {
    // The installer has moved it away meanwhile.
    return 0;
  }
}

module.exports = { downloadEngine };
