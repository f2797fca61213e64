const { spawn } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { createInterface } = require("node:readline");
const { inspect, parseArgs } = require("node:util");
const { isNativeError } = require("node:util/types");

const { stderr } = process;

/** A failure with a message for the user that contains the problem and the next step. It's shown without a stack. */
class SetupFailure extends Error {}

/**
 * Returns the message of a set-up failure or of a failed system call, for example for a full disk. Any other error is a bug and is thrown
 * again with its stack.
 * @param {unknown} error
 * @returns {string}
 */
function reasonOf(error) {
  if (error instanceof SetupFailure || (isNativeError(error) && "syscall" in error)) return error.message;
  throw error;
}

/**
 * Runs a command of tools/. A SetupFailure is shown without a stack.
 * @param {() => Promise<number | void>} action resolves to the exit code; default: 0
 */
function command(action) {
  action().then(
    (code) => {
      process.exitCode = code ?? 0;
    },
    (/** @type {unknown} */ error) => {
      const isUsage =
        error instanceof TypeError && "code" in error && /^ERR_PARSE_ARGS/.test(String(error.code));
      say(error instanceof SetupFailure || isUsage ? error.message : inspect(error));
      process.exitCode = 1;
    },
  );
}

/**
 * Returns the options of a command that performs all items or the named items.
 * @template {NonNullable<import("node:util").ParseArgsConfig["options"]>} Options
 * @param {string} what such as "check"
 * @param {Readonly<Record<string, unknown>>} known by name
 * @param {Options} options
 * @throws {SetupFailure}
 */
function argumentsOf(what, known, options) {
  const all = Object.keys(known);
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const unknown = positionals.filter((name) => !all.includes(name));
  if (unknown.length > 0)
    throw new SetupFailure(`Unknown ${what}: ${unknown.join(", ")}. The ${what}s are: ${all.join(", ")}`);
  return { values, names: positionals.length > 0 ? positionals : all };
}

/** Returns the value of an option that must be a positive integer. @param {string} option @param {string} text */
function countIn(option, text) {
  if (!/^[1-9]\d*$/.test(text)) throw new SetupFailure(`--${option} takes positive integers, not ${text}.`);
  return Number(text);
}

/**
 * @typedef {object} Run
 * @property {string} [cwd]
 * @property {NodeJS.ProcessEnv} [env]
 * @property {boolean} [shell] true if the program is a command line
 * @property {number} [timeout] milliseconds until the program is killed
 * @property {(line: string) => void} [onLine] receives each line of output immediately
 */

/** @typedef {{ok: boolean, code: number | null, stdout: string, output: string}} Ended output: stdout and stderr, interleaved */

/** Runs a program until it ends. @type {(...started: Parameters<typeof start>) => Promise<Ended>} */
const run = (...started) => start(...started).ended;

/** Time to wait for output after a program ends, because processes that it started may keep its output open. */
const outputAfterExitMs = 1_000;

/**
 * Starts a program. `ended` never rejects. If the program can't be started, it resolves to a failure.
 * @param {string} program
 * @param {string[]} args
 * @param {Run} [options]
 */
function start(program, args, { timeout, onLine, ...options } = {}) {
  const child = spawn(program, args, {
    ...options,
    // Node's `timeout` option isn't used, because it keeps this process waiting if the program doesn't exist.
    signal: timeout === undefined ? undefined : AbortSignal.timeout(timeout),
    killSignal: "SIGKILL",
    stdio: ["ignore", "pipe", "pipe"],
    windowsHide: true,
  });
  let stdout = "";
  let output = "";
  const streams = [child.stdout, child.stderr];
  for (const stream of streams) {
    stream.setEncoding("utf8").on("data", (/** @type {string} */ text) => {
      output += text;
      if (stream === child.stdout) stdout += text;
    });
    if (onLine) createInterface({ input: stream }).on("line", onLine);
  }
  /** @type {Promise<Ended>} */
  const ended = new Promise((resolve) => {
    const finish = (/** @type {number | null} */ code) => resolve({ ok: code === 0, code, stdout, output });
    child.once("error", (/** @type {NodeJS.ErrnoException} */ error) => {
      output += error.code === "ENOENT" ? "not found" : error.message;
      finish(null);
    });
    const close = () => streams.forEach((stream) => stream.destroy());
    child.once("exit", (_, signal) => setTimeout(close, signal === null ? outputAfterExitMs : 0).unref());
    child.once("close", finish);
  });
  return { child, ended };
}

