/** The kinds of resources that this package has. */
export type Kind = "AlertChannel" | "Incident" | "IncidentUpdate" | "StatusPage" | "StatusPageIncident";

/**
 * The text that the engine keeps in the state of each resource, and runs for every later refresh and destroy. It
 * only names the code, so that a new release serves old state. It never changes: every stack out there holds it.
 */
export function providerText(kind: Kind): string {
  return `exports.handler=()=>require("pulumi-monitoring-service/provider").${kind}`;
}

/** The type token under which policies and `pulumi stack` know the kind. */
export function typeToken(kind: Kind): string {
  return `pulumi-nodejs:dynamic/monitoring:${kind}`;
}
