// The resource types of this package, and their tokens in the state and in policies.

export const resourceTypes = ["AlertChannel", "IncidentUpdate", "StatusPage"] as const;

export type ResourceType = (typeof resourceTypes)[number];

/** The token of a resource of the dynamic provider. */
export function dynamicToken(type: ResourceType): string {
  return `pulumi-nodejs:dynamic/monitoring:${type}`;
}

/** The token of a resource of the native plugin. */
export function nativeToken(type: ResourceType): string {
  return `monitoring:index:${type}`;
}

/** Whether a token is of this type, with either provider. */
export function isOfType(token: string, type: ResourceType): boolean {
  return token === dynamicToken(type) || token === nativeToken(type);
}

/**
 * The code that the engine stores in the state of each resource, and runs for every later refresh and destroy. It only
 * references this package, so that a new release serves old state. It must never change: existing stacks contain it.
 */
export function serializedProvider(type: ResourceType): string {
  return `exports.handler=()=>require("pulumi-monitoring-service/provider").${type}`;
}
