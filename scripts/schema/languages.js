"use strict";

/**
 * @typedef {import("./pulumi").TypeSpec} TypeSpec
 * @typedef {import("./pulumi").ObjectSpec} ObjectSpec
 * @typedef {import("./pulumi").Value} Value
 * @typedef {import("./pulumi").Call} Call
 * @typedef {object} Declaration what an example declares
 * @property {string} name of the resource or function
 * @property {string} [label] name of the declared resource
 * @property {Value} args
 * @typedef {(name: string) => ObjectSpec} SpecOf gives a named type, or the arguments of a resource or function
 * @typedef {object} Language how values are written
 * @property {(value: string | number | boolean, spec: TypeSpec) => string} scalar
 * @property {(items: string[], spec: TypeSpec) => string} list
 * @property {(type: string, fields: [string, string][]) => string} object of a named type
 * @property {(entries: [string, string][]) => string} map
 * @property {(call: Call, fields: [string, string][]) => string} call
 */

/** @type {TypeSpec} */
const any = { $ref: "pulumi.json#/Any" };

/** @param {Value} value @returns {value is Call} */
const isCall = (value) => typeof value === "object" && "call" in value && "output" in value;

/** Writes values in a language, as the types of the schema ask for. */
class Writer {
  /** @param {Language} language @param {SpecOf} specOf */
  constructor(language, specOf) {
    this.language = language;
    this.specOf = specOf;
  }

  /** @param {Value} value @param {ObjectSpec} spec @returns {[string, string][]} */
  fields(value, { properties = {} }) {
    return Object.entries(value).map(([name, inner]) => [name, this.value(inner, properties[name] ?? any)]);
  }

  /** @param {Value} value @param {TypeSpec} spec @returns {string} */
  value(value, spec) {
    const { language } = this;
    if (isCall(value)) return language.call(value, this.fields(value.args, this.specOf(value.call)));
    if (Array.isArray(value)) {
      const list = partsOf(spec).find(({ type }) => type === "array") ?? any;
      return language.list(
        value.map((item) => this.value(item, list.items ?? any)),
        list,
      );
    }
    if (typeof value !== "object") return language.scalar(value, spec);
    const type = this.#typeOf(value, spec);
    if (type !== undefined) return language.object(type, this.fields(value, this.specOf(type)));
    const item = partsOf(spec).find(({ type: kind }) => kind === "object")?.additionalProperties ?? any;
    return language.map(Object.entries(value).map(([name, inner]) => [name, this.value(inner, item)]));
  }

  /** The named type that has all these fields. @param {object} value @param {TypeSpec} spec */
  #typeOf(value, spec) {
    const types = partsOf(spec).flatMap(({ $ref = "" }) => /^#\/types\/.*:(\w+)$/.exec($ref)?.[1] ?? []);
    return types.find((type) => {
      const { properties = {} } = this.specOf(type);
      return Object.keys(value).every((name) => name in properties);
    });
  }
}

/** @param {TypeSpec} spec */
const partsOf = (spec) => spec.oneOf ?? [spec];

/** @param {string} name */
const pascalCase = (name) => name.charAt(0).toUpperCase() + name.slice(1);
/** What holds the result of a function. @param {string} name such as `getIncident` */
const variableOf = (name) => name.charAt(3).toLowerCase() + name.slice(4);
/** @param {string} name */
const snakeCase = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/**
 * Parts between brackets: in one line if they are short.
 * @param {string} open
 * @param {string[]} parts
 * @param {string} close
 * @param {string} indent
 */
function bracketed(open, parts, close, indent) {
  const line = `${open}${parts.join(", ")}${close}`;
  if (line.length <= 60 && !line.includes("\n")) return line;
  const lines = parts.map((part) => `${indent}${part.replaceAll("\n", `\n${indent}`)},\n`);
  return `${open}\n${lines.join("")}${close}`;
}

