const { subscribe, unsubscribe } = require("node:diagnostics_channel");
const fs = require("node:fs");
const http = require("node:http");
const os = require("node:os");
const path = require("node:path");
const { run } = require("../setup/run");
const { root } = require("../setup");
const { ids, serveChannels } = require("./client");
const { compare } = require("./compare");

const many = 10_000;

/** The number of channels in a large account, and the number of channels that are read individually. */
const [most, maxReads] = [100_000, 5_000];

const monitoring = path.join(root, "dist", "cli", "monitoring.js");

/** Reads each channel with Node's HTTP client, eight at a time, and discards the responses. */
const bareHttp = `const http = require("node:http");
const agent = new http.Agent({ keepAlive: true, maxSockets: 8 });
for (const id of ${JSON.stringify(ids)})
  http.get(process.env.MONITORING_BASE_URL + "/v1/alert-channels/" + id, { agent }, (response) => {
    let text = "";
    response.setEncoding("utf8").on("data", (part) => (text += part)).on("end", () => JSON.parse(text));
  });`;

/** Measures audits with the command, each in a separate process. @type {import("./index").Bench} */
async function bench({ rounds = 15, isQuick }) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "bench-"));
  const server = await serveChannels();
  const write = (/** @type {string} */ name, /** @type {unknown} */ content) => {
    const file = path.join(folder, name);
    fs.writeFileSync(file, JSON.stringify(content, null, 4));
    return file;
  };
  const contender = (/** @type {string[]} */ ...args) => contenderOn(server.url, ...args);
  const audit = (/** @type {string[]} */ ...args) => contender(monitoring, "audit", ...args);
  try {
    const rules = write("audit.yaml", { extends: "recommended" });
    const named = Object.fromEntries(ids.map((id) => [`channel-${id}`, id]));
    const byId = write("ids.yaml", { extends: "recommended", channels: named });
    const ofService = {
      "--all": audit("--rules", rules, "--all"),
      "bare HTTP": contender("-e", bareHttp),
      "by ids": audit("--rules", byId),
    };
    const options = { rounds, isQuick };
    const pairs = [
      { name: "--all", by: "bare HTTP", most: 3 },
      { name: "--all", by: "by ids", most: 1 },
    ];
    return [
      ...(await compare(`${ids.length} channels of the service`, ofService, pairs, options)),
      ...(await compare(
        `the list of ${ids.length} channels`,
        await readsOfList(server.url),
        [
          { name: "read whole", by: "bare HTTP" },
          { name: "read whole", by: "each page once" },
        ],
        // The rounds are short.
        { rounds: Math.max(rounds, 21), isQuick: true, warmUps: 10 },
      )),
      ...(await compareLargeAccounts(write, Math.min(rounds, isQuick ? 1 : 3))),
    ];
  } finally {
    server.close();
    fs.rmSync(folder, { recursive: true });
  }
}

/** @param {string} url @param {string[]} args arguments of Node */
const contenderOn = (url, ...args) => ({
  run: () => node(url, ...args),
  process: /^\S*node\S* (-e|\S*monitoring\.js) /,
});

/**
 * Audits large accounts. Memory is the purpose of these rows, so `--quick` measures it as well. An audit with one rule reports little, so
 * its memory is mostly for the channels that it reads.
 *
 * @param {(name: string, content: unknown) => string} write
 * @param {number} rounds
 */
async function compareLargeAccounts(write, rounds) {
  const [small, large] = [await serveChannels(many), await serveChannels(most)];
  try {
    const recommended = write("recommended.yaml", { extends: "recommended" });
    const oneRule = write("one.yaml", { rules: { "send-failure": "error" } });
    const named = Array.from({ length: maxReads }, (_, index) => [`channel-${index}`, 100_000 + index]);
    const byId = write("many-ids.yaml", { extends: "recommended", channels: Object.fromEntries(named) });
    const all = (/** @type {{url: string}} */ { url }, /** @type {string} */ rules) =>
      contenderOn(url, monitoring, "audit", "--rules", rules, "--all");
    const contenders = {
      [`--all of ${most}`]: all(large, recommended),
      [`--all of ${most}, one rule`]: all(large, oneRule),
      [`${maxReads} by ids`]: contenderOn(small.url, monitoring, "audit", "--rules", byId),
      [`--all of ${many}`]: all(small, recommended),
    };
    const by = `--all of ${many}`;
    // The time doesn't grow faster than the number of channels.
    const growth = most / many;
    const pairs = [
      { name: `--all of ${most}`, by, most: growth, maxMb: 600 },
      { name: `--all of ${most}, one rule`, by, most: growth },
      { name: `${maxReads} by ids`, by },
    ];
    return await compare("a large account", contenders, pairs, { rounds });
  } finally {
    small.close();
    large.close();
  }
}

/**
 * Returns three ways to read the list of a service: as an audit does, until a page contains no new channel and then the first page again;
 * each page once; and the requests of the first way with Node's HTTP client.
 *
 * @param {string} url
 */
async function readsOfList(url) {
  /** @type {typeof import("../../provider/client")} */
  const { MonitoringClient } = require(path.join(root, "dist", "provider", "client"));
  const client = new MonitoringClient({ apiKey: "bench", baseUrl: url });
  const limit = 100;
  const whole = async () => {
    const seen = [];
    for await (const { id } of client.listAlertChannels({ limit })) seen.push(id);
    if (seen.length !== ids.length) throw new Error(`${seen.length} channels were listed.`);
  };
  const once = async () => {
    // An awaited list resolves to its first page. All pages have the same size.
    for (let page = 0; page < ids.length / limit; page++) await client.listAlertChannels({ limit });
  };
  /** @type {string[]} */
  const paths = [];
  const record = (/** @type {any} */ { request }) => paths.push(request.path);
  subscribe("http.client.request.start", record);
  await whole();
  unsubscribe("http.client.request.start", record);
  const agent = new http.Agent({ keepAlive: true });
  const read = (/** @type {string} */ page) =>
    new Promise((resolve, reject) => {
      const request = http.get(`${url}${page}`, { agent }, (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (part) => (text += part));
        response.on("end", () => resolve(JSON.parse(text)));
      });
      request.once("error", reject);
    });
  const bare = async () => {
    for (const page of paths) await read(page);
  };
  return { "read whole": { run: whole }, "each page once": { run: once }, "bare HTTP": { run: bare } };
}

/** Runs Node with the settings of a service in its environment. @param {string} url @param {string[]} args */
async function node(url, ...args) {
  const env = { ...process.env, MONITORING_BASE_URL: url, MONITORING_API_KEY: "bench" };
  const { code, output } = await run(process.execPath, args, { env });
  // Exit code 1 means that an audit has findings.
  if (code !== 0 && code !== 1) throw new Error(`node ${args[0]} ended with ${code}: ${output}`);
}

module.exports = { bench };
