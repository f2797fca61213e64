const fs = require("node:fs");
const path = require("node:path");
const { compileFunction } = require("node:vm");
const { root } = require("../../setup");
const { SetupFailure } = require("../../setup/command");
const { block, code, firstSentence, page } = require("../model/markdown");
const { Sources } = require("../model/sources");
const { commandPages } = require("./commandPages");
const { TypeSections, classPage, dataSourcePage, providerPage } = require("./objectPages");
const { rulesPage } = require("./rulesPage");

/**
 * @typedef {import("../../../sandbox").Sandbox} Sandbox
 * @typedef {import("../model/sources").TsSymbol} TsSymbol
 * @typedef {{name: string, file: string, doc: string}} Entry of the index
 */

/** The time for all ages on the pages, so that they don't change by themselves. */
const now = new Date("2026-11-20T00:00:00Z");

/**
 * The pages of the reference, by their file names.
 * @returns {Promise<Map<string, string>>}
 * @throws {SetupFailure} lists each missing or wrong doc comment
 */
async function makePages() {
  const { connectTo, seedData, startSandbox } = require(path.join(root, "dist", "sandbox"));
  /** @type {Sandbox} */
  const sandbox = await startSandbox({ seed: seedData({ now }), ids: "honoured" });
  connectTo(sandbox);
  try {
    const programs = programsIn(path.join(root, "examples", "reference"));
    const reference = new Reference(programs, await exampleOutputs(programs));
    reference.addObjects();
    for (const { text, ...entry } of await commandPages(sandbox)) reference.add("Commands", entry, text);
    const doc = "What each rule finds, why, and how to fix it.";
    reference.add("Audit", { name: "Rules", file: "rules.md", doc }, rulesPage());
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

class Reference {
  /** @type {Map<string, string>} */
  #pages = new Map();
  /** @type {Map<string, Entry[]>} */
  #index = new Map();

  /**
   * @param {ReadonlyMap<string, string>} programs
   * @param {Record<string, Outputs>} outputs of the programs
   */
  constructor(programs, outputs) {
    this.programs = programs;
    this.outputs = outputs;
    this.sources = new Sources();
    this.types = new TypeSections(this.sources, "sdk/index.ts");
    /** @type {{operations: Record<string, import("../../../provider/api/operations").Operation>}} */
    const { operations } = require(path.join(root, "dist", "provider", "api"));
    this.operations = Object.values(operations);
    this.exampleOf = this.#exampleOf.bind(this);
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
    for (const reader of readers)
      this.types.describe(sources.resultOf(reader).symbol, `${reader.name}.md`, "Result");
    this.#addEach("Resources", classesIn("sdk/IncidentUpdate.ts", "sdk/observed.ts"), (symbol) =>
      classPage(this, symbol),
    );
    this.#addEach("Explicit providers", [sources.exportOf("sdk/native.ts", "Provider")], () =>
      providerPage(this),
    );
    this.#addEach("Components", classesIn("sdk/components.ts"), (symbol) => classPage(this, symbol));
    this.#addEach("Data sources", readers, (symbol) => dataSourcePage(this, symbol));
  }

  /** @param {string} group @param {Entry} entry @param {string} text */
  add(group, entry, text) {
    this.#pages.set(entry.file, text);
    this.#index.set(group, [...(this.#index.get(group) ?? []), entry]);
  }

  /** All pages with their index. */
  finished() {
    const mistakes = new Set(this.sources.mistakes);
    if (mistakes.size > 0) throw new SetupFailure([...mistakes].join("\n"));
    const pages = [...this.#pages, /** @type {const} */ (["README.md", this.#indexPage()])];
    return new Map(
      pages.map(([name, text]) => [name, text.replace(/operation `\w+`/g, "[$&](../openapi.yaml)")]),
    );
  }

  /** @param {string} group @param {readonly TsSymbol[]} symbols @param {(symbol: TsSymbol) => string} make */
  #addEach(group, symbols, make) {
    for (const symbol of symbols) {
      const entry = { name: symbol.name, file: `${symbol.name}.md`, doc: this.sources.doc(symbol) };
      this.types.turnTo(entry.file);
      this.add(group, entry, make(symbol));
    }
  }

  /** The section with the program of an object, and its outputs in the tests. @param {string} name */
  #exampleOf(name) {
    const file = `examples/reference/${name}.ts`;
    const program = this.programs.get(name);
    if (program === undefined) throw new SetupFailure(`${name} has no example: ${file} is missing.`);
    return [
      "## Example",
      block("ts", program),
      `Its outputs ([${name}.ts](../../${file})):`,
      block("json", JSON.stringify(this.outputs[name], undefined, 2)),
    ];
  }

  #indexPage() {
    const sections = [...this.#index].flatMap(([group, entries]) => [
      `## ${group}`,
      entries.map(({ name, file, doc }) => `- [${code(name)}](${file}): ${summaryOf(doc)}`).join("\n"),
    ]);
    return page(
      "# Reference",
      "Generated by `npm run docs` from the code's doc comments, rules and commands. Don't edit these pages. The tests run each " +
        "example against the sandbox.",
      "- Names are those of TypeScript; see [names in other languages](../guides/plugin.md#names-in-other-languages).\n" +
        "- An argument of a resource accepts a plain value or an output. The output of a secret is a secret, too. A change of one that " +
        "`replaces` replaces the resource. No error about an argument shows one that `may be a secret`.\n" +
        "- A data source such as `getIncident(args)` returns a promise. `getIncidentOutput(args)` returns an output, and accepts " +
        "outputs. Identical reads in one program share one request.\n" +
        "- Failed requests throw [errors of the client](../guides/client.md#errors).",
      ...sections,
    );
  }
}

