/**
 * The objects of the service's API, as `docs/openapi.yaml` describes them: an interface and a schema for each;
 * `test/api/schemas.types.ts` proves them equal.
 *
 * Reading is lenient, because deployments differ: unknown fields and unknown enum values pass through, and only the
 * fields that callers rely on are required. Writing is strict: `NewIncidentUpdate`.
 */
export * from "./alertChannel";
export * from "./enums";
export * from "./incident";
export * from "./projectBindings";
export type { Open, Timestamp } from "./shared";
export * from "./statusPage";
export * from "./statusPageIncident";
