const { anchor, block, code, page } = require("../model/markdown");

/**
 * @typedef {import("../schema/pulumi").TypeSpec} TypeSpec
 * @typedef {import("../schema/pulumi").PropertySpec} PropertySpec
 * @typedef {import("../schema/pulumi").ObjectSpec} ObjectSpec
 * @typedef {import("../schema/pulumi").PackageSpec} PackageSpec
 * @typedef {import("./pages").Page} Page
 */

const useOfProvider =
  "Import it from `pulumi-monitoring-service/native`. In YAML, its type is `pulumi:providers:monitoring`. See [several " +
  "accounts](../guides/several-accounts.md#a-provider-for-each-account), and [an " +
  "example](../../examples/several-accounts/index.ts).";

/** @param {string} token */
const nameIn = (token) => token.split(":").at(-1) ?? "";

const defaultIn = /\s*Default: (.+?)\.(?=\s|$)/s;

/** Types of TypeScript that the schema lacks, or has once for each type of a value, on the page that describes them. @type {Record<string, string[]>} */
const declared = {
  AlertChannel: [
    ...[
      "Expectations",
      "Expectation",
      "Conditions",
      "ConditionsOn",
      "ListConditions",
      "NumberConditions",
      "TextConditions",
    ],
    ...["RedactedCredential", "ReceiverKind", "Timestamp"],
  ],
  AlertChannelAudit: [
    "Rules",
    "RuleSetting",
    "Override",
    "Selection",
    "ChannelTypeName",
    "KnownWebhookType",
    "PresetName",
    "Waiver",
    "CustomRule",
  ],
};

/** The pages of resources, components and data sources, by the schema of the package. */
class ObjectPages {
  /** The page and the heading of each type: a result, or the first page that names it. @type {Map<string, {file: string, heading: string}>} */
  #places = new Map();
  /** The types that the current page is the first to name, and whether as an argument. @type {Map<string, boolean>} */
  #named = new Map();
  #file = "";

  /**
   * @param {PackageSpec} spec
   * @param {(name: string) => string[]} exampleOf the section with the program of an object
   * @param {(type: string) => string} declarationOf the declaration of a type in TypeScript
   */
  constructor(spec, exampleOf, declarationOf) {
    this.spec = spec;
    this.exampleOf = exampleOf;
    this.declarationOf = declarationOf;
    const fieldsOf = ({ properties = {} }) => Object.keys(properties).sort().join();
    for (const [token, { outputs }] of Object.entries(spec.functions)) {
      const same = Object.entries(spec.types).filter(
        ([, type]) => !("enum" in type) && fieldsOf(type) === fieldsOf(outputs),
      );
      for (const [type] of same)
        this.#places.set(nameIn(type), { file: `${nameIn(token)}.md`, heading: "Result" });
    }
  }

