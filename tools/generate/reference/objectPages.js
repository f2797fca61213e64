const { anchor, block, code, page } = require("../model/markdown");
const { tokenPrefix } = require("../schema/schemaTypes");

/**
 * @typedef {import("../schema/pulumi").TypeSpec} TypeSpec
 * @typedef {import("../schema/pulumi").ObjectSpec} ObjectSpec
 * @typedef {import("../schema/pulumi").ResourceSpec} ResourceSpec
 * @typedef {import("../schema/pulumi").PackageSpec} PackageSpec
 * @typedef {import("./pages").Page} Page
 */

/** The groups of the index, and how the outputs of their objects begin. @type {Record<string, string[]>} */
const groups = {
  Resources: ["## Outputs", "Each argument, as declared, and:"],
  "Explicit providers": [],
  Components: ["## Outputs"],
  "Data sources": ["## Result"],
};

const useOfProvider =
  "Import it from `pulumi-monitoring-service/native`. In YAML, its type is `pulumi:providers:monitoring`. See [several " +
  "accounts](../guides/several-accounts.md#a-provider-for-each-account), and [an " +
  "example](../../examples/several-accounts/index.ts).";

/** Types of TypeScript that the schema lacks, or has once for each type of a value, on the page that describes them. @type {Record<string, string>} */
const declared = {
  AlertChannel:
    "Expectations Expectation Conditions ConditionsOn ListConditions NumberConditions TextConditions " +
    "RedactedCredential ReceiverKind Timestamp",
  AlertChannelAudit:
    "Rules RuleSetting Override Selection ChannelTypeName KnownWebhookType PresetName Waiver CustomRule",
};

const defaultIn = /\s*Default: (.+?)\.(?=\s|$)/s;
const expected = /(Expectations|Conditions)$/;

/** The pages of resources, components and data sources, by the schema of the package. */
class ObjectPages {
  /** Where the types are described: those of results, and for the others the first page that names them. @type {Map<string, {page: string, heading: string, isInput: boolean}>} */
  #homes = new Map();

  /**
   * @param {PackageSpec} spec
   * @param {ReadonlyMap<string, string[]>} examples the section with the program of an object, by its name
   * @param {(type: string) => string} declarationOf the declaration of a type in TypeScript
   */
  constructor(spec, examples, declarationOf) {
    this.types = spec.types;
    this.examples = examples;
    this.declarationOf = declarationOf;
    this.objects = objectsIn(spec);
    const fieldsOf = (/** @type {ObjectSpec} */ { properties = {} }) => Object.keys(properties).sort().join();
    for (const { name, outputs } of this.objects.filter(({ group }) => group === "Data sources"))
      for (const [token, type] of Object.entries(this.types))
        if (!("enum" in type) && fieldsOf(type) === fieldsOf(outputs))
          this.#homes.set(nameIn(token), { page: name, heading: "Result", isInput: false });
    for (const { name, inputs, outputs } of this.objects) {
      this.#settle(name, inputs, true);
      this.#settle(name, outputs, false);
    }
  }