/** @type {Language} */
const python = {
  scalar: (value) =>
    typeof value === "boolean"
      ? pascalCase(String(value))
      : typeof value === "string"
        ? quoted(value)
        : `${value}`,
  list: (items) => bracketed("[", items, "]", "    "),
  object: (type, fields) => bracketed(`monitoring.${type}Args(`, fields.map(keyword), ")", "    "),
  map: (entries) =>
    bracketed(
      "{",
      entries.map(([name, value]) => `${quoted(name)}: ${value}`),
      "}",
      "    ",
    ),
  call: ({ call, output }, fields) =>
    `${bracketed(`monitoring.${snakeCase(call)}_output(`, fields.map(keyword), ")", "    ")}.${snakeCase(output)}`,
};

/** @param {[string, string]} field */
const keyword = ([name, value]) => `${name === "not" ? "not_" : snakeCase(name)}=${value}`;

/** @param {string} text */
const quoted = (text) => JSON.stringify(text);

/** @param {Declaration} declaration @param {SpecOf} specOf */
function pythonProgram({ name, label, args }, specOf) {
  const fields = new Writer(python, specOf).fields(args, specOf(name)).map(keyword);
  const parts = label === undefined ? fields : [quoted(label), ...fields];
  const called = label === undefined ? `${snakeCase(name)}_output` : name;
  const variable = snakeCase(name).replace(/^_|^get_/, "");
  const call = bracketed(`${variable} = monitoring.${called}(`, parts, ")", "    ");
  return `import pulumi_monitoring as monitoring\n\n${call}`;
}

/** @type {Language} */
const go = {
  scalar: (value, spec) => `pulumi.${goType(value, spec)}(${JSON.stringify(value)})`,
  list: (items, { items: item = any }) =>
    bracketed(`pulumi.${item.type === "string" ? "String" : ""}Array{`, items, "}", "\t"),
  object: (type, fields) => bracketed(`&monitoring.${type}Args{`, fields.map(goField), "}", "\t"),
  map: (entries) =>
    bracketed(
      "pulumi.Map{",
      entries.map(([name, value]) => `${quoted(name)}: ${value}`),
      "}",
      "\t",
    ),
  call: ({ call, output }, fields) => `${goCall(call, fields)}.${pascalCase(output)}()`,
};

/** @param {string | number | boolean} value @param {TypeSpec} spec */
function goType(value, spec) {
  if (typeof value === "boolean") return "Bool";
  if (typeof value === "string") return "String";
  return spec.type === "number" || !Number.isInteger(value) ? "Float64" : "Int";
}

/** @param {[string, string]} field */
const goField = ([name, value]) => `${pascalCase(name)}: ${value}`;

/** Go has one name for a type and a function, so functions that read a resource are called otherwise. @param {string} name @param {[string, string][]} fields */
function goCall(name, fields) {
  const called = pascalCase(/s$/.test(name) ? name : name.replace(/^get/, "lookup"));
  return bracketed(
    `monitoring.${called}Output(ctx, monitoring.${called}OutputArgs{`,
    fields.map(goField),
    "})",
    "\t",
  );
}

/** @param {Declaration} declaration @param {SpecOf} specOf */
function goProgram({ name, label, args }, specOf) {
  const fields = new Writer(go, specOf).fields(args, specOf(name));
  const variable = variableOf(name);
  const lines =
    label === undefined
      ? `${variable} := ${goCall(name, fields)}\nctx.Export("${variable}", ${variable})\nreturn nil`
      : `${bracketed(
          `_, err := monitoring.New${name}(ctx, ${quoted(label)}, &monitoring.${name}Args{`,
          fields.map(goField),
          "})",
          "\t",
        )}\nreturn err`;
  return [
    "package main\n",
    "import (",
    '\t"github.com/pulumi/pulumi/sdk/v3/go/pulumi"\n',
    `\t"${goPackage}"`,
    ")\n",
    "func main() {",
    "\tpulumi.Run(func(ctx *pulumi.Context) error {",
    lines.replace(/^/gm, "\t\t"),
    "\t})",
    "}",
  ].join("\n");
}

const goPackage = "pulumi-monitoring-service/sdk/go/monitoring";

/** @param {Declaration} declaration @param {(value: unknown) => string} stringify */
function yamlProgram({ name, label, args }, stringify) {
  /** @type {Record<string, unknown>} */
  const variables = {};
  /** @param {string} called @param {unknown} values */
  const invoke = (called, values) => ({
    "fn::invoke": { function: `monitoring:${called}`, arguments: values },
  });
  const properties = Object.fromEntries(
    Object.entries(args).map(([key, value]) => {
      if (!isCall(value)) return [key, value];
      const variable = variableOf(value.call);
      variables[variable] = invoke(value.call, value.args);
      return [key, `\${${variable}.${value.output}}`];
    }),
  );
  if (label === undefined) variables[variableOf(name)] = invoke(name, properties);
  const resources = label !== undefined && { [label]: { type: `monitoring:${name}`, properties } };
  const program = {
    ...(Object.keys(variables).length > 0 && { variables }),
    ...(resources && { resources }),
  };
  return stringify(program).trimEnd();
}

module.exports = { goPackage, goProgram, pythonProgram, yamlProgram };
