/** Fuzzing of everything that reads what strangers write. */
const fs = require("node:fs");
const path = require("node:path");
const { Worker } = require("node:worker_threads");

/** @typedef {import("./worker").Yield} Yield */

/** The files of the targets. */
const targets = fs
  .readdirSync(path.join(__dirname, "targets"))
  .sort()
  .map((file) => path.join(__dirname, "targets", file));

/** Longer than any input takes, also where two threads share one core with others. */
const longestSilenceMs = 60_000;

/** @type {import("..").Stage} */
async function stage({ short, seed, runs }) {
  return fuzz({ executions: runs ?? (short ? 2_000 : 1_000_000), seed, keep: !short && runs === undefined });
}

/**
 * Runs targets, all at once.
 *
 * @param {object} options
 * @param {number} options.executions of each target, besides what is kept of earlier runs
 * @param {number} [options.seed] Default: 1.
 * @param {boolean} [options.keep] Whether inputs that fail or lead to new code are kept for later runs. Default: false.
 * @param {readonly string[]} [options.files] of the targets. Default: all.
 * @returns {Promise<import("..").Figure[]>}
 */
async function fuzz({ executions, seed = 1, keep = false, files = targets }) {
  return Promise.all(
    files.map(async (file) => {
      const name = path.basename(file, ".js");
      const kept = path.join(__dirname, "corpus", `${name}.json`);
      /** @type {string[]} */
      const known = fs.existsSync(kept) ? JSON.parse(fs.readFileSync(kept, "utf8")) : [];
      const { corpus, failures } = await run({ file, executions, seed, corpus: known });
      const found = [...corpus, ...failures.map(({ input }) => input)];
      if (keep) fs.writeFileSync(kept, `${JSON.stringify(found, null, 2)}\n`);
      return {
        what: `failures of ${name} in ${executions.toLocaleString("en")} inputs; ${corpus.length} led to new code`,
        measured: [failures.length, ...failures.map(described)].join("; "),
        bar: "0",
        met: failures.length === 0,
      };
    }),
  );
}

/** @param {import("./fuzzer").Failure} failure */
function described({ input, message }) {
  const escaped = JSON.stringify(input).replace(
    /[^ -~]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return `${message} — by the input ${escaped}`;
}

/**
 * @param {Omit<import("./worker").Order, "progress">} order
 * @returns {Promise<Yield>}
 */
async function run(order) {
  const progress = new Int32Array(new SharedArrayBuffer(4));
  const workerData = { ...order, progress };
  const worker = new Worker(path.join(__dirname, "worker.js"), { workerData });
  let before = -1;
  const watch = setInterval(() => {
    if (progress[0] === before) worker.emit("error", new Error("an input never ends"));
    before = progress[0] ?? 0;
  }, longestSilenceMs);
  try {
    return await new Promise((resolve, reject) => {
      worker.once("message", resolve);
      worker.once("error", reject);
      worker.once("exit", () => reject(new Error("the thread ended")));
    });
  } catch (error) {
    const message = `${error instanceof Error ? error.message : String(error)}, after ${progress[0]} inputs with the seed ${order.seed}`;
    return { corpus: [...order.corpus], failures: [{ input: "", message }] };
  } finally {
    clearInterval(watch);
    await worker.terminate();
  }
}

module.exports = { fuzz, stage, targets };
