/**
 * Lists the values that the service documents today, and their order, as constants for programs. It loads no zod, which slows the start
 * of a program.
 */
import { msOf } from "./timestamps";

/** The values of constants, in their order. */
function listed<Value extends string>(constants: Readonly<Record<string, Value>>): [Value, ...Value[]] {
  const [first, ...others] = Object.values(constants);
  if (first === undefined) throw new Error("There is no constant.");
  return [first, ...others];
}

/** Status that an incident update announces. */
export const UpdateStatus = {
  /** The cause is not known yet. */
  INVESTIGATING: "INVESTIGATING",
  /** The cause is known. */
  IDENTIFIED: "IDENTIFIED",
  /** A fix is in place, and its effect is watched. */
  MONITORING: "MONITORING",
  /** The incident is over. */
  RESOLVED: "RESOLVED",
} as const;
export type UpdateStatus = (typeof UpdateStatus)[keyof typeof UpdateStatus];
export const updateStatuses = listed(UpdateStatus);

/** Status that an update of a dashboard incident announces. */
export const DashboardUpdateStatus = {
  ...UpdateStatus,
  /** Planned maintenance. */
  MAINTENANCE: "MAINTENANCE",
} as const;
export type DashboardUpdateStatus = (typeof DashboardUpdateStatus)[keyof typeof DashboardUpdateStatus];
export const dashboardUpdateStatuses = listed(DashboardUpdateStatus);

/** Severity of a status-page incident. */
export const Severity = {
  /** The worst. */
  CRITICAL: "CRITICAL",
  /** Less severe than critical. */
  MAJOR: "MAJOR",
  /** Less severe than major. */
  MEDIUM: "MEDIUM",
  /** The least. */
  MINOR: "MINOR",
} as const;
export type Severity = (typeof Severity)[keyof typeof Severity];
export const severities = listed(Severity);

/** What an incident does to a component of a status page. */
export const ImpactState = {
  /** The worst: the component is down. */
  MAJOR_OUTAGE: "MAJOR_OUTAGE",
  /** A part of the component is down. */
  PARTIAL_OUTAGE: "PARTIAL_OUTAGE",
  /** The component is slow or unreliable. */
  DEGRADED_PERFORMANCE: "DEGRADED_PERFORMANCE",
  /** The least: planned maintenance. */
  UNDER_MAINTENANCE: "UNDER_MAINTENANCE",
} as const;
export type ImpactState = (typeof ImpactState)[keyof typeof ImpactState];
export const impactStates = listed(ImpactState);

/** State of a component of a status page during an incident. */
export const ComponentStatus = {
  ...ImpactState,
  /** The component works. */
  OPERATIONAL: "OPERATIONAL",
} as const;
export type ComponentStatus = (typeof ComponentStatus)[keyof typeof ComponentStatus];
export const componentStatuses = listed(ComponentStatus);

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

/** Impact of a dashboard incident. */
export const Impact = {
  /** Planned maintenance. */
  MAINTENANCE: "MAINTENANCE",
  /** A major impact. */
  MAJOR: "MAJOR",
  /** A minor impact. */
  MINOR: "MINOR",
} as const;
export type Impact = (typeof Impact)[keyof typeof Impact];
export const impacts = listed(Impact);

/** Kind of target that an alert channel delivers to. */
export const AlertChannelType = {
  /** An email. */
  EMAIL: "EMAIL",
  /** A message in Slack. */
  SLACK: "SLACK",
  /** An HTTP request. */
  WEBHOOK: "WEBHOOK",
  /** A text message. */
  SMS: "SMS",
  /** An event in PagerDuty. */
  PAGERDUTY: "PAGERDUTY",
  /** An alert in Opsgenie. */
  OPSGENIE: "OPSGENIE",
  /** A phone call. */
  CALL: "CALL",
  /** A message in Slack, through the service's app. */
  SLACK_APP: "SLACK_APP",
} as const;
export type AlertChannelType = (typeof AlertChannelType)[keyof typeof AlertChannelType];
export const alertChannelTypes = listed(AlertChannelType);

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
