const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { run } = require("../setup/run");
const { root } = require("../setup");
const { channel, ids, serveChannels } = require("./client");
const { inTurns } = require("./compare");

const many = 10_000;

/** Audits by the command, in a process of its own each. @type {import("./compare").Bench} */
async function bench({ rounds = 7 }) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "bench-"));
  const server = await serveChannels();
  try {
    const state = path.join(folder, "stack.json");
    const rules = path.join(folder, "audit.yaml");
    const byId = path.join(folder, "ids.yaml");
    writeState(state);
    fs.writeFileSync(rules, "extends: recommended\n");
    const channels = Object.fromEntries(ids.map((id) => [`channel-${id}`, id]));
    fs.writeFileSync(byId, `extends: recommended\nchannels: ${JSON.stringify(channels)}\n`);
    /** @type {Record<"audit" | "parse", number[]>} */
    const memory = { audit: [], parse: [] };
    const parse = `JSON.parse(require("fs").readFileSync(${JSON.stringify(state)}, "utf8"))`;
    const ofState = await inTurns(
      {
        audit: async () => void memory.audit.push(await measured(audits("--rules", rules, "--state", state))),
        parse: async () => void memory.parse.push(await measured(["-e", `${atEnd};${parse}`])),
      },
      rounds,
    );
    const client = JSON.stringify(path.join(__dirname, "client.js"));
    const reads = `require(${client}).readByHttp(process.env.MONITORING_BASE_URL)`;
    const ofService = await inTurns(
      {
        "--all": () => measured(audits("--rules", rules, "--all"), server.url),
        "by ids": () => measured(audits("--rules", byId), server.url),
        "bare http": () => measured(["-e", `${atEnd};${reads}`], server.url),
      },
      rounds,
    );
    const what = `${many.toLocaleString("en")} channels of a stack's export`;
    const live = `${ids.length.toLocaleString("en")} channels of the service`;
    return [
      { what, one: "audit", other: "parse", measured: ofState },
      { what: `memory for ${what}`, one: "audit", other: "parse", measured: memory, unit: "MB" },
      { what: live, one: "--all", other: "by ids", measured: ofService, most: 0.35 },
      { what: live, one: "--all", other: "bare http", measured: ofService },
      { what: live, one: "by ids", other: "bare http", measured: ofService },
    ];
  } finally {
    server.close();
    fs.rmSync(folder, { recursive: true });
  }
}

/** Prints the memory that the process took. */
const atEnd = 'process.once("exit", () => console.error(`\\nMB ${process.resourceUsage().maxRSS / 1000}`))';

/** The arguments of Node for an audit. @param {string[]} args */
function audits(...args) {
  const main = JSON.stringify(path.join(root, "dist", "cli", "monitoring.js"));
  return ["-e", `${atEnd};require(${main})`, "monitoring", "audit", ...args];
}

/** Runs Node. @param {string[]} args @param {string} [baseUrl] @returns {Promise<number>} the megabytes that it took */
async function measured(args, baseUrl) {
  const env = { ...process.env, MONITORING_BASE_URL: baseUrl, MONITORING_API_KEY: "bench" };
  const { code, output } = await run(process.execPath, args, { env });
  if (code !== 0 && code !== 1) throw new Error(`The audit ended with ${code}: ${output}`);
  return Number(/^MB (.*)$/m.exec(output)?.[1]);
}

/** @param {string} file */
function writeState(file) {
  const { redactConfig } = require(path.join(root, "dist", "provider", "credentials"));
  const type = "pulumi-nodejs:dynamic/monitoring:AlertChannel";
  const resources = Array.from({ length: many }, (_, index) => {
    const { id, created_at: createdAt, updated_at: updatedAt, ...rest } = channel(index);
    const config = redactConfig(rest, String(index));
    return {
      urn: `urn:pulumi:bench::bench::${type}::channel-${id}`,
      ...{ custom: true, id: String(id), type },
      outputs: { ...rest, channelId: id, config, createdAt, updatedAt },
    };
  });
  fs.writeFileSync(file, JSON.stringify({ version: 3, deployment: { resources } }, null, 4));
}

module.exports = { bench };
