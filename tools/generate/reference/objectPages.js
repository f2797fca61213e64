const fs = require("node:fs");
const path = require("node:path");
const { root } = require("../../setup");
const { SetupFailure } = require("../../setup/run");
const { block, code, page } = require("../model/markdown");
const { tokenPrefix } = require("../schema/schemaTypes");

/**
 * @typedef {import("../schema/pulumi").TypeSpec} TypeSpec
 * @typedef {import("../schema/pulumi").ObjectSpec} ObjectSpec
 * @typedef {import("../schema/pulumi").ResourceSpec} ResourceSpec
 * @typedef {import("../schema/pulumi").PackageSpec} PackageSpec
 * @typedef {{group: string, name: string, description: string, inputs: ObjectSpec, outputs: ObjectSpec}} Described
 */

/** Groups of the index, with the start of the outputs section of their objects. @type {Record<string, string[]>} */
const groups = {
  Resources: ["## Outputs", "All arguments as declared, and:"],
  "Explicit providers": [],
  Components: ["## Outputs"],
  "Data sources": ["## Result"],
};

const useOfProvider =
  "Import the class from `pulumi-monitoring-service/native`. In YAML, its type is `pulumi:providers:monitoring`. See [several " +
  "accounts](../guides/several-accounts.md#a-provider-for-each-account) and an " +
  "[example](../../examples/several-accounts/index.ts).";

/** The page with the types that several pages refer to, without its extension. */
const shared = "types";

/**
 * TypeScript types that are missing from the schema, or that it repeats for each type of a value, by the page that describes them.
 *
 * @type {Record<string, string>}
 */
const declared = {
  [shared]:
    "Expectations Expectation Conditions ConditionsOn ListConditions NumberConditions TextConditions " +
    "RedactedCredential ReceiverKind Timestamp",
  AlertChannelAudit:
    "Rules RuleSetting Exception Selection ChannelTypeName KnownWebhookType PresetName CustomRule",
};

const defaultIn = /\s*Default: (.+?)\.(?=\s|$)/s;
const expected = /(Expectations|Conditions)$/;

/** Outputs of the reference's programs. A test compares them with the outputs on the real engine. */
const outputsFile = path.join(root, "examples", "reference", "outputs.json");

/**
 * Returns the pages of resources, components and data sources, and the page of their types.
 * @param {PackageSpec} spec
 * @param {(type: string) => string} declarationOf returns the declaration of a type in TypeScript
 * @returns {import("./pages").Page[]}
 */
function objectPages(spec, declarationOf) {
  const shown = JSON.parse(fs.readFileSync(outputsFile, "utf8"));
  const objects = objectsIn(spec).map((each) => ({ ...each, outputs: asReference(spec, each.outputs) }));
  const lists = new Lists(spec.types, declarationOf, objects);
  const pages = objects.map(({ group, name, description, inputs, outputs }) => {
    const [doc = "", example = "", after = ""] = description.split(/\n\n\{\{% \/?examples %\}\}/);
    const isProvider = group === "Explicit providers";
    const file = `${name}.md`;
    const [ofInputs, ofOutputs] = [lists.list(name, inputs, true), lists.list(name, outputs, false)];
    const types = lists.types(name);
    const text = page(
      `# ${name}`,
      doc,
      ...(isProvider ? [useOfProvider] : exampleIn(example, name, shown[name])),
      "## Arguments",
      inputs.description ?? "",
      isProvider ? tableOf(ofInputs) : ofInputs,
      ...(ofOutputs === "" ? [] : (groups[group] ?? [])),
      ofOutputs,
      writtenIn(`docs/reference/${file}`),
      after.trim(),
      types.length > 0 ? "## Types" : "",
      ...types,
    );
    return { group, name, file, doc, text };
  });
  const doc = "Types that several pages of the reference refer to.";
  const text = page("# Types", doc, ...lists.types(shared));
  return [...pages, { group: "Types", name: "Types", file: `${shared}.md`, doc, text }];
}

