const { pascalCase, snakeCase } = require("./languageNames");
const { ValueWriter } = require("./valueWriter");

/**
 * @typedef {import("../schema/pulumi").Declaration} Declaration
 * @typedef {import("../schema/pulumi").Reference} Reference
 * @typedef {import("./valueWriter").Field} Field
 */

/**
 * Parts between brackets: in one line if they are short.
 * @param {string} open
 * @param {string[]} parts
 * @param {string} close
 */
function bracketed(open, parts, close) {
  const line = `${open}${parts.join(", ")}${close}`;
  if (line.length <= 79 && !line.includes("\n")) return line;
  const lines = parts.map((part) => `    ${part.replaceAll("\n", "\n    ")},\n`);
  return `${open}\n${lines.join("")}${close}`;
}

/** @param {string} text */
const quoted = (text) => (/^[^"\n]*\\[^"\n]*[^\\"\n]$/.test(text) ? `r"${text}"` : JSON.stringify(text));

/** @param {Field} field */
const keyword = ([name, value]) => `${name === "not" ? "not_" : snakeCase(name)}=${value}`;

/** @param {Reference} reference */
function reference({ declaration, path }) {
  const steps = path.map((step) => (typeof step === "number" ? `[${step}]` : `.${snakeCase(step)}`));
  return snakeCase(declaration.variable) + steps.join("");
}

/** @type {import("./valueWriter").Language} */
const python = {
  scalar: (value) =>
    typeof value === "boolean"
      ? pascalCase(String(value))
      : typeof value === "string"
        ? quoted(value)
        : `${value}`,
  list: (items) => bracketed("[", items, "]"),
  object: (type, fields) => bracketed(`monitoring.${type}Args(`, fields.map(keyword), ")"),
  map: (entries) =>
    bracketed(
      "{",
      entries.map(([name, value]) => `${quoted(name)}: ${value}`),
      "}",
    ),
  reference,
};

/** @param {import("../schema/pulumi").Program} program @param {import("./valueWriter").SpecOf} specOf */
function pythonProgram({ declarations, exports }, specOf) {
  const writer = new ValueWriter(python, specOf);
  const statements = declarations.map(({ name, label, variable, args, gate }) => {
    const fields = writer.fields(args, specOf(name)).map(keyword);
    const options = gate && `opts=pulumi.ResourceOptions(depends_on=[${snakeCase(gate.variable)}])`;
    const parts = label === undefined ? fields : [quoted(label), ...fields, ...(options ? [options] : [])];
    const called = label === undefined ? `${snakeCase(name)}_output` : name;
    return bracketed(`${snakeCase(variable)} = monitoring.${called}(`, parts, ")");
  });
  const outputs = exports.map(([name, value]) => `pulumi.export(${quoted(name)}, ${reference(value)})`);
  const usesPulumi = outputs.length > 0 || declarations.some(({ gate }) => gate);
  return [
    `${usesPulumi ? "import pulumi\n" : ""}import pulumi_monitoring as monitoring`,
    statements.join("\n"),
    ...(outputs.length > 0 ? [outputs.join("\n")] : []),
  ].join("\n\n");
}

module.exports = { pythonProgram };
