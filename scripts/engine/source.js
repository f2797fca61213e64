"use strict";

const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { SetupFailure } = require("../setup/failure");
const { step } = require("../setup/progress");
const { lastLines } = require("../setup/run");
const { findGo } = require("./go");
const { version } = require("./pinned");
const { cli, languageHost, dynamicProvider, script } = require("./usable");

const sdk = "github.com/pulumi/pulumi/sdk/v3";

/**
 * @typedef {object} Part
 * @property {string} title
 * @property {string} module the folder whose go.mod and go.sum pin the version and the hash of every module
 * @property {string} command the package to build
 * @property {string} ldflags
 * @property {string} file the program that is built
 * @property {string} beside a script of the same version's SDK that belongs beside it
 * @property {number} coreMinutes how long one core builds it
 */

/**
 * What is built. The language host is the last one that is part of the SDK's module; not every module proxy serves
 * the module that it moved to.
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
 * Builds the pinned version from source, through the Go module proxy. What an earlier run has built is kept, so that
 * a build that was interrupted resumes.
 * @param {string} folder
 * @param {string} scratch
 * @param {NodeJS.ProcessEnv} env
 */
async function buildEngine(folder, scratch, env) {
  const bin = path.join(folder, "bin");
  const tmp = path.join(scratch, "tmp");
  for (const each of [bin, tmp]) fs.mkdirSync(each, { recursive: true });
  const go = await findGo(parts[0].module, scratch, goEnvironment(env, tmp));
  for (const part of parts) await buildPart(go, part, bin);
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {string} tmp
 * @returns {NodeJS.ProcessEnv}
 */
function goEnvironment(env, tmp) {
  const temporary = { GOTMPDIR: tmp, TMPDIR: tmp, TMP: tmp, TEMP: tmp };
  // Go would keep its telemetry in the user's configuration folder.
  const telemetry = { TEST_TELEMETRY_DIR: tmp };
  const target = { CGO_ENABLED: "0", GOWORK: "off", GOOS: "", GOARCH: "" };
  return { HOME: os.homedir(), ...env, ...target, ...temporary, ...telemetry };
}

/**
 * @param {import("./go").Go} go
 * @param {Part} part
 * @param {string} bin
 */
async function buildPart(go, part, bin) {
  const target = path.join(bin, part.file);
  if (!fs.existsSync(target)) {
    const minutes = Math.ceil(part.coreMinutes / os.availableParallelism());
    await step(`Building ${part.title}`, `about ${minutes} min the first time`, (detail) =>
      compile(go, part, `${target}.new`, detail),
    );
    fs.renameSync(`${target}.new`, target);
  }
  const args = ["list", "-mod=readonly", "-m", "-f", "{{.Dir}}", sdk];
  const { ok, stdout, output } = await go(args, { cwd: part.module });
  if (!ok) throw new SetupFailure(`go list ${sdk} failed: ${lastLines(output)}`);
  const beside = path.join(bin, part.beside);
  fs.copyFileSync(path.join(stdout.trim(), "nodejs", "dist", part.beside), beside);
  fs.chmodSync(beside, 0o755);
}

/**
 * @param {import("./go").Go} go
 * @param {Part} part
 * @param {string} file
 * @param {(text: string) => void} detail
 */
async function compile(go, { module, command, ldflags }, file, detail) {
  let downloaded = 0;
  let compiled = 0;
  // Go prints the packages that it is compiling at the same time after the error of one.
  let rest = "";
  /** @param {string} line */
  const onLine = (line) => {
    if (line.startsWith("go: downloading ")) detail(`${++downloaded} modules downloaded`);
    else if (/^[\w./~-]+$/.test(line)) detail(`${++compiled} packages compiled`);
    else rest += `${line}\n`;
  };
  const flags = ["-v", "-mod=readonly", "-trimpath", "-buildvcs=false", "-ldflags", ldflags];
  const { code } = await go(["build", ...flags, "-o", file, command], { cwd: module, onLine });
  if (code !== 0) throw new SetupFailure(`go build ended with ${code ?? "a signal"}: ${lastLines(rest)}`);
}

module.exports = { buildEngine, parts };
