/**
 * Unconfirmed updates of this run, by resource. The state of the run has no record of them yet when the engine calls
 * `create` again after a failure (hook `onError`), or replaces a resource that is unconfirmed (`replaceOnChanges`).
 */
import { type ResourceState } from "./lifecycle";

type Resource = string | undefined;

const lost = new Map<string, ResourceState>();

export function rememberLost(resource: Resource, state: ResourceState): void {
  if (resource !== undefined) lost.set(resource, state);
}

export function lostPost(resource: Resource): ResourceState | undefined {
  return resource === undefined ? undefined : lost.get(resource);
}

export function forgetLost(resource: Resource): void {
  if (resource !== undefined) lost.delete(resource);
}
