/** Reads many objects, a limited number of them at a time. */
import { defaults } from "../client/options";
import { WorkQueue } from "../client/workQueue";

/** More than are sent at a time, and not so many that a read spends its deadline in the queue. */
const concurrentReads = 2 * defaults.maxConcurrency;

/** The results are in the order of the items. */
export function readEach<Item, Result>(
  items: readonly Item[],
  read: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const queue = new WorkQueue(concurrentReads);
  return Promise.all(items.map((item) => queue.run(() => read(item))));
}
