const path = require("node:path");
const { block, code, page } = require("../model/markdown");
const { defaultsOf, resourceFacts } = require("../model/facts");

/**
 * @typedef {import("../model/sources").TsSymbol} TsSymbol
 * @typedef {import("../model/facts").ArgumentFacts} Facts
 * @typedef {import("../../../provider/api/operations").Operation} Operation
 * @typedef {object} Context
 * @property {string} root
 * @property {import("../model/sources").Sources} sources
 * @property {import("./typeSections").TypeSections} types
 * @property {readonly Operation[]} operations
 * @property {(name: string) => string[]} exampleOf the section with the program of an object
 */

const sdk = "sdk/index.ts";
const native = "sdk/native.ts";

const requestsOfReading =
  "`pulumi preview` and `pulumi up` send it for a resource that is new or changed. `pulumi refresh` sends it for each " +
  "resource. Nothing else sends a request.";
const requestsOfPosting =
  "`pulumi up` that creates the resource reads the incident, and posts the update unless it exists. A preview of that reads " +
  "it, too. `pulumi refresh` reads it once for all its updates. Nothing else sends a request.";

/** The page of a resource or a component. @param {Context} context @param {TsSymbol} symbol */
function classPage(context, symbol) {
  const { root, sources, types, exampleOf } = context;
  const { name } = symbol;
  /** @type {{lifecycles: Record<string, import("../../../provider/lifecycles/lifecycle").Lifecycle>}} */
  const { lifecycles } = require(path.join(root, "dist", "provider", "lifecycles"));
  const lifecycle = lifecycles[name];
  const args = sources.exportOf(sdk, `${name}Args`);
  const facts = lifecycle && resourceFacts(root, name);
  const members = sources.membersOf(args);
  const [intro, outputs] = outputsOf(context, symbol, lifecycle, members);
  const requests = lifecycle?.readsOnly ? requestsOfReading : requestsOfPosting;
  return page(
    `# ${name}`,
    sources.doc(symbol),
    ...exampleOf(name),
    "## Arguments",
    lifecycle ? "" : sources.doc(args),
    argumentList(sources, types, members, args.name, { factsOf: facts }),
    outputs && "## Outputs",
    intro,
    outputs,
    ...staticSections(context, symbol),
    ...errorSection(context, symbol),
    ...requestSection(context, symbol),
    lifecycle ? requests : "",
    ...typeSection(context),
  );
}

/**
 * The outputs of a class, without those that its arguments or its data source describe in the same words.
 * @param {Context} context
 * @param {TsSymbol} symbol
 * @param {import("../../../provider/lifecycles/lifecycle").Lifecycle | undefined} lifecycle missing for a component
 * @param {readonly TsSymbol[]} args
 * @returns {[intro: string, list: string]}
 */
function outputsOf({ sources, types }, symbol, lifecycle, args) {
  const { name } = symbol;
  const all = sources.outputsOf(symbol);
  if (!lifecycle) return ["", types.memberList(all, name)];
  const others = all.filter((output) => args.every((arg) => arg.name !== output.name));
  const reader = lifecycle.readsOnly && sources.exportOf(sdk, `get${name}`);
  if (!reader) return ["Each argument, as declared, and:", types.memberList(others, name)];
  const fields = sources.membersOfType(sources.resultOf(reader));
  const lines = new Set(types.memberList(fields, reader.name).split("\n"));
  const own = others.filter((output) => !lines.has(types.memberList([output], name)));
  return [
    `Each argument, as declared, the fields of [the result of ${code(reader.name)}](${reader.name}.md#result), and:`,
    types.memberList(own, name),
  ];
}

/** The page of the provider that only the plugin has. @param {Context} context */
function providerPage(context) {
  const { root, sources, types } = context;
  const symbol = sources.exportOf(native, "Provider");
  const args = sources.exportOf(native, "ProviderArgs");
  const { accountHeader, timeoutMs, deadlineMs } = defaultsOf(root);
  return page(
    "# Provider",
    sources.doc(symbol),
    "Import it from `pulumi-monitoring-service/native`. In YAML, its type is `pulumi:providers:monitoring`. See " +
      "[several accounts](../guides/several-accounts.md#a-provider-for-each-account), and [an " +
      "example](../../examples/several-accounts/index.ts).",
    "## Arguments",
    sources.doc(args),
    argumentList(sources, types, sources.membersOf(args), args.name, {
      defaults: { accountHeader, timeoutMs, deadlineMs },
    }),
    ...errorSection(context, symbol),
    ...typeSection(context),
  );
}

/** @param {Context} context @param {TsSymbol} symbol */
function dataSourcePage(context, symbol) {
  const { sources, types, exampleOf } = context;
  const { name } = symbol;
  const title = name.charAt(0).toUpperCase() + name.slice(1);
  const args = sources.exportOf(sdk, `${title}Args`);
  const members = sources.membersOf(args);
  const onlyInOutput = sources
    .membersOf(sources.exportOf(sdk, `${title}OutputArgs`))
    .filter((member) => members.every((arg) => arg.name !== member.name));
  return page(
    `# ${name}`,
    sources.doc(symbol),
    ...exampleOf(name),
    "## Arguments",
    sources.doc(args),
    argumentList(sources, types, members, args.name),
    onlyInOutput.length === 0 ? "" : `${code(`${name}Output`)} also takes:`,
    argumentList(sources, types, onlyInOutput, `${title}OutputArgs`),
    "## Result",
    types.memberList(sources.membersOfType(sources.resultOf(symbol)), `${title}Result`),
    ...errorSection(context, symbol),
    ...requestSection(context, symbol),
    ...typeSection(context),
  );
}

