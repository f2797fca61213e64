const fs = require("node:fs");
const path = require("node:path");
const { root } = require("../../setup");
const { SetupFailure } = require("../../setup/run");
const { resourceFacts } = require("../model/facts");
const { block } = require("../model/markdown");
const { Sources } = require("../model/sources");
const { Expectations, SchemaTypes, any } = require("./schemaTypes");

/**
 * @typedef {import("../model/sources").TsSymbol} TsSymbol
 * @typedef {import("./pulumi").PropertySpec} PropertySpec
 * @typedef {import("./pulumi").ObjectSpec} ObjectSpec
 * @typedef {import("./pulumi").ResourceSpec} ResourceSpec
 * @typedef {import("./pulumi").FunctionSpec} FunctionSpec
 * @typedef {import("./pulumi").PackageSpec} PackageSpec
 */

const requestsOfReading =
  "`pulumi preview` and `pulumi up` read a resource that is new, changed, or not as expected at the last read. `pulumi refresh` and " +
  "`pulumi import` read each. Nothing else sends a request.";
const requestsOfPosting =
  "`pulumi up` reads the incident of an update that is new, replaced or unconfirmed, and posts it unless it exists. A preview reads " +
  "it, too. `pulumi refresh` reads it once for all its updates. An update that it may not show is read by its id, as it is by an " +
  "import and by `get`.";

/** Makes the schema of the package from its doc comments, and from what the code does with each argument. */
class Schema {
  constructor() {
    this.names = require(path.join(root, "dist", "provider", "engine"));
    this.settings = require(path.join(root, "dist", "provider", "connection", "environment"));
    this.functions = Object.keys(require(path.join(root, "dist", "provider", "lookups")).lookups).sort();
    /** @type {Record<string, import("../../../provider/lifecycles/lifecycle").Lifecycle>} */
    this.lifecycles = require(path.join(root, "dist", "provider", "lifecycles")).lifecycles;
    /** @type {import("../../../provider/api/operations").Operation[]} */
    this.operations = Object.values(require(path.join(root, "dist", "provider", "api")).operations);
    this.sources = new Sources();
    this.types = new SchemaTypes(this.sources, this.names.resourceTypes);
    this.expectations = new Expectations(this.types);
    /** @type {string[]} */
    this.components = Object.keys(require(path.join(root, "dist", "plugin", "components")).components);
  }

