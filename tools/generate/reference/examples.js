const { SetupFailure } = require("../../setup/failure");
const { LanguageExamples } = require("../examples/languageExamples");
const { block } = require("../model/markdown");

/** The programs of `examples/reference` in each language, and the outputs of those in TypeScript in the tests. */
class Examples {
  /**
   * @param {string} root
   * @param {import("../model/sources").TypeScript} ts
   * @param {import("../schema/pulumi").PackageSpec} specs
   * @param {Record<string, import("./exampleOutputs").Outputs>} outputs by name of the program
   */
  constructor(root, ts, specs, outputs) {
    this.outputs = outputs;
    this.programs = new LanguageExamples(root, ts, specs);
    this.specs = specs;
  }

  /** @param {string} name of the object, and of its file */
  section(name) {
    const link = `[examples/reference/${name}.ts](../../examples/reference/${name}.ts)`;
    return [
      "## Example",
      `This is ${link}. The tests run it on the real engine, against the sandbox.`,
      block("ts", this.programs.typescript(name)),
      ...this.translations(name),
      "The outputs of the program in TypeScript:",
      block("json", JSON.stringify(this.outputs[name], undefined, 2)),
    ];
  }

  /** The other languages. @param {string} name */
  translations(name) {
    const token = `monitoring:index:${name}`;
    if (!(token in this.specs.resources) && !(token in this.specs.functions))
      throw new SetupFailure(`The plugin lacks ${name}: see its checklist in CONTRIBUTING.md.`);
    const { python, go, yaml } = this.programs.translations(name);
    return [
      folded("Python", block("python", python)),
      folded("Go", block("go", go)),
      folded("YAML", block("yaml", yaml)),
    ];
  }
}

/** @param {string} title @param {string} text */
function folded(title, text) {
  return `<details>\n<summary>${title}</summary>\n\n${text}\n\n</details>`;
}

module.exports = { Examples };
