/** Runs one target in a thread of its own, which can be ended when an input never returns. */
const { parentPort, workerData } = require("node:worker_threads");
const fc = require("fast-check");
const { Progress } = require("./progress");
const { texts } = require("./texts");

/**
 * What is fuzzed: `run` throws when a property doesn't hold.
 * @template [Input=any]
 * @typedef {object} Target
 * @property {readonly Input[]} seeds valid inputs, which are run and of which others are made
 * @property {readonly string[]} words that mean something in an input
 * @property {(input: Input) => void | Promise<void>} run
 * @property {(strings: fc.Arbitrary<string>) => fc.Arbitrary<Input>} [inputs] when not all of them are strings
 *
 * @typedef {{file: string, runs: number, seed: number, kept: readonly unknown[], shared: SharedArrayBuffer}} Task
 * @typedef {{input?: unknown, message: string}} Failure
 */

/** @param {Task} task @returns {Promise<Failure | undefined>} */
async function work({ file, runs, seed, kept, shared }) {
  /** @type {Target} */
  const target = require(file);
  const progress = new Progress(shared);
  const examples = [...kept, ...target.seeds];
  const strings = texts(
    examples.filter((example) => typeof example === "string"),
    target.words,
  );
  const property = fc.asyncProperty(target.inputs?.(strings) ?? strings, async (input) => {
    progress.begin(input);
    await target.run(input);
  });
  const { failed, counterexample, errorInstance } = await fc.check(property, {
    seed,
    numRuns: examples.length + runs,
    examples: examples.map((example) => [example]),
  });
  if (!failed) return undefined;
  const message = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
  return { input: counterexample?.[0], message };
}

void work(workerData).then((failure) => parentPort?.postMessage(failure));
