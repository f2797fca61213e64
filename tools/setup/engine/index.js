const fs = require("node:fs");
const path = require("node:path");
const { devDependencies, peerDependencies } = require("../../../package.json");
const {
  buildProgram,
  exe,
  fileOf,
  isAtLeast,
  isExecutable,
  oldestGo,
  prepareGo,
  pulumiHome,
  sdk,
} = require("../go");
const { lastLines, reasonOf, run, say, SetupFailure, step, withLock } = require("../run");

/**
 * @typedef {object} Engine
 * @property {string} pulumi the CLI
 * @property {string} bin its folder
 * @property {string} version such as 3.259.0
 *
 * @typedef {object} Download
 * @property {string} [site] Pulumi's download site
 * @property {string} [installer] program that installs the engine; default: the script of the npm package `pulumi`
 */

/** Version that the set-up installs, the same as the npm package `pulumi`. */
const version = devDependencies.pulumi;

/** Oldest supported engine on PATH, the version of the oldest supported SDK. */
const oldest = peerDependencies["@pulumi/pulumi"].replace("^", "");

const script = process.platform === "win32" ? ".cmd" : "";
const cli = `pulumi${exe}`;
const languageHost = `pulumi-language-nodejs${exe}`;
const dynamicProvider = `pulumi-resource-pulumi-nodejs${script}`;

/** Returns the folder where Pulumi's installers store this version. The Automation API also uses it. */
const cacheFolder = (env = process.env) => path.join(pulumiHome(env), "versions", version);

const lockFailed = "writing to Pulumi's cache";

/**
 * Returns a working Pulumi engine: from PATH if it's new enough, otherwise the pinned version in Pulumi's cache. Installs the latter with
 * the official download or, if that fails, with a build from source.
 * @param {{env?: NodeJS.ProcessEnv, download?: Download}} [options]
 * @returns {Promise<Engine>}
 * @throws {SetupFailure} lists the reason why each way failed, and what to install
 */
async function prepareEngine({ env = process.env, download } = {}) {
  const cache = cacheFolder(env);
  /** @type {Map<string, string>} reasons why ways failed, by name */
  const reasons = new Map();
  /** @param {Record<string, () => Promise<Engine | undefined>>} ways */
  const firstOf = async (ways) => {
    for (const [way, find] of Object.entries(ways)) {
      const engine = await find().catch((/** @type {unknown} */ error) => {
        reasons.set(way, reasonOf(error));
      });
      if (engine) return engine;
    }
    return undefined;
  };
  const cached = { "Pulumi's cache": () => pinnedEngineIn(cache, env) };
  const brought = {
    "the official download": () => fillCache(cache, env, (scratch) => downloadEngine(scratch, env, download)),
    "a build from source": async () => {
      say(`Building Pulumi from source: ${reasons.get("the official download")}.`);
      const engine = await fillCache(cache, env, (scratch) => buildEngine(scratch, env));
      for (const part of parts) fs.rmSync(path.dirname(fileOf(part, env)), { recursive: true });
      return engine;
    },
  };
  const engine = await firstOf({
    "pulumi on PATH": () => engineOnPath(env),
    ...cached,
    [lockFailed]: () => withLock(`${cache}.lock`, () => firstOf({ ...cached, ...brought })),
  });
  if (engine) return engine;
  throw new SetupFailure(explain(reasons));
}

/**
 * Replaces the engine in the cache with a complete one, so that an interrupted set-up never leaves a partial engine.
 * @param {string} cache
 * @param {NodeJS.ProcessEnv} env
 * @param {(scratch: string) => Promise<string>} make resolves to the engine's folder
 */
async function fillCache(cache, env, make) {
  const scratch = `${cache}.partial`;
  // Remove the files of an interrupted installation.
  fs.rmSync(scratch, { recursive: true, force: true });
  const made = await make(scratch);
  await pinnedEngineIn(made, env);
  fs.rmSync(cache, { recursive: true, force: true });
  fs.renameSync(made, cache);
  fs.rmSync(scratch, { recursive: true, force: true });
  return pinnedEngineIn(cache, env);
}

/** @param {ReadonlyMap<string, string>} reasons */
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
 * Returns the engine in a folder: the CLI and, in the same folder or elsewhere, the programs that run Node programs and dynamic providers.
 * @param {string} bin
 * @param {NodeJS.ProcessEnv} env
 * @param {string[]} [elsewhere] other folders that may contain the latter
 * @returns {Promise<Engine>}
 * @throws {SetupFailure} if something is missing or broken
 */
async function engineIn(bin, env, elsewhere = []) {
  const pulumi = path.join(bin, cli);
  if (!isExecutable(pulumi)) throw new SetupFailure(`no ${cli} in ${bin}`);
  for (const part of [languageHost, dynamicProvider]) {
    if (![bin, ...elsewhere].some((folder) => isExecutable(path.join(folder, part))))
      throw new SetupFailure(`${part} is missing beside ${pulumi}`);
  }
  const { stdout, output } = await run(pulumi, ["version"], {
    cwd: bin,
    env: { ...env, PULUMI_SKIP_UPDATE_CHECK: "true" },
    timeout: 20_000,
  });
  const found = /^v(\d+\.\d+\.\d+)/m.exec(stdout)?.[1];
  if (!found) throw new SetupFailure(`${pulumi} doesn't print its version: ${lastLines(output)}`);
  return { pulumi, bin, version: found };
}

