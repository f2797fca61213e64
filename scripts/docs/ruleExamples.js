"use strict";

const fs = require("node:fs");
const path = require("node:path");
const { SetupFailure } = require("../setup/failure");
const { code, table } = require("../model/markdown");

/**
 * @typedef {import("../../audit").AuditReport} AuditReport
 * @typedef {import("../../provider/api").AlertChannel} AlertChannel
 * @typedef {{label: string, field: string, result: string}} Result
 */

/** The time for all ages on the pages. */
const now = new Date("2026-11-20T00:00:00Z");
const most = { finding: 2, passes: 2, unknown: 1 };

/** Results of each rule for the channels of a realistic fleet. */
class RuleExamples {
  /** @param {string} root @param {string} rules the text of a rule file with all rules */
  constructor(root, rules) {
    const { auditAlertChannels, parseRules } = require(path.join(root, "dist", "audit"));
    const { redactConfig } = require(path.join(root, "dist", "provider", "client", "redact"));
    const { fleet, fleetNames } = require(path.join(root, "dist", "sandbox", "seed", "fleet"));
    const names = new Map(Object.entries(fleetNames).map(([name, id]) => [id, name]));
    const ruleSet = parseRules(rules, "rules.yaml");
    /** @param {readonly AlertChannel[]} channels @returns {AuditReport} */
    const audit = (channels) =>
      auditAlertChannels(
        channels.map((channel) => ({
          ...channel,
          name: names.get(channel.id),
          config: redactConfig(channel),
        })),
        ruleSet,
        { now },
      );
    /** @type {readonly AlertChannel[]} */
    const all = fleet(now);
    /** @type {{channels: AlertChannel[]}[]} */
    const fleets = JSON.parse(fs.readFileSync(path.join(root, "bench", "fleets", "fleets.json"), "utf8"));
    const others = fleets.flatMap(({ channels }) => channels);
    this.channels = new Map([...all, ...others].map((channel) => [String(channel.id), channel]));
    const types = [...new Set(all.map(({ type }) => type))];
    /** The fleet, and its channels of one type, for rules that find nothing in the fleet. */
    this.audits = [
      { scene: "", report: audit(all) },
      ...types.map((type) => ({
        scene: `, audited with type ${type} only`,
        report: audit(all.filter((channel) => channel.type === type)),
      })),
      ...fleets.map(({ channels }) => ({ scene: ", in another fleet", report: audit(channels) })),
    ];
  }

  /** A table with findings and passing channels of the rule. @param {string} id */
  table(id) {
    const findings = this.#first((report) => findingsOf(report, id), most.finding);
    const unknown = this.#first((report) => unknownOf(report, id), most.unknown);
    const field = findings[0]?.field ?? "";
    const passes = this.#first((report) => passesOf(report, id, field), most.passes);
    const missing = findings.length === 0 ? "with a finding of" : "that passes";
    if (findings.length === 0 || passes.length === 0)
      throw new SetupFailure(`sandbox/seed/fleet.json needs a channel ${missing} the rule ${id}.`);
    const rows = [...findings, ...passes, ...unknown].map(({ label, channel, field, result }) => [
      label,
      this.#valueOf(channel, field),
      result,
    ]);
    return table(["Channel", code(field), "Result"], rows);
  }

  /**
   * The first results, from one audit.
   * @param {(report: AuditReport) => (Result & {channel: string | undefined})[]} resultsOf
   * @param {number} count
   */
  #first(resultsOf, count) {
    for (const { scene, report } of this.audits) {
      const results = resultsOf(report).slice(0, count);
      if (results.length > 0) return results.map((one) => ({ ...one, label: `${one.label}${scene}` }));
    }
    return [];
  }

  /** What the service returns for a field of a channel. @param {string | undefined} id @param {string} field */
  #valueOf(id, field) {
    const channel = id === undefined ? undefined : this.channels.get(id);
    if (channel === undefined) return "";
    const { type, config, subscriptions, updated_at, created_at } = channel;
    const { webhookType } = config;
    if (field === "type") return code(typeof webhookType === "string" ? webhookType : type);
    if (field === "updatedAt") return code(String(updated_at ?? created_at));
    if (field === "subscriptions") return subscriptionsText(subscriptions ?? []);
    const value = field.split(".").reduce(memberOf, /** @type {unknown} */ (channel));
    return value === undefined ? "" : code(JSON.stringify(value));
  }
}

/** @param {unknown} value @param {string} name @returns {unknown} */
function memberOf(value, name) {
  return Object(value)[name] ?? undefined;
}

/** @param {NonNullable<AlertChannel["subscriptions"]>} subscriptions */
function subscriptionsText(subscriptions) {
  const paused = subscriptions.filter(({ activated }) => activated === false).length;
  return `${subscriptions.length - paused} active, ${paused} paused`;
}

/** @param {{id: string | number, name?: string} | undefined} channel */
function labelOf(channel) {
  return channel === undefined ? "all channels" : `${channel.id} ${channel.name ?? ""}`;
}

/** @param {{id: string | number} | undefined} channel */
function keyOf(channel) {
  return channel && String(channel.id);
}

/** @param {AuditReport} report @param {string} id */
function findingsOf({ findings }, id) {
  return findings
    .filter(({ rule }) => rule === id)
    .map(({ severity, channel, field, actual, expected }) => ({
      label: labelOf(channel),
      channel: keyOf(channel),
      field,
      result: `${severity}: ${actual}, expected ${expected}`,
    }));
}

/** @param {AuditReport} report @param {string} id */
function unknownOf({ notEvaluable }, id) {
  return notEvaluable
    .filter(({ rule }) => rule === id)
    .map(({ channel, field, reason }) => ({
      label: labelOf(channel),
      channel: keyOf(channel),
      field,
      result: `not evaluable: ${reason}`,
    }));
}

/** @param {AuditReport} report @param {string} id @param {string} field the field to show */
function passesOf({ channels, fleet }, id, field) {
  const passing = channels.filter(({ passed }) => passed.includes(id));
  const all = fleet.passed.includes(id) ? [undefined] : passing;
  return all.map((channel) => ({
    label: labelOf(channel),
    channel: keyOf(channel),
    field,
    result: "passes",
  }));
}

module.exports = { RuleExamples };
