const fs = require("node:fs");
const path = require("node:path");
const { root } = require("../../setup");
const { SetupFailure } = require("../../setup/run");
const { block, code, page } = require("../model/markdown");

/**
 * @typedef {import("../../../audit/public").Rule} Rule
 * @typedef {{description?: string, default?: unknown, type?: string, items?: OptionSchema, enum?: string[], examples?: string[], minimum?: number, maximum?: number}} OptionSchema
 */

const settingsFile = "examples/reference/rules.yaml";

/** Percentages of random tokens that the rules don't find. A test measures them. */
const missedTokens = [
  ["16 hexadecimal digits", "0.1"],
  ["16 lowercase letters and digits", "6.1"],
  ["32 lowercase letters and digits", "0.1"],
  ["16 letters of both cases and digits", "2.7"],
  ["32 letters of both cases and digits", "0.9"],
  ["22 characters of base64url", "2.5"],
  ["26 characters of base32", "3.9"],
  ["24 letters of both cases", "10.5"],
];

/** Returns the page with all rules of the audit. SARIF and the reports link to a rule's heading. */
function rulesPage() {
  const audit = require(path.join(root, "dist", "audit", "public"));
  /** @type {Pick<typeof import("../../../audit/rules"), "metaRules" | "formatSeverity">} */
  const { metaRules, formatSeverity } = require(path.join(root, "dist", "audit", "rules"));
  const { parse, stringify } = require(path.join(root, "node_modules", "yaml"));
  /** @type {Record<string, {options?: Record<string, unknown>} | string>} */
  const settings = parse(fs.readFileSync(path.join(root, settingsFile), "utf8")).rules;
  const schema = audit.rulesJsonSchema();

  /** @param {Rule} rule */
  const section = (rule) => {
    const { id, title, why, fix, offWhen = "" } = rule;
    const setting = settings[id];
    if (setting === undefined) throw new SetupFailure(`${settingsFile} doesn't set ${id}.`);
    const given = typeof setting === "object" ? setting.options : undefined;
    const scope = rule.configure(given ?? {}).begin ? "" : "; checks all channels together";
    const options = optionsOf(schema, id);
    const items = options.map(({ item }) => item);
    const isChanged = options.some(
      ({ name, preset }) => JSON.stringify(given?.[name]) !== JSON.stringify(preset),
    );
    return page(
      `## ${id}`,
      `${title}. ${why}`,
      [`- ${formatSeverity(rule, code)}${scope}`, `- Fix: ${fix}`, `- ${offWhen}`, ...items].join("\n"),
      given && isChanged ? block("yaml", stringify({ rules: { [id]: setting } })) : "",
    );
  };
  const text = page(
    "# Audit rules",
    "A [rule file](rule-files.md) enables rules with a preset or with their IDs. `monitoring audit --explain RULE` also describes how to fix a " +
      `finding in code. [Auditing alert channels](../guides/auditing.md) shows how to run an audit; [rules.yaml](../../${settingsFile}) sets every rule.`,
    ...audit.builtInRules.map(section),
    "## Random tokens",
    "The rules on credentials also find values that look random, but they miss some of them. Missed, of 50,000 random values of each kind:",
    missedTokens.map(([kind, percentage]) => `- ${kind}: ${percentage} %`).join("\n"),
    "## The audit itself",
    "These rules check the audit itself. They are on unless a rule file turns them off.",
    ...metaRules.map(({ id, title, why, fix, severity }) =>
      page(`### ${id}`, `${title}. ${why}`, `- ${code(severity)}\n- Fix: ${fix}`),
    ),
  );
  const doc = "The problems that each rule finds, the reasons, and the fixes.";
  return { group: "Audit", name: "Rules", file: "rules.md", doc, text };
}

/** Returns the options of a rule from the JSON Schema of rule files. @param {any} schema @param {string} id */
function optionsOf(schema, id) {
  const setting = schema.$defs[id].anyOf.find((/** @type {OptionSchema} */ { type }) => type === "object");
  /** @type {{properties?: Record<string, OptionSchema>, required?: string[]}} */
  const { properties = {}, required = [] } = setting.properties.options;
  return Object.entries(properties).map(([name, option]) => {
    const notes = [
      typeName(option),
      required.includes(name) && "required",
      option.default !== undefined && `default: ${code(JSON.stringify(option.default))}`,
    ];
    const text = (option.description ?? "").replace(/\s*Default: [^;]*\.$/, "");
    const item = `- Option ${code(name)} (${notes.filter(Boolean).join("; ")}): ${text}`;
    return { name, preset: option.default, item };
  });
}

/** @param {OptionSchema} schema @returns {string} */
function typeName({ type, items, enum: values, examples, minimum, maximum }) {
  if (items) return `list of ${typeName(items)}`;
  if (values) return values.map(code).join(", ");
  if (examples) return `names such as ${examples.slice(0, 3).map(code).join(", ")}`;
  if (minimum !== undefined && maximum !== undefined) return `whole number from ${minimum} to ${maximum}`;
  return type === "boolean" ? "`true` or `false`" : "string";
}

module.exports = { rulesPage };
