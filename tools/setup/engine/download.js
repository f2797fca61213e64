const fs = require("node:fs");
const path = require("node:path");
const { SetupFailure } = require("../command");
const { lastLines, run, step } = require("../run");
const { version } = require("./pinned");

/**
 * @typedef {object} Download
 * @property {string} [site] Pulumi's download site
 * @property {number} [responseMs] how long the site may take to respond at all
 * @property {number} [limitMs] how long the whole download may take
 * @property {string} [installer]
 */

/**
 * Installs the pinned version by the npm package `pulumi`, which runs Pulumi's install script. What is trusted is Pulumi's
 * site, over TLS: the version is pinned, its checksum is not, since the script and a checksum would have the same
 * origin. A build from source is pinned by the hashes in go.sum.
 * @param {string} folder
 * @param {NodeJS.ProcessEnv} env
 * @param {Download} [options]
 */
async function downloadEngine(folder, env, options = {}) {
  const { site = "https://get.pulumi.com", responseMs = 10_000 } = options;
  const { limitMs = 180_000, installer = path.join(__dirname, "installProcess.js") } = options;
  await assertResponds(site, responseMs);
  // What an interrupted installation has left.
  fs.rmSync(folder, { recursive: true, force: true });
  await step(`Downloading Pulumi ${version}`, "about a minute", async () => {
    const signal = AbortSignal.timeout(limitMs);
    const { ok, output } = await run(process.execPath, [installer, folder, version], { env, signal });
    if (signal.aborted) throw new SetupFailure(`the download didn't finish within ${limitMs / 1000} s`);
    if (!ok) throw new SetupFailure(`the installer failed: ${lastLines(output)}`);
  });
}

/**
 * Fails immediately where a firewall blocks the site. The installer itself waits for two minutes.
 * @param {string} site
 * @param {number} responseMs
 */
async function assertResponds(site, responseMs) {
  try {
    await fetch(`${site}/install.sh`, { method: "HEAD", signal: AbortSignal.timeout(responseMs) });
  } catch (error) {
    const { name, cause } = /** @type {Error & {cause?: NodeJS.ErrnoException}} */ (error);
    const reason =
      name === "TimeoutError" ? `no response within ${responseMs / 1000} s` : (cause?.code ?? name);
    throw new SetupFailure(`${site} can't be reached (${reason})`);
  }
}

module.exports = { downloadEngine };
