const fs = require("node:fs");
const path = require("node:path");
const { block } = require("../model/markdown");
const { SetupFailure } = require("../../setup/failure");
const { ExampleProgram } = require("./exampleProgram");
const { goProgram } = require("./goProgram");
const { pythonProgram } = require("./pythonProgram");
const { yamlProgram } = require("./yamlProgram");

/**
 * @typedef {import("../schema/pulumi").ObjectSpec} ObjectSpec
 * @typedef {Pick<import("../schema/pulumi").PackageSpec, "resources" | "functions" | "types">} Specs
 * @typedef {{python: string, go: string, yaml: string}} Translations
 */

/** @param {string} name of a resource, function or type */
const tokenOf = (name) => `monitoring:index:${name}`;

/** The programs of `examples/reference`, in each language. */
class LanguageExamples {
  /** @param {string} root @param {import("../model/sources").TypeScript} ts @param {Specs} specs */
  constructor(root, ts, specs) {
    this.root = root;
    this.ts = ts;
    this.specs = specs;
  }

  /** @param {string} name of the resource or function, and of its file */
  typescript(name) {
    const file = path.join(this.root, "examples", "reference", `${name}.ts`);
    if (!fs.existsSync(file))
      throw new SetupFailure(`${name} has no example: examples/reference/${name}.ts is missing.`);
    return fs.readFileSync(file, "utf8").trimEnd();
  }

  /** @param {string} name @returns {Translations} */
  translations(name) {
    const file = `examples/reference/${name}.ts`;
    const example = new ExampleProgram(this.ts, file, this.typescript(name));
    if (this.#isGate(name)) example.waitFor(name);
    const { program } = example;
    const { stringify } = require(path.join(this.root, "node_modules", "yaml"));
    const specOf = this.#specOf.bind(this);
    return {
      python: pythonProgram(program, specOf),
      go: goProgram(program, specOf, (resource) => tokenOf(resource) in this.specs.resources),
      yaml: yamlProgram(program, (value) => stringify(value, { lineWidth: 0 })),
    };
  }

  /**
   * A description with its example behind it, in the form that Pulumi's documentation and SDKs read.
   * @param {string} name
   * @param {string} description
   */
  describe(name, description) {
    const { python, go, yaml } = this.translations(name);
    const typescript = this.typescript(name);
    return [
      description,
      "{{% examples %}}",
      "## Example Usage",
      "{{% example %}}",
      block(
        "typescript",
        typescript.replaceAll('"pulumi-monitoring-service"', '"pulumi-monitoring-service/native"'),
      ),
      block("python", python),
      block("go", go),
      block("yaml", yaml),
      "{{% /example %}}",
      "{{% /examples %}}",
    ].join("\n\n");
  }

  /** Whether it is a component for which other resources wait. @param {string} name */
  #isGate(name) {
    const classes = fs
      .readFileSync(path.join(this.root, "sdk", "components.ts"), "utf8")
      .split("\nexport class ");
    return classes.some((text) => text.startsWith(`${name} `) && text.includes("registerGate(this)"));
  }

  /** A named type, or the arguments of a resource or function. @param {string} name @returns {ObjectSpec} */
  #specOf(name) {
    const { resources, functions, types } = this.specs;
    const token = tokenOf(name);
    const { inputProperties } = resources[token] ?? {};
    if (inputProperties) return { properties: inputProperties };
    const type = types[token];
    return functions[token]?.inputs ?? (type && "properties" in type ? type : {});
  }
}

module.exports = { LanguageExamples };
