const path = require("node:path");
const { argumentTable } = require("./argumentTables");
const { anchor, block, code, page } = require("../model/markdown");
const { defaultsOf, resourceFacts } = require("../model/facts");

/**
 * @typedef {import("../model/sources").TsSymbol} TsSymbol
 * @typedef {object} Context
 * @property {string} root
 * @property {import("../model/sources").Sources} sources
 * @property {import("./typeSections").TypeSections} types
 * @property {import("./examples").Examples} examples
 * @property {import("./operations").Operations} operations
 */

const sdk = "sdk/index.ts";
const native = "sdk/native.ts";

const argumentsOfResource =
  "Each argument accepts a plain value or an output. If an argument is a secret, the output of the same name is a " +
  "secret, too. `Replaces`: whether a change replaces the resource. `Secret`: whether the argument may be a " +
  "secret; messages then never show it.";
const requestsOfReading =
  "`pulumi preview` and `pulumi up` send it for a resource that is new or changed. `pulumi refresh` sends it for each " +
  "resource. Nothing else sends a request.";
const requestsOfPosting =
  "`pulumi up` that creates the resource reads the incident, and posts the update unless it exists. A preview of that reads " +
  "it, too. `pulumi refresh` reads it once for all its updates. Nothing else sends a request.";

/** The page of a resource or a component. @param {Context} context @param {TsSymbol} symbol */
function classPage(context, symbol) {
  const { root, sources, types, examples } = context;
  const { name } = symbol;
  /** @type {{lifecycles: Record<string, import("../../../provider/lifecycles/lifecycle").Lifecycle>}} */
  const { lifecycles } = require(path.join(root, "dist", "provider", "lifecycles"));
  const lifecycle = lifecycles[name];
  const args = sources.exportOf(sdk, `${name}Args`);
  const facts = lifecycle && resourceFacts(root, name);
  const outputs = types.memberTable("Output", sources.outputsOf(symbol), name);
  const requests = lifecycle?.readsOnly ? requestsOfReading : requestsOfPosting;
  return page(
    `# ${name}`,
    sources.doc(symbol),
    ...examples.section(name),
    "## Arguments",
    lifecycle ? argumentsOfResource : sources.doc(args),
    argumentTable(sources, types, sources.membersOf(args), args.name, { factsOf: facts }),
    outputs && "## Outputs",
    outputs,
    ...staticSections(context, symbol),
    ...errorSection(context, symbol),
    ...requestSection(context, symbol),
    lifecycle ? requests : "",
  );
}

/** The page of the provider that only the plugin has. @param {Context} context @param {string} example a program */
function providerPage(context, example) {
  const { root, sources, types } = context;
  const symbol = sources.exportOf(native, "Provider");
  const args = sources.exportOf(native, "ProviderArgs");
  const { accountHeader, timeoutMs, deadlineMs } = defaultsOf(root);
  return page(
    "# Provider",
    sources.doc(symbol),
    "Import it from `pulumi-monitoring-service/native`. In YAML, its type is `pulumi:providers:monitoring`. See " +
      "[several accounts](../guides/several-accounts.md#a-provider-for-each-account).",
    "## Example",
    "This is [examples/several-accounts](../../examples/several-accounts/README.md):",
    block("ts", example),
    "## Arguments",
    sources.doc(args),
    argumentTable(sources, types, sources.membersOf(args), args.name, {
      defaults: { accountHeader, timeoutMs, deadlineMs },
    }),
    ...errorSection(context, symbol),
  );
}

/** @param {Context} context @param {TsSymbol} symbol */
function dataSourcePage(context, symbol) {
  const { sources, types, examples } = context;
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
    `${code(`${name}(args)`)} returns a promise. ${code(`${name}Output(args)`)} returns an output, and also accepts ` +
      "outputs as arguments. Identical reads in one program share one request.",
    ...examples.section(name),
    "## Arguments",
    sources.doc(args),
    argumentTable(sources, types, members, args.name),
    onlyInOutput.length === 0 ? "" : `${code(`${name}Output`)} also takes:`,
    argumentTable(sources, types, onlyInOutput, `${title}OutputArgs`),
    "## Result",
    types.memberTable("Field", sources.membersOfType(sources.resultOf(symbol)), `${title}Result`),
    ...errorSection(context, symbol),
    ...requestSection(context, symbol),
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
    return `- [${code(error)}](errors.md#${anchor(error)}): ${when}`;
  });
  const general =
    "Failed requests throw one of the [errors](errors.md) of the client; see [troubleshooting](../guides/troubleshooting.md).";
  return ["## Errors", specific.join("\n"), general];
}

/** The requests of the operations that a doc comment names. @param {Context} context @param {TsSymbol} symbol */
function requestSection({ sources, operations }, symbol) {
  const named = operations.namedIn(sources.doc(symbol), symbol.name);
  return ["## Requests", named.map(({ method, path }) => `- ${code(`${method} ${path}`)}`).join("\n")];
}

module.exports = { classPage, dataSourcePage, providerPage };
