// Runs every program of this folder in one stack. Each program is complete and also works as an `index.ts`.
export * as AlertChannel from "./AlertChannel";
export * as AlertChannelAudit from "./AlertChannelAudit";
export * as getAlertChannel from "./getAlertChannel";
export * as getAlertChannels from "./getAlertChannels";
export * as getIncident from "./getIncident";
export * as getIncidentUpdate from "./getIncidentUpdate";
export * as getOpenIncidents from "./getOpenIncidents";
export * as getStatusPage from "./getStatusPage";
export * as getStatusPageIncident from "./getStatusPageIncident";
export * as getStatusPages from "./getStatusPages";
export * as IncidentTimeline from "./IncidentTimeline";
export * as IncidentUpdate from "./IncidentUpdate";
export * as OpenIncidentGate from "./OpenIncidentGate";
export * as StatusPage from "./StatusPage";
