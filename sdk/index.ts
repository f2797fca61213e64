/** Declare incident updates, and read alert channels, incidents and status pages, in a Pulumi program. */
export * from "../provider/client/errors";
export type {
  AlertChannelType,
  Impact,
  Open,
  Severity,
  Timestamp,
  UpdateStatus,
} from "../provider/client/schemas";
export * from "./dataSources/getAlertChannel";
export * from "./dataSources/getAlertChannels";
export * from "./dataSources/getIncident";
export * from "./dataSources/getIncidentUpdate";
export * from "./dataSources/getOpenIncidents";
export * from "./dataSources/getStatusPage";
export * from "./dataSources/getStatusPageIncident";
export * from "./dataSources/getStatusPages";
export * from "./resources/IncidentUpdate";
export type * from "./types";
