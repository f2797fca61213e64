const os = require("node:os");

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

module.exports = { inParallel };
