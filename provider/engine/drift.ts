/** Reports the drift of a refresh to the engine. */
import { isDeepStrictEqual } from "node:util";

type Properties = Readonly<Record<string, unknown>>;

/**
 * After each `read` of a refresh, the engine calls `diff` and displays the drift only when `diff` reports a change. In this
 * package an `up` doesn't revert drift, so `diff` has to distinguish the call of a refresh from the call of an `up`.
 */
export class Drift {
  /** Reads that no `diff` has consumed yet. */
  readonly #reads = new Map<string, Read[]>();

  /** @param urn Undefined in a dynamic provider, which isn't told which resource it reads: two may have the same id. */
  noteRead(urn: string | undefined, id: string, before: Properties, after: Properties): void {
    const key = keyOf(urn, id);
    // A copy: Pulumi's server of dynamic providers adds the serialized provider to what `read` returns.
    const read = { outputs: { ...after }, drifted: !isDeepStrictEqual(before, after) };
    this.#reads.set(key, [...(this.#reads.get(key) ?? []), read]);
  }

  /**
   * Whether the read before this `diff` found drift; undefined for the `diff` of an `up`. Call once per `diff`. The engine
   * never calls `diff` for what a program only reads (`get`), whose outputs differ from those of a managed resource.
   */
  answer(urn: string | undefined, id: string, olds: Properties): boolean | undefined {
    const reads = this.#reads.get(keyOf(urn, id)) ?? [];
    const index = reads.findIndex(({ outputs }) => isDeepStrictEqual(outputs, olds));
    return index < 0 ? undefined : reads.splice(index, 1)[0]?.drifted;
  }
}

interface Read {
  readonly outputs: Properties;
  readonly drifted: boolean;
}

function keyOf(urn: string | undefined, id: string): string {
  return JSON.stringify([urn, id]);
}