/**
 * Returns the engine in a folder such as Pulumi's cache. Fails if it isn't the pinned version.
 * @param {string} folder that contains `bin`
 * @param {NodeJS.ProcessEnv} env
 */
async function pinnedEngineIn(folder, env) {
  const engine = await engineIn(path.join(folder, "bin"), env);
  if (engine.version !== version) throw new SetupFailure(`${engine.pulumi} is ${engine.version}`);
  return engine;
}

/**
 * Returns the first `pulumi` on PATH that is usable and new enough. Skips node_modules folders, which `npm run` adds to PATH first, because
 * the npm package `pulumi` is an installer and not an engine.
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<Engine>}
 */
async function engineOnPath(env) {
  const reasons = [];
  // Relative entries are ignored, because the engine runs in other folders, where they refer to different folders.
  const folders = (env[pathKey(env)] ?? "").split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  for (const bin of folders) {
    const pulumi = path.join(bin, cli);
    if (!isExecutable(pulumi)) continue;
    const names = [bin, fs.realpathSync(pulumi)].flatMap((file) => file.split(path.sep));
    if (names.includes("node_modules")) continue;
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

/** Returns the name of the variable PATH, because Windows spells it `Path`. @param {NodeJS.ProcessEnv} env */
function pathKey(env) {
  return Object.keys(env).find((key) => key.toUpperCase() === "PATH") ?? "PATH";
}

/** Timeouts of the site's first response and of the whole download. */
const [responseMs, limitMs] = [10_000, 180_000];

/**
 * Installs the pinned version with the npm package `pulumi`, which runs Pulumi's install script. This trusts Pulumi's site over TLS. The
 * version is pinned but not its checksum, because the script and the checksum would have the same origin. A build from source is pinned by
 * the hashes in go.sum.
 * @param {string} scratch
 * @param {NodeJS.ProcessEnv} env
 * @param {Download} [options]
 */
async function downloadEngine(
  scratch,
  env,
  {
    site = "https://get.pulumi.com",
    installer = path.join(__dirname, "../../../node_modules/pulumi/run.js"),
  } = {},
) {
  await assertResponds(site);
  await step(`Downloading Pulumi ${version}`, "about a minute", async () => {
    const options = { env: { ...env, PULUMI_HOME: scratch, PULUMI_VERSION: version }, timeout: limitMs };
    const { code, output } = await run(process.execPath, [installer, "version"], options);
    if (code === null) throw new SetupFailure(`the download didn't finish within ${limitMs / 1000} s`);
    if (code !== 0) throw new SetupFailure(`the installer failed: ${lastLines(output)}`);
  });
  return cacheFolder({ PULUMI_HOME: scratch });
}

/** Fails early if a firewall blocks the site, because the installer would wait for two minutes. @param {string} site */
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

/**
 * Programs to build. The language host is the last version in the SDK's module, because not every module proxy serves the module that it
 * was moved to.
 * @type {[import("../go").Program, import("../go").Program]}
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
 * Builds the pinned version from source, through the Go module proxy. Each program is kept until all are in the cache, so that an
 * interrupted build can resume.
 * @param {string} scratch
 * @param {NodeJS.ProcessEnv} env
 */
async function buildEngine(scratch, env) {
  for (const part of parts) {
    const program = await buildProgram(part, env, () => prepareGo(part.module, env));
    fs.cpSync(path.dirname(program), path.join(scratch, "bin"), { recursive: true });
  }
  return scratch;
}

/**
 * Returns the environment to run an engine. Its folder is first on PATH. Of the caller's settings of Pulumi and of this provider, only the
 * cache's folder is kept, so that runs are the same everywhere and never reach a real service.
 * @param {Engine} engine
 * @param {NodeJS.ProcessEnv} [settings] variables that the program sets
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
 * Makes `npx pulumi` run the engine that the set-up found. The npm package `pulumi` only searches Pulumi's cache, and would download an
 * engine even if there is one on PATH.
 * @param {string} root of the clone
 * @param {Engine} engine
 */
function pointNpxAt(root, engine, cache = cacheFolder()) {
  const inCache = engine.bin === path.join(cache, "bin");
  const installer = path.join(root, "node_modules", "pulumi", "run.js");
  const npx = path.join(root, "node_modules", ".bin", "pulumi");
  if (process.platform === "win32") {
    const text = inCache ? `@node "${installer}" %*\r\n` : `@"${engine.pulumi}" %*\r\n`;
    if (fs.readFileSync(`${npx}.cmd`, "utf8") !== text) fs.writeFileSync(`${npx}.cmd`, text);
    return;
  }
  const target = inCache ? path.join("..", "pulumi", "run.js") : engine.pulumi;
  if (fs.readlinkSync(npx) === target) return;
  fs.rmSync(npx);
  fs.symlinkSync(target, npx);
}

module.exports = {
  cli,
  dynamicProvider,
  engineEnvironment,
  languageHost,
  pathKey,
  pointNpxAt,
  prepareEngine,
  script,
  version,
};
