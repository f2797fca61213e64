const http = require("node:http");
const path = require("node:path");
const axios = require("axios");
const { inParallel } = require("../setup/run");
const { ids, serveChannels } = require("./channels");
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

module.exports = { bench };
