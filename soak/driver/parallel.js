const os = require("node:os");

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
  /** @type {Result[]} */
  const results = [];
  const queue = [...items.entries()];
  let done = 0;
  const worker = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      results[next[0]] = await work(next[1]);
      tell(`${++done} of ${items.length}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}

module.exports = { inParallel };
