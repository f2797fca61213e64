const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { root } = require("../../setup");
const { run, SetupFailure } = require("../../setup/run");
const { block, code, page, sentence } = require("../model/markdown");

/** @typedef {import("../../../sandbox").Sandbox} Sandbox */

/**
 * The pages of the command line: for each command, its help, and an example with its output.
 * @param {Sandbox} sandbox
 */
async function commandPages(sandbox) {
  /** @type {typeof import("../../../cli/commands")} */
  const { commands } = require(path.join(root, "dist", "cli", "commands"));
  const pages = [];
  for (const [name, { summary, help }] of Object.entries(commands)) {
    const example = examples[name];
    if (!example)
      throw new SetupFailure(
        `tools/generate/reference/commandPages.js has no example of monitoring ${name}.`,
      );
    const text = page(
      `# monitoring ${name}`,
      sentence(summary),
      block("text", help),
      "## Example",
      ...(await example(sandbox)),
    );
    const entry = { group: "Commands", name: `monitoring ${name}`, doc: sentence(summary) };
    pages.push({ ...entry, file: `monitoring-${name}.md`, text });
  }
  return pages;
}

/** @type {Record<string, (sandbox: Sandbox) => Promise<string[]>>} */
const examples = {
  audit: exampleOfAudit,
  preview: exampleOfPreview,
  comment: () =>
    Promise.resolve([
      block("sh", "npx monitoring comment --host gitlab preview.md"),
      "[Publishing updates from a pipeline](../guides/pipelines.md) has the jobs that run it.",
    ]),
  doctor: exampleOfDoctor,
  sandbox: exampleOfSandbox,
};

/** @param {Sandbox} sandbox */
async function exampleOfAudit(sandbox) {
  const rules =
    "extends: recommended\nrules:\n  stale: off\nchannels:\n  on-call: 4101\n  tickets: 4106\n  operations: 4107\n";
  const cwd = fs.mkdtempSync(path.join(os.tmpdir(), "docs-"));
  try {
    fs.writeFileSync(path.join(cwd, "audit.yaml"), rules);
    const args = ["audit", "--rules", "audit.yaml"];
    const { output, code: exitCode } = await monitoring(args, { cwd, sandbox });
    return [
      "With this `audit.yaml`, against the sandbox:",
      block("yaml", rules),
      block("sh", ["npx monitoring", ...args].join(" ")),
      `prints this and exits with code ${exitCode}:`,
      block("text", output),
      `It sends ${code("GET /v1/alert-channels/{id}")} for each channel.`,
    ];
  } finally {
    fs.rmSync(cwd, { recursive: true, force: true });
  }
}

async function exampleOfPreview() {
  const recorded = `node ${path.join(root, "tools", "generate", "recordedPulumi.js")}`;
  const { output } = await monitoring(["preview", "--pulumi", recorded]);
  return [
    block("sh", "npx monitoring preview"),
    "prints, for the [quick start](../guides/quick-start.md):",
    block("text", output),
    "[Publishing updates from a pipeline](../guides/pipelines.md) has the jobs that comment on a pull request.",
  ];
}

/** @param {Sandbox} sandbox */
async function exampleOfDoctor(sandbox) {
  const incident = "inc_card_declines";
  const before = sandbox.incident(incident).incidentUpdates.map(({ id }) => id);
  const args = ["doctor", "--post-to", incident, "--yes"];
  const { output } = await monitoring(args, { sandbox });
  for (const { id } of sandbox.incident(incident).incidentUpdates)
    if (!before.includes(id)) sandbox.byHand.deleteUpdate(incident, id);
  const shown = output
    .replaceAll(sandbox.url, "http://127.0.0.1:4010")
    .replace(/\d+ ms/g, "12 ms")
    .replace(/Node [\d.]+/, "Node 22.11.0");
  return [
    block("sh", ["npx monitoring", ...args].join(" ")),
    "prints, against a sandbox that uses ids:",
    block("text", shown),
    `It sends ${code("GET /v1/status-pages")} and ${code("GET /v1/alert-channels/{id}")} for each channel. With \`--post-to\`, it also ` +
      `sends ${code("GET /v1/status-pages/incidents/{incidentId}")} and at most two times ` +
      `${code("POST /v1/status-pages/incidents/{incidentId}/incident-updates")}.`,
  ];
}

async function exampleOfSandbox() {
  const { output } = await monitoring(["sandbox", "--port", "0"], { until: /MONITORING_ACCOUNT_ID=/ });
  return [
    block("sh", "npx monitoring sandbox"),
    "prints:",
    block("text", output.replace(/(http:\/\/127\.0\.0\.1):\d+/g, "$1:4010")),
    ...sandboxSections(),
  ];
}

/**
 * @param {string[]} args
 * @param {{cwd?: string, sandbox?: Sandbox, until?: RegExp}} [options] until: a line after which it is killed
 */
function monitoring(args, { cwd = root, sandbox, until } = {}) {
  const { url = "", apiKey = "" } = sandbox ?? {};
  return run(process.execPath, [path.join(root, "dist", "cli", "monitoring.js"), ...args], {
    cwd,
    env: {
      ...process.env,
      MONITORING_BASE_URL: url,
      MONITORING_API_KEY: apiKey,
      MONITORING_ACCOUNT_ID: "",
      MONITORING_ACCOUNT_HEADER: "",
      // A job of a code host has a commit, which the comment of a preview names.
      GITHUB_ACTIONS: "",
      GITLAB_CI: "",
      GIT_COMMIT: "",
    },
    onLine: (line, stop) => {
      if (until?.test(line)) stop();
    },
  });
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
    "Where ids are honoured, a second post creates and emails nothing. An update that reads don't return yet has its id already.",
  ];
}

module.exports = { commandPages };
