import { channel } from "../channels";
import { active, type Case, type Cases, paused, phone } from "./cases";

const daysAgo = (days: number, ms = 0) =>
  new Date(Date.UTC(2026, 10, 20, 12) - days * 86_400_000 - ms).toISOString();

function flag(field: "sendFailure" | "sendRecovery" | "sendDegraded" | "sslExpiry"): Case[] {
  const off = channel({ [field]: false });
  const on = channel({ [field]: true });
  return [
    ["on", on],
    ["off", off, field],
    ["off, as wished", off, "", { value: false }],
    ["on against the wish", on, field, { value: false }],
    ["null", channel({ [field]: null }), `? ${field}`],
    ["missing", channel({ [field]: undefined }), `? ${field}`],
  ];
}

const thresholds = (...days: number[]) =>
  days.map((sslExpiryThreshold, index) => channel({ id: index + 1, sslExpiryThreshold }));
const pausedGroup = { groupId: 7, activated: false };

export const alerts: Cases = {
  "send-failure": flag("sendFailure"),
  "send-recovery": flag("sendRecovery"),
  "send-degraded": flag("sendDegraded"),
  "ssl-expiry": flag("sslExpiry"),
  "ssl-expiry-threshold": [
    ["more than enough", channel({ sslExpiryThreshold: 30 })],
    ["exactly enough", channel({ sslExpiryThreshold: 14 })],
    ["a day short", channel({ sslExpiryThreshold: 13 }), "sslExpiryThreshold"],
    ["none", channel({ sslExpiryThreshold: 0 }), "sslExpiryThreshold"],
    ["another bar", channel({ sslExpiryThreshold: 30 }), "", { atLeast: 30 }],
    ["off altogether", channel({ sslExpiry: false, sslExpiryThreshold: 1 }), "n/a"],
    ["missing", channel({ sslExpiryThreshold: null }), "? sslExpiryThreshold"],
  ],
  "consistent-thresholds": [
    ["the same in all", [channel(), channel({ id: 2 })]],
    ["another than most", thresholds(7, 21, 21), "sslExpiryThreshold"],
    ["as most", thresholds(21, 21, 7)],
    ["the lower of two", thresholds(14, 21), "sslExpiryThreshold"],
    ["the higher of two", thresholds(21, 14)],
    ["another than another type", [channel(), phone("+1", { id: 2, sslExpiryThreshold: 7 })]],
    ["off altogether", [channel({ sslExpiry: false, sslExpiryThreshold: 1 }), channel({ id: 2 })], "n/a"],
    ["others are off", [channel(), channel({ id: 2, sslExpiry: false, sslExpiryThreshold: 30 })]],
    ["out of bounds", thresholds(0, 21), "n/a"],
    ["missing", channel({ sslExpiryThreshold: null }), "? sslExpiryThreshold"],
  ],
  "recovery-matches-failure": [
    ["both", channel()],
    ["neither", channel({ sendFailure: false, sendRecovery: false })],
    ["failures only", channel({ sendRecovery: false }), "sendRecovery"],
    ["recoveries only", channel({ sendFailure: false }), "sendRecovery"],
    ["failures missing", channel({ sendFailure: null }), "? sendFailure"],
    ["recoveries missing", channel({ sendRecovery: undefined }), "? sendRecovery"],
  ],
  "documented-bounds": [
    ["the middle", channel({ sslExpiryThreshold: 15 })],
    ["the least", channel({ sslExpiryThreshold: 1 })],
    ["the most", channel({ sslExpiryThreshold: 30 })],
    ["below", channel({ sslExpiryThreshold: 0 }), "sslExpiryThreshold"],
    ["above", channel({ sslExpiryThreshold: 31 }), "sslExpiryThreshold"],
    ["no whole number", channel({ sslExpiryThreshold: 1.5 }), "sslExpiryThreshold"],
    ["missing", channel({ sslExpiryThreshold: undefined }), "n/a"],
  ],
  subscribed: [
    ["an active subscription", channel({ subscriptions: [active] })],
    ["autoSubscribe alone", channel({ subscriptions: [], autoSubscribe: true })],
    ["one active of several", channel({ subscriptions: [paused, active] })],
    ["a subscription that doesn't say", channel({ subscriptions: [{ checkId: "a" }] })],
    ["none", channel({ subscriptions: [] }), "subscriptions"],
    ["null", channel({ subscriptions: null }), "? subscriptions"],
    ["all paused", channel({ subscriptions: [paused] }), "subscriptions"],
  ],
  "subscriptions-active": [
    ["an active one", channel({ subscriptions: [active] })],
    ["one active of several", channel({ subscriptions: [paused, active] })],
    ["none at all", channel({ subscriptions: [] }), "n/a"],
    [
      "all paused, whatever autoSubscribe",
      channel({ subscriptions: [paused, paused], autoSubscribe: true }),
      "subscriptions",
    ],
    ["only a paused group", channel({ subscriptions: [pausedGroup, pausedGroup] }), "subscriptions"],
    [
      "two paused groups",
      channel({ subscriptions: [pausedGroup, { ...pausedGroup, groupId: 8 }] }),
      "subscriptions",
    ],
  ],
  stale: [
    ["changed lately", channel({ updatedAt: daysAgo(1) })],
    ["changed long ago", channel({ updatedAt: daysAgo(1000) }), "updatedAt"],
    ["the last day", channel({ updatedAt: daysAgo(365, 86_399_999) })],
    ["the day after", channel({ updatedAt: daysAgo(366) }), "updatedAt"],
    ["another bar", channel({ updatedAt: daysAgo(31) }), "updatedAt", { days: 30 }],
    ["never changed, made lately", channel({ updatedAt: null, createdAt: daysAgo(2) })],
    ["never changed, made long ago", channel({ updatedAt: null, createdAt: "2020-01-01" }), "updatedAt"],
    ["a time without a zone", channel({ updatedAt: "2026-11-18 12:00:01" }), "", { days: 1 }],
    ["no moment", channel({ updatedAt: "yesterday", createdAt: undefined }), "? updatedAt"],
  ],
};
