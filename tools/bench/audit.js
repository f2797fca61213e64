const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { run } = require("../setup/run");
const { root } = require("../setup");
const { channels, ids, serveChannels } = require("./client");
const { inTurns } = require("./compare");

const many = 10_000;

/** Audits by the command, in a process of its own each. @type {import("./compare").Bench} */
async function bench({ rounds = 7 }) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "bench-"));
  const server = await serveChannels();
  const write = (/** @type {string} */ name, /** @type {unknown} */ content) => {
    const file = path.join(folder, name);
    fs.writeFileSync(file, JSON.stringify(content, null, 4));
    return file;
  };
  try {
    const state = write("stack.json", exportedStack());
    const rules = write("audit.yaml", { extends: "recommended" });
    const named = Object.fromEntries(ids.map((id) => [`channel-${id}`, id]));
    const byId = write("ids.yaml", { extends: "recommended", channels: named });
    /** @type {Record<"audit" | "parse", number[]>} */
    const memory = { audit: [], parse: [] };
    const parse = `JSON.parse(require("fs").readFileSync(${JSON.stringify(state)}, "utf8"))`;
    const ofState = await inTurns(
      {
        audit: async () => void memory.audit.push(await measured(audit("--rules", rules, "--state", state))),
        parse: async () => void memory.parse.push(await measured([parse])),
      },
      rounds,
    );
    const client = JSON.stringify(path.join(__dirname, "client.js"));
    const reads = `require(${client}).readByHttp(process.env.MONITORING_BASE_URL)`;
    const ofService = await inTurns(
      {
        "--all": () => measured(audit("--rules", rules, "--all"), server.url),
        "by ids": () => measured(audit("--rules", byId), server.url),
        "bare http": () => measured([reads], server.url),
      },
      rounds,
    );
    const what = `${many.toLocaleString("en")} channels of a stack's export`;
    const live = { what: `${ids.length.toLocaleString("en")} channels of the service`, measured: ofService };
    return [
      { what, one: "audit", other: "parse", measured: ofState },
      { what: `memory for ${what}`, one: "audit", other: "parse", measured: memory, unit: "MB" },
      { ...live, one: "--all", other: "by ids", most: 0.35 },
      { ...live, one: "--all", other: "bare http" },
      { ...live, one: "by ids", other: "bare http" },
    ];
  } finally {
    server.close();
    fs.rmSync(folder, { recursive: true });
  }
}

/** A program that audits, and its arguments. @param {string[]} args */
function audit(...args) {
  const main = JSON.stringify(path.join(root, "dist", "cli", "monitoring.js"));
  return [`require(${main})`, "monitoring", "audit", ...args];
}

/** Runs a program in Node. @param {string[]} command @param {string} [baseUrl] @returns {Promise<number>} the megabytes that it took */
async function measured([program, ...args], baseUrl) {
  const atEnd = 'process.once("exit", () => console.error(`\\nMB ${process.resourceUsage().maxRSS / 1000}`))';
  const env = { ...process.env, MONITORING_BASE_URL: baseUrl, MONITORING_API_KEY: "bench" };
  const { code, output } = await run(process.execPath, ["-e", `${atEnd};${program}`, ...args], { env });
  if (code !== 0 && code !== 1) throw new Error(`The audit ended with ${code}: ${output}`);
  return Number(/^MB (.*)$/m.exec(output)?.[1]);
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
