/** What one run of a program shares. A process may run several programs, one after the other or side by side. */
import { runtime } from "@pulumi/pulumi";

/** For code outside a run, such as a unit test. */
const noRun = {};

/** Something that is made once for each run, when it is first needed. */
export function perRun<T>(make: () => T): () => T {
  const made = new WeakMap<object, { value: T }>();
  return () => {
    const run = runtime.getStackResource() ?? noRun;
    const known = made.get(run) ?? { value: make() };
    made.set(run, known);
    return known.value;
  };
}
