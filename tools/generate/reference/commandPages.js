const path = require("node:path");
const { root } = require("../../setup");
const { block, code, page, upperFirst } = require("../model/markdown");

/** Returns the page of each command, with its help and further sections. @returns {import("./pages").Page[]} */
function commandPages() {
  /** @type {typeof import("../../../cli/commands")} */
  const { commands } = require(path.join(root, "dist", "cli", "commands"));
  return Object.entries(commands).map(([name, { summary, help, page: further }]) => {
    const title = `monitoring ${name}`;
    const sections = [...further, ...(name === "sandbox" ? sandboxSections() : [])];
    const doc = `${upperFirst(summary)}.`;
    const text = page(`# ${title}`, doc, block("text", help), ...sections);
    return { group: "Commands", name: title, doc, file: `monitoring-${name}.md`, text };
  });
}

const example = `// The service applies the next post, and its response is lost.
sandbox.faults.add({ kind: "cut", operation: "createIncidentUpdate", times: 1 });`;

/** @typedef {{description?: string, shape: Record<string, {description?: string, value?: unknown}>}} Documented A schema of an object */

/** Returns the sections on the sandbox's faults and options, generated from their schemas. */
function sandboxSections() {
  /** @type {{faultSchema: {options: readonly Documented[]}}} */
  const { faultSchema } = require(path.join(root, "dist", "sandbox", "faults"));
  /** @type {{updateIdOptions: Documented}} */
  const { updateIdOptions } = require(path.join(root, "dist", "sandbox", "updateIds"));
  /** @type {typeof import("../../../sandbox")} */
  const { wellKnown } = require(path.join(root, "dist", "sandbox"));
  const settings = [
    "export MONITORING_BASE_URL=http://127.0.0.1:4010",
    `export MONITORING_API_KEY=${wellKnown.apiKeys.quillmarket}`,
    `export MONITORING_ACCOUNT_ID=${wellKnown.accounts.quillmarket}`,
  ];
  const { componentPages: pages, componentPageIncidents } = wellKnown;
  const incidents = [
    `- ${code(componentPageIncidents.checkoutOutage)} of ${code(pages.shop)}: a major outage of Checkout, and degraded performance of Search.`,
    `- ${code(componentPageIncidents.apiMaintenance)} of ${code(pages.developers)}: the API is under maintenance.`,
  ];
  const kinds = faultSchema.options;
  const common = Object.keys(kinds[0]?.shape ?? {}).filter((name) =>
    kinds.every(({ shape }) => name in shape),
  );
  const items = kinds.map(({ shape, description }) => {
    const options = Object.keys(shape).filter((name) => !common.includes(name));
    const having = options.length === 0 ? "" : ` (${options.map(code).join(", ")})`;
    return `- ${code(String(shape["kind"]?.value))}${having}: ${description}`;
  });
  /** @param {Documented} schema @param {readonly string[]} names */
  const listed = ({ shape }, names) =>
    names.map((name) => `- ${code(name)}: ${shape[name]?.description}`).join("\n");
  return [
    "It prints its addresses, and the settings for the terminal that runs Pulumi. Its status page is at <http://127.0.0.1:4010>. [Testing " +
      "your program](../guides/testing-your-program.md) starts it in a test.",
    block("sh", settings.join("\n")),
    "It serves both kinds of status pages: those with cards (`/v1/status-pages`), which the vendor has deprecated, and those with " +
      "components (`/v3/status-pages`). These incidents of pages with components are open:",
    incidents.join("\n"),
    "## Faults",
    "The `kind` of a fault has options. A program calls `sandbox.faults.add(…)`, `.list()` and `.clear()`, or starts with `startSandbox({ faults: […] })`:",
    block("js", example),
    "Over HTTP, `POST` a fault as JSON to `/_sandbox/faults`, `GET` the list, or `DELETE` all.",
    items.join("\n"),
    "Each kind also takes:",
    listed(
      kinds[0] ?? updateIdOptions,
      common.filter((name) => name !== "kind"),
    ),
    "`applied` says whether a write is applied although its response is lost or replaced. Default: true for `drip` and " +
      "`cut`, otherwise false. A request without a key of the sandbox gets 401: faults neither affect nor count it.",
    "## Ids of updates",
    'Set this by `startSandbox({ ids: "honoured" })`, or by the option `--ids`.',
    listed(updateIdOptions, Object.keys(updateIdOptions.shape)),
    "Where ids are honoured, a second post creates and emails nothing. An update that reads don't return yet has its id already. On " +
      "pages with components, `ids` changes nothing: a post with an `id` gets 400.",
  ];
}

module.exports = { commandPages };