/**
 * Runs a program in this terminal. The program receives Ctrl-C from the terminal and handles it, so this process ignores it.
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

/** Returns the last non-empty lines of a long log, on one line. @param {string} output */
function lastLines(output, count = 2) {
  const lines = output.split(/\r?\n/).map((line) => line.trim());
  return lines.filter(Boolean).slice(-count).join(" / ") || "no output";
}

/** Runs npm, preferably the npm that runs this command. @param {string[]} args @param {Run} options */
function npm(args, options) {
  const caller = process.env.npm_execpath;
  if (caller?.endsWith("npm-cli.js")) return run(process.execPath, [caller, ...args], options);
  // On Windows, npm is a .cmd file that only the command interpreter can start.
  if (process.platform === "win32") return run("cmd.exe", ["/d", "/s", "/c", "npm", ...args], options);
  return run("npm", args, options);
}

/** Prints a line of the set-up on stderr, because stdout is for the command's output. @param {string} line */
function say(line) {
  stderr.write(`${line}\n`);
}

/**
 * Runs a long action and shows its progress: in place on a terminal, otherwise in one line every 20 s.
 * @template T
 * @param {string} title
 * @param {string} estimate such as "about a minute"
 * @param {(detail: (text: string) => void) => Promise<T>} action calls `detail` with its progress
 * @returns {Promise<T>}
 */
async function step(title, estimate, action) {
  const started = Date.now();
  let detail = "";
  const elapsed = () => `${Math.round((Date.now() - started) / 1000)} s`;
  const state = () => [elapsed(), detail].filter(Boolean).join(", ");
  const heading = `${title} (${estimate})`;
  const inPlace = () =>
    stderr.write(`\r\x1b[2K${`${heading}: ${state()}`.slice(0, (stderr.columns || 80) - 1)}`);
  if (stderr.isTTY) inPlace();
  else say(heading);
  const timer = stderr.isTTY ? setInterval(inPlace, 500) : setInterval(() => say(`  ${state()}`), 20_000);
  let outcome = "failed";
  try {
    const result = await action((text) => (detail = text));
    outcome = "done";
    return result;
  } finally {
    clearInterval(timer);
    if (stderr.isTTY) stderr.write("\r\x1b[2K");
    say(`${title}: ${outcome} in ${elapsed()}`);
  }
}

/**
 * Processes the items of a list concurrently. Returns the results in the order of the list.
 *
 * @template Item, Result
 * @param {readonly Item[]} items
 * @param {(item: Item) => Promise<Result>} work
 * @param {(text: string) => void} [tell] receives the progress
 * @param {number} [atOnce] default: the number of cores
 * @returns {Promise<Result[]>}
 */
async function inParallel(items, work, tell = () => undefined, atOnce = os.availableParallelism()) {
  /** @type {Result[]} */
  const results = [];
  let done = 0;
  const queue = items.entries();
  const worker = async () => {
    for (const [index, item] of queue) {
      results[index] = await work(item);
      tell(`${++done} of ${items.length}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}

/**
 * Runs an action in one process at a time, while the others wait. The lock of a killed process expires after 20 s.
 * @template T
 * @param {string} file
 * @param {() => Promise<T>} action
 * @returns {Promise<T>}
 */
async function withLock(file, action) {
  /** @type {typeof import("proper-lockfile")} The package is installed, because packages are installed before any locked action. */
  const { lock } = require(path.join(__dirname, "../../node_modules/proper-lockfile"));
  // Ignore a lost lock, because a machine that was suspended can lose it.
  const options = { lockfilePath: file, realpath: false, stale: 20_000, onCompromised: () => {} };
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const release = await lock(file, options).catch((/** @type {unknown} */ error) => {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== "ELOCKED") throw error;
    say("Waiting for another set-up to finish.");
    return lock(file, { ...options, retries: { forever: true, minTimeout: 100, maxTimeout: 500 } });
  });
  try {
    return await action();
  } finally {
    await release().catch(() => {});
  }
}

module.exports = {
  SetupFailure,
  argumentsOf,
  command,
  countIn,
  handOver,
  inParallel,
  lastLines,
  npm,
  reasonOf,
  run,
  say,
  start,
  step,
  withLock,
};
