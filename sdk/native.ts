/**
 * The same resources, components and data sources, served by the native plugin. The plugin supports cancellation, import
 * of existing objects, and one {@link Provider} per account.
 */
import * as dynamic from ".";

export * from ".";
export { Provider, type ProviderArgs } from "./resources/Provider";

export class IncidentUpdate extends dynamic.IncidentUpdate {
  /** @internal */
  static override readonly isNative = true;
}

export class AlertChannel extends dynamic.AlertChannel {
  /** @internal */
  static override readonly isNative = true;
}

export class Incident extends dynamic.Incident {
  /** @internal */
  static override readonly isNative = true;
}

export class StatusPage extends dynamic.StatusPage {
  /** @internal */
  static override readonly isNative = true;
}

export class StatusPageIncident extends dynamic.StatusPageIncident {
  /** @internal */
  static override readonly isNative = true;
}

export class IncidentTimeline extends dynamic.IncidentTimeline {
  /** @internal */
  static override readonly entryClass = IncidentUpdate;
}
