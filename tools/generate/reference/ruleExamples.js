const fs = require("node:fs");
const path = require("node:path");
const { SetupFailure } = require("../../setup/failure");
const { code, table } = require("../model/markdown");

/**
 * @typedef {import("../../../audit").AuditReport} AuditReport
 * @typedef {import("../../../provider/api/objects").AlertChannel} AlertChannel
 * @typedef {{channel?: {id: string | number, name?: string} | undefined, field: string, result: string}} Result
 */

/** The time for all ages on the pages. */
const now = new Date("2026-11-20T00:00:00Z");

/** Results of each rule for the channels of a realistic fleet. */
class RuleExamples {
  /** @param {string} root @param {string} rules the text of a rule file with all rules */
  constructor(root, rules) {
    const { auditAlertChannels, parseRules } = require(path.join(root, "dist", "audit"));
    const { redactConfig } = require(path.join(root, "dist", "provider", "credentials"));
    const { fleet, fleetNames } = require(path.join(root, "dist", "sandbox", "seed"));
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
    const fleets = JSON.parse(
      fs.readFileSync(path.join(root, "tools", "bench", "fleets", "fleets.json"), "utf8"),
    );
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
    const ofRule = (/** @type {{rule: string}} */ { rule }) => rule === id;
    const findings = this.#first(2, (report) =>
      report.findings.filter(ofRule).map(({ severity, actual, expected, ...finding }) => ({
        ...finding,
        result: `${severity}: ${actual}, expected ${expected}`,
      })),
    );
    const field = findings[0]?.field ?? "";
    const passes = this.#first(2, ({ channels, fleet }) => {
      const passing = channels.filter(({ passed }) => passed.includes(id));
      const all = fleet.passed.includes(id) ? [undefined] : passing;
      return all.map((channel) => ({ channel, field, result: "passes" }));
    });
    const unknown = this.#first(1, (report) =>
      report.notEvaluable
        .filter(ofRule)
        .map(({ reason, ...one }) => ({ ...one, result: `not evaluable: ${reason}` })),
    );
    if (findings.length === 0 || passes.length === 0)
      throw new SetupFailure(
        `sandbox/seed/fleet.json needs a channel ${findings.length === 0 ? "with a finding of" : "that passes"} the rule ${id}.`,
      );
    const rows = [...findings, ...passes, ...unknown].map((one) => [
      one.label,
      this.#valueOf(one),
      one.result,
    ]);
    return table(["Channel", code(field), "Result"], rows);
  }

  /** The first results, from one audit. @param {number} count @param {(report: AuditReport) => Result[]} resultsOf */
  #first(count, resultsOf) {
    for (const { scene, report } of this.audits) {
      const results = resultsOf(report).slice(0, count);
      if (results.length > 0)
        return results.map((one) => ({
          ...one,
          label: `${one.channel ? `${one.channel.id} ${one.channel.name ?? ""}` : "all channels"}${scene}`,
        }));
    }
    return [];
  }

  /** What the service returns for the field of a channel. @param {Result} result */
  #valueOf({ channel: found, field }) {
    const channel = found && this.channels.get(String(found.id));
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

module.exports = { RuleExamples };
