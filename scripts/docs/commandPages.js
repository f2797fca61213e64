const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { SetupFailure } = require("../setup/failure");
const { run } = require("../setup/run");
const { block, code, page, sentence } = require("../model/markdown");

/** The pages of the command line: its help, and an example with its output. */
class CommandPages {
  /** @param {string} root */
  constructor(root) {
    this.root = root;
  }

  /** The commands with their one line each, as `monitoring --help` lists them. */
  async list() {
    const { output } = await this.#run(["--help"]);
    const [, list = ""] = /Commands:\n(.*?)\n\n/s.exec(output) ?? [];
    return list.split("\n").map((line) => {
      const [, name = "", summary = ""] = /^\s*(\S+)\s+(.*)$/.exec(line) ?? [];
      return { name, summary };
    });
  }

  /**
   * @param {{name: string, summary: string}} command
   * @param {import("../../sandbox").Sandbox} sandbox
   */
  async page({ name, summary }, sandbox) {
    const { output: help } = await this.#run([name, "--help"]);
    /** @type {Record<string, () => Promise<string[]>>} */
    const examples = {
      audit: () => this.#audit(sandbox),
      updates: () => this.#updates(sandbox),
      sandbox: () => this.#sandbox(),
    };
    const example = examples[name];
    if (!example)
      throw new SetupFailure(`scripts/docs/commandPages.js has no example of monitoring ${name}.`);
    return page(
      `# monitoring ${name}`,
      sentence(summary),
      block("text", help),
      "Run it in a project that has `pulumi-monitoring-service` installed.",
      "## Example",
      ...(await example()),
    );
  }

  /** @param {import("../../sandbox").Sandbox} sandbox */
  async #audit({ url, apiKey }) {
    const rules =
      "extends: recommended\nrules:\n  stale: off\nchannels:\n  on-call: 4101\n  tickets: 4106\n  operations: 4107\n";
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "docs-"));
    try {
      fs.writeFileSync(path.join(folder, "audit.yaml"), rules);
      const env = { MONITORING_BASE_URL: url, MONITORING_API_KEY: apiKey };
      const { output, code: exitCode } = await this.#run(["audit", "--rules", "audit.yaml"], {
        cwd: folder,
        env,
      });
      return [
        "With this `audit.yaml`, against the sandbox:",
        block("yaml", rules),
        block("sh", "npx monitoring audit --rules audit.yaml"),
        `prints this and exits with code ${exitCode}:`,
        block("text", output),
        `It sends ${code("GET /v1/alert-channels/{id}")} for each channel.`,
      ];
    } finally {
      fs.rmSync(folder, { recursive: true, force: true });
    }
  }

  /** @param {import("../../sandbox").Sandbox} sandbox */
  async #updates({ url, apiKey }) {
    const args = ["updates", "--incident", "inc_card_declines"];
    const env = { MONITORING_BASE_URL: url, MONITORING_API_KEY: apiKey };
    const { output } = await this.#run(args, { env });
    return [
      block("sh", ["npx monitoring", ...args].join(" ")),
      "prints, against the sandbox:",
      block("text", output),
      `It sends ${code("GET /v1/status-pages/incidents/{incidentId}")}.`,
    ];
  }

  async #sandbox() {
    const { output } = await this.#run(["sandbox", "--port", "0"], { until: /MONITORING_ACCOUNT_ID=/ });
    return [
      block("sh", "npx monitoring sandbox"),
      "prints:",
      block("text", output.replace(/(http:\/\/127\.0\.0\.1):\d+/g, "$1:4010")),
      "It injects [faults](../guides/testing-your-program.md#faults) on demand.",
    ];
  }

  /**
   * @param {string[]} args
   * @param {{cwd?: string, env?: Record<string, string>, until?: RegExp}} [options] until: a line after which it is killed
   */
  #run(args, { cwd = this.root, env = {}, until } = {}) {
    const program = path.join(this.root, "dist", "cli", "monitoring.js");
    const own = Object.entries(process.env).filter(([name]) => !name.startsWith("MONITORING_"));
    const controller = new AbortController();
    return run(process.execPath, [program, ...args], {
      cwd,
      env: { ...Object.fromEntries(own), ...env },
      ...(until && {
        signal: controller.signal,
        onLine: (line) => {
          if (until.test(line)) controller.abort();
        },
      }),
    });
  }
}

module.exports = { CommandPages };
