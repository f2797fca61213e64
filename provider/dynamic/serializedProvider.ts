import { type ResourceType } from "../engine/resourceTypes";

/**
 * The code that the engine stores in the state of each resource, and runs for every later refresh and destroy. It only
 * references this package, so that a new release serves old state. It must never change: existing stacks contain it.
 */
export function serializedProvider(type: ResourceType): string {
  return `exports.handler=()=>require("pulumi-monitoring-service/provider").${type}`;
}
