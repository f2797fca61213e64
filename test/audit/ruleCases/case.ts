import type { AlertChannel } from "../../../audit";
import { channel, facts } from "../channels";

/** What a rule says of the first channel, or of all: nothing, fields with findings, or fields that can't be judged. */
export interface Said {
  finds?: string[];
  cannotTell?: string[];
  /** Whether it doesn't apply. */
  skips?: true;
}

export interface Case extends Said {
  of: string;
  kind: "passing" | "failing" | "boundary" | "open";
  options?: Record<string, unknown>;
  channels: AlertChannel[];
}

/** By the rule's id. */
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
