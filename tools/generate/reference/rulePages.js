const fs = require("node:fs");
const path = require("node:path");
const { SetupFailure } = require("../../setup/failure");
const { block, code, page, table } = require("../model/markdown");
const { RuleExamples } = require("./ruleExamples");

/**
 * @typedef {import("../../../audit").Rule} Rule
 * @typedef {{description?: string, default?: unknown, type?: string, items?: OptionSchema, enum?: string[], examples?: string[], minimum?: number, maximum?: number}} OptionSchema
 */

const folder = "../../../examples/reference";
const fleetFile = "../../../sandbox/seed/fleet.json";

/** The pages of the audit's rules, with examples of their results. */
class RulePages {
  /** @param {string} root */
  constructor(root) {
    this.audit = require(path.join(root, "dist", "audit"));
    const { parse, stringify } = require(path.join(root, "node_modules", "yaml"));
    this.stringify = stringify;
    this.text = fs.readFileSync(path.join(root, "examples", "reference", "rules.yaml"), "utf8");
    /** @type {Record<string, unknown>} */
    this.settings = parse(this.text).rules;
    /** @type {readonly Rule[]} */
    this.rules = this.audit.builtInRules;
    this.ruleExamples = new RuleExamples(root, this.text);
    const { metaRules } = require(path.join(root, "dist", "audit", "rules"));
    /** @type {readonly (import("../../../audit").RuleText & {severity: string})[]} */
    this.metaRules = metaRules;
  }

  /** A page for each rule. */
  pages() {
    return this.rules.map((rule) => ({ ...rule, text: this.#page(rule) }));
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

  /** @param {Rule} rule */
  #page(rule) {
    const { id, title, why, fix, asCode = "", offWhen = "" } = rule;
    if (!(id in this.settings)) throw new SetupFailure(`examples/reference/rules.yaml doesn't set ${id}.`);
    return page(
      `# ${id}`,
      `${title}.`,
      table(
        ["", ""],
        [
          ["Cost of ignoring it", why],
          ["Fix in the service", fix],
          ["Fix as code", asCode],
          ["When to turn it off", offWhen],
          ["Severity", `${code(rule.severity)} by default`],
          [
            "Applies to",
            rule.configure(this.#optionsOf(id)).begin ? "each channel" : "all channels together",
          ],
          ["Part of", this.#presetsWith(id)],
        ],
      ),
      "## Options",
      this.#options(id) || "None.",
      "## Example",
      `In a rule file, as in [rules.yaml](${folder}/rules.yaml):`,
      block("yaml", this.stringify({ rules: { [id]: this.settings[id] } })),
      `Results for [channels in the shapes that a real service stores](${fleetFile}):`,
      this.ruleExamples.table(id),
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

/** @param {OptionSchema} schema @returns {string} */
function typeName({ type, items, enum: values, examples, minimum, maximum }) {
  if (items) return `list: ${typeName(items)}`;
  if (values) return values.map(code).join(", ");
  if (examples) return `names such as ${examples.map(code).join(", ")}`;
  if (minimum !== undefined && maximum !== undefined) return `whole number from ${minimum} to ${maximum}`;
  return type === "boolean" ? "`true` or `false`" : "string";
}

module.exports = { RulePages };
