import { channel, facts, goodUrl } from "../channels";
import {
  active,
  type Case,
  type Cases,
  fleetOf,
  mail,
  paused,
  phone,
  reference,
  subscribed,
  webhook,
} from "./cases";

const daysAgo = (days: number, ms = 0) =>
  new Date(Date.UTC(2026, 10, 20, 12) - days * 86_400_000 - ms).toISOString();

const flag = (field: "sendFailure" | "sendRecovery" | "sendDegraded"): Case[] => [
  ["on", channel({ [field]: true })],
  ["off", channel({ [field]: false }), field],
  ["on against the wish", channel({ [field]: true }), field, { value: false }],
  ["null", channel({ [field]: null }), `? ${field}`],
];

const threshold = (sslExpiryThreshold: number, sslExpiry = true) =>
  channel({ sslExpiry, sslExpiryThreshold });
const certificates = (sslExpiry: boolean | null) => channel({ sslExpiry });
const opsgenie = (config: object) => channel({ type: "OPSGENIE", config: { apiKey: reference, ...config } });
const allPaused = subscribed(paused, paused);
const pausedGroup = { groupId: 7, activated: false };

export const alerts: Cases = {
  "send-failure": flag("sendFailure"),
  "send-recovery": [
    ...flag("sendRecovery"),
    [
      "off for tickets, of which each would get a second one",
      { ...webhook({ url: facts("a", { scheme: "https", receiver: "ticket" }) }), sendRecovery: false },
      "n/a",
    ],
    ["off, like failures", channel({ sendFailure: false, sendRecovery: false }), "n/a"],
  ],
  "send-degraded": flag("sendDegraded"),
  "ssl-expiry": [
    ["on in one of two", fleetOf(certificates(true), certificates(false))],
    ["off in all", fleetOf(certificates(false), certificates(false)), "sslExpiry"],
    ["missing in one", fleetOf(certificates(false), certificates(null)), "? sslExpiry"],
    ["no channel", [], "n/a"],
    ["off in one of all", fleetOf(certificates(false), certificates(true)), "sslExpiry", { each: true }],
    ["missing where each must be on", certificates(null), "? sslExpiry", { each: true }],
  ],
  "ssl-expiry-threshold": [
    ["exactly enough", threshold(14)],
    ["a day short", threshold(13), "sslExpiryThreshold"],
    ["none", threshold(0), "n/a"],
    ["a day short beside one that is early", fleetOf(threshold(13), threshold(14))],
    ["a day short in one", fleetOf(threshold(13), threshold(14)), "sslExpiryThreshold", { each: true }],
    ["off altogether", threshold(1, false), "n/a"],
    ["missing", channel({ sslExpiryThreshold: null }), "? sslExpiryThreshold"],
    ["unknown whether it is off", channel({ sslExpiry: null }), "? sslExpiry"],
    ["unknown, beside one that is early", fleetOf(channel({ sslExpiry: null }), threshold(14)), "n/a"],
  ],
  "documented-bounds": [
    ["the least", threshold(1)],
    ["the most", threshold(30)],
    ["below", threshold(0), "sslExpiryThreshold"],
    ["above", threshold(31), "sslExpiryThreshold"],
    ["no whole number", threshold(1.5), "sslExpiryThreshold"],
    ["null", channel({ sslExpiryThreshold: null }), "n/a"],
  ],
  "valid-settings": [
    ["one address", mail("ops+prod@acme.example")],
    ["two addresses", mail("ops@acme.example, cto@acme.example"), "config.address"],
    ["an address with a second line", mail("ops@acme.example\nBcc: thief@evil.example"), "config.address"],
    ["an address of one machine", mail("root@localhost"), "config.address"],
    ["an address that is a placeholder", mail("your@email.com"), "n/a"],
    ["an address that is a reference", mail("{{OPS}}"), "? config.address"],
    ["a number in E.164", phone("+4930123456")],
    ["a number of North America that is too short", phone("+1234567890"), "config.number"],
    ["a number without a plus", phone("18065463012"), "config.number"],
    ["a number of Italy with its 0", phone("+390612345678")],
    ["a number with the 0 of calls within the country", phone("+490151123456"), "config.number"],
    ["a number that is a reference", phone("{{DUTY_PHONE}}"), "? config.number"],
    ["another region", opsgenie({ region: "APAC" }), "config.region"],
    ["the region of another type", channel({ config: { region: "APAC" } }), "n/a"],
    ["a template that is posted", webhook({ url: goodUrl, method: "POST", template: facts("a") })],
    ["one that GET drops", webhook({ url: goodUrl, method: "get", template: facts("a") }), "config.method"],
    ["GET without a template", webhook({ url: goodUrl, method: "GET", template: "" }), "n/a"],
  ],
  subscribed: [
    ["an active subscription", subscribed(active)],
    ["autoSubscribe alone", channel({ subscriptions: [], autoSubscribe: true }), "subscriptions"],
    ["one active of several", subscribed(paused, active)],
    ["a subscription that doesn't say", subscribed({ checkId: "a" })],
    ["none", subscribed(), "subscriptions"],
    ["missing", channel({ subscriptions: undefined, autoSubscribe: true }), "? subscriptions"],
    ["all paused", allPaused, "subscriptions"],
    ["only a paused group", subscribed(pausedGroup, pausedGroup), "subscriptions"],
    ["a paused check with an empty group", subscribed({ ...paused, groupId: "" }), "subscriptions"],
  ],
  "managed-as-code": [
    ["a project", channel({ projectBindings: { owner: { id: "p1", name: "alerting" } } })],
    ["no project", channel({ projectBindings: { owner: null } }), "projectBindings.owner"],
    ["bindings without an owner", channel({ projectBindings: {} }), "? projectBindings.owner"],
  ],
  "unlisted-channel": [
    ["named", channel({ id: 1 })],
    ["named nowhere", channel({ id: 2, name: "its resource" }), "id"],
  ],
  stale: [
    ["the last day", channel({ updatedAt: daysAgo(365, 86_399_999) })],
    ["the day after", channel({ updatedAt: daysAgo(366) }), "updatedAt"],
    ["another bar", channel({ updatedAt: daysAgo(31) }), "updatedAt", { days: 30 }],
    ["never changed, made long ago", channel({ updatedAt: null, createdAt: "2020-01-01" }), "updatedAt"],
    ["no moment", channel({ updatedAt: "yesterday", createdAt: undefined }), "? updatedAt"],
  ],
};
