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

const onOpenIncidents = "See also [how open incidents are found](open-incidents.md).";
/** Sentences that a page adds to the description of its object. @type {Record<string, string>} */
const further = { OpenIncidentGate: onOpenIncidents, getOpenIncidents: onOpenIncidents };

/**
 * TypeScript types that are missing from the schema, or that it repeats for each type of a value. The key is the page that describes them.
 *
 * @type {Record<string, string>}
 */
const declared = {
  AlertChannel:
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
 * Returns the pages of resources, components and data sources.
 * @param {PackageSpec} spec
 * @param {(type: string) => string} declarationOf returns the declaration of a type in TypeScript
 * @returns {import("./pages").Page[]}
 */
function objectPages(spec, declarationOf) {
  const shown = JSON.parse(fs.readFileSync(outputsFile, "utf8"));
  return objectsIn(spec).map(({ group, name, description, inputs, outputs }) => {
    const [doc = "", example = "", after = ""] = description.split(/\n\n\{\{% \/?examples %\}\}/);
    const lists = new Lists(spec.types, name);
    const ofOutputs = lists.list(outputs, false);
    const types = [
      ...lists.types(inputs, outputs),
      ...(declared[name]?.split(" ") ?? []).map((type) =>
        page(`### ${type}`, block("ts", declarationOf(type))),
      ),
    ];
    const text = page(
      `# ${name}`,
      doc,
      further[name] ?? "",
      ...(group === "Explicit providers" ? [useOfProvider] : exampleIn(example, name, shown[name])),
      "## Arguments",
      inputs.description ?? "",
      lists.list(inputs, true),
      ...(ofOutputs === "" ? [] : (groups[group] ?? [])),
      ofOutputs,
      after.trim(),
      types.length > 0 ? "## Types" : "",
      ...types,
    );
    return { group, name, file: `${name}.md`, doc, text };
  });
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

/** Formats the lists of properties on a page, and the types that they refer to. */
class Lists {
  /** @param {PackageSpec["types"]} types @param {string} page */
  constructor(types, page) {
    this.specs = types;
    this.page = page;
  }

  /** Returns the sections of the types that a page refers to. @param {ObjectSpec} inputs @param {ObjectSpec} outputs */
  types(inputs, outputs) {
    const ofInputs = this.#namedIn(inputs);
    const all = this.#namedIn(outputs, new Set(ofInputs));
    return [...all].sort().map((type) => {
      const spec = this.specs[`${tokenPrefix}${type}`] ?? {};
      const body =
        "enum" in spec
          ? `One of ${spec.enum.map(({ value }) => code(`"${value}"`)).join(", ")}.`
          : this.list(spec, ofInputs.has(type));
      return page(`### ${type}`, spec.description ?? "", body);
    });
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

  /** @param {ObjectSpec} spec @param {boolean} isInput */
  list({ properties = {}, required = [] }, isInput) {
    const items = Object.entries(properties).map(([name, property]) => {
      const { description, willReplaceOnChanges } = property;
      const preset = isInput ? defaultIn.exec(description)?.[1] : undefined;
      const isRequired = required.includes(name);
      const notes = [
        this.#type(property, isInput) + (isInput || isRequired ? "" : " or `null`"),
        isInput && isRequired && "required",
        preset && `default: ${/^(true|false|[\d,]+)$/.test(preset) ? code(preset) : preset}`,
        willReplaceOnChanges && "*replaces*",
      ];
      const text = isInput ? description.replace(defaultIn, "") : description;
      return `- ${code(name)} (${notes.filter(Boolean).join("; ")}): ${text.replace(/\s+/g, " ").trim()}`;
    });
    return items.join("\n");
  }

  /** Returns a type in Markdown. @param {TypeSpec} spec @param {boolean} isInput @returns {string} */
  #type({ $ref, type = "", items, additionalProperties, oneOf }, isInput) {
    const typeOf = (/** @type {TypeSpec} */ spec) => this.#type(spec, isInput);
    if ($ref?.endsWith("/Any")) return "any value";
    if ($ref) return this.#link(nameIn($ref));
    // The service may add values to an enumeration, and a program may pass a string.
    const constants = oneOf?.find((one) => one.$ref && "enum" in (this.specs[one.$ref.slice(8)] ?? {}));
    if (constants) return `${typeOf(constants)}${isInput ? "" : " or a newer value"}`;
    if (oneOf) return oneOf.map(typeOf).join(" or ");
    if (items) return `list of ${typeOf(items)}`;
    if (additionalProperties) return `map of strings to ${typeOf(additionalProperties)}`;
    return code(type);
  }

  /** @param {string} type */
  #link(type) {
    const [name, on] = expected.test(type) ? ["Expectations", "AlertChannel"] : [type, this.page];
    return `[${code(name)}](${on === this.page ? "" : `${on}.md`}#${name.toLowerCase()})`;
  }
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
