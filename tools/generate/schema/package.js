const fs = require("node:fs");
const path = require("node:path");
const { root } = require("../../setup");
const { SetupFailure } = require("../../setup/run");
const { block, code, upperFirst } = require("../model/markdown");
const { Expectations } = require("./expectations");
const { SchemaTypes, any, tokenPrefix } = require("./schemaTypes");

/**
 * @typedef {import("../model/sources").Sources} Sources
 * @typedef {import("../model/sources").TsSymbol} TsSymbol
 * @typedef {import("./pulumi").PropertySpec} PropertySpec
 * @typedef {import("./pulumi").ResourceSpec} ResourceSpec
 * @typedef {import("./pulumi").FunctionSpec} FunctionSpec
 * @typedef {import("./pulumi").PackageSpec} PackageSpec
 * @typedef {{type?: string, default?: string | number | boolean, replaces?: true, secret?: true}} Fact the facts that a lifecycle declares
 * for an argument
 */

/** Generates the schema of the package from its doc comments and from the facts that the code declares for each argument. */
class Schema {
  /** @param {Sources} sources */
  constructor(sources) {
    const built = (/** @type {string[]} */ ...names) => require(path.join(root, "dist", ...names));
    this.engine = built("provider", "engine");
    this.environment = built("provider", "connection", "environment");
    this.fieldFacts = built("provider", "lifecycles", "lifecycle").fieldFacts;
    /** @type {Record<string, import("../../../provider/lifecycles").Lifecycle & {inputs?: object}>} */
    this.lifecycles = built("provider", "lifecycles").lifecycles;
    /** @type {import("../../../provider/api/operations").Operation[]} */
    this.operations = Object.values(built("provider", "api").operations);
    this.functions = Object.keys(built("provider", "lookups").lookups).sort();
    this.components = Object.keys(built("plugin", "components").components);
    this.sources = sources;
    this.types = new SchemaTypes(sources, this.engine.resourceTypes);
    this.expectations = new Expectations(this.types);
  }

  /** @returns {PackageSpec} */
  make() {
    const provider = this.#provider();
    const objects = {
      resources: {
        ...this.#byToken(this.engine.resourceTypes, (name) => this.#resource(name)),
        ...this.#byToken(this.components, (name) => this.#component(name)),
      },
      functions: this.#byToken(this.functions, (name) => this.#function(name)),
    };
    const { mistakes } = this.sources;
    if (mistakes.length > 0) throw new SetupFailure([...new Set(mistakes)].join("\n"));
    return {
      ...metadata(),
      config: {
        variables: this.#settings((variable) => `The environment variable ${variable} takes precedence.`),
      },
      types: this.types.named,
      provider,
      ...objects,
    };
  }

  /**
   * Creates a specification for each name, and appends the example and the sections after it to the description.
   * @template {{description: string}} Spec
   * @param {readonly string[]} names
   * @param {(name: string) => Spec} make
   */
  #byToken(names, make) {
    const entries = names.map((name) => {
      const spec = make(name);
      const description = [spec.description, exampleOf(name), ...this.#sections(name)].join("\n\n");
      return [`${tokenPrefix}${name}`, { ...spec, description }];
    });
    return Object.fromEntries(entries);
  }

