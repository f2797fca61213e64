const os = require("node:os");
const { default: PQueue } = require("p-queue");

/**
 * Works through a list, some at once; the results are in the list's order.
 *
 * @template Item, Result
 * @param {readonly Item[]} items
 * @param {(item: Item) => Promise<Result>} work
 * @param {(text: string) => void} [tell] hears how far it is
 * @param {number} [atOnce] default: as many as there are cores
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
  // Nobody waits for the rest after one that breaks down.
  return queue.addAll(results).finally(() => queue.clear());
}

module.exports = { inParallel };
