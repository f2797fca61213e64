/**
 * Lists the values that the service currently documents, and their order, as constants for programs. Doesn't load zod, because zod slows
 * the start of a program.
 */
import { parseMs } from "./timestamps";

/** Returns the values of constants, in their order. */
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

/** Effect of an incident on a component of a status page. */
export const ImpactState = {
  /** The component is down. The worst state. */
  MAJOR_OUTAGE: "MAJOR_OUTAGE",
  /** A part of the component is down. */
  PARTIAL_OUTAGE: "PARTIAL_OUTAGE",
  /** The component is slow or unreliable. */
  DEGRADED_PERFORMANCE: "DEGRADED_PERFORMANCE",
  /** Planned maintenance. The least severe state. */
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

/** The fields of an incident's impact that determine whether it lasts. */
interface LastingImpact {
  readonly status?: string | null | undefined;
  /** End of the impact; null while it lasts. */
  readonly endedAt?: string | null | undefined;
}

/**
 * Returns the impacts that have not ended, the worst first. An impact with a planned end still lasts. An end up to five minutes ahead is
 * treated as past, because clocks may differ by minutes.
 */
export function listLastingImpacts<Each extends LastingImpact>(
  impacts: readonly Each[] | null | undefined,
): Each[] {
  const now = Date.now();
  const isLasting = ({ endedAt }: Each): boolean => (parseMs(endedAt) ?? Infinity) > now + 300_000;
  return (impacts ?? []).filter(isLasting).sort((a, b) => getRank(a) - getRank(b));
}

/** Returns the position of a state among all states, worst first. An unknown state precedes the worst. */
export function getRank({ status }: LastingImpact): number {
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

/** Values of `webhookType` that are known from deployments of the service. */
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
