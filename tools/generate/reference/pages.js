const fs = require("node:fs");
const path = require("node:path");
const { packageSpec } = require("../schema/package");
const { SetupFailure } = require("../../setup/failure");
const { clientPage, errorsPage } = require("./clientPages");
const { commandPages } = require("./commandPages");
const { exampleOutputs } = require("./exampleOutputs");
const { Examples } = require("./examples");
const { languagesSection } = require("./languagesSection");
const { code, firstSentence, page } = require("../model/markdown");
const { classPage, dataSourcePage, providerPage } = require("./objectPages");
const { Operations } = require("./operations");
const { RulePages } = require("./rulePages");
const { TypeSections } = require("./typeSections");

/**
 * @typedef {import("../../../sandbox").Sandbox} Sandbox
 * @typedef {import("../model/sources").TsSymbol} TsSymbol
 */

/** The time for all ages on the pages, so that they don't change by themselves. */
const now = new Date("2026-11-20T00:00:00Z");

/**
 * The pages of the reference, by their file names.
 * @param {string} root
 * @returns {Promise<Map<string, string>>}
 * @throws {SetupFailure} lists each missing or wrong doc comment
 */
async function makePages(root) {
  const { connectTo, seedData, startSandbox } = require(path.join(root, "dist", "sandbox"));
  /** @type {Sandbox} */
  const sandbox = await startSandbox({ seed: seedData({ now }), ids: "honoured" });
  connectTo(sandbox);
  try {
    const outputs = await exampleOutputs(root, now, programsIn(path.join(root, "examples", "reference")));
    const reference = new Reference(root, sandbox, outputs);
    reference.addObjects();
    await reference.addCommands();
    reference.addCode();
    reference.addRules();
    return reference.finished();
  } finally {
    await sandbox.close();
  }
}

/** The Pulumi programs in a folder, by name. @param {string} folder */
function programsIn(folder) {
  const files = fs.readdirSync(folder).filter((file) => file.endsWith(".ts"));
  const programs = files.map((file) => ({
    name: path.basename(file, ".ts"),
    text: fs.readFileSync(path.join(folder, file), "utf8"),
  }));
  const declared = programs.filter(({ text }) => text.includes('"pulumi-monitoring-service";'));
  return new Map(declared.map(({ name, text }) => [name, text]));
}

/** @typedef {{name: string, file: string, doc: string}} Entry of the index */

class Reference {
  /** @type {Map<string, string>} */
  #pages = new Map();
  /** @type {Map<string, Entry[]>} */
  #index = new Map();

  /** @param {string} root @param {Sandbox} sandbox @param {Record<string, import("./exampleOutputs").Outputs>} outputs */
  constructor(root, sandbox, outputs) {
    this.root = root;
    this.sandbox = sandbox;
    const { specs, sources } = packageSpec(root);
    this.sources = sources;
    this.types = new TypeSections(this.sources, "types.md", "sdk/index.ts");
    this.operations = new Operations(root, this.sources);
    this.examples = new Examples(root, sources.ts, specs, outputs);
    this.rules = new RulePages(root);
  }

  /** A page for each resource, component and data source that a program can import. */
  addObjects() {
    const { sources } = this;
    const exported = [...sources.exportsOf("sdk/index.ts").values()].sort((a, b) =>
      a.name < b.name ? -1 : 1,
    );
    /** @param {string[]} files */
    const classesIn = (...files) =>
      exported.filter(
        (symbol) =>
          sources.isClass(symbol) && files.includes(sources.fileOf(symbol)) && !symbol.name.endsWith("Error"),
      );
    const readers = exported.filter(
      (symbol) => sources.isFunction(symbol) && /^get(?!.*Output$)/.test(symbol.name),
    );
    this.#addEach("Resources", classesIn("sdk/IncidentUpdate.ts", "sdk/observed.ts"), (symbol) =>
      classPage(this, symbol),
    );
    this.#addEach("Explicit providers", [sources.exportOf("sdk/native.ts", "Provider")], () =>
      providerPage(this, this.#example("several-accounts/index.ts")),
    );
    this.#addEach("Components", classesIn("sdk/components.ts"), (symbol) => classPage(this, symbol));
    this.#addEach("Data sources", readers, (symbol) => dataSourcePage(this, symbol));
  }

  async addCommands() {
    for (const { text, ...entry } of await commandPages(this.sandbox)) this.#add("Commands", entry, text);
  }

  addCode() {
    const { sources, operations, types } = this;
    this.#add(
      "Code",
      {
        name: "MonitoringClient",
        file: "client.md",
        doc: "A client for the operations of the service, without Pulumi.",
      },
      clientPage(sources, operations, this.#example("reference/MonitoringClient.ts")),
    );
    this.#add(
      "Code",
      { name: "Errors", file: "errors.md", doc: "Errors that a call or a run can throw." },
      errorsPage(sources, types),
    );
    const doc = "The types of arguments, outputs and results.";
    const names = "Field names are those of TypeScript and YAML; see [languages](README.md#languages).";
    this.#add(
      "Code",
      { name: "Types", file: "types.md", doc },
      page("# Types", doc, names, ...types.sections()),
    );
  }

  addRules() {
    for (const { id, title, text } of this.rules.pages()) {
      this.#add("Audit rules", { name: id, file: `rules/${id}.md`, doc: `${title}.` }, text);
    }
  }

  /** All pages with their index. */
  finished() {
    const mistakes = new Set(this.sources.mistakes);
    if (mistakes.size > 0) throw new SetupFailure([...mistakes].join("\n"));
    const pages = [...this.#pages, /** @type {const} */ (["README.md", this.#indexPage()])];
    return new Map(
      pages.map(([name, text]) => {
        const contract = name.includes("/") ? "../../openapi.yaml" : "../openapi.yaml";
        return [name, text.replace(/operation `\w+`/g, `[$&](${contract})`)];
      }),
    );
  }

  /**
   * @param {string} group
   * @param {readonly TsSymbol[]} symbols
   * @param {(symbol: TsSymbol) => string} make
   */
  #addEach(group, symbols, make) {
    for (const symbol of symbols) {
      const entry = { name: symbol.name, file: `${symbol.name}.md`, doc: this.sources.doc(symbol) };
      this.#add(group, entry, make(symbol));
    }
  }

  /** @param {string} group @param {Entry} entry @param {string} text */
  #add(group, entry, text) {
    this.#pages.set(entry.file, text);
    this.#index.set(group, [...(this.#index.get(group) ?? []), entry]);
  }

  /** @param {string} file in the folder of the examples */
  #example(file) {
    return fs.readFileSync(path.join(this.root, "examples", file), "utf8");
  }

  #indexPage() {
    const sections = [...this.#index].flatMap(([group, entries]) => [
      `## ${group}`,
      entries.map(({ name, file, doc }) => `- [${code(name)}](${file}): ${firstSentence(doc)}`).join("\n"),
    ]);
    return page(
      "# Reference",
      "Generated by `npm run update` from the code's doc comments, rules and commands. Don't edit these pages.",
      ...languagesSection(),
      ...sections,
      this.rules.afterword(),
    );
  }
}

module.exports = { makePages };
