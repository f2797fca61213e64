const path = require("node:path");
const { root } = require("../../setup");
const { SetupFailure } = require("../../setup/run");
const { block, code, page, upperFirst } = require("../model/markdown");

/** The page of each command: its help, and what the help doesn't say. @returns {import("./pages").Page[]} */
function commandPages() {
  /** @type {typeof import("../../../cli/commands")} */
  const { commands } = require(path.join(root, "dist", "cli", "commands"));
  return Object.entries(commands).map(([name, { summary, help }]) => {
    const title = `monitoring ${name}`;
    const sections = name === "sandbox" ? sandboxSections() : further[name];
    if (!sections)
      throw new SetupFailure(
        `tools/generate/reference/commandPages.js doesn't say which guide shows ${title}.`,
      );
    const doc = `${upperFirst(summary)}.`;
    const text = page(`# ${title}`, doc, block("text", help), ...sections);
    return { group: "Commands", name: title, doc, file: `monitoring-${name}.md`, text };
  });
}

/** The guides, whose tests run the command and compare what it prints, and the requests that it sends. @type {Record<string, string[]>} */
const further = {
  audit: [
    "[A first report](../guides/auditing.md#a-first-report) shows what it prints. It sends `GET /v1/alert-channels/{id}` for each " +
      "channel, or `GET /v1/alert-channels` for all.",
  ],

  preview: [
    "[Publishing updates from a pipeline](../guides/pipelines.md#the-program) shows what it prints, and has the jobs that comment on a " +
      "pull request.",
  ],

  comment: [
    block("sh", "npx --no monitoring comment --host gitlab preview.md"),
    "[Publishing updates from a pipeline](../guides/pipelines.md#gitlab-ci) has the jobs that run it.",
  ],

  adopt: [
    "[Adopting what exists](../guides/adopting.md#declare-what-exists) shows what it prints. It sends " +
      "`GET /v1/status-pages/incidents/{incidentId}` or, with `--status-page`, `GET /v3/status-pages/{statusPageId}/incidents/{incidentId}`.",
  ],

  doctor: [
    doctorTable(),
    "[Ids](../guides/exactly-once.md#ids) shows what it prints with `--post-to`, and what that means.",
    "It sends `GET /v1/status-pages`, `GET /v3/status-pages`, `GET /v3/status-pages/{statusPageId}/incidents` for each page with " +
      "components, `GET /v1/alert-channels`, and `GET /v1/alert-channels/{id}` for each channel that has a name. With `--post-to`, it also sends `GET /v1/status-pages/incidents/{incidentId}` and, at most two times, and with `--record` three times, " +
      "`POST /v1/status-pages/incidents/{incidentId}/incident-updates`. With `--status-page`, these paths begin with " +
      "`/v3/status-pages/{statusPageId}/incidents/{incidentId}`, and it posts once less.",
  ],
};

/** What `doctor` says of services; a test runs each of them. */
function doctorTable() {
  const search = "Limit of 16 seconds to find an update whose response is lost";
  const history = "Limit of 100 updates that a history returns at least";
  const limited =
    "Guarantee: A declared update exists once, with the limitations of a service that ignores ids";
  /** @type {readonly [service: string, said: readonly string[], code: number][]} */
  const rows = [
    [
      "shows one update late",
      [`${search}: NOT KEPT; reads showed 1 of 2 updates in time, the last one after N ms`],
      1,
    ],
    [
      "shows all updates late",
      [`${search}: NOT KEPT; reads showed 0 of 2 updates in time, the last one after N ms`],
      1,
    ],
    ["cuts dates", ["Public date: changed 2 times: DATE was sent, DATE is returned"], 0],
    ["changes texts", ["Text: changed", "The service changes texts"], 0],
    [
      "uses ids",
      [
        "Second post of the same id: rejected (HTTP 409)",
        "Guarantee: A declared update exists once, also with two machines",
      ],
      0,
    ],
    ["ignores ids", ["Second post of the same id: created a second update (HTTP 201)", limited], 0],
    ["rejects ids", ["Id of an update: rejected", "otherwise every post fails"], 0],
    ["returns 50 updates at most", [`${history}: NOT KEPT; 50 were returned`], 1],
    ["returns 100 updates at most", [`${history}: kept; 100 were returned`], 0],
    ["returns 200 updates at most", [`${history}: kept; 200 were returned`], 0],
    [
      "loses responses",
      ["so it may or may not have been applied", "Public: at most 1 update of this test"],
      1,
    ],
    [
      "takes 5 s for each response",
      ["Limit of 2 minutes for a post to end and appear: kept; posts took up to N ms"],
      0,
    ],
    ["has a page with components", ["Page: with components: a post carries no id", limited], 0],
  ];
  return [
    "What it says of a service with `--post-to`, where `N` and `DATE` are what it measured:",
    "",
    "| A service that | Part of the output | Exit code |",
    "| --- | --- | --- |",
    ...rows.map(
      ([service, said, code]) =>
        `| ${service} | ${said.map((each) => `\`${each}\``).join("<br>")} | ${code} |`,
    ),
  ].join("\n");
}

const example = `// The service applies the next post, and its response is lost.
sandbox.faults.add({ kind: "cut", operation: "createIncidentUpdate", times: 1 });`;

/** @typedef {{description?: string, shape: Record<string, {description?: string, value?: unknown}>}} Documented A schema of an object */

/** What the sandbox does on demand, by the schemas of its faults and options. */
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
    "`applied` says whether a write is applied although its response is lost or replaced. Default: true for `wrongJson`, `empty`, " +
      "`drip` and `cut`, otherwise false. A request without a key of the sandbox gets 401: faults neither affect nor count it.",
    "## Ids of updates",
    'Set these by `startSandbox({ ids: "honoured" })` or `sandbox.configure({ ids: "honoured" })`. Over HTTP, `PATCH` them as JSON to ' +
      "`/_sandbox/options`, or `GET` them.",
    listed(updateIdOptions, Object.keys(updateIdOptions.shape)),
    "Where ids are honoured, a second post creates and emails nothing. An update that reads don't return yet has its id already. On " +
      "pages with components, `ids` changes nothing: a post with an `id` gets 400.",
  ];
}

module.exports = { commandPages };
