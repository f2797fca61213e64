/** What fails in a preview. The engine stops at the first error, so the SDK collects them, and fails the program at its end. */
import { isMonitoringError } from "../provider/client";
import type { Properties } from "../provider/lifecycles/lifecycle";

export class PreviewProblems {
  /** The resources whose program collects. Programs in other languages don't. */
  readonly #collected = new Set<string>();

  /** The inputs without what the SDK says in a preview. */
  accept(urn: string, { __preview: collects, ...inputs }: Properties): Properties {
    if (collects !== undefined) this.#collected.add(urn);
    return inputs;
  }

  /** The result of a preview, or what failed as an output, if the program collects. */
  async catch<Result>(
    urn: string,
    work: () => Promise<Result>,
    toResult: (problem: Properties) => Result,
  ): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (!this.#collected.has(urn) || !isMonitoringError(error)) throw error;
      return toResult({ __problem: error.message });
    }
  }
}
