/** Declares the types of data sources' results: objects of the API with field names in camelCase. */
import type * as api from "../provider/api";
import { type RedactedConfig } from "../provider/credentials";

interface Dates {
  /** Creation time. */
  createdAt?: api.Timestamp | null;
  /** Time of the last change; null if it was never changed. */
  updatedAt?: api.Timestamp | null;
}

/** The fields that have the same name and type as in the API. */
type Alike<ApiObject, Other extends keyof ApiObject = never> = api.Without<
  ApiObject,
  Extract<keyof ApiObject, "created_at" | "updated_at"> | Other
>;

/** A service shown on a status page. */
export interface StatusPageService extends Alike<api.StatusPageService>, Dates {}

/** An update in the history of a status-page incident. */
export interface StatusPageIncidentUpdate
  extends Alike<api.StatusPageIncidentUpdate>, Pick<Dates, "createdAt"> {}

/** The impact of an incident on a component of its status page. */
export interface ComponentImpact extends Alike<api.ComponentImpact> {}

/**
 * A status-page incident. It has `severity` and `services` on pages with cards, and `componentImpacts` and `statusPageId` on pages with
 * components.
 */
export interface StatusPageIncident
  extends
    Alike<api.StatusPageIncident, "services" | "incidentUpdates">,
    Pick<api.ComponentPageIncident, "statusPageId">,
    Dates {
  /** Affected services. Missing on pages with components. */
  services?: StatusPageService[];
  /** Impacts on components. Missing on pages with cards. */
  componentImpacts?: ComponentImpact[];
  /**
   * Updates of the incident, usually newest first. May contain only the latest 100 updates. Empty in a list of incidents on pages with
   * components.
   */
  incidentUpdates: StatusPageIncidentUpdate[];
}

/** A group of services on a status page. */
export interface StatusPageCard extends Alike<api.StatusPageCard, "services">, Dates {
  /** Services of the group. */
  services: StatusPageService[];
}

/** A component of a status page, or a group of components. */
export interface StatusPageComponent extends Alike<api.Component>, Dates {}

/** A status page, with its cards and incidents or with its components. */
export interface StatusPage
  extends Alike<api.StatusPage, "cards" | "incidents">, Alike<api.ComponentPage>, Dates {
  /**
   * 2 for a page with cards, 3 for a page with components.
   *
   * @integer
   */
  version: number;
  /** Groups of services. Missing for pages with components. */
  cards?: StatusPageCard[];
  /** Incidents of this page. Missing for pages with components. */
  incidents?: StatusPageIncident[];
  /** Components and groups of components. Missing for pages with cards and in a list of pages. */
  components?: StatusPageComponent[];
}

/** An update of a dashboard incident. */
export interface DashboardIncidentUpdate extends Alike<api.DashboardIncidentUpdate>, Dates {}

/** A dashboard incident. */
export interface Incident extends Alike<api.Incident, "incidentUpdates">, Dates {
  /** The first update or, with `includeAllIncidentUpdates`, all updates. */
  incidentUpdates: DashboardIncidentUpdate[];
}

/** A check, or a group of checks, that alerts through a channel. */
export interface AlertChannelSubscription extends Alike<api.AlertChannelSubscription> {}

/** A target that alerts are sent to. */
export interface AlertChannel extends Alike<api.AlertChannel, "config" | "subscriptions">, Dates {
  /** Settings of the target; the keys depend on its type. Each credential is replaced with a `RedactedCredential`. */
  config: RedactedConfig;
  /** Checks subscribed to this channel. */
  subscriptions: AlertChannelSubscription[];
}
