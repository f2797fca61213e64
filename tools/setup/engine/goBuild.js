const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { SetupFailure } = require("../command");
const { lastLines, step } = require("../run");
const { findGo } = require("./go");

/**
 * @typedef {object} Program a program in Go that is built from source
 * @property {string} title
 * @property {string} module the folder whose go.mod and go.sum pin the version and the hash of every module
 * @property {string} command the package to build
 * @property {string} ldflags
 * @property {string} file the program that is built
 * @property {number} coreMinutes how long one core builds it
 * @property {{module: string, file: string}} [beside] a script that belongs beside it, from a module that it requires
 */

/**
 * A Go that can build a module, with its temporary files in a folder.
 * @param {string} module
 * @param {string} scratch
 * @param {NodeJS.ProcessEnv} env
 */
async function prepareGo(module, scratch, env) {
  const tmp = path.join(scratch, "tmp");
  fs.mkdirSync(tmp, { recursive: true });
  return findGo(module, scratch, goEnvironment(env, tmp));
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
 * Builds a program into a folder, unless it is there.
 * @param {import("./go").Go} go
 * @param {Program} program
 * @param {string} bin
 */
async function buildProgram(go, program, bin) {
  const target = path.join(bin, program.file);
  if (!fs.existsSync(target)) {
    const minutes = Math.ceil(program.coreMinutes / os.availableParallelism());
    await step(`Building ${program.title}`, `about ${minutes} min the first time`, (detail) =>
      compile(go, program, `${target}.new`, detail),
    );
    fs.renameSync(`${target}.new`, target);
  }
  if (!program.beside) return;
  const { module, file } = program.beside;
  const args = ["list", "-mod=readonly", "-m", "-f", "{{.Dir}}", module];
  const { ok, stdout, output } = await go(args, { cwd: program.module });
  if (!ok) throw new SetupFailure(`go list ${module} failed: ${lastLines(output)}`);
  const beside = path.join(bin, path.basename(file));
  fs.copyFileSync(path.join(stdout.trim(), file), beside);
  fs.chmodSync(beside, 0o755);
}

/**
 * @param {import("./go").Go} go
 * @param {Program} program
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

module.exports = { prepareGo, buildProgram };
