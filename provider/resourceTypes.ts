/** The types of resources in this package, and the tokens under which policies and `pulumi stack` know them. */

export const resourceTypes = [
  "AlertChannel",
  "Incident",
  "IncidentUpdate",
  "StatusPage",
  "StatusPageIncident",
] as const;

export type ResourceType = (typeof resourceTypes)[number];

/** The token of a resource that the dynamic provider serves. */
export function dynamicToken(type: ResourceType): string {
  return `pulumi-nodejs:dynamic/monitoring:${type}`;
}

/** The token of a resource that the native plugin serves. */
export function nativeToken(type: ResourceType): string {
  return `monitoring:index:${type}`;
}

/** Whether a token is of this type, whichever provider serves it. */
export function isOfType(token: string, type: ResourceType): boolean {
  return token === dynamicToken(type) || token === nativeToken(type);
}
