/**
 * The objects of the service's API, as `docs/openapi.yaml` describes them: an interface and a schema for each,
 * which don't compile unless they have the same fields.
 *
 * Reading is lenient, because deployments differ: unknown fields and unknown enum values pass through, fields untyped, and only the
 * fields that callers rely on are required. Writing is strict: `NewIncidentUpdate`.
 */
export * from "./alertChannel";
export * from "./dashboardIncident";
export * from "./enums";
export * from "./projectBindings";
export type { Open, Timestamp } from "./shared";
export * from "./statusPage";
export * from "./statusPageIncident";
