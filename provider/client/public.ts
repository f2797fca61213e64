/** Exports `pulumi-monitoring-service/client`, the client of the API without Pulumi. */
export type {
  AlertChannel,
  AlertChannelSubscription,
  AlertChannelType,
  Component,
  ComponentImpact,
  ComponentPage,
  ComponentPageIncident,
  ComponentStatus,
  DashboardIncidentUpdate,
  Id,
  Impact,
  Incident,
  ListQuery,
  Mismatch,
  NewComponentImpact,
  NewComponentPageIncident,
  NewComponentPageUpdate,
  NewIncidentUpdate,
  Open,
  ProjectBindings,
  ProjectOwner,
  Severity,
  StatusPage,
  StatusPageCard,
  StatusPageIncident,
  StatusPageIncidentUpdate,
  StatusPageService,
  StatusPageThemeColors,
  Timestamp,
  UpdateStatus,
} from "../api";
export { MonitoringClient } from ".";
export * from "./errors";
export type {
  CallOptions,
  ClientOptions,
  ListOptions,
  ReadOptions,
  RequestEvent,
  WriteOptions,
} from "./options";
export type { Page, PagePromise } from "./paging";
