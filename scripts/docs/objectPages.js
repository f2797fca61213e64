"use strict";

const { argumentTable } = require("./arguments");
const { anchor, block, code, page, table } = require("./markdown");
const { factsOf } = require("./facts");

/**
 * @typedef {import("./sources").TsSymbol} TsSymbol
 * @typedef {import("./requests").Sent} Sent
 * @typedef {object} Workshop what the pages are made from
 * @property {string} root
 * @property {import("./sources").Sources} sources
 * @property {import("./types").TypeBook} types
 * @property {import("./examples").Examples} examples
 * @property {import("./requests").Requests} requests
 * @property {import("./operations").Operations} operations
 */

/** @param {Workshop} shop @param {TsSymbol} symbol */
async function resourcePage(shop, symbol) {
  const { sources, types, examples, requests } = shop;
  const { name } = symbol;
  const phases = await requests.ofResource(name);
  return page(
    `# ${name}`,
    sources.doc(symbol),
    ...examples.section(name),
    "## Arguments",
    "Each takes a value, or an output of another resource. An output of this resource is a secret when the argument " +
      "of the same name is one. Under `Replaces`: whether another value makes it another resource. Under `Secret`: " +
      "whether it may be one, so that no message ever shows it.",
    argumentTable(sources, types, membersOf(shop, `${name}Args`), `${name}Args`, factsOf(shop.root, name)),
    "## Outputs",
    outputTable(shop, symbol),
    ...staticSections(shop, symbol),
    ...errorSection(shop, symbol),
    "## What is sent to the service",
    table(
      ["When", "Requests"],
      phases.map(({ when, sent }) => [when, requestsIn(sent)]),
    ),
    ...bodies(phases.flatMap(({ sent }) => sent)),
  );
}

/** @param {Workshop} shop @param {TsSymbol} symbol */
function componentPage(shop, symbol) {
  const { sources, types, examples, operations } = shop;
  const { name } = symbol;
  const doc = sources.doc(symbol);
  return page(
    `# ${name}`,
    doc,
    ...examples.section(name),
    "## Arguments",
    sources.doc(exported(shop, `${name}Args`)),
    argumentTable(sources, types, membersOf(shop, `${name}Args`), `${name}Args`),
    outputTable(shop, symbol) === "" ? "" : "## Outputs",
    outputTable(shop, symbol),
    ...errorSection(shop, symbol),
    "## What is sent to the service",
    operations
      .namedIn(doc, name)
      .map(({ method, path }) => `- ${code(`${method} ${path}`)}`)
      .join("\n"),
  );
}

/** @param {Workshop} shop @param {TsSymbol} symbol */
async function dataSourcePage(shop, symbol) {
  const { sources, types, examples, requests } = shop;
  const { name } = symbol;
  const title = name.charAt(0).toUpperCase() + name.slice(1);
  const args = membersOf(shop, `${title}Args`);
  const onlyInOutput = membersOf(shop, `${title}OutputArgs`).filter((member) =>
    args.every((arg) => arg.name !== member.name),
  );
  const [result] = sources.checker
    .getTypeOfSymbol(symbol)
    .getCallSignatures()
    .map((signature) => resultOf(shop, signature));
  if (!result) throw new Error(`${name} gives nothing.`);
  return page(
    `# ${name}`,
    sources.doc(symbol),
    `${code(`${name}(args)`)} gives a promise. ${code(`${name}Output(args)`)} gives an output, and takes outputs as ` +
      "arguments, too. Equal reads of one program are one request.",
    ...examples.section(name),
    "## Arguments",
    sources.doc(exported(shop, `${title}Args`)),
    argumentTable(sources, types, args, `${title}Args`),
    onlyInOutput.length === 0 ? "" : `${code(`${name}Output`)} also takes:`,
    argumentTable(sources, types, onlyInOutput, `${title}OutputArgs`),
    "## Result",
    types.fields(result, `${title}Result`),
    ...errorSection(shop, symbol),
    "## What is sent to the service",
    requestList(await requests.ofDataSource(name)),
  );
}

/** What a promise of this function resolves to. @param {Workshop} shop @param {import("typescript").Signature} signature */
function resultOf({ sources: { checker } }, signature) {
  const awaited = checker.getAwaitedType(checker.getReturnTypeOfSignature(signature));
  if (!awaited) throw new Error("It gives no promise.");
  return awaited;
}

/** @param {Workshop} shop @param {string} name */
function exported({ sources }, name) {
  const symbol = sources.exportsOf("sdk/index.ts").get(name);
  if (!symbol) throw new Error(`sdk/index.ts doesn't export ${name}.`);
  return symbol;
}

/** @param {Workshop} shop @param {string} name of an exported interface */
function membersOf(shop, name) {
  return shop.sources.membersOf(shop.sources.typeOf(exported(shop, name)));
}

/** The outputs that this package declares, without those that each resource of Pulumi has. @param {Workshop} shop @param {TsSymbol} symbol */
function outputTable({ sources, types }, symbol) {
  const own = sources
    .membersOf(sources.typeOf(symbol))
    .filter((member) => sources.roomOf(member).startsWith("sdk/") && !sources.isHidden(member));
  const rows = own.map((member) => [
    code(member.name),
    types.ofMember(member),
    sources.doc(member, `${symbol.name}.${member.name}`),
  ]);
  return table(["Output", "Type", "What it is"], rows);
}

/** @param {Workshop} shop @param {TsSymbol} symbol */
function staticSections({ sources }, symbol) {
  const statics = sources
    .membersOf(sources.checker.getTypeOfSymbol(symbol))
    .filter((member) => sources.isMethod(member) && sources.roomOf(member).startsWith("sdk/"));
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

/** @param {Workshop} shop @param {TsSymbol} symbol */
function errorSection({ sources }, symbol) {
  const specific = sources.throwsOf(symbol).map(({ error, when }) => {
    if (!sources.exportsOf("sdk/index.ts").has(error))
      sources.mistakes.push(`${symbol.name} throws ${error}, which is not exported`);
    return `- [${code(error)}](errors.md#${anchor(error)}): ${when}`;
  });
  const general =
    "Whatever keeps a request from its answer is an error of its own: [all of them](errors.md), and [what to do](../guides/troubleshooting.md).";
  return ["## Errors", specific.join("\n"), general];
}

/** @param {Sent[]} sent */
function requestsIn(sent) {
  return sent.length === 0 ? "none" : sent.map(({ request }) => code(request)).join(", then ");
}

/** @param {Sent[]} sent */
function requestList(sent) {
  return [...new Set(sent.map(({ request }) => request))].map((request) => `- ${code(request)}`).join("\n");
}

/** @param {Sent[]} sent */
function bodies(sent) {
  return sent.flatMap(({ request, body }) =>
    body === null ? [] : [`The body of ${code(request)}:`, block("json", JSON.stringify(body, undefined, 2))],
  );
}

module.exports = { componentPage, dataSourcePage, resourcePage };
