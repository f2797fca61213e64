/** The documented values of strings, as constants: the programs that `pulumi import` and `pulumi convert` print use them. */
import type * as api from "../provider/api";

type Constants<Value extends string> = { readonly [Name in Value]: Name };

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
} as const satisfies Constants<api.UpdateStatus>;
export type UpdateStatus = api.UpdateStatus;

/** Status that an update of a dashboard incident announces. */
export const DashboardUpdateStatus = {
  ...UpdateStatus,
  /** Planned maintenance. */
  MAINTENANCE: "MAINTENANCE",
} as const satisfies Constants<api.DashboardUpdateStatus>;
export type DashboardUpdateStatus = api.DashboardUpdateStatus;

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
} as const satisfies Constants<api.Severity>;
export type Severity = api.Severity;

/** Impact of a dashboard incident. */
export const Impact = {
  /** Planned maintenance. */
  MAINTENANCE: "MAINTENANCE",
  /** A major impact. */
  MAJOR: "MAJOR",
  /** A minor impact. */
  MINOR: "MINOR",
} as const satisfies Constants<api.Impact>;
export type Impact = api.Impact;

/** Kind of target that an alert channel delivers to. */
export const AlertChannelType = {
  /** An email. */
  EMAIL: "EMAIL",
  /** A message in Slack. */
  SLACK: "SLACK",
  /** A message in Slack, through the service's app. */
  SLACK_APP: "SLACK_APP",
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
} as const satisfies Constants<api.AlertChannelType>;
export type AlertChannelType = api.AlertChannelType;

/** What happens when the content of an update changes. */
export const IncidentUpdateOnChange = {
  /** A new update is posted. */
  Post: "post",
  /** The run fails, and nothing is posted. */
  Refuse: "refuse",
} as const;

/** What happens when an update was sent, received no response and isn't found in the incident. */
export const IncidentUpdateOnUnconfirmed = {
  /** The run fails. */
  Fail: "fail",
  /** The update is sent again. */
  Resend: "resend",
} as const;

/** Whether an audit that doesn't pass fails the run. */
export const AlertChannelAuditEnforcement = {
  /** Errors, and channels that can't be evaluated, fail the run. */
  Mandatory: "mandatory",
  /** The findings are only reported. */
  Advisory: "advisory",
} as const;

/** Severity of a finding of an audit. */
export const FindingSeverity = {
  /** Fails the audit. */
  Error: "error",
  /** Is only reported. */
  Warning: "warning",
} as const;
