const path = require("node:path");
const { argumentTable } = require("./argumentTables");
const { anchor, block, code, page } = require("../model/markdown");
const { resourceFacts } = require("../model/facts");
const { auditFunction } = require("../model/sources");

/**
 * @typedef {import("../model/sources").TsSymbol} TsSymbol
 * @typedef {object} Context
 * @property {string} root
 * @property {import("../model/sources").Sources} sources
 * @property {import("./typeBook").TypeBook} types
 * @property {import("./examples").Examples} examples
 * @property {import("./operations").Operations} operations
 */

const sdk = "sdk/index.ts";
const native = "sdk/native.ts";

const requestsOfReading =
  "`pulumi up` that creates or updates the resource sends it, and `pulumi refresh`. `pulumi preview` sends it only with the " +
  "native plugin, for a resource that it would create or update. Nothing else sends a request.";
const requestsOfPosting =
  "`pulumi up` that creates the resource reads the incident, and posts the update unless it exists. A preview of that reads " +
  "it, too. `pulumi refresh` reads it once for all its updates. Nothing else sends a request.";

/** @param {Context} context @param {TsSymbol} symbol */
function resourcePage(context, symbol) {
  const { sources, types, examples, operations } = context;
  const { name } = symbol;
  const doc = sources.doc(symbol);
  /** @type {{lifecycles: Record<string, import("../../provider/lifecycles/lifecycle").Lifecycle>}} */
  const { lifecycles } = require(path.join(context.root, "dist", "provider", "lifecycles"));
  return page(
    `# ${name}`,
    doc,
    ...examples.section(name),
    "## Arguments",
    "Each argument accepts a plain value or an output. If an argument is a secret, the output of the same name is a " +
      "secret, too. `Replaces`: whether a change replaces the resource. `Secret`: whether the argument may be a " +
      "secret; messages then never show it.",
    argumentTable(
      sources,
      types,
      membersOf(context, `${name}Args`),
      `${name}Args`,
      resourceFacts(context.root, name),
    ),
    "## Outputs",
    outputTable(context, symbol),
    ...staticSections(context, symbol),
    ...errorSection(context, symbol),
    "## Requests",
    operationList(operations, doc, name),
    lifecycles[name]?.readsOnly ? requestsOfReading : requestsOfPosting,
  );
}

/** @param {Context} context @param {TsSymbol} symbol */
function componentPage(context, symbol) {
  const { sources, types, examples, operations } = context;
  const { name } = symbol;
  const doc = sources.doc(symbol);
  return page(
    `# ${name}`,
    doc,
    ...examples.section(name),
    "## Arguments",
    sources.doc(sources.exportOf(sdk, `${name}Args`)),
    argumentTable(sources, types, membersOf(context, `${name}Args`), `${name}Args`),
    outputTable(context, symbol) === "" ? "" : "## Outputs",
    outputTable(context, symbol),
    ...errorSection(context, symbol),
    "## Requests",
    operationList(operations, doc, name),
  );
}

/** The page of the provider that only the plugin has. @param {Context} context @param {string} example a program */
function providerPage(context, example) {
  const { sources, types } = context;
  const symbol = sources.exportOf(native, "Provider");
  const args = sources.exportOf(native, "ProviderArgs");
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
    argumentTable(sources, types, sources.membersOf(sources.typeOf(args)), args.name),
    ...errorSection(context, symbol),
  );
}

/** @param {Context} context @param {TsSymbol} symbol */
function dataSourcePage(context, symbol) {
  const { sources, types, examples, operations } = context;
  const { name } = symbol;
  const title = name.charAt(0).toUpperCase() + name.slice(1);
  const args = membersOf(context, `${title}Args`);
  const onlyInOutput = membersOf(context, `${title}OutputArgs`).filter((member) =>
    args.every((arg) => arg.name !== member.name),
  );
  const [result] = sources.checker
    .getTypeOfSymbol(symbol)
    .getCallSignatures()
    .map((signature) => resultOf(context, signature));
  if (!result) throw new Error(`${name} is not a function.`);
  return page(
    `# ${name}`,
    sources.doc(symbol),
    `${code(`${name}(args)`)} returns a promise. ${code(`${name}Output(args)`)} returns an output, and also accepts ` +
      "outputs as arguments. Identical reads in one program share one request.",
    ...examples.section(name),
    "## Arguments",
    sources.doc(sources.exportOf(sdk, `${title}Args`)),
    argumentTable(sources, types, args, `${title}Args`),
    onlyInOutput.length === 0 ? "" : `${code(`${name}Output`)} also takes:`,
    argumentTable(sources, types, onlyInOutput, `${title}OutputArgs`),
    "## Result",
    types.memberTable("Field", sources.membersOf(result), `${title}Result`),
    ...errorSection(context, symbol),
    "## Requests",
    operationList(operations, sources.doc(symbol), name),
  );
}

/** The page of the function that only the plugin has. @param {Context} context */
function auditFunctionPage(context) {
  const { sources, types, examples, operations } = context;
  const symbol = sources.exportOf(auditFunction, "auditAlertChannels");
  const result = sources.typeOf(sources.exportOf(auditFunction, "AuditAlertChannelsResult"));
  const doc = sources.doc(symbol);
  return page(
    `# ${symbol.name}`,
    doc,
    "## Example",
    ...examples.translations(symbol.name),
    "## Arguments",
    sources.doc(sources.exportOf(sdk, "AlertChannelAuditArgs")),
    argumentTable(sources, types, membersOf(context, "AlertChannelAuditArgs"), "AlertChannelAuditArgs"),
    "## Result",
    types.memberTable("Field", sources.membersOf(result), result.symbol.name),
    "## Errors",
    "Invalid arguments or rules also fail an advisory audit, with an error that lists all problems.",
    "## Requests",
    operationList(operations, doc, symbol.name),
  );
}

/** The type that the promise of a function resolves to. @param {Context} context @param {import("typescript").Signature} signature */
function resultOf({ sources: { checker } }, signature) {
  const awaited = checker.getAwaitedType(checker.getReturnTypeOfSignature(signature));
  if (!awaited) throw new Error("It returns no promise.");
  return awaited;
}

/** @param {Context} context @param {string} name of an exported interface */
function membersOf({ sources }, name) {
  return sources.membersOf(sources.typeOf(sources.exportOf(sdk, name)));
}

/** The outputs that this package declares, without those of every Pulumi resource. @param {Context} context @param {TsSymbol} symbol */
function outputTable({ sources, types }, symbol) {
  const own = sources
    .membersOf(sources.typeOf(symbol))
    .filter((member) => sources.fileOf(member).startsWith("sdk/") && !sources.isHidden(member));
  return types.memberTable("Output", own, symbol.name);
}

/** @param {Context} context @param {TsSymbol} symbol */
function staticSections({ sources }, symbol) {
  const statics = sources
    .membersOf(sources.checker.getTypeOfSymbol(symbol))
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

/** The requests of the operations that a doc comment names. @param {Context["operations"]} operations @param {string} doc @param {string} name */
function operationList(operations, doc, name) {
  return operations
    .namedIn(doc, name)
    .map(({ method, path }) => `- ${code(`${method} ${path}`)}`)
    .join("\n");
}

module.exports = { auditFunctionPage, componentPage, dataSourcePage, providerPage, resourcePage };
