import type { AlertChannel } from "../../../audit/public";
import { channel, facts, goodUrl } from "../channels";

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

/** Channels with ids from 1. */
export const fleetOf = (...channels: AlertChannel[]) =>
  channels.map((one, index) => ({ ...one, id: index + 1 }));

export const mail = (address: string) => channel({ config: { address } });
export const phone = (number: string, changes: Partial<AlertChannel> = {}) =>
  channel({ type: "SMS", config: { number }, ...changes });
export const call = (number: string) => phone(number, { type: "CALL" });
export const slack = (url: object, room = "#ops") =>
  channel({ type: "SLACK", config: { url, channel: room } });
export const pagerDuty = (serviceKey: unknown, changes: Partial<AlertChannel> = {}) =>
  channel({ type: "PAGERDUTY", config: { serviceKey }, ...changes });
export const webhook = (config: Record<string, unknown>) => channel({ type: "WEBHOOK", config });
/** A webhook with this known of its URL. */
export const hook = (known: object) => webhook({ url: facts("a", known) });
export const templatedHost = hook({ scheme: "https", secretPart: "literal" });
export const integration = (webhookType: string, config: object = {}) =>
  webhook({ url: goodUrl, webhookType, ...config });

export const subscribed = (...subscriptions: object[]) => channel({ subscriptions });
export const active = { checkId: "a", activated: true };
export const paused = { checkId: "b", activated: false };
export const reference = facts("bbbbbbbbbbbb", { isReference: true });