  /** Returns the sections after the example: an object's static `get`, import, errors and requests. @param {string} name */
  #sections(name) {
    const { sources } = this;
    const symbol = sources.exported(name);
    const sections = [];
    const get = sources.staticGetOf(symbol);
    if (get) {
      const signature = block("typescript", `${name}.${sources.signatureOf(get)}`);
      const parameters = sources.tagsOf(get, "param").map((text) => text.replace(/^(\w+) /, "- `$1`: "));
      const title = `${name}.get`;
      sections.push(`## ${title}`, sources.doc(get, title), signature, parameters.join("\n"));
    }
    const importing = sources.docOfNative(name);
    if (importing !== "") sections.push("## Import with the native plugin", importing);
    const errors = sources.tagsOf(symbol, "throws").map((text) => {
      const [, error = "", when = ""] = /^(\w+),?\s*(.*)$/s.exec(text) ?? [];
      // The error class must be exported, because TypeScript programs import it.
      sources.exported(error);
      return `- \`${error}\`: ${when}`;
    });
    if (errors.length > 0) sections.push("## Errors", errors.join("\n"));
    const [remarks = ""] = sources.tagsOf(symbol, "remarks");
    if (!this.operations.some((each) => remarks.includes(`operation \`${each.name}\``)))
      sources.mistakes.push(`${name} doesn't name the operations that it uses in its @remarks`);
    // The first mention explains the others.
    sections.push("## Requests", remarks.replace(/(?<=operation .*)operation /g, ""));
    return sections;
  }

  /** @returns {ResourceSpec} */
  #provider() {
    return {
      description: this.#withArguments("Provider"),
      inputProperties: this.#settings(
        (variable) => `If it isn't set, the environment variable ${variable} is used.`,
      ),
    };
  }

  /**
   * Returns the doc comments of a class and of its arguments together, because a schema has no field for the latter.
   *
   * @param {string} name
   */
  #withArguments(name) {
    const { sources } = this;
    const own = sources.doc(sources.exported(name));
    const ofArguments = sources.doc(sources.exported(`${name}Args`));
    return ofArguments.startsWith("The arguments of") ? own : `${own}\n\n${ofArguments}`;
  }

  /** @param {(variable: string) => string} effectOf describes the effect of a setting's environment variable */
  #settings(effectOf) {
    const { sources, types, environment } = this;
    const { properties } = types.properties(sources.membersOfExported("ProviderArgs"), "Provider");
    for (const [name, property] of Object.entries(properties)) {
      const variable = environment.variables[name];
      const isAdded = property.description.endsWith(`in \`${variable}\` are used as well.`);
      if (variable && !isAdded) {
        this.#assertDefault(`ProviderArgs.${name}`, property.description, `\`${variable}\``);
        // In the schema, the variable isn't called the default, because generated SDKs would show it as a value.
        const meaning = property.description
          .replace(`Default: \`${variable}\`, otherwise`, "Default:")
          .replace(` Default: \`${variable}\`.`, "");
        property.description = `${meaning} ${effectOf(code(variable))}`;
      }
      if (environment.secretSettings.has(name)) property.secret = true;
    }
    return properties;
  }

  /** @param {string} title @param {string} description @param {string} preset as it must appear in the description */
  #assertDefault(title, description, preset) {
    if (!description.includes(`Default: ${preset}`))
      this.sources.mistakes.push(`${title} has the default ${preset}, which its doc comment doesn't say`);
  }

  /** @param {string} name @returns {ResourceSpec} */
  #resource(name) {
    const { sources, types } = this;
    const symbol = sources.exported(name);
    const inputs = this.#arguments(name);
    const { account, expect } = inputs.properties;
    const declared = sources.outputsOf(name);
    const outputs = types.properties(declared.filter(isTypedAlike), name);
    for (const [argument, { type }] of Object.entries(inputs.properties)) {
      const output = outputs.properties[argument];
      if (output && type === "integer") output.type = type;
    }
    for (const expected of declared.filter((member) => !isTypedAlike(member))) {
      const type = this.expectations.ofResource(name, outputs.properties);
      const description = sources.doc(expected, `${name}.${expected.name}`);
      outputs.properties[expected.name] = { ...type, description };
      Object.assign(expect ?? {}, type);
    }
    return {
      description: sources.doc(symbol),
      ...outputs,
      inputProperties: inputs.properties,
      ...(inputs.required.length > 0 && { requiredInputs: inputs.required }),
      ...(account &&
        sources.staticGetOf(symbol) && {
          stateInputs: { type: /** @type {const} */ ("object"), properties: { account } },
        }),
      aliases: [{ type: this.engine.getDynamicToken(name) }],
    };
  }

  /** Returns the arguments of a resource with the facts that its lifecycle declares. @param {string} resource */
  #arguments(resource) {
    const { sources } = this;
    const members = sources.membersOfExported(`${resource}Args`);
    const { properties: facts, required } = this.#declaredBy(resource);
    const { properties } = this.types.properties(members.filter(isTypedAlike), resource);
    for (const member of members) {
      const title = `${resource}Args.${member.name}`;
      const description = sources.doc(member, title);
      const property = (properties[member.name] ??= { description });
      const fact = facts[member.name];
      const isRequired = required.includes(member.name);
      if (!fact) sources.mistakes.push(`${title} is not known to its lifecycle`);
      else if (isRequired === sources.isOptional(member))
        sources.mistakes.push(`${title} is ${isRequired ? "" : "not "}required by its lifecycle`);
      const { type, replaces, secret, default: preset } = fact ?? {};
      if (preset !== undefined) this.#assertDefault(title, description.replaceAll("`", ""), `${preset}.`);
      if (secret) property.description += " It may be a secret: no error shows it.";
      if (type === "integer") property.type = type;
      if (preset !== undefined) property.default = preset;
      // `replaceOnChanges` isn't used, because the engine would also replace the resource if the provider treats the two values as equal.
      if (replaces) property.willReplaceOnChanges = true;
    }
    return { properties, required: required.sort() };
  }

  /**
   * Returns the facts that the lifecycle of a resource declares for its arguments.
   * @param {string} resource
   * @returns {{properties: Record<string, Fact>, required: string[]}}
   */
  #declaredBy(resource) {
    const { z } = require(path.join(root, "node_modules", "zod"));
    const { inputs } = this.lifecycles[resource]?.facts ?? {};
    const options = { io: "input", unrepresentable: "any", metadata: this.fieldFacts };
    return z.toJSONSchema(inputs, options);
  }

  /**
   * Returns the specification of a component. Its interface declares all facts of the arguments.
   *
   * @param {string} name
   * @returns {ResourceSpec}
   */
  #component(name) {
    const { sources, types } = this;
    const members = sources.membersOfExported(`${name}Args`);
    const [rules] = members.filter((member) => member.name === "rules");
    const inputs = types.properties(
      members.filter((member) => member !== rules),
      name,
    );
    if (rules) {
      // Any object is allowed here, because the plugin validates rules with their own schema.
      const oneOf = [{ type: "string" }, { type: "object", additionalProperties: any }];
      inputs.properties.rules = { oneOf, description: sources.doc(rules, `${name}Args.rules`) };
    }
    return {
      isComponent: true,
      description: this.#withArguments(name),
      ...types.properties(sources.outputsOf(name), name),
      inputProperties: inputs.properties,
      ...(inputs.required && { requiredInputs: inputs.required }),
    };
  }

  /** @param {string} name @returns {FunctionSpec} */
  #function(name) {
    const { sources, types } = this;
    const symbol = sources.exported(name);
    const title = upperFirst(name);
    // `OutputArgs` also includes the arguments that only the `Output` form of the function accepts.
    const inputs = types.properties(sources.membersOfExported(`${title}OutputArgs`), title);
    const result = sources.resultOf(symbol);
    const owner = types.assertNamed(result, `${title}Result`) ? result.symbol : symbol;
    const outputs = types.properties(sources.membersOf(result), owner.name);
    // Pulumi's generated Python code rejects all values of a union that is a direct output of a function.
    for (const output of Object.values(outputs.properties)) {
      const values = (output.oneOf ?? []).flatMap((one) => types.valuesOf(one));
      if (output.type === "string") delete output.oneOf;
      if (values.length > 0) output.description += ` One of ${values.join(", ")}, or a newer value.`;
    }
    const argumentsDoc = sources.doc(sources.exported(`${title}Args`));
    return {
      description: sources.doc(symbol),
      inputs: { type: "object", description: argumentsDoc, ...inputs },
      outputs: { type: "object", description: sources.doc(owner), ...outputs },
    };
  }
}