  /** @returns {Page[]} */
  all() {
    const named = (/** @type {Record<string, any>} */ specs) =>
      Object.entries(specs).map(([token, spec]) => ({ name: nameIn(token), spec }));
    const resources = named(this.spec.resources);
    const ofResource = (/** @type {{name: string, spec: any}} */ { name, spec }) => ({
      inputs: this.#list(spec.inputProperties, spec.requiredInputs ?? [], true),
      outputs: this.#outputs(name, spec),
    });
    return [
      ...resources
        .filter(({ spec }) => !spec.isComponent)
        .map((each) => this.#page("Resources", each.name, each.spec.description, () => ofResource(each))),
      this.#page("Explicit providers", "Provider", this.spec.provider.description, () => ({
        inputs: this.#list(this.spec.provider.inputProperties, undefined, true),
        outputs: [],
      })),
      ...resources
        .filter(({ spec }) => spec.isComponent)
        .map((each) => this.#page("Components", each.name, each.spec.description, () => ofResource(each))),
      ...named(this.spec.functions).map(({ name, spec: { description, inputs, outputs } }) =>
        this.#page("Data sources", name, description, () => ({
          inputs: [inputs.description, ...this.#list(inputs.properties, inputs.required ?? [], true)],
          outputs: ["## Result", ...this.#list(outputs.properties, outputs.required ?? [], false)],
        })),
      ),
    ];
  }

  /** @param {string} group @param {string} name @param {string} description @param {() => {inputs: string[], outputs: string[]}} sections @returns {Page} */
  #page(group, name, description, sections) {
    this.#file = `${name}.md`;
    this.#named = new Map();
    const [doc = "", , after = ""] = description.split(/\n\n\{\{% \/?examples %\}\}/);
    const { inputs, outputs } = sections();
    const types = [...this.#sections(), ...(declared[name] ?? []).map((type) => this.#declared(type))];
    const text = page(
      `# ${name}`,
      doc,
      ...(group === "Explicit providers" ? [useOfProvider] : this.exampleOf(name)),
      "## Arguments",
      ...inputs,
      ...outputs,
      after.trim(),
      types.length > 0 ? "## Types" : "",
      ...types,
    );
    return { group, name, file: this.#file, doc, text };
  }

  /** The outputs of a resource, without those that its arguments or its data source describe in the same words. @param {string} name @param {any} spec */
  #outputs(name, { properties, required = [], inputProperties, isComponent }) {
    if (isComponent) return ["## Outputs", ...this.#list(properties, required, false)];
    const reader = this.spec.functions[`monitoring:index:get${name}`];
    const result = name === "IncidentUpdate" ? {} : (reader?.outputs.properties ?? {});
    const own = Object.entries(properties).filter(
      ([key, { description }]) => !(key in inputProperties) && result[key]?.description !== description,
    );
    const link = `the fields of [the result of ${code(`get${name}`)}](get${name}.md#result), and:`;
    const intro = `Each argument, as declared, ${Object.keys(result).length > 0 ? link : "and:"}`;
    return ["## Outputs", intro, ...this.#list(Object.fromEntries(own), required, false)];
  }

  /** @param {Record<string, PropertySpec>} properties @param {readonly string[] | undefined} required none: not said @param {boolean} isInput */
  #list(properties, required, isInput) {
    const items = Object.entries(properties).map(([name, property]) => {
      const preset = isInput ? defaultIn.exec(property.description)?.[1] : undefined;
      const isRequired = required?.includes(name);
      const type = this.#type(property, isInput);
      const notes = [
        isInput || isRequired || required === undefined ? type : `${type} or ${code("null")}`,
        isInput && isRequired && "required",
        preset && `default: ${/^(true|false|[\d,]+)$/.test(preset) ? code(preset) : preset}`,
        property.willReplaceOnChanges && "replaces",
      ];
      const text = isInput ? property.description.replace(defaultIn, "") : property.description;
      return `- ${code(name)} (${notes.filter(Boolean).join("; ")}): ${text.replace(/\s+/g, " ").trim()}`;
    });
    return items.length > 0 ? [items.join("\n")] : [];
  }

  /** A type in Markdown. @param {TypeSpec} spec @param {boolean} isInput @returns {string} */
  #type({ $ref, type, items, additionalProperties, oneOf }, isInput) {
    if ($ref?.endsWith("/Any")) return "any value";
    if ($ref) return this.#link(nameIn($ref), isInput);
    if (oneOf) {
      // Each enumeration may get values, and a program may pass a string.
      const [constants] = oneOf.filter((one) => one.$ref && this.#enumOf(one.$ref));
      if (constants) return `${this.#type(constants, isInput)}${isInput ? "" : " or a newer value"}`;
      return oneOf.map((one) => this.#type(one, isInput)).join(" or ");
    }
    if (items) return `list of ${this.#type(items, isInput)}`;
    if (additionalProperties) return `object of ${this.#type(additionalProperties, isInput)} by name`;
    return code(type ?? "");
  }

  /** @param {string} ref */
  #enumOf(ref) {
    const spec = this.spec.types[ref.replace("#/types/", "")];
    return spec && "enum" in spec ? spec.enum : undefined;
  }

  /** @param {string} type @param {boolean} isInput */
  #link(type, isInput) {
    const name = /(Expectations|Conditions)$/.test(type) ? "Expectations" : type;
    let place = this.#places.get(name);
    if (!place) {
      place = { file: this.#file, heading: name };
      this.#places.set(name, place);
      if (name === type) this.#named.set(name, isInput);
    }
    const { file, heading } = place;
    return `[${code(name)}](${file === this.#file ? "" : file}#${anchor(heading)})`;
  }

  /** The types that this page is the first to name, and those that these name. */
  #sections() {
    /** @type {Map<string, string>} */
    const sections = new Map();
    // A section may name further types, which join the end of the list.
    for (const [name, isInput] of this.#named) {
      const spec = this.spec.types[`monitoring:index:${name}`] ?? {};
      const body =
        "enum" in spec
          ? [`One of ${spec.enum.map(({ value }) => code(`"${value}"`)).join(", ")}.`]
          : this.#list(spec.properties ?? {}, spec.required ?? [], isInput);
      sections.set(name, page(`### ${name}`, spec.description ?? "", ...body).trimEnd());
    }
    return [...sections].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, section]) => section);
  }

  /** @param {string} type */
  #declared(type) {
    return page(`### ${type}`, block("ts", this.declarationOf(type))).trimEnd();
  }
}

module.exports = { ObjectPages };
