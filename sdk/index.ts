/** Declare incident updates, and read alert channels, incidents and status pages, in a Pulumi program. */
import "./assertNodeVersion";
export * from "../provider/client/errors";
export type { AlertChannelType, Impact, Open, Severity, Timestamp, UpdateStatus } from "../provider/api";
export { AlertChannelAuditError } from "../audit/sources/auditError";
export * from "./components";
export * from "./dataSources";
export { AmbiguousMatchError, NoMatchError } from "../provider/lookups/lookupErrors";
// Named exports, because ./returnedObjects exports data types with the same names.
export {
  AlertChannel,
  type AlertChannelArgs,
  type AlertChannelExpectations,
  type Conditions,
  type ConditionsOn,
  type Expectation,
  type Expectations,
  type ListConditions,
  type NumberConditions,
  StatusPage,
  type StatusPageArgs,
  type StatusPageExpectations,
  type TextConditions,
} from "./observed";
export { IncidentUpdate, type IncidentUpdateArgs, type PublishedIncidentUpdate } from "./IncidentUpdate";
export type * from "./returnedObjects";
export type {
  AlertChannel as GetAlertChannelResult,
  Incident as GetIncidentResult,
  StatusPage as GetStatusPageResult,
  StatusPageIncident as GetStatusPageIncidentResult,
} from "./returnedObjects";
