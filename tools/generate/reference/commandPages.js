const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { Writable } = require("node:stream");
const { root } = require("../../setup");
const { SetupFailure } = require("../../setup/run");
const { block, code, page, upperFirst } = require("../model/markdown");

/**
 * @typedef {import("../../../sandbox").Sandbox} Sandbox
 * @typedef {(args: string[], onText?: (text: string) => void) => Promise<{output: string, exitCode: number}>} Command
 */

/**
 * The pages of the command line: for each command, its help, and an example with its output.
 * @param {Sandbox} sandbox
 */
async function commandPages(sandbox) {
  /** @type {typeof import("../../../cli/commands")} */
  const { commands } = require(path.join(root, "dist", "cli", "commands"));
  const pages = [];
  for (const [name, subcommand] of Object.entries(commands)) {
    const doc = `${upperFirst(subcommand.summary)}.`;
    const example = examples[name];
    if (!example)
      throw new SetupFailure(
        `tools/generate/reference/commandPages.js has no example of monitoring ${name}.`,
      );
    /** @type {Command} */
    const command = async (args, onText = () => {}) => {
      let output = "";
      const stream = new Writable({
        decodeStrings: false,
        write(/** @type {string} */ text, _, done) {
          output += text;
          onText(text);
          done();
        },
      });
      const streams = { stdin: process.stdin, stdout: stream, stderr: stream };
      const exitCode = await subcommand.run(args, {
        environment: environmentOf(sandbox),
        ...streams,
        now: new Date(),
      });
      return { output, exitCode };
    };
    const sections = await example(command, sandbox);
    const text = page(`# monitoring ${name}`, doc, block("text", subcommand.help), "## Example", ...sections);
    const entry = { group: "Commands", name: `monitoring ${name}`, doc };
    pages.push({ ...entry, file: `monitoring-${name}.md`, text });
  }
  return pages;
}

/** Settings of the sandbox, and none of a code host's job, whose commit the comment of a preview would name. @param {Sandbox} sandbox */
function environmentOf({ url, apiKey }) {
  const own = /^(MONITORING_|GITHUB_ACTIONS$|GITLAB_CI$|GIT_COMMIT$)/;
  const others = Object.entries(process.env).filter(([name]) => !own.test(name));
  return { ...Object.fromEntries(others), MONITORING_BASE_URL: url, MONITORING_API_KEY: apiKey };
}

const rules =
  "extends: recommended\nrules:\n  stale: off\nchannels:\n  on-call: 4101\n  tickets: 4106\n  operations: 4107\n";

/** @type {Record<string, (command: Command, sandbox: Sandbox) => string[] | Promise<string[]>>} */
const examples = {
  async audit(command) {
    const started = process.cwd();
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "docs-"));
    fs.writeFileSync(path.join(folder, "audit.yaml"), rules);
    // A report shows the path of its rules.
    process.chdir(folder);
    const { output, exitCode } = await command(["--rules", "audit.yaml"]);
    process.chdir(started);
    fs.rmSync(folder, { recursive: true });
    return [
      "With this `audit.yaml`, against the sandbox:",
      block("yaml", rules),
      block("sh", "npx monitoring audit --rules audit.yaml"),
      `prints this and exits with code ${exitCode}:`,
      block("text", output),
      "It sends `GET /v1/alert-channels/{id}` for each channel.",
    ];
  },

  async preview(command) {
    const recorded = path.join(__dirname, "..", "recordedPulumi.js");
    return [
      block("sh", "npx monitoring preview"),
      "prints, for the [quick start](../guides/quick-start.md):",
      block("text", (await command(["--pulumi", `node ${recorded}`])).output),
      "[Publishing updates from a pipeline](../guides/pipelines.md) has the jobs that comment on a pull request.",
    ];
  },

  comment: () => [
    block("sh", "npx monitoring comment --host gitlab preview.md"),
    "[Publishing updates from a pipeline](../guides/pipelines.md) has the jobs that run it.",
  ],

  async doctor(command, sandbox) {
    const incident = "inc_card_declines";
    const before = sandbox.incident(incident).incidentUpdates.map(({ id }) => id);
    const { output } = await command(["--post-to", incident, "--yes"]);
    for (const { id } of sandbox.incident(incident).incidentUpdates)
      if (!before.includes(id)) sandbox.byHand.deleteUpdate(incident, id);
    const shown = output
      .replaceAll(sandbox.url, "http://127.0.0.1:4010")
      .replace(/\d+ ms/g, "12 ms")
      .replace(/Node [\d.]+/, "Node 22.11.0");
    return [
      block("sh", `npx monitoring doctor --post-to ${incident} --yes`),
      "prints, against a sandbox that uses ids:",
      block("text", shown),
      "It sends `GET /v1/status-pages` and `GET /v1/alert-channels/{id}` for each channel. With `--post-to`, it also sends " +
        "`GET /v1/status-pages/incidents/{incidentId}` and at most two times " +
        "`POST /v1/status-pages/incidents/{incidentId}/incident-updates`.",
    ];
  },

  async sandbox(command) {
    // It ends as by Ctrl-Break, a signal that only the command listens to.
    const { output } = await command(["--port", "0"], () => process.emit("SIGBREAK"));
    return [
      block("sh", "npx monitoring sandbox"),
      "prints:",
      block("text", output.replace(/(http:\/\/127\.0\.0\.1):\d+/g, "$1:4010")),
      ...sandboxSections(),
    ];
  },
};

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
