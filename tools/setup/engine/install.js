const fs = require("node:fs");
const path = require("node:path");
const { SetupFailure } = require("../command");
const { lastLines, run, step } = require("../run");
const { buildProgram, prepareGo } = require("../goPrograms");
const { cli, dynamicProvider, languageHost, script, version } = require("./usable");

/** How long the site may take to respond at all, and the whole download. */
const [responseMs, limitMs] = [10_000, 180_000];

/**
 * @typedef {object} Download
 * @property {string} [site] Pulumi's download site
 * @property {string} [installer] the script that is run; default: this file
 */

/**
 * Installs the pinned version by the npm package `pulumi`, which runs Pulumi's install script. What is trusted is Pulumi's
 * site, over TLS: the version is pinned, its checksum is not, since the script and a checksum would have the same
 * origin. A build from source is pinned by the hashes in go.sum.
 * @param {string} folder
 * @param {NodeJS.ProcessEnv} env
 * @param {Download} [options]
 */
async function downloadEngine(folder, env, { site = "https://get.pulumi.com", installer = __filename } = {}) {
  await assertResponds(site);
  // What an interrupted installation has left.
  fs.rmSync(folder, { recursive: true, force: true });
  await step(`Downloading Pulumi ${version}`, "about a minute", async () => {
    const signal = AbortSignal.timeout(limitMs);
    const { ok, output } = await run(process.execPath, [installer, folder, version], { env, signal });
    if (signal.aborted) throw new SetupFailure(`the download didn't finish within ${limitMs / 1000} s`);
    if (!ok) throw new SetupFailure(`the installer failed: ${lastLines(output)}`);
  });
}

/** Fails immediately where a firewall blocks the site. The installer itself waits for two minutes. @param {string} site */
async function assertResponds(site) {
  try {
    await fetch(`${site}/install.sh`, { method: "HEAD", signal: AbortSignal.timeout(responseMs) });
  } catch (error) {
    const { name, cause } = /** @type {Error & {cause?: NodeJS.ErrnoException}} */ (error);
    const reason =
      name === "TimeoutError" ? `no response within ${responseMs / 1000} s` : (cause?.code ?? name);
    throw new SetupFailure(`${site} can't be reached (${reason})`);
  }
}

const sdk = "github.com/pulumi/pulumi/sdk/v3";

/**
 * What is built. The language host is the last one that is part of the SDK's module; not every module proxy serves
 * the module that it moved to.
 * @type {[import("../goPrograms").Program, import("../goPrograms").Program]}
 */
const parts = [
  {
    title: `the Pulumi CLI ${version}`,
    module: path.join(__dirname, "pulumi"),
    command: "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi",
    variables: `-X ${sdk}/go/common/version.Version=v${version}`,
    file: cli,
    coreMinutes: 8,
    beside: { module: sdk, file: `nodejs/dist/${dynamicProvider}` },
  },
  {
    title: "its Node language host",
    module: path.join(__dirname, "host"),
    command: `${sdk}/nodejs/cmd/pulumi-language-nodejs`,
    file: languageHost,
    coreMinutes: 1,
    beside: { module: sdk, file: `nodejs/dist/pulumi-analyzer-policy${script}` },
  },
];

/**
 * Builds the pinned version from source, through the Go module proxy. What an earlier run has built is kept, so that
 * a build that was interrupted resumes.
 * @param {string} folder
 * @param {string} scratch
 * @param {NodeJS.ProcessEnv} env
 */
async function buildEngine(folder, scratch, env) {
  const bin = path.join(folder, "bin");
  fs.mkdirSync(bin, { recursive: true });
  const go = await prepareGo(parts[0].module, scratch, env);
  for (const part of parts) await buildProgram(go, part, bin);
}

// Run by `downloadEngine`: `node install.js FOLDER VERSION`, a process of its own that it can end together with the install script.
if (require.main === module) {
  const { installCLI } = require(path.join(__dirname, "../../../node_modules/pulumi/lib/download.js"));
  const [folder, wanted] = process.argv.slice(2);
  installCLI(wanted, folder).catch((/** @type {unknown} */ error) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  });
}

module.exports = { downloadEngine, buildEngine, parts, sdk };
