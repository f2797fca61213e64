const os = require("node:os");
const { default: PQueue } = require("p-queue");

/**
 * Processes the items of a list concurrently; the results are in the order of the list.
 *
 * @template Item, Result
 * @param {readonly Item[]} items
 * @param {(item: Item) => Promise<Result>} work
 * @param {(text: string) => void} [tell] receives the progress
 * @param {number} [atOnce] default: the number of cores
 * @returns {Promise<Result[]>}
 */
async function inParallel(items, work, tell = () => undefined, atOnce = os.availableParallelism()) {
  let done = 0;
  const queue = new PQueue({ concurrency: atOnce });
  const results = items.map((item) => async () => {
    const result = await work(item);
    tell(`${++done} of ${items.length}`);
    return result;
  });
  // After a failure, the rest isn't started.
  return queue.addAll(results).finally(() => queue.clear());
}

module.exports = { inParallel };
