/** Declares incident updates, and reads alert channels, incidents and status pages, in a Pulumi program. */
import "./assertNodeVersion";
export * from "../provider/client/errors";
export type { Problem } from "../provider/texts";
export type {
  AlertChannelType,
  ComponentStatus,
  Impact,
  ImpactState,
  Open,
  Severity,
  Timestamp,
  UpdateStatus,
} from "../provider/api";
export { AlertChannelAuditError } from "../audit/sources/auditErrors";
export {
  AlertChannelAudit,
  type AlertChannelAuditArgs,
  IncidentTimeline,
  type IncidentTimelineArgs,
  type IncidentTimelineEntry,
  OpenIncidentError,
  OpenIncidentGate,
  type OpenIncidentGateArgs,
} from "./components";
export {
  getAlertChannel,
  getAlertChannelOutput,
  type GetAlertChannelOutputArgs,
  getAlertChannels,
  getAlertChannelsOutput,
  type GetAlertChannelsOutputArgs,
  type GetAlertChannelsResult,
  getIncident,
  getIncidentOutput,
  type GetIncidentOutputArgs,
  getIncidentUpdate,
  getIncidentUpdateOutput,
  type GetIncidentUpdateOutputArgs,
  getOpenIncidents,
  getOpenIncidentsOutput,
  type GetOpenIncidentsOutputArgs,
  type GetOpenIncidentsResult,
  getStatusPage,
  getStatusPageIncident,
  getStatusPageIncidentOutput,
  type GetStatusPageIncidentOutputArgs,
  getStatusPageOutput,
  type GetStatusPageOutputArgs,
  getStatusPages,
  getStatusPagesOutput,
  type GetStatusPagesOutputArgs,
  type GetStatusPagesResult,
  type OpenIncident,
  type OpenIncidentStatusPage,
} from "./dataSources";
export type {
  GetAlertChannelArgs,
  GetAlertChannelsArgs,
  GetIncidentArgs,
  GetIncidentUpdateArgs,
  GetOpenIncidentsArgs,
  GetStatusPageArgs,
  GetStatusPageIncidentArgs,
  GetStatusPagesArgs,
} from "../provider/lookups";
export { AmbiguousMatchError, NoMatchError } from "../provider/lookups/lookupErrors";
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
export { Incident, type IncidentArgs } from "./Incident";
export { IncidentUpdate, type IncidentUpdateArgs } from "./IncidentUpdate";
export type { IncidentImpact, PublishedIncident, PublishedIncidentUpdate } from "../provider/lifecycles";
export type {
  AlertChannel as GetAlertChannelResult,
  Incident as GetIncidentResult,
  StatusPage as GetStatusPageResult,
  StatusPageIncident as GetStatusPageIncidentResult,
} from "./returnedObjects";
// If a type is exported several times, the reference uses the name of its last export.
export type {
  AlertChannelSubscription,
  ComponentImpact,
  DashboardIncidentUpdate,
  StatusPageCard,
  StatusPageComponent,
  StatusPageIncident,
  StatusPageIncidentUpdate,
  StatusPageService,
} from "./returnedObjects";
