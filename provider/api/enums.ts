/** Lists the values that the service documents today, and their order. It loads no zod, which slows the start of a program. */
import { msOf } from "./timestamps";

export const updateStatuses = ["INVESTIGATING", "IDENTIFIED", "MONITORING", "RESOLVED"] as const;
/** Status that an incident update announces. */
export type UpdateStatus = (typeof updateStatuses)[number];

export const dashboardUpdateStatuses = [...updateStatuses, "MAINTENANCE"] as const;
/** Status that an update of a dashboard incident announces. */
export type DashboardUpdateStatus = (typeof dashboardUpdateStatuses)[number];

/** All severities, worst first. */
export const severities = ["CRITICAL", "MAJOR", "MEDIUM", "MINOR"] as const;
/** Severity of a status-page incident. */
export type Severity = (typeof severities)[number];

/** What an incident does to a component of a status page, worst first. */
export const impactStates = [
  "MAJOR_OUTAGE",
  "PARTIAL_OUTAGE",
  "DEGRADED_PERFORMANCE",
  "UNDER_MAINTENANCE",
] as const;
/** What an incident does to a component of a status page. */
export type ImpactState = (typeof impactStates)[number];

export const componentStatuses = [...impactStates, "OPERATIONAL"] as const;
/** State of a component during an incident. */
export type ComponentStatus = (typeof componentStatuses)[number];

/** An impact of an incident, as far as its state depends on it. */
interface LastingImpact {
  readonly status?: string | null | undefined;
  /** When it ended; null while it lasts. */
  readonly endedAt?: string | null | undefined;
}

/** Returns the impacts that have not ended, the worst first. Only a time that has passed is an end; clocks may differ by minutes. */
export function lastingImpacts<Each extends LastingImpact>(
  impacts: readonly Each[] | null | undefined,
): Each[] {
  const now = Date.now();
  const lasts = ({ endedAt }: Each): boolean => (msOf(endedAt) ?? Infinity) > now + 300_000;
  return (impacts ?? []).filter(lasts).sort((a, b) => rankOf(a) - rankOf(b));
}

/** Returns the position of a state among all states, worst first. An unknown state is before the worst. */
export function rankOf({ status }: LastingImpact): number {
  return componentStatuses.findIndex((each) => each === status);
}

export const impacts = ["MAINTENANCE", "MAJOR", "MINOR"] as const;
/** Impact of a dashboard incident. */
export type Impact = (typeof impacts)[number];

export const alertChannelTypes = [
  "EMAIL",
  "SLACK",
  "WEBHOOK",
  "SMS",
  "PAGERDUTY",
  "OPSGENIE",
  "CALL",
  "SLACK_APP",
] as const;
/** Kind of target that an alert channel delivers to. */
export type AlertChannelType = (typeof alertChannelTypes)[number];

/** Values of `webhookType` that deployments of the service are known to have. */
export const knownWebhookTypes = [
  "WEBHOOK_MSTEAMS",
  "WEBHOOK_TELEGRAM",
  "WEBHOOK_DISCORD",
  "WEBHOOK_INCIDENTIO",
  "WEBHOOK_FIREHYDRANT",
  "WEBHOOK_ROOTLY",
  "WEBHOOK_ILERT",
  "WEBHOOK_SPLUNK",
  "WEBHOOK_SPIKESH",
  "WEBHOOK_GITLAB_ALERT",
  "WEBHOOK_CORALOGIX",
] as const;
/** Integration that a webhook channel was created for, as far as the service documents it. */
export type KnownWebhookType = (typeof knownWebhookTypes)[number];