/** Replaces the fields of a type with a reference to it. @param {PackageSpec} spec @param {ObjectSpec} object @returns {ObjectSpec} */
function asReference({ types }, { properties = {}, required }) {
  const [largest] = Object.entries(types)
    .map(([type, spec]) => ({ type, names: Object.keys("enum" in spec ? {} : (spec.properties ?? {})) }))
    .filter(({ names }) => names.length > 3 && names.every((name) => name === "id" || name in properties))
    .sort((one, other) => other.names.length - one.names.length);
  if (!largest) return { properties, required };
  const others = Object.entries(properties).filter(([name]) => !largest.names.includes(name));
  return { $ref: `#/types/${largest.type}`, properties: Object.fromEntries(others), required };
}

/** Returns the sections of a page that are written by hand: those between two comments. @param {string} file */
function writtenIn(file) {
  const text = fs.existsSync(file) ? fs.readFileSync(file, "utf8") : "";
  return /<!-- written by hand -->[^]*<!-- generated -->/.exec(text)?.[0] ?? "";
}

/**
 * Returns the section with the program of a description and its outputs.
 *
 * @param {string} text
 * @param {string} name
 * @param {unknown} outputs
 */
function exampleIn(text, name, outputs) {
  if (!outputs)
    throw new SetupFailure(`examples/reference/outputs.json lacks \`${name}\`: what its example exports.`);
  const [, program = ""] = /```typescript\n([^]*?)```/.exec(text) ?? [];
  return [
    "## Example",
    block("ts", program.replaceAll("pulumi-monitoring-service/native", "pulumi-monitoring-service")),
    `Its outputs ([${name}.ts](../../examples/reference/${name}.ts)):`,
    block("json", JSON.stringify(outputs, null, 2)),
  ];
}

