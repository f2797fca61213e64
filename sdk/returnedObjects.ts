/** Types the results of data sources: objects of the API with field names in camelCase. */
import type * as api from "../provider/api";
import { type RedactedConfig } from "../provider/credentials";

interface Dates {
  /** When it was created. */
  createdAt?: api.Timestamp | null;
  /** When it was last changed; null when never. */
  updatedAt?: api.Timestamp | null;
}

/** The fields that have the same name and type in the API. */
type Alike<ApiObject, Other extends keyof ApiObject = never> = api.Without<
  ApiObject,
  Extract<keyof ApiObject, "created_at" | "updated_at"> | Other
>;

/** A service shown on a status page. */
export interface StatusPageService extends Alike<api.StatusPageService>, Dates {}

/** An update in the history of a status-page incident. */
export interface StatusPageIncidentUpdate
  extends Alike<api.StatusPageIncidentUpdate>, Pick<Dates, "createdAt"> {}

/** What an incident does to a component of its status page. */
export interface ComponentImpact extends Alike<api.ComponentImpact> {}

/** A status-page incident. It has `severity` and `services`, or on a page with components, `componentImpacts` and `statusPageId`. */
export interface StatusPageIncident
  extends
    Alike<api.StatusPageIncident, "services" | "incidentUpdates">,
    Pick<api.ComponentPageIncident, "statusPageId">,
    Dates {
  /** Affected services. Missing on a page with components. */
  services?: StatusPageService[];
  /** What the incident does to components. Missing on a page with cards. */
  componentImpacts?: ComponentImpact[];
  /** History, usually newest first. May contain only the latest 100 updates. Empty in a list of incidents on a page with components. */
  incidentUpdates: StatusPageIncidentUpdate[];
}

/** A group of services on a status page. */
export interface StatusPageCard extends Alike<api.StatusPageCard, "services">, Dates {
  /** Services of the group. */
  services: StatusPageService[];
}

/** A component of a status page, or a group of components. */
export interface StatusPageComponent extends Alike<api.Component>, Dates {}

/** A status page, with its cards and incidents, or with its components. */
export interface StatusPage
  extends Alike<api.StatusPage, "cards" | "incidents">, Alike<api.ComponentPage>, Dates {
  /**
   * 2 for a page with cards, 3 for a page with components.
   *
   * @integer
   */
  version: number;
  /** Groups of services. Missing for a page with components. */
  cards?: StatusPageCard[];
  /** Incidents of this page. Missing for a page with components. */
  incidents?: StatusPageIncident[];
  /** Components and groups of components. Missing for a page with cards, and in a list of pages. */
  components?: StatusPageComponent[];
}

/** An update of a dashboard incident. */
export interface DashboardIncidentUpdate extends Alike<api.DashboardIncidentUpdate>, Dates {}

/** A dashboard incident. */
export interface Incident extends Alike<api.Incident, "incidentUpdates">, Dates {
  /** Only the first update, or all with `includeAllIncidentUpdates`. */
  incidentUpdates: DashboardIncidentUpdate[];
}

/** A check, or a group of checks, that alerts through a channel. */
export interface AlertChannelSubscription extends Alike<api.AlertChannelSubscription> {}

/** A target of alerts. */
export interface AlertChannel extends Alike<api.AlertChannel, "config" | "subscriptions">, Dates {
  /** Settings of the target, by type. Each credential is replaced by a `RedactedCredential`. */
  config: RedactedConfig;
  /** Checks subscribed to this channel. */
  subscriptions: AlertChannelSubscription[];
}
