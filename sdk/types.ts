/** The results of data sources: objects of the API with field names in camelCase. */
import type * as api from "../provider/api";
import type { RedactedConfig } from "../provider/credentials/redactedCredential";

interface Dates {
  /** When it was created. */
  createdAt?: api.Timestamp | null;
  /** When it was last changed; null when never. */
  updatedAt?: api.Timestamp | null;
}

/** A service shown on a status page. */
export interface StatusPageService extends Pick<api.StatusPageService, "id" | "name" | "accountId">, Dates {}

/** An update in the history of a status-page incident. */
export interface StatusPageIncidentUpdate
  extends
    Pick<
      api.StatusPageIncidentUpdate,
      "id" | "description" | "status" | "publicIncidentUpdateDate" | "notifySubscribers"
    >,
    Pick<Dates, "createdAt"> {}

/** A status-page incident. */
export interface StatusPageIncident
  extends
    Pick<api.StatusPageIncidentSummary, "id" | "name" | "severity" | "lastUpdateStatus" | "duration">,
    Dates {
  /** Affected services. */
  services: StatusPageService[];
  /** History, usually newest first. May contain only the latest 100 updates. */
  incidentUpdates: StatusPageIncidentUpdate[];
}

/** A group of services on a status page. */
export interface StatusPageCard extends Pick<api.StatusPageCard, "id" | "name">, Dates {
  /** Services of the group. */
  services: StatusPageService[];
}

/** A status page with its cards and incidents. */
export interface StatusPage
  extends
    Pick<
      api.StatusPage,
      | "id"
      | "name"
      | "description"
      | "url"
      | "accountId"
      | "customDomain"
      | "logo"
      | "favicon"
      | "redirectTo"
      | "defaultTheme"
      | "isPrivate"
      | "projectBindings"
      | "themeColors"
    >,
    Dates {
  /** Groups of services. */
  cards: StatusPageCard[];
  /** Incidents of this page. */
  incidents: StatusPageIncident[];
}

/** An update of a dashboard incident. */
export interface DashboardIncidentUpdate
  extends Pick<api.DashboardIncidentUpdate, "id" | "description" | "status" | "incidentId">, Dates {}

/** A dashboard incident. */
export interface Incident
  extends Pick<api.Incident, "id" | "name" | "impact" | "dashboardId" | "startedAt" | "stoppedAt">, Dates {
  /** Only the first update, or all with `includeAllIncidentUpdates`. */
  incidentUpdates: DashboardIncidentUpdate[];
}

/** A check, or a group of checks, that alerts through a channel. */
export interface AlertChannelSubscription extends Pick<
  api.AlertChannelSubscription,
  "id" | "checkId" | "groupId" | "activated"
> {}

/** A target of alerts. */
export interface AlertChannel
  extends
    Pick<
      api.AlertChannel,
      | "id"
      | "type"
      | "sendRecovery"
      | "sendFailure"
      | "sendDegraded"
      | "sslExpiry"
      | "sslExpiryThreshold"
      | "autoSubscribe"
      | "projectBindings"
    >,
    Dates {
  /** Settings of the target, by type. Each credential is replaced by a `RedactedCredential`. */
  config: RedactedConfig;
  /** Checks subscribed to this channel. */
  subscriptions: AlertChannelSubscription[];
}
