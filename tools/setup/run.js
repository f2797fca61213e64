const { spawn } = require("node:child_process");
const { createInterface } = require("node:readline");

/**
 * @typedef {object} Run
 * @property {string} [cwd]
 * @property {NodeJS.ProcessEnv} [env]
 * @property {boolean} [shell] whether the program is a command line
 * @property {AbortSignal} [signal] kills the program and its descendants
 * @property {(line: string) => void} [onLine] receives each line of output immediately
 */

/**
 * Runs a program. Never rejects: a program that can't be started has failed.
 * @param {string} program
 * @param {string[]} args
 * @param {Run} [options]
 * @returns {Promise<{ok: boolean, code: number | null, stdout: string, output: string}>} output: stdout and stderr, interleaved
 */
function run(program, args, { cwd, env, shell, signal, onLine } = {}) {
  return new Promise((resolve) => {
    const ownGroup = signal !== undefined && process.platform !== "win32";
    const child = spawn(program, args, {
      cwd,
      env,
      shell,
      detached: ownGroup,
      stdio: ["ignore", "pipe", "pipe"],
      windowsHide: true,
    });
    let stdout = "";
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (/** @type {string} */ text) => (output += text));
      if (onLine) createInterface({ input: stream }).on("line", onLine);
    }
    child.stdout.on("data", (/** @type {string} */ text) => (stdout += text));
    const end = () => endTree(child.pid);
    signal?.addEventListener("abort", end, { once: true });
    const interrupt = () => process.exit(130);
    if (ownGroup) process.once("exit", end).once("SIGINT", interrupt).once("SIGTERM", interrupt);
    /** @param {number | null} code */
    const finish = (code) => {
      signal?.removeEventListener("abort", end);
      process.off("exit", end).off("SIGINT", interrupt).off("SIGTERM", interrupt);
      resolve({ ok: code === 0, code, stdout, output });
    };
    child.once("error", (/** @type {NodeJS.ErrnoException} */ error) => {
      output += error.code === "ENOENT" ? "not found" : error.message;
      finish(null);
    });
    child.once("close", finish);
  });
}

/**
 * Runs a program in this terminal. Ctrl-C reaches it from the terminal, and it ends in its own way.
 * @param {string} program
 * @param {string[]} args
 * @param {{cwd?: string, env?: NodeJS.ProcessEnv}} [options]
 * @returns {Promise<number>} its exit code
 */
function handOver(program, args, options) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { ...options, stdio: "inherit" });
    const wait = () => {};
    const passOn = () => child.kill("SIGTERM");
    process.on("SIGINT", wait).on("SIGTERM", passOn);
    child.once("error", reject);
    child.once("close", (code) => {
      process.off("SIGINT", wait).off("SIGTERM", passOn);
      resolve(code ?? 1);
    });
  });
}

/**
 * Kills a process and its descendants.
 * @param {number | undefined} pid
 */
function endTree(pid) {
  if (pid === undefined) return;
  if (process.platform === "win32") {
    spawn("taskkill", ["/pid", String(pid), "/T", "/F"], { stdio: "ignore", windowsHide: true });
    return;
  }
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has already ended.
  }
}

/**
 * The last lines of a long log that aren't empty, on one line.
 * @param {string} output
 */
function lastLines(output, count = 2) {
  const lines = output.split(/\r?\n/).map((line) => line.trim());
  return lines.filter(Boolean).slice(-count).join(" / ") || "no output";
}

module.exports = { run, handOver, lastLines };
