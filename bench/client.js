const http = require("node:http");
const path = require("node:path");
const axios = require("axios");
const { ids, serveChannels } = require("./channels");
const { atMost, median, quantity } = require("./figures");

const atOnce = 8;
const warmUps = 3;

/**
 * Reads all channels by each library and by this package, alternately, so that other load on the machine affects all alike.
 * @param {string} url
 * @param {number} rounds
 * @param {() => Promise<void>} byPackage
 * @returns how long the package took, and by what factor longer than each library
 */
async function compare(url, rounds, byPackage) {
  const [byHttp, byAxios] = [httpReader(), axiosReader()];
  const by = (/** @type {Read} */ read) => () => readAll((id) => read(`${url}/v1/alert-channels/${id}`));
  const contenders = { http: by(byHttp), fetch: by(byFetch), axios: by(byAxios), package: byPackage };
  /** @type {Record<keyof typeof contenders, number>[]} */
  const runs = [];
  for (let round = 0; round < warmUps + rounds; round++) {
    const run = { http: 0, fetch: 0, axios: 0, package: 0 };
    for (const name of /** @type {const} */ (["http", "fetch", "axios", "package"])) {
      const began = performance.now();
      await contenders[name]();
      run[name] = performance.now() - began;
    }
    if (round >= warmUps) runs.push(run);
  }
  const factor = (/** @type {"http" | "fetch" | "axios"} */ library) =>
    quantity(median(runs.map((run) => run.package / run[library])), "ratio");
  return {
    ms: quantity(median(runs.map((run) => run.package)), "ms"),
    by: { http: factor("http"), fetch: factor("fetch"), axios: factor("axios") },
  };
}

/** Reads every channel, some at a time. @param {(id: number) => Promise<unknown>} read */
async function readAll(read) {
  const queue = ids.values();
  const work = async () => {
    for (const id of queue) await read(id);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}

/** @typedef {(url: string) => Promise<unknown>} Read */

const headers = { authorization: "Bearer bench" };

/** @returns {Read} */
function httpReader() {
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

/** @type {Read} */
async function byFetch(url) {
  return (await fetch(url, { headers })).json();
}

/** @returns {Read} */
function axiosReader() {
  const client = axios.create({ headers, httpAgent: keptAlive() });
  return (url) => client.get(url);
}

function keptAlive() {
  return new http.Agent({ keepAlive: true, maxSockets: atOnce });
}

/**
 * Reads of one object each, against plain requests.
 * @type {import("./figures").Bench}
 */
async function bench({ quick }) {
  /** @type {typeof import("../provider/client")} */
  const { MonitoringClient } = require(path.join(__dirname, "..", "dist", "provider", "client"));
  const rounds = quick ? 3 : 21;
  const server = await serveChannels();
  const client = new MonitoringClient({ apiKey: "bench", baseUrl: server.url });
  const { ms, by } = await compare(server.url, rounds, () => readAll((id) => client.getAlertChannel(id)));
  server.close();
  return [
    {
      what: `${ids.length} reads of one alert channel each with the client, ${atOnce} at a time`,
      measured: ms,
    },
    { what: `relative to the same with axios, median of ${rounds} rounds`, ...atMost(by.axios, 1) },
    { what: "relative to the same with fetch", ...atMost(by.fetch, 1) },
    { what: "relative to the same with node:http", measured: by.http },
  ];
}

module.exports = { bench };
