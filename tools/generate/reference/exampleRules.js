const fs = require("node:fs");
const path = require("node:path");
const { SetupFailure } = require("../../setup/failure");

/** @typedef {import("../../../audit").Rule} Rule */

const file = "examples/reference/rules.yaml";

/**
 * The example that sets every rule, with those that it doesn't set yet at its end. A rule that needs options is set by hand.
 * @param {string} root
 * @returns {[file: string, text: string]}
 */
function exampleRules(root) {
  const { parse } = require(path.join(root, "node_modules", "yaml"));
  /** @type {{builtInRules: readonly Rule[]}} */
  const { builtInRules } = require(path.join(root, "dist", "audit"));
  const text = fs.readFileSync(path.join(root, file), "utf8");
  const { rules } = parse(text);
  const missing = builtInRules.filter(({ id }) => !(id in rules));
  const needy = missing.filter((rule) => !isUsableAlone(rule));
  if (needy.length > 0)
    throw new SetupFailure(needy.map(({ id }) => `${file} must set the options of ${id}.`).join("\n"));
  const lines = missing.map(({ id, severity }) => `  ${id}: ${severity}\n`);
  return [file, text + lines.join("")];
}

/** Whether a rule needs no options. @param {Rule} rule */
function isUsableAlone({ configure }) {
  try {
    configure({});
    return true;
  } catch {
    return false;
  }
}

module.exports = { exampleRules };
