/** Reads many objects, a limited number of them at a time. */
import { WorkQueue } from "../client/workQueue";

/** Twice the default `maxConcurrency`, so that no read spends its deadline in the queue. */
const concurrentReads = 16;

/** The results are in the order of the items. */
export function readEach<Item, Result>(
  items: readonly Item[],
  read: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const queue = new WorkQueue(concurrentReads);
  return Promise.all(items.map((item) => queue.run(() => read(item))));
}
