const { spawn } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { Writable } = require("node:stream");
const { channel, ids, serveChannels } = require("./channels");
const { atMost, quantity } = require("./figures");
const { atOnce, compare } = require("./libraries");

const dist = path.resolve(__dirname, "..", "dist");
const many = 10_000;

/**
 * What an audit costs besides reading the channels, and what the channels of a large stack cost.
 * @type {import("./figures").Bench}
 */
async function bench({ quick }) {
  return [...(await overhead(quick ? 1 : 11)), ...(await size())];
}

/** The whole command over loopback against plain requests for the same channels. */
async function overhead(/** @type {number} */ rounds) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "bench-"));
  const rules = path.join(folder, "audit.json");
  const names = JSON.stringify(Object.fromEntries(ids.map((id) => [`channel-${id}`, id])));
  fs.writeFileSync(rules, JSON.stringify({ extends: "recommended" }));
  const server = await serveChannels();
  const { ms, by } = await compare(server.url, rounds, () => audit(server.url, rules, names));
  server.close();
  fs.rmSync(folder, { recursive: true });
  return [
    { what: `${ids.length} channels over loopback with monitoring audit`, measured: ms },
    {
      what: `relative to ${atOnce} plain requests of node:http at a time, median of ${rounds} rounds`,
      ...atMost(by.http, 3),
    },
    { what: "relative to the same with fetch", measured: by.fetch },
    { what: "relative to the same with axios", measured: by.axios },
  ];
}

async function audit(/** @type {string} */ url, /** @type {string} */ rules, /** @type {string} */ channels) {
  /** @type {typeof import("../cli/auditRun")} */
  const { runAudit } = require(path.join(dist, "cli", "auditRun"));
  const nowhere = () => new Writable({ write: (_chunk, _encoding, done) => done() });
  const code = await runAudit(["--rules", rules], {
    environment: {
      MONITORING_BASE_URL: url,
      MONITORING_API_KEY: "bench",
      MONITORING_ALERT_CHANNELS: channels,
    },
    stdout: nowhere(),
    stderr: nowhere(),
    now: new Date("2026-01-31T09:30:00Z"),
  });
  if (code !== 1) throw new Error(`The audit ended with ${code}.`);
}

/** The export of a large stack, audited by the command in a process of its own. */
async function size() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "bench-"));
  const state = path.join(folder, "stack.json");
  const rules = path.join(folder, "audit.yaml");
  writeState(state);
  fs.writeFileSync(rules, "extends: recommended\n");
  const { seconds, megabytes } = await command(["audit", "--rules", rules, "--state", state]);
  const bytes = fs.statSync(state).size;
  fs.rmSync(folder, { recursive: true });
  const what = `${many.toLocaleString("en")} channels from a stack export of ${Math.round(bytes / 1e6)} MB`;
  return [
    { what, ...atMost(quantity(seconds, "s"), 3) },
    { what: "memory of that audit", measured: quantity(megabytes, "MB") },
  ];
}

function writeState(/** @type {string} */ file) {
  const { redactConfig } = require(path.join(dist, "provider", "client", "redact"));
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

/** @returns {Promise<{seconds: number, megabytes: number}>} */
function command(/** @type {string[]} */ args) {
  const main = JSON.stringify(path.join(dist, "cli", "monitoring.js"));
  const code = `process.once("exit", () => console.error(process.resourceUsage().maxRSS)); require(${main})`;
  const began = performance.now();
  const child = spawn(process.execPath, ["-e", code, "monitoring", ...args], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let kilobytes = "";
  child.stderr.on("data", (text) => (kilobytes += text));
  return new Promise((resolve, reject) => {
    child.once("close", (exitCode) => {
      if (exitCode !== 1) reject(new Error(`The audit ended with ${exitCode}: ${kilobytes}`));
      else resolve({ seconds: (performance.now() - began) / 1000, megabytes: Number(kilobytes) / 1000 });
    });
  });
}

module.exports = { bench };
