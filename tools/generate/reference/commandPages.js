const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { SetupFailure } = require("../../setup/command");
const { root } = require("../../setup");
const { run } = require("../../setup/run");
const { block, code, page, sentence } = require("../model/markdown");
const { sandboxSections } = require("./sandboxSections");

/** @typedef {import("../../../sandbox").Sandbox} Sandbox */

/**
 * The pages of the command line: for each command that `monitoring --help` lists, its help, and an example with its output.
 * @param {Sandbox} sandbox
 */
async function commandPages(sandbox) {
  const { output } = await monitoring(["--help"]);
  const [, list = ""] = /Commands:\n(.*?)\n\n/s.exec(output) ?? [];
  const pages = [];
  for (const line of list.split("\n")) {
    const [, name = "", words = ""] = /^\s*(\S+)\s+(.*)$/.exec(line) ?? [];
    const { output: help } = await monitoring([name, "--help"]);
    const example = examples[name];
    if (!example)
      throw new SetupFailure(
        `tools/generate/reference/commandPages.js has no example of monitoring ${name}.`,
      );
    const text = page(
      `# monitoring ${name}`,
      sentence(words),
      block("text", help),
      "Run it in a project that has `pulumi-monitoring-service` installed.",
      "## Example",
      ...(await example(sandbox)),
    );
    pages.push({ name: `monitoring ${name}`, file: `monitoring-${name}.md`, doc: sentence(words), text });
  }
  return pages;
}

/** @type {Record<string, (sandbox: Sandbox) => Promise<string[]>>} */
const examples = {
  audit: exampleOfAudit,
  preview: exampleOfPreview,
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
  const recorded = path.join(root, "docs", "pictures", "preview.json");
  const { output } = await monitoring(["preview", recorded]);
  return [
    block("sh", "npx pulumi preview --json | npx monitoring preview"),
    "prints, for the [quick start](../guides/quick-start.md):",
    block("markdown", output),
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
      `sends ${code("GET /v1/status-pages/incidents/{incidentId}")} and two times ` +
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
  const stopper = new AbortController();
  return run(process.execPath, [path.join(root, "dist", "cli", "monitoring.js"), ...args], {
    cwd,
    env: {
      ...process.env,
      MONITORING_BASE_URL: url,
      MONITORING_API_KEY: apiKey,
      MONITORING_ACCOUNT_ID: "",
      MONITORING_ACCOUNT_HEADER: "",
    },
    signal: stopper.signal,
    onLine: (line) => {
      if (until?.test(line)) stopper.abort();
    },
  });
}

module.exports = { commandPages };
