const axios = require("axios");
const { fork } = require("node:child_process");
const http = require("node:http");
const path = require("node:path");
const { inParallel } = require("../setup/run");
const { atMost, figure, median } = require("./report");

const atOnce = 8;
const warmUps = 3;
const headers = { authorization: "Bearer bench" };

/** Reads of one object by this package and by libraries. @param {string} url */
function readersOf(url) {
  /** @type {typeof import("../../provider/client")} */
  const { MonitoringClient } = require(path.join(__dirname, "..", "..", "dist", "provider", "client"));
  const client = new MonitoringClient({ apiKey: "bench", baseUrl: url });
  const keptAlive = () => new http.Agent({ keepAlive: true, maxSockets: atOnce });
  const byAxios = axios.create({ headers, httpAgent: keptAlive() });
  const address = (/** @type {number} */ id) => `${url}/v1/alert-channels/${id}`;
  const agent = keptAlive();
  return {
    http: (/** @type {number} */ id) => httpRead(address(id), agent),
    fetch: async (/** @type {number} */ id) => (await fetch(address(id), { headers })).json(),
    axios: (/** @type {number} */ id) => byAxios.get(address(id)),
    package: (/** @type {number} */ id) => client.getAlertChannel(id),
  };
}

/** @param {string} url @param {http.Agent} agent @returns {Promise<unknown>} */
function httpRead(url, agent) {
  return new Promise((resolve, reject) => {
    const request = http.get(url, { agent, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part) => (text += part));
      response.on("end", () => resolve(JSON.parse(text)));
    });
    request.on("error", reject);
  });
}

/**
 * Reads of one object each, against plain requests. All read alternately, so that other load on the machine affects all alike.
 * @type {import("./report").Bench}
 */
async function bench({ quick }) {
  const rounds = quick ? 3 : 21;
  const server = await serveChannels();
  const readers = readersOf(server.url);
  /** @type {Record<"http" | "fetch" | "axios" | "package", number>[]} */
  const runs = [];
  for (let round = -warmUps; round < rounds; round++) {
    const run = { http: 0, fetch: 0, axios: 0, package: 0 };
    for (const name of /** @type {const} */ (["http", "fetch", "axios", "package"])) {
      const began = performance.now();
      await inParallel(ids, readers[name], undefined, atOnce);
      run[name] = performance.now() - began;
    }
    if (round >= 0) runs.push(run);
  }
  server.close();
  const ms = median(runs.map((run) => run.package));
  const factor = (/** @type {"http" | "fetch" | "axios"} */ library) =>
    median(runs.map((run) => run.package / run[library]));
  return [
    figure(`${ids.length} reads of one alert channel each with the client, ${atOnce} at a time`, ms, "ms"),
    atMost(`relative to the same with axios, median of ${rounds} rounds`, factor("axios"), "ratio", 1.15),
    figure("relative to the same with fetch", factor("fetch"), "ratio"),
    figure("relative to the same with node:http", factor("http"), "ratio"),
  ];
}

/** The number of channels of the service. */
const served = 1_000;
const firstId = 100_000;

/** A channel like those of real accounts: of each type in turn, some with something wrong. */
function channel(/** @type {number} */ index) {
  const { alertChannels } = seededAccount();
  const seed = alertChannels[index % alertChannels.length];
  return { ...seed, id: firstId + index, subscriptions: seed?.subscriptions.slice(0, 3) };
}

/** @type {import("../../sandbox").SandboxAccount | undefined} */
let account;

function seededAccount() {
  /** @type {typeof import("../../sandbox")} */
  const { seedData } = require(path.resolve(__dirname, "..", "..", "dist", "sandbox"));
  return (account ??= seedData({ now: new Date("2026-01-31T09:30:00Z") }).accounts[0]);
}

/** The ids of the channels that the service has. */
const ids = Array.from({ length: served }, (_, index) => firstId + index);

/** Serves alert channels from a process of its own. @returns {Promise<{url: string, close: () => void}>} */
async function serveChannels() {
  const child = fork(__filename);
  const port = await new Promise((resolve) => child.once("message", resolve));
  return { url: `http://127.0.0.1:${port}`, close: () => child.disconnect() };
}

if (require.main === module) {
  const bodies = new Map(
    ids.map((id, index) => [`/v1/alert-channels/${id}`, JSON.stringify(channel(index))]),
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

module.exports = { bench, channel };
