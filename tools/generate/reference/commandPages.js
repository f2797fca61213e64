const path = require("node:path");
const { root } = require("../../setup");
const { block, code, page, upperFirst } = require("../model/markdown");

/** Makes the page of each command: its help, and sections that are too long for the help. @returns {import("./pages").Page[]} */
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

/** Makes the sections on the sandbox's faults and options, from their schemas. */
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
    `- ${code(componentPageIncidents.checkoutOutage)} on ${code(pages.shop)}: a major outage of Checkout, and degraded performance of Search.`,
    `- ${code(componentPageIncidents.apiMaintenance)} on ${code(pages.developers)}: the API is under maintenance.`,
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
    "The command prints its URLs, and the settings for the terminal in which you run Pulumi. The sandbox's status page is at " +
      "<http://127.0.0.1:4010>. To start the sandbox in a test, see [Testing your program](../guides/testing-your-program.md).",
    block("sh", settings.join("\n")),
    "It serves both kinds of status pages: pages with cards (`/v1/status-pages`), which the vendor has deprecated, and pages with " +
      "components (`/v3/status-pages`). These incidents on pages with components are open:",
    incidents.join("\n"),
    "## Changes of alert channels",
    "To cause [drift](../guides/drift.md), change a channel with `PUT /v1/alert-channels/{id}`. The body contains the fields to change, " +
      'such as `{"sslExpiryThreshold": 14}`. A new `config` replaces all settings. The provider never sends this request, and the ' +
      "[OpenAPI description](../openapi.yaml) doesn't contain it. In a test, call `sandbox.dashboard.change(…)`.",
    "## Faults",
    "Faults make the sandbox respond as a service or a network that fails. In a program, call `sandbox.faults.add(…)`, `.list()` and " +
      "`.clear()`, or start the sandbox with `startSandbox({ faults: […] })`:",
    block("js", example),
    "Over HTTP, send a fault as JSON to `/_sandbox/faults` with `POST`, list the faults with `GET`, or remove all faults with `DELETE`.",
    "These are the kinds of faults, with their options:",
    items.join("\n"),
    "All kinds also accept these options:",
    listed(
      kinds[0] ?? updateIdOptions,
      common.filter((name) => name !== "kind"),
    ),
    "`applied` sets whether a write is applied although its response is lost or replaced. Default: true for `drip` and " +
      "`cut`, otherwise false. A request without one of the sandbox's API keys gets a 401; faults neither affect nor count it.",
    "## IDs of updates",
    'Set this with `startSandbox({ ids: "honored" })` or with the option `--ids`.',
    listed(updateIdOptions, Object.keys(updateIdOptions.shape)),
    "With `honored` and `honored-idempotent`, a second post of an ID creates no update and sends no email, even if reads don't return " +
      "the first update yet. On pages with components, `ids` has no effect, and a post with an `id` gets a 400.",
  ];
}

module.exports = { commandPages };
