/** Declare incident updates, and read alert channels, incidents and status pages, in a Pulumi program. */
import "./assertNodeVersion";
export * from "../provider/client/errors";
export type { AlertChannelType, Impact, Open, Severity, Timestamp, UpdateStatus } from "../provider/api";
export { AlertChannelAuditError } from "../audit/sources/auditError";
export * from "./components";
export * from "./dataSources";
export { AmbiguousMatchError, NoMatchError } from "../provider/lookups/match";
// Named exports, because ./dataSources/returnedObjects exports data types with the same names.
export { AlertChannel, type AlertChannelArgs, type AlertChannelExpectations } from "./resources/AlertChannel";
export type * from "./resources/expectationTypes";
export * from "./resources/IncidentUpdate";
export { StatusPage, type StatusPageArgs, type StatusPageExpectations } from "./resources/StatusPage";
export type * from "./dataSources/returnedObjects";
export type {
  AlertChannel as GetAlertChannelResult,
  Incident as GetIncidentResult,
  StatusPage as GetStatusPageResult,
  StatusPageIncident as GetStatusPageIncidentResult,
} from "./dataSources/returnedObjects";
