import type { AlertChannel } from "../../../audit";
import { channel, facts } from "../channels";

/**
 * A case of a rule: description, channels, expected result, options. The result is for the first channel or for all: ""
 * passes, a field has a finding, "? field" isn't evaluable, "n/a" doesn't apply.
 */
export type Case = [
  description: string,
  channels: AlertChannel | AlertChannel[],
  expected?: string,
  options?: Record<string, unknown>,
];

/** By rule id. */
export type Cases = Readonly<Record<string, Case[]>>;

export const webhook = (config: Record<string, unknown>, changes: Partial<AlertChannel> = {}) =>
  channel({ type: "WEBHOOK", config, ...changes });
export const slack = (url: object, changes: Partial<AlertChannel> = {}) =>
  channel({ type: "SLACK", config: { url, channel: "#ops" }, ...changes });
export const pagerDuty = (serviceKey: unknown, changes: Partial<AlertChannel> = {}) =>
  channel({ type: "PAGERDUTY", config: { serviceKey }, ...changes });
export const phone = (number: string, changes: Partial<AlertChannel> = {}) =>
  channel({ type: "SMS", config: { number }, ...changes });

export const active = { checkId: "a", activated: true };
export const paused = { checkId: "b", activated: false };
export const reference = facts("bbbbbbbbbbbb", { isReference: true });