/** Returns true if the member's type is the same in the schema. {@link Expectations} describes the other types. @param {TsSymbol} member */
const isTypedAlike = ({ name }) => name !== "expect";

/** Returns the program of `examples/reference` in the format of Pulumi's registry. @param {string} name */
function exampleOf(name) {
  const file = path.join(root, "examples", "reference", `${name}.ts`);
  if (!fs.existsSync(file))
    throw new SetupFailure(`${name} has no example: examples/reference/${name}.ts is missing.`);
  const program = fs.readFileSync(file, "utf8");
  return [
    "{{% examples %}}",
    // The heading is inside of the example, because SDKs of other languages omit the example including its heading.
    "{{% example %}}",
    "## Example Usage",
    block(
      "typescript",
      program.replaceAll('"pulumi-monitoring-service"', '"pulumi-monitoring-service/native"'),
    ),
    "{{% /example %}}",
    "{{% /examples %}}",
  ].join("\n\n");
}

function metadata() {
  const text = fs.readFileSync(path.join(root, "package.json"), "utf8");
  const { name, version, description, license, keywords, repository } = JSON.parse(text);
  return {
    name: "monitoring",
    displayName: "Monitoring Service",
    version,
    description,
    keywords: [...keywords, "category/monitoring", "kind/native"],
    license,
    ...releasesOf(repository),
    // This generates the go.mod of the Go module.
    meta: { supportPack: true },
    language: {
      nodejs: { packageName: `${name}/native`, respectSchemaVersion: true },
      python: {
        packageName: "pulumi_monitoring",
        respectSchemaVersion: true,
        pyproject: { enabled: true },
        // The minimum of Pulumi's SDK. Without it, pip on an older Python fails on that dependency, and the error doesn't mention Python.
        pythonRequires: ">=3.10",
      },
      go: {
        importBasePath: "pulumi-monitoring-service/sdk/go/monitoring",
        generateResourceContainerTypes: true,
        respectSchemaVersion: true,
      },
    },
  };
}

/**
 * Returns the URL from which the engine downloads the plugin. The repository is only known in a release, because its workflow adds it to
 * package.json.
 * @param {{url?: string}} [repository] as in package.json
 */
function releasesOf(repository) {
  const [, project] = /github\.com[/:]([^/]+\/[^/]+?)(?:\.git)?$/.exec(repository?.url ?? "") ?? [];
  if (project === undefined) return {};
  return {
    repository: `https://github.com/${project}`,
    pluginDownloadURL: `github://api.github.com/${project}`,
  };
}

/** Returns the schema of the package and the names of the outputs that its resources register. @param {Sources} sources */
function packageSpec(sources) {
  const specs = new Schema(sources).make();
  const resources = Object.entries(specs.resources).filter(([, { isComponent }]) => !isComponent);
  const outputs = resources.map(([token, { properties = {} }]) => [
    token.replace(tokenPrefix, ""),
    Object.keys(properties).sort(),
  ]);
  return { specs, outputs: Object.fromEntries(outputs) };
}

module.exports = { packageSpec, releasesOf };
