/** Tells which operations the service announces as deprecated, by the headers `Deprecation` and `Sunset` of a response. */
import { type AttemptResult } from "./http";
import { type Subject } from "./interpretResponse";
import { notify } from "./notify";

/** An operation that the service announces as deprecated. The values are what the service sent, as one short line. */
export interface DeprecationEvent {
  /** The client's method, such as `listStatusPages`. */
  readonly operation: string;
  /** The header `Deprecation`: since when it is deprecated, such as `@1767225600` or `true`. */
  readonly deprecation?: string;
  /** The header `Sunset`: when it is removed, as an HTTP date. */
  readonly sunset?: string;
}

export class Deprecations {
  readonly #onDeprecated: ((event: DeprecationEvent) => unknown) | undefined;
  readonly #known = new Set<string>();

  constructor(onDeprecated: ((event: DeprecationEvent) => unknown) | undefined) {
    this.#onDeprecated = onDeprecated;
  }

  /** Calls the listener, once for each operation. */
  note(result: AttemptResult, { operation, masker }: Subject): void {
    if (!this.#onDeprecated || result.kind !== "response" || this.#known.has(operation.name)) return;
    const deprecation = masker.maskMessage(result.deprecation ?? "");
    const sunset = masker.maskMessage(result.sunset ?? "");
    if (deprecation === "" && sunset === "") return;
    this.#known.add(operation.name);
    notify(this.#onDeprecated, {
      operation: operation.name,
      ...(deprecation && { deprecation }),
      ...(sunset && { sunset }),
    });
  }
}
