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

// The exports below take precedence over those of the same name.
export * from ".";
export {
  AlertChannelType,
  ComponentStatus,
  DashboardUpdateStatus,
  Impact,
  ImpactState,
  Severity,
  UpdateStatus,
} from "../provider/api/enums";
export {
  AlertChannelAuditEnforcement,
  FindingConfidence,
  FindingSeverity,
  IncidentTimelineOnChange,
  IncidentUpdateOnChange,
  Provider,
  type ProviderAccount,
  type ProviderArgs,
} from "./Provider";

/** {@inheritDoc dynamic.Incident} Imported by `<statusPageId>/<incidentId>`. */
export class Incident extends dynamic.Incident {
  /** @internal */
  static override readonly isNative = true;
}

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