/** The first sentence of a doc comment, without its operations. @param {string} doc */
const summaryOf = (doc) => firstSentence(doc).replace(/ \(operation [^)]*\)/, "");

/** @typedef {Record<string, unknown>} Outputs */

/**
 * Runs programs of `examples/reference` against the service that the environment names. In place of the engine, Pulumi's
 * mocks call the providers.
 * @param {ReadonlyMap<string, string>} programs in TypeScript, by name
 * @returns {Promise<Record<string, Outputs>>} what each exports
 */
async function exampleOutputs(programs) {
  /** @type {typeof import("@pulumi/pulumi")} */
  const pulumi = require(path.join(root, "node_modules", "@pulumi/pulumi"));
  await pulumi.runtime.setMocks({
    newResource: (resource) => created(resource),
    call: () => ({}),
  });
  /** @type {Record<string, Outputs>} */
  const exported = {};
  for (const [name, text] of programs)
    exported[name] = await new Promise((done) => pulumi.output(run(text)).apply(done));
  await pulumi.runtime.disconnect();
  /** @type {string[]} */
  const ids = [];
  return JSON.parse(JSON.stringify(exported), (_, value) => {
    if (typeof value !== "string") return value;
    if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) return [value, now.toISOString()].sort()[0];
    if (!ownId.test(value)) return value;
    if (!ids.includes(value)) ids.push(value);
    return `5b2f60c1-7d1e-5a04-9c3e-${String(ids.indexOf(value) + 1).padStart(12, "0")}`;
  });
}

/** An id that the client has made: of version 5. Those of the sandbox's data are of version 4. */
const ownId = /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f-]{21}$/;

/** What a program exports. @param {string} text @returns {Outputs} */
function run(text) {
  /** @type {typeof import("typescript")} */
  const ts = require(path.join(root, "node_modules", "typescript"));
  const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 };
  const { outputText } = ts.transpileModule(text, { compilerOptions });
  /** @type {Outputs} */
  const exported = {};
  compileFunction(outputText, ["require", "exports"])(
    () => require(path.join(root, "dist", "sdk")),
    exported,
  );
  return exported;
}

/** @param {import("@pulumi/pulumi").runtime.MockResourceArgs} resource */
async function created({ type, name, inputs }) {
  const [, kind = ""] = /^pulumi-nodejs:dynamic\/monitoring:(\w+)$/.exec(type) ?? [];
  /** @type {Record<string, typeof import("../../../provider/dynamic").IncidentUpdate>} */
  const { [kind]: provider } = require(path.join(root, "dist", "provider", "dynamic"));
  if (!provider) return { id: name, state: inputs };
  await provider.configure({ config: { get: () => undefined, require: () => "" } });
  const { inputs: checked = {}, failures = [] } = await provider.check({}, inputs);
  if (failures.length > 0) throw new Error(failures.map(({ reason }) => reason).join("\n"));
  const { id, outs = {} } = await provider.create(checked);
  return { id, state: outs };
}

module.exports = { makePages };
