const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { run } = require("../setup/run");
const { root } = require("../setup");
const { channels, ids, serveChannels } = require("./client");
const { compare } = require("./compare");

const many = 10_000;

/** Audits by the command, in a process of its own each. @type {import("./index").Bench} */
async function bench({ rounds = 7 }) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "bench-"));
  const server = await serveChannels();
  const write = (/** @type {string} */ name, /** @type {unknown} */ content) => {
    const file = path.join(folder, name);
    fs.writeFileSync(file, JSON.stringify(content, null, 4));
    return file;
  };
  const env = { ...process.env, MONITORING_BASE_URL: server.url, MONITORING_API_KEY: "bench" };
  const node = async (/** @type {string[]} */ ...args) => {
    const { code, output } = await run(process.execPath, args, { env });
    if (code !== 0 && code !== 1) throw new Error(`The audit ended with ${code}: ${output}`);
  };
  const audit = (/** @type {string[]} */ ...args) =>
    node(path.join(root, "dist", "cli", "monitoring.js"), "audit", ...args);
  try {
    const state = write("stack.json", exportedStack());
    const rules = write("audit.yaml", { extends: "recommended" });
    const named = Object.fromEntries(ids.map((id) => [`channel-${id}`, id]));
    const byId = write("ids.yaml", { extends: "recommended", channels: named });
    const parse = `JSON.parse(require("fs").readFileSync(${JSON.stringify(state)}, "utf8"))`;
    const ofState = {
      audit: () => audit("--rules", rules, "--state", state),
      parse: () => node("-e", parse),
    };
    const ofService = {
      "--all": () => audit("--rules", rules, "--all"),
      "by ids": () => audit("--rules", byId),
    };
    return [
      ...(await compare(`${many} channels of a stack's export`, ofState, rounds)),
      ...(await compare(`${ids.length} channels of the service`, ofService, rounds, { most: 0.35 })),
    ];
  } finally {
    server.close();
    fs.rmSync(folder, { recursive: true });
  }
}

/** Makes the export of a stack that observes many channels. */
function exportedStack() {
  const { redactConfig } = require(path.join(root, "dist", "provider", "credentials"));
  const type = "pulumi-nodejs:dynamic/monitoring:AlertChannel";
  const resources = channels(many).map(
    ({ id, created_at: createdAt, updated_at: updatedAt, ...rest }, index) => ({
      urn: `urn:pulumi:bench::bench::${type}::channel-${id}`,
      ...{ custom: true, id: String(id), type },
      outputs: { ...rest, channelId: id, config: redactConfig(rest, String(index)), createdAt, updatedAt },
    }),
  );
  return { version: 3, deployment: { resources } };
}

module.exports = { bench };
