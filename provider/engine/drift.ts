/** Reports the drift of a refresh to the engine. */
import { isDeepStrictEqual } from "node:util";

type Properties = Readonly<Record<string, unknown>>;

/**
 * After each `read` of a refresh, the engine calls `diff` and displays the drift only when `diff` reports a change. In this
 * package an `up` doesn't revert drift, so `diff` has to distinguish the call of a refresh from the call of an `up`.
 */
export class Drift {
  /** Results of reads that no `diff` has consumed yet, by id: two resources may have the same id. */
  readonly #found = new Map<string, boolean[]>();

  noteRead(id: string, before: Properties, after: Properties): void {
    this.#found.set(id, [...(this.#found.get(id) ?? []), !isDeepStrictEqual(before, after)]);
  }

  /** Whether the read before this `diff` found drift; undefined for the `diff` of an `up`. Call once per `diff`. */
  answer(id: string): boolean | undefined {
    return this.#found.get(id)?.shift();
  }
}
