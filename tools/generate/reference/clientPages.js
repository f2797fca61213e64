const { argumentTable } = require("./argumentTables");
const { defaultsOf } = require("../model/facts");
const { anchor, block, code, page } = require("../model/markdown");
const { TypeSections } = require("./typeSections");

/** @typedef {import("../model/sources").TsSymbol} TsSymbol */

/**
 * @param {import("../model/sources").Sources} sources
 * @param {import("./operations").Operations} operations
 * @param {string} example a program
 */
function clientPage(sources, operations, example) {
  const file = "provider/client/index.ts";
  const types = new TypeSections(sources, "", file);
  const client = sources.exportOf(file, "MonitoringClient");
  const options = sources.exportOf(file, "ClientOptions");
  const methods = sources.membersOf(client);
  const sections = operations.all.map(({ name, method, path }) => {
    const symbol = methods.find((member) => member.name === name);
    if (!symbol) throw new Error(`MonitoringClient has no method ${name}.`);
    return page(
      `### ${name}`,
      sources.doc(symbol),
      block("ts", sources.signatureOf(symbol)),
      sources
        .throwsOf(symbol)
        .map(({ error, when }) => `Fails with ${code(error)} ${when}`)
        .join("\n\n"),
      `Sends ${code(`${method} ${path}`)}.`,
      typesIn(types, sources, symbol),
    ).trimEnd();
  });
  return page(
    "# MonitoringClient",
    sources.doc(client),
    "Import it from `pulumi-monitoring-service/client`. It doesn't need Pulumi.",
    "## Example",
    block("ts", example),
    "## Options",
    sources.doc(options),
    argumentTable(sources, types, sources.membersOf(options), options.name, {
      defaults: defaultsOf(sources.root),
    }),
    "Each request carries `Authorization: Bearer <apiKey>` and, with `accountId`, the header that `accountHeader` names.",
    "## Operations",
    ...sections,
    "## Errors",
    "See [errors](errors.md).",
    "## Objects",
    ...types.sections().map((section) => section.replace(/^## /, "### ")),
  );
}

/** Links to the types of parameters and result. @param {TypeSections} types @param {import("../model/sources").Sources} sources @param {TsSymbol} method */
function typesIn(types, sources, method) {
  const links = sources.typesNamedBy(method).map((symbol) => types.link(symbol));
  return links.length === 0 ? "" : `See ${links.join(", ")}.`;
}

/** @param {import("../model/sources").Sources} sources @param {TypeSections} types */
function errorsPage(sources, types) {
  const exported = [...sources.exportsOf("sdk/index.ts").values()];
  const classes = exported.filter((symbol) => sources.isClass(symbol) && symbol.name.endsWith("Error"));
  const sections = classes.map((symbol) => {
    const [parent, between] = ancestryOf(sources, symbol, classes);
    const own = sources
      .membersOf(symbol)
      .filter((member) => [symbol, ...between].some((owner) => sources.isDeclaredBy(member, owner)))
      .filter((member) => member.name !== "name" && !sources.isHidden(member));
    return page(
      `## ${symbol.name}`,
      sources.doc(symbol),
      parent ? `Extends [${code(parent.name)}](#${anchor(parent.name)}).` : "",
      types.memberTable("Field", own, symbol.name, (member) => types.asText(member)),
    ).trimEnd();
  });
  return page(
    "# Errors",
    "A failed call or run throws one of these classes. Import them from `pulumi-monitoring-service`; those of the " +
      "client are also in `pulumi-monitoring-service/client`. Invalid rules throw `RulesError` " +
      "(`pulumi-monitoring-service/audit`), and invalid input of the sandbox throws `SandboxError` " +
      "(`pulumi-monitoring-service/sandbox`). The message names the operation, the object, the service's message and " +
      "what to do next. It never contains a key, a request or a stack trace. " +
      "`isMonitoringError(error)` recognizes these errors, even those of another copy of the package. `pulumi up` shows " +
      "only the message. See [troubleshooting](../guides/troubleshooting.md) for what to do about each message.",
    ...sections,
  );
}

/**
 * The class on this page that a class extends, if any, and the unexported classes between the two.
 * @param {import("../model/sources").Sources} sources
 * @param {TsSymbol} symbol
 * @param {readonly TsSymbol[]} classes on this page
 * @returns {[TsSymbol | undefined, TsSymbol[]]}
 */
function ancestryOf(sources, symbol, classes) {
  const parent = sources.parentOf(symbol);
  if (!parent || !sources.isClass(parent)) return [undefined, []];
  if (classes.includes(parent)) return [parent, []];
  const [further, between] = ancestryOf(sources, parent, classes);
  return [further, [parent, ...between]];
}

module.exports = { clientPage, errorsPage };
