import { channel } from "../channels";
import { active, type Case, type Cases, fleetOf, paused, phone, subscribed } from "./cases";

const daysAgo = (days: number, ms = 0) =>
  new Date(Date.UTC(2026, 10, 20, 12) - days * 86_400_000 - ms).toISOString();

const flag = (field: "sendFailure" | "sendRecovery" | "sendDegraded" | "sslExpiry"): Case[] => [
  ["on", channel({ [field]: true })],
  ["off", channel({ [field]: false }), field],
  ["off, as wished", channel({ [field]: false }), "", { value: false }],
  ["on against the wish", channel({ [field]: true }), field, { value: false }],
  ["null", channel({ [field]: null }), `? ${field}`],
  ["missing", channel({ [field]: undefined }), `? ${field}`],
];

const threshold = (sslExpiryThreshold: number, sslExpiry = true) =>
  channel({ sslExpiry, sslExpiryThreshold });
const thresholds = (...days: number[]) => fleetOf(...days.map((each) => threshold(each)));
const allPaused = subscribed(paused, paused);
const pausedGroup = { groupId: 7, activated: false };

export const alerts: Cases = {
  "send-failure": flag("sendFailure"),
  "send-recovery": flag("sendRecovery"),
  "send-degraded": flag("sendDegraded"),
  "ssl-expiry": flag("sslExpiry"),
  "ssl-expiry-threshold": [
    ["more than enough", threshold(30)],
    ["exactly enough", threshold(14)],
    ["a day short", threshold(13), "sslExpiryThreshold"],
    ["none", threshold(0), "sslExpiryThreshold"],
    ["another bar", threshold(30), "", { atLeast: 30 }],
    ["off altogether", threshold(1, false), "n/a"],
    ["missing", channel({ sslExpiryThreshold: null }), "? sslExpiryThreshold"],
  ],
  "consistent-thresholds": [
    ["the same in all", fleetOf(channel(), channel())],
    ["another than most", thresholds(7, 21, 21), "sslExpiryThreshold"],
    ["as most", thresholds(21, 21, 7)],
    ["the lower of two", thresholds(14, 21), "sslExpiryThreshold"],
    ["the higher of two", thresholds(21, 14)],
    ["another than another type", fleetOf(channel(), phone("+1", { sslExpiryThreshold: 7 }))],
    ["off altogether", fleetOf(threshold(1, false), channel()), "n/a"],
    ["others are off", fleetOf(channel(), threshold(30, false))],
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
    ["the middle", threshold(15)],
    ["the least", threshold(1)],
    ["the most", threshold(30)],
    ["below", threshold(0), "sslExpiryThreshold"],
    ["above", threshold(31), "sslExpiryThreshold"],
    ["no whole number", threshold(1.5), "sslExpiryThreshold"],
    ["missing", channel({ sslExpiryThreshold: undefined }), "n/a"],
  ],
  subscribed: [
    ["an active subscription", subscribed(active)],
    ["autoSubscribe alone", channel({ subscriptions: [], autoSubscribe: true })],
    ["one active of several", subscribed(paused, active)],
    ["a subscription that doesn't say", subscribed({ checkId: "a" })],
    ["none", subscribed(), "subscriptions"],
    ["null", channel({ subscriptions: null }), "? subscriptions"],
    ["all paused", subscribed(paused), "subscriptions"],
  ],
  "subscriptions-active": [
    ["an active one", subscribed(active)],
    ["one active of several", subscribed(paused, active)],
    ["none at all", subscribed(), "n/a"],
    ["all paused, whatever autoSubscribe", { ...allPaused, autoSubscribe: true }, "subscriptions"],
    ["only a paused group", subscribed(pausedGroup, pausedGroup), "subscriptions"],
    ["a paused check and no group", subscribed({ ...paused, groupId: null }, paused), "subscriptions"],
    ["a paused check with an empty group", subscribed({ ...paused, groupId: "" }), "subscriptions"],
    ["two paused groups", subscribed(pausedGroup, { ...pausedGroup, groupId: 8 }), "subscriptions"],
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
