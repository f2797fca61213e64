"use strict";

const fs = require("node:fs");
const path = require("node:path");
const { SetupFailure } = require("../setup/failure");
const { block, code, page, table } = require("./markdown");

/**
 * @typedef {import("../../audit").Rule} Rule
 * @typedef {{description?: string, default?: unknown, type?: string, items?: OptionSchema, enum?: string[], minimum?: number, maximum?: number}} OptionSchema
 */

const folder = "../../../examples/reference";

/** The pages of the audit's rules, with their findings in the sandbox. */
class RulePages {
  /** @param {string} root */
  constructor(root) {
    this.sdk = require(path.join(root, "dist", "sdk"));
    this.audit = require(path.join(root, "dist", "audit"));
    const { parse, stringify } = require(path.join(root, "node_modules", "yaml"));
    this.stringify = stringify;
    this.text = fs.readFileSync(path.join(root, "examples", "reference", "rules.yaml"), "utf8");
    /** @type {Record<string, unknown>} */
    this.settings = parse(this.text).rules;
    /** @type {readonly Rule[]} */
    this.rules = this.audit.builtInRules;
    const { metaRules } = require(path.join(root, "dist", "audit", "metaRules"));
    /** @type {readonly (import("../../audit").RuleText & {severity: string})[]} */
    this.metaRules = metaRules;
  }

  /**
   * A page for each rule.
   * @param {import("../../sandbox").Sandbox} sandbox whose channels are audited
   * @param {Date} now
   */
  async pages(sandbox, now) {
    const ids = sandbox.data.accounts[0].alertChannels.map(({ id }) => id);
    const { alertChannels } = await this.sdk.getAlertChannels({ ids });
    const rules = this.audit.parseRules(this.text, "rules.yaml");
    const report = this.audit.auditAlertChannels(alertChannels, rules, { now });
    return this.rules.map((rule) => ({ ...rule, text: this.#page(rule, report) }));
  }

  /** The rules on the audit itself. */
  afterword() {
    const rows = this.metaRules.map(({ id, title, why, fix, severity }) => [
      code(id),
      code(severity),
      `${title}. ${why}`,
      fix,
    ]);
    return page(
      "The audit also reports these, unless a rule file turns them off:",
      table(["Rule", "Severity", "Description", "Fix"], rows),
    ).trimEnd();
  }

  /** @param {Rule} rule @param {import("../../audit").AuditReport} report */
  #page(rule, report) {
    const { id, title, why, fix } = rule;
    if (!(id in this.settings)) throw new SetupFailure(`examples/reference/rules.yaml doesn't set ${id}.`);
    const found = report.findings.filter((finding) => finding.rule === id).slice(0, 5);
    return page(
      `# ${id}`,
      `${title}.`,
      why,
      table(
        ["", ""],
        [
          ["Fix", fix],
          ["Severity", `${code(rule.severity)} by default`],
          [
            "Applies to",
            rule.configure(this.#optionsOf(id)).of === "channel" ? "each channel" : "all channels together",
          ],
          ["Part of", this.#presetsWith(id)],
        ],
      ),
      "## Options",
      this.#options(id) || "None.",
      "## Example",
      `In a rule file, as in [rules.yaml](${folder}/rules.yaml):`,
      block("yaml", this.stringify({ rules: { [id]: this.settings[id] } })),
      ...findingsIn(found),
    );
  }

  /** @param {string} id */
  #optionsOf(id) {
    const setting = /** @type {{options?: object} | string} */ (this.settings[id]);
    return typeof setting === "object" ? (setting.options ?? {}) : {};
  }

  /** @param {string} id */
  #presetsWith(id) {
    const names = Object.entries(this.audit.presets).filter(([, { rules }]) => rules.includes(id));
    return names.length === 0 ? "no preset; enable it by name" : names.map(([name]) => code(name)).join(", ");
  }

  /** The options of a rule, from the JSON Schema of rule files. @param {string} id */
  #options(id) {
    const { properties } = this.audit.rulesJsonSchema().properties.rules;
    const setting = properties[id].anyOf.find((/** @type {OptionSchema} */ one) => one.type === "object");
    /** @type {{properties?: Record<string, OptionSchema>, required?: string[]}} */
    const { properties: options = {}, required = [] } = setting.properties.options;
    const rows = Object.entries(options).map(([name, schema]) => [
      code(name),
      typeName(schema),
      schema.default === undefined
        ? required.includes(name)
          ? "required"
          : "none"
        : code(JSON.stringify(schema.default)),
      (schema.description ?? "").replace(/\s*Default: [^;]*\.$/, ""),
    ]);
    return table(["Option", "Type", "Default", "Description"], rows);
  }
}

/** @param {readonly import("../../audit").Finding[]} findings */
function findingsIn(findings) {
  if (findings.length === 0) return ["All channels of the sandbox pass."];
  const lines = findings.map(
    ({ severity, channel, field, actual, expected }) =>
      `${severity}  ${channel?.id ?? "all channels"}  ${field}: ${actual}, expected ${expected}`,
  );
  return ["Findings in the sandbox:", block("text", lines.join("\n"))];
}

/** @param {OptionSchema} schema @returns {string} */
function typeName({ type, items, enum: values, minimum, maximum }) {
  if (items) return `list: ${typeName(items)}`;
  if (values) return values.map(code).join(", ");
  if (minimum !== undefined && maximum !== undefined) return `whole number from ${minimum} to ${maximum}`;
  return type === "boolean" ? "`true` or `false`" : "string";
}

module.exports = { RulePages };