  /** @returns {PackageSpec} */
  make() {
    /** @type {string[]} */
    const resourceTypes = this.names.resourceTypes;
    const provider = this.#provider();
    const resources = Object.fromEntries([
      ...resourceTypes.map((name) => [`monitoring:index:${name}`, this.#resource(name)]),
      ...this.components.map((name) => [`monitoring:index:${name}`, this.#component(name)]),
    ]);
    const functions = Object.fromEntries(
      this.functions.map((name) => [`monitoring:index:${name}`, this.#function(name)]),
    );
    for (const [token, spec] of [...Object.entries(resources), ...Object.entries(functions)])
      spec.description = [this.#withExample(token, spec.description), ...this.#sections(token)].join("\n\n");
    const { mistakes } = this.sources;
    if (mistakes.length > 0) throw new SetupFailure([...new Set(mistakes)].join("\n"));
    return {
      ...this.#metadata(),
      config: { variables: this.#settings("Environment variable, which takes precedence") },
      types: this.types.named,
      provider,
      resources,
      functions,
    };
  }

  /** Adds the program of `examples/reference` to a description, in the form that Pulumi's registry reads. @param {string} token @param {string} description */
  #withExample(token, description) {
    const file = `examples/reference/${token.split(":").at(-1)}.ts`;
    if (!fs.existsSync(path.join(root, file)))
      throw new SetupFailure(`${token} has no example: ${file} is missing.`);
    const program = fs.readFileSync(path.join(root, file), "utf8");
    return [
      description,
      "{{% examples %}}",
      // Inside, because SDKs of other languages leave the example out with its heading.
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

  /** What follows the example: the static `get`, the errors and the requests of an object. @param {string} token */
  #sections(token) {
    const name = token.split(":")[2] ?? "";
    const symbol = this.types.exported(name);
    const lifecycle = this.lifecycles[name];
    const requests = this.#operationsOf(symbol).map(({ method, path }) => `- \`${method} ${path}\``);
    const errors = this.sources.throwsOf(symbol).map(({ error, when }) => {
      // Programs in TypeScript import it.
      this.types.exported(error);
      return `- \`${error}\`: ${when}`;
    });
    return [
      ...this.#getOf(symbol),
      ...(errors.length > 0 ? ["## Errors", errors.join("\n")] : []),
      ...(lifecycle
        ? ["## Requests", requests.join("\n"), lifecycle.readsOnly ? requestsOfReading : requestsOfPosting]
        : []),
    ];
  }

  /** @param {TsSymbol} symbol */
  #getOf(symbol) {
    const { sources } = this;
    const get = sources.checker.getPropertyOfType(sources.checker.getTypeOfSymbol(symbol), "get");
    if (!get || !sources.fileOf(get).startsWith("sdk/")) return [];
    const title = `${symbol.name}.get`;
    return [
      `## ${title}`,
      sources.doc(get, title),
      block("typescript", `${symbol.name}.${sources.signatureOf(get)}`),
      sources.parametersOf(get),
    ];
  }

  /** The operations that a doc comment has to name. @param {TsSymbol} symbol */
  #operationsOf(symbol) {
    const doc = this.sources.doc(symbol);
    const named = this.operations.filter(({ name }) => doc.includes(`operation \`${name}\``));
    if (named.length === 0)
      this.sources.mistakes.push(`${symbol.name} doesn't name the operations that it uses`);
    return named;
  }

  #metadata() {
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
      // The generated module in Go gets its go.mod.
      meta: { supportPack: true },
      language: {
        nodejs: { packageName: `${name}/native`, respectSchemaVersion: true },
        python: {
          packageName: "pulumi_monitoring",
          respectSchemaVersion: true,
          pyproject: { enabled: true },
          // As Pulumi's SDK; otherwise, pip on an older Python fails on that dependency, without naming Python.
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

  /** @returns {ResourceSpec} */
  #provider() {
    const symbol = this.types.exported("Provider");
    const inputProperties = this.#settings("Environment variable that is used without it");
    return { description: this.#descriptionWithArguments(symbol), inputProperties };
  }

  /** The doc comments of a class and of its arguments, for which a schema has no place. @param {TsSymbol} symbol */
  #descriptionWithArguments(symbol) {
    const doc = this.sources.doc(this.types.exported(`${symbol.name}Args`));
    const ofArguments = `Its arguments are ${doc.charAt(0).toLowerCase()}${doc.slice(1)}`;
    return [this.sources.doc(symbol), ...(doc.startsWith("The arguments of") ? [] : [ofArguments])].join(
      "\n\n",
    );
  }

  /** @param {string} precedence what the environment variable of a setting does */
  #settings(precedence) {
    const { sources, types } = this;
    const { properties } = this.types.properties(
      sources.membersOf(types.exported("ProviderArgs")),
      "Provider",
    );
    for (const [name, property] of Object.entries(properties)) {
      const variable = this.settings.variables[name];
      if (variable) {
        if (!property.description.includes(`Default: \`${variable}\``))
          this.sources.mistakes.push(
            `ProviderArgs.${name} has the default ${variable}, which its doc comment doesn't say`,
          );
        const isAdded = property.description.includes("of the variable count, too");
        const label = isAdded ? "Environment variable" : precedence;
        property.description = withVariable(property.description, variable, label);
      }
      if (this.settings.secretSettings.has(name)) property.secret = true;
    }
    return properties;
  }

  /** @param {string} name @returns {ResourceSpec} */
  #resource(name) {
    const { sources } = this;
    const symbol = this.types.exported(name);
    const inputs = this.#arguments(name);
    const declared = sources.outputsOf(symbol);
    const outputs = this.types.properties(declared.filter(isTypedAlike), name);
    for (const expected of declared.filter((member) => !isTypedAlike(member))) {
      const type = this.expectations.ofResource(name);
      const description = this.sources.doc(expected, `${name}.${expected.name}`);
      outputs.properties[expected.name] = { ...type, description };
      Object.assign(inputs.properties[expected.name] ?? {}, type);
    }
    for (const [argument, { type }] of Object.entries(inputs.properties)) {
      const output = outputs.properties[argument];
      if (output && type === "integer") output.type = type;
    }
    return {
      description: this.sources.doc(symbol),
      ...outputs,
      inputProperties: inputs.properties,
      ...(inputs.required.length > 0 && { requiredInputs: inputs.required }),
      ...this.#stateInputs(symbol, inputs.properties),
      aliases: [{ type: this.names.dynamicToken(name) }],
    };
  }

  /** The arguments of a static `get` besides the id. @param {TsSymbol} symbol @param {Record<string, PropertySpec>} inputs */
  #stateInputs(symbol, { account }) {
    const statics = this.sources.checker.getTypeOfSymbol(symbol);
    const get = this.sources.checker.getPropertyOfType(statics, "get");
    const isOwn = get && this.sources.fileOf(get).startsWith("sdk/");
    return isOwn && account
      ? { stateInputs: { type: /** @type {const} */ ("object"), properties: { account } } }
      : {};
  }

  /** @param {string} name @returns {FunctionSpec} */
  #function(name) {
    const { sources, types } = this;
    const symbol = types.exported(name);
    const title = name.charAt(0).toUpperCase() + name.slice(1);
    // These also have the arguments that only a function with outputs takes.
    const inputs = types.properties(sources.membersOf(types.exported(`${title}OutputArgs`)), title);
    const result = sources.resultOf(symbol);
    // The function has its members, so the name is only for messages.
    types.nameOf(result, { name: `${title}Result` });
    const owner = types.isInterface(result) ? result.symbol : symbol;
    const outputs = types.properties(sources.membersOfType(result), owner.name);
    // Pulumi's generated Python rejects every value of a union that is a direct output of a function.
    for (const output of Object.values(outputs.properties)) {
      const values = output.oneOf?.flatMap(({ $ref = "" }) => this.types.valuesOf($ref)) ?? [];
      if (output.type === "string") delete output.oneOf;
      if (values.length > 0) output.description += ` One of ${values.join(", ")}, or a newer value.`;
    }
    return {
      description: sources.doc(symbol),
      inputs: {
        type: "object",
        description: sources.doc(types.exported(`${title}Args`)),
        ...inputs,
      },
      outputs: {
        type: "object",
        description: sources.doc(owner),
        ...outputs,
      },
    };
  }

  /** A component, whose interface declares all facts of the arguments. @param {string} name @returns {ResourceSpec} */
  #component(name) {
    const { sources, types } = this;
    const symbol = types.exported(name);
    const inputs = this.#argumentsOfComponent(name);
    // The class also has its children, and what every Pulumi resource has.
    const outputs = sources.outputsOf(symbol).filter((member) => types.isOutput(member));
    return {
      isComponent: true,
      description: this.#descriptionWithArguments(symbol),
      ...types.properties(outputs, name),
      inputProperties: inputs.properties,
      ...(inputs.required && { requiredInputs: inputs.required }),
    };
  }

  /** @param {string} name */
  #argumentsOfComponent(name) {
    const { sources, types } = this;
    const members = sources.membersOf(types.exported(`${name}Args`));
    const [rules] = members.filter((member) => member.name === "rules");
    const declared = this.types.properties(
      members.filter((member) => member !== rules),
      name,
    );
    if (rules) {
      // A rule file has a schema of its own, by which the plugin checks it.
      const oneOf = [{ type: "string" }, { type: "object", additionalProperties: any }];
      declared.properties.rules = { oneOf, description: this.sources.doc(rules, `${name}Args.rules`) };
    }
    return declared;
  }

  /** The arguments of a resource, with what its lifecycle does with them. @param {string} resource */
  #arguments(resource) {
    const { sources, types } = this;
    const members = sources.membersOf(types.exported(`${resource}Args`));
    const factsOf = resourceFacts(resource);
    const { properties } = this.types.properties(members.filter(isTypedAlike), resource);
    const required = [];
    for (const member of members) {
      const facts = factsOf(member.name);
      if (!facts) this.sources.mistakes.push(`${resource}Args.${member.name} is not known to its lifecycle`);
      const { isRequired, isInteger, replaces, isSecret, preset } = { ...facts };
      const title = `${resource}Args.${member.name}`;
      const description = sources.doc(member, title);
      const property = (properties[member.name] ??= { description });
      if (facts && isRequired === sources.isOptional(member))
        sources.mistakes.push(`${title} is ${isRequired ? "" : "not "}required by its lifecycle`);
      if (preset !== undefined && !description.replaceAll("`", "").includes(`Default: ${String(preset)}.`))
        sources.mistakes.push(
          `${title} has the default ${String(preset)}, which its doc comment doesn't say`,
        );
      if (isSecret) property.description += " It may be a secret: no error shows it.";
      if (isInteger && property.type === "number") property.type = "integer";
      if (preset !== undefined) property.default = preset;
      // Not replaceOnChanges: with it the engine also replaces where the provider knows that two values mean the same.
      if (replaces) property.willReplaceOnChanges = true;
      if (isRequired) required.push(member.name);
    }
    return { properties, required: required.sort() };
  }
}

