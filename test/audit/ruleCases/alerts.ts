import { channel } from "../channels";
import { active, type Case, type Cases, paused } from "./case";

const daysAgo = (days: number, ms = 0) =>
  new Date(Date.UTC(2026, 10, 20, 12) - days * 86_400_000 - ms).toISOString();

function flag(field: "sendFailure" | "sendRecovery" | "sendDegraded" | "sslExpiry"): Case[] {
  const off = channel({ [field]: false });
  const on = channel({ [field]: true });
  return [
    { of: "on", kind: "passing", channels: [on] },
    { of: "off", kind: "failing", channels: [off], finds: [field] },
    { of: "off, as wished", kind: "boundary", options: { value: false }, channels: [off] },
    { of: "on against the wish", kind: "failing", options: { value: false }, channels: [on], finds: [field] },
    { of: "null", kind: "open", channels: [channel({ [field]: null })], cannotTell: [field] },
    { of: "missing", kind: "open", channels: [channel({ [field]: undefined })], cannotTell: [field] },
  ];
}

export const alerts: Cases = {
  "send-failure": flag("sendFailure"),
  "send-recovery": flag("sendRecovery"),
  "send-degraded": flag("sendDegraded"),
  "ssl-expiry": flag("sslExpiry"),
  "ssl-expiry-threshold": [
    { of: "more than enough", kind: "passing", channels: [channel({ sslExpiryThreshold: 30 })] },
    { of: "exactly enough", kind: "boundary", channels: [channel({ sslExpiryThreshold: 14 })] },
    {
      of: "a day short",
      kind: "boundary",
      channels: [channel({ sslExpiryThreshold: 13 })],
      finds: ["sslExpiryThreshold"],
    },
    {
      of: "none",
      kind: "failing",
      channels: [channel({ sslExpiryThreshold: 0 })],
      finds: ["sslExpiryThreshold"],
    },
    {
      of: "another bar",
      kind: "boundary",
      options: { atLeast: 30 },
      channels: [channel({ sslExpiryThreshold: 30 })],
    },
    {
      of: "off altogether",
      kind: "passing",
      channels: [channel({ sslExpiry: false, sslExpiryThreshold: 1 })],
      skips: true,
    },
    {
      of: "missing",
      kind: "open",
      channels: [channel({ sslExpiryThreshold: null })],
      cannotTell: ["sslExpiryThreshold"],
    },
  ],
  "documented-bounds": [
    { of: "the middle", kind: "passing", channels: [channel({ sslExpiryThreshold: 15 })] },
    { of: "the least", kind: "boundary", channels: [channel({ sslExpiryThreshold: 1 })] },
    { of: "the most", kind: "boundary", channels: [channel({ sslExpiryThreshold: 30 })] },
    {
      of: "below",
      kind: "failing",
      channels: [channel({ sslExpiryThreshold: 0 })],
      finds: ["sslExpiryThreshold"],
    },
    {
      of: "above",
      kind: "failing",
      channels: [channel({ sslExpiryThreshold: 31 })],
      finds: ["sslExpiryThreshold"],
    },
    {
      of: "no whole number",
      kind: "failing",
      channels: [channel({ sslExpiryThreshold: 1.5 })],
      finds: ["sslExpiryThreshold"],
    },
    { of: "missing", kind: "passing", channels: [channel({ sslExpiryThreshold: undefined })], skips: true },
  ],
  subscribed: [
    { of: "an active subscription", kind: "passing", channels: [channel({ subscriptions: [active] })] },
    {
      of: "autoSubscribe alone",
      kind: "boundary",
      channels: [channel({ subscriptions: [], autoSubscribe: true })],
    },
    {
      of: "one active of several",
      kind: "boundary",
      channels: [channel({ subscriptions: [paused, active] })],
    },
    {
      of: "a subscription that doesn't say",
      kind: "boundary",
      channels: [channel({ subscriptions: [{ checkId: "a" }] })],
    },
    { of: "none", kind: "failing", channels: [channel({ subscriptions: [] })], finds: ["subscriptions"] },
    { of: "null", kind: "failing", channels: [channel({ subscriptions: null })], finds: ["subscriptions"] },
    {
      of: "all paused",
      kind: "failing",
      channels: [channel({ subscriptions: [paused] })],
      finds: ["subscriptions"],
    },
  ],
  "subscriptions-active": [
    { of: "an active one", kind: "passing", channels: [channel({ subscriptions: [active] })] },
    {
      of: "one active of several",
      kind: "boundary",
      channels: [channel({ subscriptions: [paused, active] })],
    },
    { of: "none at all", kind: "boundary", channels: [channel({ subscriptions: [] })], skips: true },
    {
      of: "all paused, whatever autoSubscribe",
      kind: "failing",
      channels: [channel({ subscriptions: [paused, paused], autoSubscribe: true })],
      finds: ["subscriptions"],
    },
  ],
  stale: [
    { of: "changed lately", kind: "passing", channels: [channel({ updatedAt: daysAgo(1) })] },
    {
      of: "changed long ago",
      kind: "failing",
      channels: [channel({ updatedAt: daysAgo(1000) })],
      finds: ["updatedAt"],
    },
    { of: "the last day", kind: "boundary", channels: [channel({ updatedAt: daysAgo(365, 86_399_999) })] },
    {
      of: "the day after",
      kind: "boundary",
      channels: [channel({ updatedAt: daysAgo(366) })],
      finds: ["updatedAt"],
    },
    {
      of: "another bar",
      kind: "boundary",
      options: { days: 30 },
      channels: [channel({ updatedAt: daysAgo(31) })],
      finds: ["updatedAt"],
    },
    {
      of: "never changed, made lately",
      kind: "boundary",
      channels: [channel({ updatedAt: null, createdAt: daysAgo(2) })],
    },
    {
      of: "never changed, made long ago",
      kind: "failing",
      channels: [channel({ updatedAt: null, createdAt: "2020-01-01" })],
      finds: ["updatedAt"],
    },
    {
      of: "a time without a zone",
      kind: "boundary",
      options: { days: 1 },
      channels: [channel({ updatedAt: "2026-11-18 12:00:01" })],
    },
    {
      of: "no moment",
      kind: "open",
      channels: [channel({ updatedAt: "yesterday", createdAt: undefined })],
      cannotTell: ["updatedAt"],
    },
  ],
};
