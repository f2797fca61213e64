/** Values that are shared within one run of a program. A process may run several programs, sequentially or concurrently. */
import { runtime } from "@pulumi/pulumi";

/** The key for code outside a run, such as a unit test. */
const noRun = {};

/** Returns a function that creates its value once per run, on first use. */
export function perRun<T>(make: () => T): () => T {
  const made = new WeakMap<object, { value: T }>();
  return () => {
    const run = runtime.getStackResource() ?? noRun;
    const known = made.get(run) ?? { value: make() };
    made.set(run, known);
    return known.value;
  };
}
