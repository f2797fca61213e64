/** The reads of a refresh: which `diff` of the engine follows one, and whether it found drift. */
import { isDeepStrictEqual } from "node:util";

type Properties = Readonly<Record<string, unknown>>;

/**
 * After each `read` of a refresh, the engine calls `diff` and displays the drift only when `diff` reports a change. In this
 * package an `up` doesn't revert drift, so `diff` has to distinguish the call of a refresh from the call of an `up`.
 */
export class RefreshReads {
  /** Reads that no `diff` has consumed yet, by id: two resources may have the same id. */
  readonly #reads = new Map<string, Read[]>();
  readonly #compared: (outputs: Properties) => Properties;

  /** @param compared The part of the outputs in which a difference is drift. */
  constructor(compared: (outputs: Properties) => Properties = (outputs) => outputs) {
    this.#compared = compared;
  }

  /** @param resource Undefined in a dynamic provider, which isn't told which resource it reads. */
  noteRead(resource: string | undefined, id: string, before: Properties, after: Properties): void {
    // A copy: Pulumi's server of dynamic providers adds the serialized provider to what `read` returns.
    const drifted = !isDeepStrictEqual(this.#compared(before), this.#compared(after));
    const read = { resource, outputs: { ...after }, drifted };
    this.#reads.set(id, [...(this.#reads.get(id) ?? []), read]);
  }

  /**
   * Whether the read before this `diff` found drift; undefined for the `diff` of an `up`. Call once per `diff`. The engine
   * never calls `diff` for what a program only reads (`get`), whose outputs differ from those of a managed resource.
   */
  answer(resource: string | undefined, id: string, olds: Properties): boolean | undefined {
    const reads = this.#reads.get(id) ?? [];
    const index = reads.findIndex(
      (read) =>
        (read.resource === undefined || read.resource === resource) && isDeepStrictEqual(read.outputs, olds),
    );
    return index < 0 ? undefined : reads.splice(index, 1)[0]?.drifted;
  }
}

interface Read {
  readonly resource: string | undefined;
  readonly outputs: Properties;
  readonly drifted: boolean;
}
