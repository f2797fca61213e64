const { any } = require("../schema/schemaTypes");
const { goFunction, pascalCase } = require("./languageNames");
const { typeNamed, ValueWriter } = require("./valueWriter");

/**
 * @typedef {import("../schema/pulumi").Declaration} Declaration
 * @typedef {import("../schema/pulumi").Reference} Reference
 * @typedef {import("./valueWriter").Field} Field
 */

const goPackage = "pulumi-monitoring-service/sdk/go/monitoring";

/**
 * Lines between brackets, or one line if it is short.
 * @param {string} open
 * @param {string[]} parts
 * @param {string[]} lines the parts as they are in lines of their own
 */
function bracketed(open, parts, lines) {
  const line = `${open}${parts.join(", ")}}`;
  if (parts.length === 0 || (line.length <= 60 && !line.includes("\n"))) return line;
  return `${open}\n${lines.map((text) => `\t${text.replaceAll("\n", "\n\t")},\n`).join("")}}`;
}

/** A literal with keys, whose values are aligned as gofmt does it. @param {string} open @param {Field[]} fields */
function literal(open, fields) {
  const lines = fields.map(([key, value], index) => {
    const width = Math.max(...neighbours(fields, index).map(([other]) => other.length));
    return `${key}:${" ".repeat(value.includes("\n") ? 1 : width - key.length + 1)}${value}`;
  });
  const parts = fields.map(([key, value]) => `${key}: ${value}`);
  return bracketed(open, parts, lines);
}

/** The fields around one that are on one line each. @param {Field[]} fields @param {number} index */
function neighbours(fields, index) {
  const isLong = fields.map(([, value]) => value.includes("\n"));
  const end = isLong.indexOf(true, index);
  return fields.slice(isLong.lastIndexOf(true, index) + 1, end < 0 ? undefined : end);
}

/** @param {Field[]} fields @returns {Field[]} */
const named = (fields) => fields.map(([name, value]) => [pascalCase(name), value]);

/** @param {string} text */
const quoted = (text) => (/\\/.test(text) && !text.includes("`") ? `\`${text}\`` : JSON.stringify(text));

/** @param {string | number | boolean} value @param {import("../schema/pulumi").TypeSpec} spec */
function scalarType(value, spec) {
  if (typeof value === "boolean") return "Bool";
  if (typeof value === "string") return "String";
  return spec.type === "number" || !Number.isInteger(value) ? "Float64" : "Int";
}

/** @param {import("../schema/pulumi").TypeSpec} item */
function arrayType(item) {
  const named = typeNamed(item);
  return named ? `monitoring.${named}Array` : `pulumi.${item.type === "string" ? "String" : ""}Array`;
}

/** @param {Reference} reference */
function reference({ declaration, path }) {
  const steps = path.map((step, index) => {
    if (typeof step === "number") return `.Index(pulumi.Int(${step}))`;
    // The outputs of a resource are fields, all others are methods.
    return `.${pascalCase(step)}${index === 0 && declaration.label !== undefined ? "" : "()"}`;
  });
  return declaration.variable + steps.join("");
}

/** @type {import("./valueWriter").Language} */
const go = {
  scalar: (value, spec) =>
    `pulumi.${scalarType(value, spec)}(${typeof value === "string" ? quoted(value) : value})`,
  list: (items, { items: item = any }) => bracketed(`${arrayType(item)}{`, items, items),
  object: (type, fields) => literal(`&monitoring.${type}Args{`, named(fields)),
  map: (entries) =>
    literal(
      "pulumi.Map{",
      entries.map(([name, value]) => [JSON.stringify(name), value]),
    ),
  reference,
};

/** @param {string} called @param {string} variable @param {Field[]} fields */
function functionCall(called, variable, fields) {
  return `${literal(`${variable} := monitoring.${called}Output(ctx, monitoring.${called}OutputArgs{`, fields)})`;
}

/** @param {Declaration} declaration @param {string} assigned @param {Field[]} fields */
function newResource({ name, label, gate }, assigned, fields) {
  const open = `${assigned} monitoring.New${name}(ctx, ${JSON.stringify(label)}, &monitoring.${name}Args{`;
  const options = gate ? `, pulumi.DependsOn([]pulumi.Resource{${gate.variable}})` : "";
  return `${literal(open, fields)}${options})\nif err != nil {\n\treturn err\n}`;
}

/**
 * @param {import("../schema/pulumi").Program} program
 * @param {import("./valueWriter").SpecOf} specOf
 * @param {(name: string) => boolean} isResource
 */
function goProgram({ declarations, exports }, specOf, isResource) {
  const writer = new ValueWriter(go, specOf);
  const first = declarations.find(({ label }) => label !== undefined);
  const used = new Set([
    ...exports.map(([, { declaration }]) => declaration),
    ...declarations.map(({ gate }) => gate),
  ]);
  const statements = declarations.map((declaration) => {
    const { name, label, variable, args } = declaration;
    const fields = named(writer.fields(args, specOf(name)));
    if (label === undefined) return functionCall(goFunction(name, isResource), variable, fields);
    // Go rejects a variable that nothing uses, and a `:=` that declares none.
    const unused = declaration === first ? "_, err :=" : "_, err =";
    return newResource(declaration, used.has(declaration) ? `${variable}, err :=` : unused, fields);
  });
  const outputs = exports.map(([name, value]) => `ctx.Export("${name}", ${reference(value)})`);
  return wrapped([...statements, ...outputs, "return nil"].join("\n"));
}

/** @param {string} body */
function wrapped(body) {
  return [
    "package main\n",
    "import (",
    '\t"github.com/pulumi/pulumi/sdk/v3/go/pulumi"\n',
    `\t"${goPackage}"`,
    ")\n",
    "func main() {",
    "\tpulumi.Run(func(ctx *pulumi.Context) error {",
    body.replace(/^/gm, "\t\t"),
    "\t})",
    "}",
  ].join("\n");
}

module.exports = { goPackage, goProgram };
