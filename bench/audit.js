const { fork, spawn } = require("node:child_process");
const fs = require("node:fs");
const http = require("node:http");
const os = require("node:os");
const path = require("node:path");
const { Writable } = require("node:stream");
const axios = require("axios");
const { atMost, median, quantity } = require("./figures");

const dist = path.resolve(__dirname, "..", "dist");
const atOnce = 8;
const few = 1_000;
const many = 100_000;
const warmUps = 3;

/**
 * What an audit costs beside reading the channels, and what very many channels cost.
 * @type {import("./figures").Bench}
 */
async function bench({ quick }) {
  return [...(await overhead(quick ? 1 : 11)), ...(await size())];
}

/** A channel like those of real accounts: of each type in turn, some with something wrong. */
function channel(/** @type {number} */ index) {
  const { alertChannels } = seededAccount();
  const seed = alertChannels[index % alertChannels.length];
  return { ...seed, id: 100_000 + index, subscriptions: seed?.subscriptions.slice(0, 3) };
}

/** @type {import("../sandbox").SandboxAccount | undefined} */
let account;

function seededAccount() {
  /** @type {typeof import("../sandbox")} */
  const { seedData } = require(path.join(dist, "sandbox"));
  return (account ??= seedData({ now: new Date("2026-01-31T09:30:00Z") }).accounts[0]);
}

/** The whole command over loopback against bare GETs of the same channels, by three libraries, in turns. */
async function overhead(/** @type {number} */ rounds) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "bench-"));
  const rules = path.join(folder, "audit.json");
  const ids = Array.from({ length: few }, (_, index) => 100_000 + index);
  const channels = JSON.stringify(Object.fromEntries(ids.map((id) => [`channel-${id}`, id])));
  fs.writeFileSync(rules, JSON.stringify({ extends: "recommended" }));
  const server = await serve();
  /** @type {Record<"http" | "fetch" | "axios" | "audit", number>[]} */
  const runs = [];
  for (let round = 0; round < warmUps + rounds; round++) {
    const run = {
      http: await timed(() => bareGets(server.url, ids, byHttp())),
      fetch: await timed(() => bareGets(server.url, ids, byFetch)),
      axios: await timed(() => bareGets(server.url, ids, byAxios())),
      audit: await timed(() => audit(server.url, rules, channels)),
    };
    if (round >= warmUps) runs.push(run);
  }
  server.close();
  fs.rmSync(folder, { recursive: true });
  const against = (/** @type {"http" | "fetch" | "axios"} */ library) =>
    quantity(median(runs.map((run) => run.audit / run[library])), "ratio");
  return [
    {
      what: `${few} channels over loopback with monitoring audit`,
      measured: quantity(median(runs.map((run) => run.audit)), "ms"),
    },
    {
      what: `relative to ${atOnce} plain requests of node:http at a time, median of ${rounds} rounds`,
      ...atMost(against("http"), 1.3),
      because:
        "axios and the deadlines take about 0.1 ms of each request on the client's only thread; " +
        "over loopback that is most of the time, over a network it is negligible",
    },
    { what: "relative to the same with fetch", measured: against("fetch") },
    { what: "relative to the same with axios", measured: against("axios") },
  ];
}

/** @typedef {(url: string) => Promise<unknown>} Get */

async function bareGets(/** @type {string} */ url, /** @type {number[]} */ ids, /** @type {Get} */ get) {
  const queue = ids.values();
  const work = async () => {
    for (const id of queue) await get(`${url}/v1/alert-channels/${id}`);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}

const headers = { authorization: "Bearer bench" };

/** @returns {Get} */
function byHttp() {
  const agent = keptAlive();
  return (url) =>
    new Promise((resolve, reject) => {
      const request = http.get(url, { agent, headers }, (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (part) => (text += part));
        response.on("end", () => resolve(JSON.parse(text)));
      });
      request.on("error", reject);
    });
}

/** @type {Get} */
async function byFetch(url) {
  return (await fetch(url, { headers })).json();
}

/** @returns {Get} */
function byAxios() {
  const client = axios.create({ headers, httpAgent: keptAlive() });
  return (url) => client.get(url);
}

function keptAlive() {
  return new http.Agent({ keepAlive: true, maxSockets: atOnce });
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

/** A stack export of very many channels, audited by the command in a process of its own. */
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
    { what, ...atMost(quantity(seconds, "s"), 5) },
    { what: "memory of that audit", ...atMost(quantity(megabytes, "MB"), 500) },
  ];
}

function writeState(/** @type {string} */ file) {
  const { redactConfig } = require(path.join(dist, "provider", "client", "redact"));
  const type = "pulumi-nodejs:dynamic/monitoring:AlertChannel";
  const descriptor = fs.openSync(file, "w");
  fs.writeSync(descriptor, '{"version": 3, "deployment": {"resources": [');
  for (let index = 0; index < many; index++) {
    const { id, created_at: createdAt, updated_at: updatedAt, ...rest } = channel(index);
    const outputs = {
      ...rest,
      channelId: id,
      config: redactConfig(rest, String(index)),
      createdAt,
      updatedAt,
    };
    const resource = {
      urn: `urn:pulumi:bench::bench::${type}::channel-${id}`,
      custom: true,
      id: String(id),
      type,
      outputs,
    };
    fs.writeSync(descriptor, `${index > 0 ? "," : ""}\n${JSON.stringify(resource, null, 4)}`);
  }
  fs.writeSync(descriptor, "]}}");
  fs.closeSync(descriptor);
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

async function timed(/** @type {() => Promise<void>} */ work) {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/**
 * Serves alert channels from a process of its own.
 * @returns {Promise<{url: string, close: () => void}>}
 */
async function serve() {
  const child = fork(__filename);
  const port = await new Promise((resolve) => child.once("message", resolve));
  return { url: `http://127.0.0.1:${port}`, close: () => child.disconnect() };
}

if (require.main === module) {
  const bodies = new Map(
    Array.from({ length: few }, (_, index) => [
      `/v1/alert-channels/${100_000 + index}`,
      JSON.stringify(channel(index)),
    ]),
  );
  const server = http.createServer(({ url = "" }, response) => {
    response.writeHead(200, { "content-type": "application/json" }).end(bodies.get(url));
  });
  server.listen(0, "127.0.0.1", () => {
    const address = server.address();
    process.send?.(typeof address === "object" ? address?.port : undefined);
  });
  process.once("disconnect", () => process.exit());
}

module.exports = { bench };