  /** @param {string} page @param {object | undefined} spec @param {boolean} isInput */
  #settle(page, spec, isInput) {
    for (const [, heading = ""] of JSON.stringify(spec).matchAll(/#\/types\/monitoring:index:(\w+)/g)) {
      if (this.#homes.has(heading) || expected.test(heading)) continue;
      this.#homes.set(heading, { page, heading, isInput });
      this.#settle(page, this.types[`${tokenPrefix}${heading}`], isInput);
    }
  }

  /** @returns {Page[]} */
  all() {
    return this.objects.map(({ group, name, description, inputs, outputs }) => {
      const [doc = "", , after = ""] = description.split(/\n\n\{\{% \/?examples %\}\}/);
      const types = [
        ...[...this.#homes]
          .filter(([type, home]) => home.page === name && home.heading === type)
          .sort()
          .map(([type, { isInput }]) => this.#section(type, name, isInput)),
        ...(declared[name]?.split(" ") ?? []).map((type) =>
          page(`### ${type}`, block("ts", this.declarationOf(type))),
        ),
      ];
      const text = page(
        `# ${name}`,
        doc,
        ...(group === "Explicit providers" ? [useOfProvider] : (this.examples.get(name) ?? [])),
        "## Arguments",
        inputs.description ?? "",
        this.#list(inputs, name, true),
        ...(Object.keys(outputs.properties ?? {}).length > 0 ? (groups[group] ?? []) : []),
        this.#list(outputs, name, false),
        after.trim(),
        types.length > 0 ? "## Types" : "",
        ...types,
      );
      return { group, name, file: `${name}.md`, doc, text };
    });
  }

  /** @param {string} type @param {string} onPage @param {boolean} isInput */
  #section(type, onPage, isInput) {
    const spec = this.types[`${tokenPrefix}${type}`] ?? {};
    const body =
      "enum" in spec
        ? `One of ${spec.enum.map(({ value }) => code(`"${value}"`)).join(", ")}.`
        : this.#list(spec, onPage, isInput);
    return page(`### ${type}`, spec.description ?? "", body);
  }

  /** @param {ObjectSpec} spec @param {string} onPage @param {boolean} isInput */
  #list({ properties = {}, required = [] }, onPage, isInput) {
    const items = Object.entries(properties).map(([name, property]) => {
      const { description, willReplaceOnChanges } = property;
      const preset = isInput ? defaultIn.exec(description)?.[1] : undefined;
      const isRequired = required.includes(name);
      const notes = [
        this.#type(property, onPage, isInput) + (isInput || isRequired ? "" : " or `null`"),
        isInput && isRequired && "required",
        preset && `default: ${/^(true|false|[\d,]+)$/.test(preset) ? code(preset) : preset}`,
        willReplaceOnChanges && "replaces",
      ];
      const text = isInput ? description.replace(defaultIn, "") : description;
      return `- ${code(name)} (${notes.filter(Boolean).join("; ")}): ${text.replace(/\s+/g, " ").trim()}`;
    });
    return items.join("\n");
  }

  /** A type in Markdown. @param {TypeSpec} spec @param {string} onPage @param {boolean} isInput @returns {string} */
  #type({ $ref, type = "", items, additionalProperties, oneOf }, onPage, isInput) {
    const typeOf = (/** @type {TypeSpec} */ spec) => this.#type(spec, onPage, isInput);
    if ($ref?.endsWith("/Any")) return "any value";
    if ($ref) return this.#link(nameIn($ref), onPage);
    // Each enumeration may get values, and a program may pass a string.
    const constants = oneOf?.find((one) => one.$ref && "enum" in (this.types[one.$ref.slice(8)] ?? {}));
    if (constants) return `${typeOf(constants)}${isInput ? "" : " or a newer value"}`;
    if (oneOf) return oneOf.map(typeOf).join(" or ");
    if (items) return `list of ${typeOf(items)}`;
    if (additionalProperties) return `object of ${typeOf(additionalProperties)} by name`;
    return code(type);
  }

  /** @param {string} type @param {string} onPage */
  #link(type, onPage) {
    const name = expected.test(type) ? "Expectations" : type;
    const { page, heading } = this.#homes.get(name) ?? { page: "AlertChannel", heading: name };
    return `[${code(name)}](${page === onPage ? "" : `${page}.md`}#${anchor(heading)})`;
  }
}

/** @param {string} token */
const nameIn = (token) => token.split(":").at(-1) ?? "";

/** The objects that have a page, in the order of the index. @param {PackageSpec} spec */
function objectsIn({ provider, resources, functions }) {
  const ofResources = Object.entries(resources).map(([token, spec]) => ({
    group: spec.isComponent ? "Components" : "Resources",
    name: nameIn(token),
    ...partsOf(spec),
  }));
  const ofFunctions = Object.entries(functions).map(([token, spec]) => ({
    group: "Data sources",
    name: nameIn(token),
    ...spec,
  }));
  const ofProvider = { group: "Explicit providers", name: "Provider", ...partsOf(provider) };
  const all = [...ofResources, ofProvider, ...ofFunctions];
  return Object.keys(groups).flatMap((each) => all.filter(({ group }) => group === each));
}

/** The arguments of a resource, and its outputs but for those that repeat an argument. @param {ResourceSpec} spec */
function partsOf({ description, inputProperties, requiredInputs, properties = {}, required, isComponent }) {
  const own = Object.entries(properties).filter(([name]) => isComponent || !(name in inputProperties));
  return {
    description,
    inputs: { description: "", properties: inputProperties, required: requiredInputs },
    outputs: { properties: Object.fromEntries(own), required },
  };
}

module.exports = { ObjectPages };
