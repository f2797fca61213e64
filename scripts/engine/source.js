"use strict";

const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { step } = require("../setup/progress");
const { moveIntoCache, workshopOf } = require("./cache");
const { findGo } = require("./go");
const { loadPackages, compile, moduleFolder } = require("./goBuild");
const { version } = require("./pinned");
const { cli, languageHost, dynamicProvider, script } = require("./usable");

const sdk = "github.com/pulumi/pulumi/sdk/v3";

/**
 * @typedef {object} Part
 * @property {string} title
 * @property {string} module the folder whose go.mod and go.sum fix the version of everything
 * @property {string} command the package to build
 * @property {string} ldflags
 * @property {string} file what it becomes
 * @property {string} beside a script of the same version's SDK that belongs beside it
 * @property {number} coreMinutes how long one core builds it
 */

/**
 * What is built. The language host is the last one that is part of the SDK's module; the module it moved to isn't
 * served everywhere.
 * @type {[Part, Part]}
 */
const parts = [
  {
    title: `the Pulumi CLI ${version}`,
    module: path.join(__dirname, "cli"),
    command: "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi",
    ldflags: `-s -w -X ${sdk}/go/common/version.Version=v${version}`,
    file: cli,
    coreMinutes: 8,
    beside: dynamicProvider,
  },
  {
    title: "its Node language host",
    module: path.join(__dirname, "host"),
    command: `${sdk}/nodejs/cmd/pulumi-language-nodejs`,
    ldflags: "-s -w",
    file: languageHost,
    coreMinutes: 1,
    beside: `pulumi-analyzer-policy${script}`,
  },
];

/**
 * Builds the pinned version from source, through the Go module proxy, into the cache. What an earlier run has built
 * is kept, so a set-up that was stopped goes on where it was.
 * @param {string} cache
 * @param {NodeJS.ProcessEnv} env
 * @param {{answerMs?: number}} [options] a module proxy that leaves a request unanswered for this long is given up
 */
async function buildEngine(cache, env, { answerMs = 10_000 } = {}) {
  const workshop = workshopOf(cache);
  const made = path.join(workshop, "engine");
  const tmp = path.join(workshop, "tmp");
  fs.mkdirSync(path.join(made, "bin"), { recursive: true });
  fs.mkdirSync(tmp, { recursive: true });
  const go = await findGo(parts[0].module, workshop, goEnvironment(env, tmp));
  for (const part of parts) await buildPart(go, part, path.join(made, "bin"), answerMs);
  return moveIntoCache(made, cache, env);
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {string} tmp
 * @returns {NodeJS.ProcessEnv}
 */
function goEnvironment(env, tmp) {
  return {
    HOME: os.homedir(),
    ...env,
    CGO_ENABLED: "0",
    GOWORK: "off",
    GOOS: "",
    GOARCH: "",
    GOTMPDIR: tmp,
    TMPDIR: tmp,
    TMP: tmp,
    TEMP: tmp,
    // Go's own counters would go to the user's configuration folder.
    TEST_TELEMETRY_DIR: tmp,
  };
}

/**
 * @param {import("./go").Go} go
 * @param {Part} part
 * @param {string} bin
 * @param {number} answerMs
 */
async function buildPart(go, part, bin, answerMs) {
  const target = path.join(bin, part.file);
  if (!fs.existsSync(target)) {
    const minutes = Math.ceil(part.coreMinutes / os.availableParallelism());
    await step(`Building ${part.title}`, `about ${minutes} min the first time`, async (detail) => {
      const count = await loadPackages(go, part, answerMs, detail);
      await compile(go, part, `${target}.new`, count, detail);
    });
    fs.renameSync(`${target}.new`, target);
  }
  const script = path.join(bin, part.beside);
  fs.copyFileSync(path.join(await moduleFolder(go, part, sdk), "nodejs", "dist", part.beside), script);
  fs.chmodSync(script, 0o755);
}

module.exports = { buildEngine, parts };
