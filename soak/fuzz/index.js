/** Fuzzing of everything that reads untrusted input. */
const fs = require("node:fs");
const path = require("node:path");
const { Worker } = require("node:worker_threads");
const { step } = require("../../scripts/setup/progress");
const { Progress } = require("./progress");

/** @typedef {import("./worker").Failure} Failure */

/** The files of the targets. */
const targets = fs
  .readdirSync(path.join(__dirname, "targets"))
  .sort()
  .map((file) => path.join(__dirname, "targets", file));

/** @type {import("..").Stage} */
async function stage({ short, seed, runs = short ? 2_000 : 1_000_000 }) {
  return step("Fuzz", `${targets.length} targets, ${runs} inputs each`, (tell) =>
    fuzz({ runs, seed, keep: true, tell }),
  );
}

/**
 * Runs targets, all at once.
 *
 * @param {object} options
 * @param {number} options.runs of each target, besides its seeds and the inputs of the corpus
 * @param {number} [options.seed] Default: 1.
 * @param {boolean} [options.keep] Whether an input that fails joins the corpus. Default: false.
 * @param {string} [options.folder] of the corpus. Default: `corpus`.
 * @param {readonly string[]} [options.files] of the targets. Default: all.
 * @param {(text: string) => void} [options.tell] receives the progress
 * @param {number} [options.longestMs] that an input may take. Default: a minute.
 * @returns {Promise<import("..").Figure[]>}
 */
async function fuzz({ files = targets, tell = () => undefined, ...options }) {
  let done = 0;
  return Promise.all(
    files.map(async (file) => {
      const figure = await figureOf(file, options);
      tell(`${++done} of ${files.length}`);
      return figure;
    }),
  );
}

/**
 * @param {string} file of the target
 * @param {Omit<Parameters<typeof fuzz>[0], "files" | "tell">} options
 * @returns {Promise<import("..").Figure>}
 */
async function figureOf(
  file,
  { runs, seed = 1, keep = false, folder = path.join(__dirname, "corpus"), longestMs = 60_000 },
) {
  const name = path.basename(file, ".js");
  const corpus = path.join(folder, `${name}.json`);
  /** @type {unknown[]} */
  const kept = fs.existsSync(corpus) ? JSON.parse(fs.readFileSync(corpus, "utf8")) : [];
  const failure = await run({ file, runs, seed, kept }, longestMs);
  if (keep && failure?.input !== undefined && !kept.includes(failure.input))
    fs.writeFileSync(corpus, `${JSON.stringify([failure.input, ...kept], null, 2)}\n`);
  return {
    what: `failures of ${name} in ${runs.toLocaleString("en")} inputs`,
    measured: failure ? `1; ${described(failure)}` : "0",
    bar: "0",
    met: failure === undefined,
  };
}

/** @param {Failure} failure */
function described({ input, message }) {
  if (input === undefined) return message;
  const escaped = JSON.stringify(input).replace(
    /[^ -~]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return `${message} — by the input ${escaped}`;
}

/**
 * @param {Omit<import("./worker").Task, "shared">} task
 * @param {number} longestMs
 * @returns {Promise<Failure | undefined>}
 */
async function run(task, longestMs) {
  const progress = new Progress();
  const workerData = { ...task, shared: progress.shared };
  const worker = new Worker(path.join(__dirname, "worker.js"), { workerData });
  let before = 0;
  const watch = setInterval(() => {
    if (progress.count > 0 && progress.count === before)
      worker.emit("error", new Error("an input never returns"));
    before = progress.count;
  }, longestMs);
  try {
    return await new Promise((resolve, reject) => {
      worker.once("message", resolve);
      worker.once("error", reject);
      worker.once("exit", () => reject(new Error("the thread ended")));
    });
  } catch (error) {
    return { input: progress.current, message: error instanceof Error ? error.message : String(error) };
  } finally {
    clearInterval(watch);
    await worker.terminate();
  }
}

module.exports = { fuzz, stage, targets };
