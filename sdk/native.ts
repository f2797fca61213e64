/**
 * Exports the same resources, components and data sources, served by the native plugin. The plugin supports cancellation, import
 * of existing objects, and one {@link Provider} per account. Pulumi.yaml has to name the plugin:
 *
 * ```yaml
 * plugins:
 *   providers:
 *     - name: monitoring
 *       path: node_modules/pulumi-monitoring-service/plugin
 * ```
 */
import * as dynamic from ".";

export {
  type AlertChannelArgs,
  AlertChannelAudit,
  type AlertChannelAuditArgs,
  AlertChannelAuditError,
  type AlertChannelExpectations,
  type AlertChannelSubscription,
  AmbiguousMatchError,
  ApiError,
  type ApiFailure,
  type Applied,
  AuthenticationError,
  type Conditions,
  type ConditionsOn,
  ConfigurationError,
  ConnectionError,
  type DashboardIncidentUpdate,
  type Expectation,
  type Expectations,
  getAlertChannel,
  type GetAlertChannelArgs,
  getAlertChannelOutput,
  type GetAlertChannelOutputArgs,
  type GetAlertChannelResult,
  getAlertChannels,
  type GetAlertChannelsArgs,
  getAlertChannelsOutput,
  type GetAlertChannelsOutputArgs,
  type GetAlertChannelsResult,
  getIncident,
  type GetIncidentArgs,
  getIncidentOutput,
  type GetIncidentOutputArgs,
  type GetIncidentResult,
  getIncidentUpdate,
  type GetIncidentUpdateArgs,
  getIncidentUpdateOutput,
  type GetIncidentUpdateOutputArgs,
  getOpenIncidents,
  type GetOpenIncidentsArgs,
  getOpenIncidentsOutput,
  type GetOpenIncidentsOutputArgs,
  type GetOpenIncidentsResult,
  getStatusPage,
  type GetStatusPageArgs,
  getStatusPageIncident,
  type GetStatusPageIncidentArgs,
  getStatusPageIncidentOutput,
  type GetStatusPageIncidentOutputArgs,
  type GetStatusPageIncidentResult,
  getStatusPageOutput,
  type GetStatusPageOutputArgs,
  type GetStatusPageResult,
  getStatusPages,
  type GetStatusPagesArgs,
  getStatusPagesOutput,
  type GetStatusPagesOutputArgs,
  type GetStatusPagesResult,
  type Incident,
  type IncidentTimelineArgs,
  type IncidentTimelineEntry,
  type IncidentUpdateArgs,
  InvalidInputError,
  isMonitoringError,
  type ListConditions,
  MonitoringError,
  NoMatchError,
  NotFoundError,
  type NumberConditions,
  type Open,
  type OpenIncident,
  OpenIncidentError,
  OpenIncidentGate,
  type OpenIncidentGateArgs,
  type OpenIncidentStatusPage,
  OutcomeUnknownError,
  PagingError,
  PermissionError,
  type Problem,
  type PublishedIncidentUpdate,
  RateLimitError,
  RequestError,
  ResponseShapeError,
  ServerError,
  type StatusPageArgs,
  type StatusPageCard,
  type StatusPageExpectations,
  type StatusPageIncident,
  type StatusPageIncidentUpdate,
  type StatusPageService,
  type TextConditions,
  TimeoutError,
  type Timestamp,
} from ".";
export {
  AlertChannelAuditEnforcement,
  AlertChannelType,
  DashboardUpdateStatus,
  FindingSeverity,
  Impact,
  IncidentUpdateOnChange,
  Provider,
  type ProviderAccount,
  type ProviderArgs,
  Severity,
  UpdateStatus,
} from "./Provider";

/** {@inheritDoc dynamic.IncidentUpdate} Imported by `<incidentId>/<incidentUpdateId>`. */
export class IncidentUpdate extends dynamic.IncidentUpdate {
  /** @internal */
  static override readonly isNative = true;
}

/** {@inheritDoc dynamic.AlertChannel} Imported by the id of the channel. */
export class AlertChannel extends dynamic.AlertChannel {
  /** @internal */
  static override readonly isNative = true;
}

/** {@inheritDoc dynamic.StatusPage} Imported by the id of the status page. */
export class StatusPage extends dynamic.StatusPage {
  /** @internal */
  static override readonly isNative = true;
}

/** {@inheritDoc dynamic.IncidentTimeline} Can't be imported: it adopts the updates that exist. */
export class IncidentTimeline extends dynamic.IncidentTimeline {
  /** @internal */
  static override readonly entryClass = IncidentUpdate;
}