/** Whether its type is the same in the schema. What may be expected of outputs is described by {@link Expectations}. @param {TsSymbol} member */
const isTypedAlike = ({ name }) => name !== "expect";

/**
 * Says what the environment variable of a setting does in place of calling it the default.
 * @param {string} description
 * @param {string} variable
 * @param {string} precedence
 */
function withVariable(description, variable, precedence) {
  const meaning = description.replace(`Default: \`${variable}\`, otherwise`, "Default:");
  return `${meaning.replace(` Default: \`${variable}\`.`, "")} ${precedence}: \`${variable}\`.`;
}

/**
 * The names of the outputs of each resource that isn't a component.
 * @param {Record<string, ResourceSpec>} resources
 */
function outputsOf(resources) {
  const entries = Object.entries(resources).filter(([, { isComponent }]) => !isComponent);
  return Object.fromEntries(
    entries.map(([token, { properties }]) => [
      token.split(":").at(-1),
      Object.keys({ ...properties }).sort(),
    ]),
  );
}

/** The schema of the package, and the outputs that its resources register. */
function packageSpec() {
  const specs = new Schema().make();
  return { specs, outputs: outputsOf(specs.resources) };
}

/**
 * Where the engine downloads the plugin from. The repository is known in a release, whose workflow adds it to package.json.
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

module.exports = { packageSpec, releasesOf };
