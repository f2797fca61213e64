import { type ResourceType } from "../resourceTypes";

/**
 * The text that the engine keeps in the state of each resource, and runs for every later refresh and destroy. It
 * only names the code, so that a new release serves old state. It never changes: every stack out there holds it.
 */
export function serializedProvider(type: ResourceType): string {
  return `exports.handler=()=>require("pulumi-monitoring-service/provider").${type}`;
}