/** @param {Context} context @param {TsSymbol} symbol */
function staticSections({ sources }, symbol) {
  const statics = sources
    .membersOfType(sources.checker.getTypeOfSymbol(symbol))
    .filter((member) => sources.isMethod(member) && sources.fileOf(member).startsWith("sdk/"));
  return statics.flatMap((member) => {
    const title = `${symbol.name}.${member.name}`;
    return [
      `## ${title}`,
      sources.doc(member, title),
      block("ts", `${symbol.name}.${sources.signatureOf(member)}`),
      sources.parametersOf(member),
    ];
  });
}

/** @param {Context} context @param {TsSymbol} symbol */
function errorSection({ sources }, symbol) {
  const specific = sources.throwsOf(symbol).map(({ error, when }) => {
    if (!sources.exportsOf(sdk).has(error))
      sources.mistakes.push(`${symbol.name} throws ${error}, which is not exported`);
    return `- ${code(error)}: ${when}`;
  });
  return specific.length === 0 ? [] : ["## Errors", specific.join("\n")];
}

/** The requests of the operations that a doc comment names. @param {Context} context @param {TsSymbol} symbol */
function requestSection({ sources, operations }, symbol) {
  const doc = sources.doc(symbol);
  const named = operations.filter(({ name }) => doc.includes(`operation \`${name}\``));
  if (named.length === 0) sources.mistakes.push(`${symbol.name} doesn't name the operations that it uses`);
  return ["## Requests", named.map(({ method, path }) => `- ${code(`${method} ${path}`)}`).join("\n")];
}

/** The types that this page is the first to name. @param {Context} context */
function typeSection({ types }) {
  const sections = types.sections();
  return sections.length === 0 ? [] : ["## Types", ...sections];
}

const defaultIn = /\s*Default: (.+?)\.(?=\s|$)/s;

/**
 * The arguments, as a list.
 * @param {import("../model/sources").Sources} sources
 * @param {import("./typeSections").TypeSections} types
 * @param {readonly TsSymbol[]} members
 * @param {string} owner names it in a mistake
 * @param {object} [known] to verify the doc comments
 * @param {(argument: string) => Facts | undefined} [known.factsOf] how the lifecycle treats an argument
 * @param {Readonly<Record<string, unknown>>} [known.defaults] of the code
 */
function argumentList(sources, types, members, owner, { factsOf, defaults = {} } = {}) {
  const items = members.map((member) => {
    const title = `${owner}.${member.name}`;
    const doc = sources.doc(member, title);
    const isRequired = !sources.isOptional(member);
    const preset = defaultIn.exec(doc)?.[1];
    const facts = factsOf?.(member.name);
    if (factsOf) sources.mistakes.push(...contradictions(title, { isRequired, preset }, facts));
    const usual = defaults[member.name];
    if (usual !== undefined && !says(preset, usual))
      sources.mistakes.push(`${title} has the default ${written(usual)}, which its doc comment doesn't say`);
    const notes = [
      types.ofMember(member),
      isRequired ? "required" : preset && `default: ${shown(preset)}`,
      facts?.replaces && "replaces",
      facts?.isSecret && "may be a secret",
    ];
    const text = doc.replace(defaultIn, "").replace(/\s+/g, " ");
    return `- ${code(member.name)} (${notes.filter(Boolean).join("; ")}): ${text}`;
  });
  return items.join("\n");
}

/** @param {string} preset */
const shown = (preset) => (/^(true|false|\d+)$/.test(preset) ? code(preset) : preset);

/** A default as doc comments write it. @param {unknown} value */
function written(value) {
  if (typeof value === "number") return value.toLocaleString("en");
  return typeof value === "string" ? code(value) : String(value);
}

/** Whether a doc comment says this default, alone or after an environment variable. @param {string | undefined} preset @param {unknown} value */
const says = (preset, value) => preset?.replace(/^`MONITORING_\w+`, otherwise /, "") === written(value);

/**
 * The differences between the documentation of an argument and its lifecycle.
 * @param {string} title
 * @param {{isRequired: boolean, preset: string | undefined}} documented
 * @param {Facts | undefined} facts
 */
function contradictions(title, { isRequired, preset }, facts) {
  if (facts === undefined) return [`${title} is not known to its lifecycle`];
  const wrong = [];
  if (isRequired !== facts.isRequired)
    wrong.push(`${title} is ${facts.isRequired ? "" : "not "}required by its lifecycle`);
  if (facts.preset !== undefined && preset?.replaceAll("`", "") !== String(facts.preset)) {
    wrong.push(`${title} has the default ${String(facts.preset)}, which its doc comment doesn't say`);
  }
  return wrong;
}

module.exports = { classPage, dataSourcePage, providerPage };