/** Formats the lists of properties on the pages, and the types that they refer to. */
class Lists {
  /**
   * @param {PackageSpec["types"]} specs
   * @param {(type: string) => string} declarationOf
   * @param {readonly Described[]} objects
   */
  constructor(specs, declarationOf, objects) {
    this.specs = specs;
    this.declarationOf = declarationOf;
    this.ofInputs = new Set(objects.flatMap(({ inputs }) => [...this.#namedIn(inputs)]));
    /** @type {Map<string, string>} */
    const named = new Map();
    for (const { name, inputs, outputs } of objects)
      for (const type of this.#namedIn({ inputs, outputs })) named.set(type, named.has(type) ? shared : name);
    /** The page of each type. */
    this.pages = new Map([...named].sort());
    for (const [on, names] of Object.entries(declared))
      for (const type of names.split(" ")) this.pages.set(type, on);
  }

  /** Returns the sections of the types that a page describes. @param {string} page */
  types(page) {
    const types = [...this.pages].flatMap(([type, on]) => (on === page ? type : []));
    return types.map((type) => `${page === shared ? "##" : "###"} ${type}\n\n${this.#body(type, page)}`);
  }

  /** @param {string} type @param {string} on */
  #body(type, on) {
    if (declared[on]?.split(" ").includes(type)) return block("ts", this.declarationOf(type));
    const spec = this.specs[`${tokenPrefix}${type}`] ?? {};
    const body =
      "enum" in spec
        ? `One of ${spec.enum.map(({ value }) => code(`"${value}"`)).join(", ")}.`
        : this.list(on, spec, this.ofInputs.has(type));
    return page(spec.description ?? "", body);
  }

  /**
   * Returns the types that a specification refers to, directly or through other types.
   *
   * @param {object | undefined} spec
   * @param {Set<string>} found
   */
  #namedIn(spec, found = new Set()) {
    for (const [, name = ""] of JSON.stringify(spec).matchAll(/#\/types\/monitoring:index:(\w+)/g)) {
      if (found.has(name) || expected.test(name)) continue;
      this.#namedIn(this.specs[`${tokenPrefix}${name}`], found.add(name));
    }
    return found;
  }

  /** @param {string} on @param {ObjectSpec} spec @param {boolean} isInput */
  list(on, { $ref, properties = {}, required = [] }, isInput) {
    const type = $ref && this.#link(nameIn($ref), on);
    const items = Object.entries(properties).map(([name, property]) => {
      const { description, willReplaceOnChanges } = property;
      const preset = isInput ? defaultIn.exec(description)?.[1] : undefined;
      const isRequired = required.includes(name);
      const notes = [
        this.#type(property, on, isInput) + (isInput || isRequired ? "" : " or `null`"),
        isInput && isRequired && "required",
        preset && `default: ${/^(true|false|[\d,]+)$/.test(preset) ? code(preset) : preset}`,
        willReplaceOnChanges && "*replaces*",
      ];
      const text = isInput ? description.replace(defaultIn, "") : description;
      return `- ${code(name)} (${notes.filter(Boolean).join("; ")}): ${text.trim().replaceAll("\n- ", "\n  - ")}`;
    });
    if (type && items.length === 0) return `An object of the type ${type}.`;
    return [...items, ...(type ? [`- all fields of ${type} except \`id\``] : [])].join("\n");
  }

  /** Returns a type in Markdown. @param {TypeSpec} spec @param {string} on @param {boolean} isInput @returns {string} */
  #type({ $ref, type = "", items, additionalProperties, oneOf }, on, isInput) {
    const typeOf = (/** @type {TypeSpec} */ spec) => this.#type(spec, on, isInput);
    if ($ref?.endsWith("/Any")) return "any value";
    if ($ref) return this.#link(nameIn($ref), on);
    // The service may add values to an enumeration, and a program may pass a string.
    const constants = oneOf?.find((one) => one.$ref && "enum" in (this.specs[one.$ref.slice(8)] ?? {}));
    if (constants) return `${typeOf(constants)}${isInput ? "" : " or a newer value"}`;
    if (oneOf) return oneOf.map(typeOf).join(" or ");
    if (items) return `list of ${typeOf(items)}`;
    if (additionalProperties) return `map of strings to ${typeOf(additionalProperties)}`;
    return code(type);
  }

  /** @param {string} type @param {string} on */
  #link(type, on) {
    const name = expected.test(type) ? "Expectations" : type;
    const page = this.pages.get(name);
    return `[${code(name)}](${page === on ? "" : `${page}.md`}#${name.toLowerCase()})`;
  }
}

/** Turns a list of settings into a table with their environment variables. @param {string} list */
function tableOf(list) {
  const item =
    /^- (`\w+`) \((.*?)\): (.*?)(?: If it isn't set, the environment variable (`\w+`) is used\.)?$/gm;
  const rows = list.replace(item, "| $1 | $4 | $2 | $3 |");
  return `| Argument | Environment variable | Type and default | Description |\n|-|-|-|-|\n${rows}`;
}

/** @param {string} token */
const nameIn = (token) => token.split(":").at(-1) ?? "";

/** Returns the objects with a page, in the order of the index. @param {PackageSpec} spec @returns {Described[]} */
function objectsIn({ provider, resources, functions }) {
  const all = [
    ...Object.entries({ ...resources, Provider: provider }).map(([token, spec]) =>
      ofResource(nameIn(token), spec),
    ),
    ...Object.entries(functions).map(([token, spec]) => ({
      group: "Data sources",
      name: nameIn(token),
      ...spec,
    })),
  ];
  return Object.keys(groups).flatMap((each) => all.filter(({ group }) => group === each));
}

/**
 * Returns the description of a resource. Its outputs are listed without those that repeat an argument.
 *
 * @param {string} name
 * @param {ResourceSpec} spec
 * @returns {Described}
 */
function ofResource(
  name,
  { description, inputProperties, requiredInputs, properties = {}, required, isComponent },
) {
  const own = Object.entries(properties).filter(([output]) => isComponent || !(output in inputProperties));
  return {
    group: isComponent ? "Components" : name === "Provider" ? "Explicit providers" : "Resources",
    name,
    description,
    inputs: { properties: inputProperties, required: requiredInputs },
    outputs: { properties: Object.fromEntries(own), required },
  };
}

module.exports = { objectPages };
