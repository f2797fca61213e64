/** Drift that a refresh finds, as the engine wants to hear of it. */
import { isDeepStrictEqual } from "node:util";

type Properties = Readonly<Record<string, unknown>>;

/**
 * After each `read` of a refresh the engine asks `diff` what an `up` would do about what was read, and shows the drift
 * only if that is something. Here an `up` does nothing about it; so `diff` has to know that question from an `up`'s.
 */
export class Drift {
  /** For each id what the reads found that `diff` wasn't asked about yet: two resources may have one id. */
  readonly #found = new Map<string, boolean[]>();

  noteRead(id: string, before: Properties, after: Properties): void {
    this.#found.set(id, [...(this.#found.get(id) ?? []), !isDeepStrictEqual(before, after)]);
  }

  /** Whether the read that is asked about found drift; undefined when an `up` asks. Ask once in each `diff`. */
  answer(id: string): boolean | undefined {
    return this.#found.get(id)?.shift();
  }
}
