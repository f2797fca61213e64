/** What the calls of one run tell each other about a resource. The engine passes nothing from one to the next. */
import { type ResourceState } from "./lifecycle";

/** Remembers nothing of a resource that isn't identified: two of them would be taken for one. */
class ResourceMemory<Value> {
  readonly #values = new Map<string, Value>();

  set(resource: string | undefined, value: Value): void {
    if (resource !== undefined) this.#values.set(resource, value);
  }

  get(resource: string | undefined): Value | undefined {
    return this.#values.get(resource ?? "");
  }

  delete(resource: string | undefined): void {
    this.#values.delete(resource ?? "");
  }
}

/**
 * Unconfirmed updates. The engine calls `create` again after a failure (hook `onError`), before the state records the first
 * post, and to replace a resource that is unconfirmed (`replaceOnChanges`).
 */
export const lostPosts = new ResourceMemory<ResourceState>();

/**
 * What changed in a public update that may not change, until `diff` decides. The engine can replace a resource without a
 * call of `diff` (`replacementTrigger`, `replaceWith`).
 */
export const undecidedChanges = new ResourceMemory<readonly string[]>();
