/** Values that are shared within one run of a program. A process may run several programs, sequentially or concurrently. */
import { runtime } from "@pulumi/pulumi";

/** The key for code outside a run, such as a script. */
const noRun = {};

/**
 * Returns a function that creates its value once per run, on first use. Unit tests have no stack: there, each call of
 * `pulumi.runtime.setMocks` starts a run, with a monitor of its own.
 */
export function perRun<T>(make: () => T): () => T {
  const made = new WeakMap<object, { value: T }>();
  return () => {
    const run = runtime.getStackResource() ?? runtime.getMonitor() ?? noRun;
    const known = made.get(run) ?? { value: make() };
    made.set(run, known);
    return known.value;
  };
}
