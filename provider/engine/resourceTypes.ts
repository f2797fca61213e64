/** The resource types of this package, and their tokens in the state and in policies. */

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
