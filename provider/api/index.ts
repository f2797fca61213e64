/**
 * The objects of the service's API: one documented interface and one schema each, side by side and proven equal
 * (`test/api/schemas.types.ts`). Section numbers are those of the service's API description.
 *
 * Reading is lenient, because deployments differ: unknown fields and unknown enum values pass through, and only
 * what callers rely on must be there. Writing is strict: `NewIncidentUpdate`.
 */
export * from "./alertChannel";
export * from "./enums";
export * from "./incident";
export type { Open, Timestamp } from "./shared";
export * from "./statusPage";
export * from "./statusPageIncident";
