/** One target in a thread of its own, so that one that never ends, or takes all memory, can be told and stopped. */
const { parentPort, workerData } = require("node:worker_threads");
const { Coverage } = require("./coverage");
const { built } = require("./dist");
const { Fuzzer } = require("./fuzzer");
const { Progress } = require("./progress");

/**
 * @typedef {{file: string, executions: number, seed: number, inputs: import("./kept").Inputs, shared: SharedArrayBuffer}} Order
 * @typedef {Pick<Fuzzer, "corpus" | "failures">} Yield
 */

/** @param {Order} order */
async function work({ file, executions, seed, inputs, shared }) {
  const coverage = new Coverage([built(""), file]);
  /** @type {import("./fuzzer").Target} */
  const target = require(file);
  const fuzzer = new Fuzzer(target, { seed, coverage, progress: new Progress(shared) });
  await fuzzer.run(inputs, executions);
  /** @type {Yield} */
  const { corpus: kept, failures } = fuzzer;
  parentPort?.postMessage({ corpus: kept, failures });
}

void work(workerData);
