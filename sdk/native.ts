/**
 * Exports the same resources, components and data sources, served by the native plugin. The plugin supports cancellation, import
 * of existing objects, and one {@link Provider} for each account. It must be declared in Pulumi.yaml:
 *
 * ```yaml
 * plugins:
 *   providers:
 *     - name: monitoring
 *       path: node_modules/pulumi-monitoring-service/plugin
 * ```
 */
import * as dynamic from ".";

// The exports below take precedence over exports of the same name.
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

/**
 * {@inheritDoc dynamic.Incident}
 *
 * Import ID: `<statusPageId>/<incidentId>`.
 */
export class Incident extends dynamic.Incident {
  /** @internal */
  static override readonly isNative = true;
}

/**
 * {@inheritDoc dynamic.IncidentUpdate}
 *
 * Import ID: `<incidentId>/<incidentUpdateId>` or, on pages with components, `<statusPageId>/<incidentId>/<incidentUpdateId>`.
 */
export class IncidentUpdate extends dynamic.IncidentUpdate {
  /** @internal */
  static override readonly isNative = true;
}

/**
 * {@inheritDoc dynamic.AlertChannel}
 *
 * Import ID: the ID of the channel.
 */
export class AlertChannel extends dynamic.AlertChannel {
  /** @internal */
  static override readonly isNative = true;
}

/**
 * {@inheritDoc dynamic.StatusPage}
 *
 * Import ID: the ID of the status page.
 */
export class StatusPage extends dynamic.StatusPage {
  /** @internal */
  static override readonly isNative = true;
}

/**
 * {@inheritDoc dynamic.IncidentTimeline}
 *
 * A timeline can't be imported. It adopts the incident's existing updates instead.
 */
export class IncidentTimeline extends dynamic.IncidentTimeline {
  /** @internal */
  static override readonly entryClass = IncidentUpdate;
}
