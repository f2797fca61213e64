const { fork } = require("node:child_process");
const http = require("node:http");
const path = require("node:path");
const { inParallel } = require("../setup/run");
const { inTurns } = require("./compare");

const atOnce = 8;
const headers = { authorization: "Bearer bench" };

/** Reads of one object by this package and by libraries. @param {string} url */
function readersOf(url) {
  const axios = require("axios");
  /** @type {typeof import("../../provider/client")} */
  const { MonitoringClient } = require(path.join(__dirname, "..", "..", "dist", "provider", "client"));
  const client = new MonitoringClient({ apiKey: "bench", baseUrl: url });
  const httpAgent = new http.Agent({ keepAlive: true, maxSockets: atOnce });
  const byAxios = axios.create({ headers, httpAgent });
  const address = (/** @type {number} */ id) => `${url}/v1/alert-channels/${id}`;
  return {
    client: (/** @type {number} */ id) => client.getAlertChannel(id),
    axios: (/** @type {number} */ id) => byAxios.get(address(id)),
    fetch: async (/** @type {number} */ id) => (await fetch(address(id), { headers })).json(),
    "node:http": httpReader(url),
  };
}

/** Reads an object by its id without any library. @param {string} url @returns {(id: number) => Promise<unknown>} */
function httpReader(url) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: atOnce });
  return (id) =>
    new Promise((resolve, reject) => {
      const request = http.get(`${url}/v1/alert-channels/${id}`, { agent, headers }, (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (part) => (text += part));
        response.on("end", () => resolve(JSON.parse(text)));
      });
      request.on("error", reject);
    });
}

/** Reads all channels without any library. @param {string} url */
const readByHttp = (url) => inParallel(ids, httpReader(url), undefined, atOnce);

/** Reads of one object each, against plain requests. @type {import("./compare").Bench} */
async function bench({ rounds = 21 }) {
  const server = await serveChannels();
  const contenders = Object.entries(readersOf(server.url)).map(([name, read]) => [
    name,
    () => inParallel(ids, read, undefined, atOnce),
  ]);
  const measured = await inTurns(Object.fromEntries(contenders), rounds, 3);
  server.close();
  const what = `${ids.length} reads, ${atOnce} at a time`;
  return [
    { what, one: "client", other: "axios", measured, most: 1.15 },
    { what, one: "client", other: "fetch", measured },
    { what, one: "client", other: "node:http", measured },
  ];
}

/** A channel like those of real accounts: of each type in turn, some with something wrong. */
function channel(/** @type {number} */ index) {
  const { alertChannels } = (account ??= seededAccount());
  const seed = alertChannels[index % alertChannels.length];
  return { ...seed, id: firstId + index, subscriptions: seed?.subscriptions.slice(0, 3) };
}

const firstId = 100_000;
/** The ids of the channels that the service has. */
const ids = Array.from({ length: 1_000 }, (_, index) => firstId + index);

/** @type {ReturnType<typeof seededAccount> | undefined} */
let account;

function seededAccount() {
  /** @type {typeof import("../../sandbox")} */
  const { seedData } = require(path.resolve(__dirname, "..", "..", "dist", "sandbox"));
  return seedData({ now: new Date("2026-01-31T09:30:00Z") }).accounts[0];
}

/** Serves alert channels from a process of its own. @returns {Promise<{url: string, close: () => void}>} */
async function serveChannels() {
  const child = fork(__filename);
  const port = await new Promise((resolve) => child.once("message", resolve));
  return { url: `http://127.0.0.1:${port}`, close: () => child.disconnect() };
}

/** The channel of a path, or a page of all. @param {URL} url */
function bodyOf({ pathname, searchParams }) {
  const index = ids.indexOf(Number(pathname.split("/").at(-1)));
  if (index >= 0) return channel(index);
  const limit = Number(searchParams.get("limit") ?? 10);
  const begin = (Number(searchParams.get("page") ?? 1) - 1) * limit;
  return ids.slice(begin, begin + limit).map((_, place) => channel(begin + place));
}

if (require.main === module) {
  const server = http.createServer(({ url = "" }, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(bodyOf(new URL(url, "http://service"))));
  });
  server.listen(0, "127.0.0.1", () => {
    const address = server.address();
    process.send?.(typeof address === "object" ? address?.port : undefined);
  });
  process.once("disconnect", () => process.exit());
}

module.exports = { bench, channel, ids, readByHttp, serveChannels };
