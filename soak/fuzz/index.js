/** Fuzzing of everything that reads what strangers write. */
const fs = require("node:fs");
const path = require("node:path");
const { Worker } = require("node:worker_threads");
const { step } = require("../../scripts/setup/progress");
const { inParallel } = require("../parallel");
const { Kept } = require("./kept");
const { Progress } = require("./progress");

/**
 * @typedef {import("./worker").Yield} Yield
 * @typedef {"nothing" | "failures" | "all"} Keeping
 */

/** The files of the targets. */
const targets = fs
  .readdirSync(path.join(__dirname, "targets"))
  .sort()
  .map((file) => path.join(__dirname, "targets", file));

const usualFolder = path.join(__dirname, "corpus");

/** Longer than any input takes, also where two threads share one core with others. */
const longestInputMs = 60_000;

/** @type {import("..").Stage} */
async function stage({ short, seed, runs }) {
  const long = !short && runs === undefined;
  const executions = runs ?? (short ? 2_000 : 1_000_000);
  // What leads to new code is chosen well only by a run that looks at much.
  const keep = long ? "all" : "failures";
  return step("Fuzz", `${targets.length} targets, ${executions} inputs each`, (tell) =>
    fuzz({ executions, seed, keep, tell }),
  );
}

/**
 * Runs targets, all at once.
 *
 * @param {object} options
 * @param {number} options.executions of each target, besides what is kept of earlier runs
 * @param {number} [options.seed] Default: 1.
 * @param {Keeping} [options.keep] Which inputs are kept for later runs. Default: nothing.
 * @param {string} [options.folder] where they are kept. Default: `corpus`.
 * @param {readonly string[]} [options.files] of the targets. Default: all.
 * @param {(text: string) => void} [options.tell] hears how many are done
 * @param {number} [options.longestMs] that an input may take. Default: a minute.
 * @returns {Promise<import("..").Figure[]>}
 */
async function fuzz({ files = targets, tell, ...options }) {
  return inParallel(files, (file) => figureOf(file, options), tell, files.length);
}

/**
 * @param {string} file of the target
 * @param {Omit<Parameters<typeof fuzz>[0], "files" | "tell">} options
 * @returns {Promise<import("..").Figure>}
 */
async function figureOf(
  file,
  { executions, seed = 1, keep = "nothing", folder = usualFolder, longestMs = longestInputMs },
) {
  const name = path.basename(file, ".js");
  const kept = new Kept(folder, name);
  const { corpus, failures } = await run({ file, executions, seed, inputs: kept.read() }, longestMs);
  if (keep !== "nothing") kept.addFailed(failures.flatMap(({ input }) => input ?? []));
  if (keep === "all") kept.replaceCorpus(corpus);
  return {
    what: `failures of ${name} in ${executions.toLocaleString("en")} inputs; ${corpus.length} led to new code`,
    measured: [failures.length, ...failures.map(described)].join("; "),
    bar: "0",
    met: failures.length === 0,
  };
}

/** @param {import("./fuzzer").Failure} failure */
function described({ input, message }) {
  if (input === undefined) return message;
  const escaped = JSON.stringify(input).replace(
    /[^ -~]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return `${message} — by the input ${escaped}`;
}

/**
 * @param {Omit<import("./worker").Order, "shared">} order
 * @param {number} longestMs
 * @returns {Promise<Yield>}
 */
async function run(order, longestMs) {
  const progress = new Progress();
  const workerData = { ...order, shared: progress.shared };
  const worker = new Worker(path.join(__dirname, "worker.js"), { workerData });
  const stop = whenStuck(progress, longestMs, () => worker.emit("error", new Error("an input never ends")));
  try {
    return await new Promise((resolve, reject) => {
      worker.once("message", resolve);
      worker.once("error", reject);
      worker.once("exit", () => reject(new Error("the thread ended")));
    });
  } catch (error) {
    const message = `${error instanceof Error ? error.message : String(error)}, after ${progress.count} inputs with the seed ${order.seed}`;
    return { corpus: [...order.inputs.corpus], failures: [{ input: progress.current, message }] };
  } finally {
    stop();
    await worker.terminate();
  }
}

/**
 * @param {Progress} progress
 * @param {number} longestMs
 * @param {() => void} tell that one input ran all the time between two looks
 * @returns {() => void} ends the watch
 */
function whenStuck(progress, longestMs, tell) {
  /** @type {number | undefined} */
  let before;
  const watch = setInterval(() => {
    const now = progress.current === undefined ? undefined : progress.count;
    if (now !== undefined && now === before) tell();
    before = now;
  }, longestMs);
  return () => clearInterval(watch);
}

module.exports = { fuzz, stage, targets };
