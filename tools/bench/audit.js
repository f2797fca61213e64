const { spawn } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { channel } = require("./client");
const { atMost, figure } = require("./report");

const dist = path.resolve(__dirname, "..", "..", "dist");
const many = 10_000;

/**
 * The export of a large stack, audited by the command in a process of its own.
 * @type {import("./report").Bench}
 */
async function bench() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "bench-"));
  const state = path.join(folder, "stack.json");
  const rules = path.join(folder, "audit.yaml");
  writeState(state);
  fs.writeFileSync(rules, "extends: recommended\n");
  const { seconds, megabytes } = await command(["audit", "--rules", rules, "--state", state]);
  const bytes = fs.statSync(state).size;
  fs.rmSync(folder, { recursive: true });
  const what = `${many.toLocaleString("en")} channels from a stack export of ${Math.round(bytes / 1e6)} MB`;
  return [atMost(what, seconds, "s", 3), figure("memory of that audit", megabytes, "MB")];
}

function writeState(/** @type {string} */ file) {
  const { redactConfig } = require(path.join(dist, "provider", "credentials"));
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
