const { fork } = require("node:child_process");
const fs = require("node:fs");
const http = require("node:http");
const os = require("node:os");
const path = require("node:path");
const { inParallel } = require("../setup/run");
const { root } = require("../setup");
const { compare } = require("./compare");

const atOnce = 8;

/** IDs of the channels on the service. */
const ids = Array.from({ length: 1_000 }, (_, index) => 100_000 + index);

/** Compares single reads with this package's client, with axios, which it uses, and with Node's `fetch`. @type {import("./index").Bench} */
async function bench({ rounds = 21, isQuick }) {
  const axios = require("axios");
  /** @type {typeof import("../../provider/client")} */
  const { MonitoringClient } = require(path.join(root, "dist", "provider", "client"));
  const { url, close } = await serveChannels();
  const client = new MonitoringClient({ apiKey: "bench", baseUrl: url });
  const httpAgent = new http.Agent({ keepAlive: true, maxSockets: atOnce });
  const headers = { authorization: "Bearer bench" };
  const byAxios = axios.create({ baseURL: `${url}/v1/alert-channels/`, headers, httpAgent });
  const byFetch = async (/** @type {number} */ id) => {
    // Connections are kept alive by default.
    const response = await fetch(`${url}/v1/alert-channels/${id}`, { headers });
    if (!response.ok) throw new Error(`The status is ${response.status}.`);
    return response.json();
  };
  const all = (/** @type {(id: number) => Promise<unknown>} */ read) =>
    inParallel(ids, read, undefined, atOnce);
  const contenders = {
    client: { run: () => all((id) => client.getAlertChannel(id)) },
    axios: { run: () => all((id) => byAxios.get(String(id))) },
    fetch: { run: () => all(byFetch) },
  };
  const what = `${ids.length} reads, ${atOnce} at a time`;
  const pairs = [
    { name: "client", by: "axios", most: 1 },
    { name: "client", by: "fetch", most: 1.1 },
  ];
  // The rounds are short.
  const options = { rounds: Math.max(rounds, 11), isQuick, warmUps: 3 };
  const rows = await compare(what, contenders, pairs, options);
  const { peek, remove } = await notesOfUpdates();
  const few = ids.slice(0, 200);
  const asked = {
    peek: { run: () => few.forEach(peek) },
    reads: { run: () => inParallel(few, (id) => client.getAlertChannel(id), undefined, atOnce) },
  };
  const limited = [{ name: "peek", by: "reads", most: 1 }];
  rows.push(
    ...(await compare(`${few.length} resources ask for edits of killed runs`, asked, limited, options)),
  );
  remove();
  close();
  return rows;
}

/** Creates the records of an incident with ten updates, and returns a function that looks up the record of one resource. */
async function notesOfUpdates() {
  /** @type {typeof import("../../provider/publishing/lockDirectory")} */
  const { LockDirectory } = require(path.join(root, "dist", "provider", "publishing", "lockDirectory"));
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "bench-notes-"));
  const directory = new LockDirectory(folder);
  const place = { service: { host: "service", path: "/" }, containerId: "incident" };
  const keys = Array.from({ length: 10 }, (_, index) => `MONITORING Hour ${index}`);
  const context = { notice: () => undefined };
  await directory.withLock(place, context, async (notes) => {
    for (const key of keys) await notes.recordPost(key, { contentKey: key, occurrence: 1 });
  });
  return {
    peek: (/** @type {number} */ id) =>
      directory.peek(place)?.listPosts([keys[id % keys.length] ?? ""], { resource: `urn:${id}` }),
    remove: () => fs.rmSync(folder, { recursive: true }),
  };
}

/** Creates channels like in real accounts: of each type in turn, some with problems. @param {number} count */
function channels(count) {
  /** @type {typeof import("../../sandbox")} */
  const { seedData } = require(path.join(root, "dist", "sandbox"));
  const [{ alertChannels }] = seedData({ now: new Date("2026-01-31T09:30:00Z") }).accounts;
  return Array.from({ length: count }, (_, index) => {
    const seed = alertChannels[index % alertChannels.length];
    return { ...seed, id: 100_000 + index, subscriptions: seed?.subscriptions.slice(0, 3) };
  });
}

/** Serves alert channels from a separate process. @param {number} [count] @returns {Promise<{url: string, close: () => void}>} */
async function serveChannels(count = ids.length) {
  const child = fork(__filename, [String(count)]);
  const port = await new Promise((resolve) => child.once("message", resolve));
  return { url: `http://127.0.0.1:${port}`, close: () => child.disconnect() };
}

if (require.main === module) {
  const served = channels(Number(process.argv[2]));
  const server = http.createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://service");
    const limit = Number(searchParams.get("limit") ?? 10);
    const begin = (Number(searchParams.get("page") ?? 1) - 1) * limit;
    const [, id] = /\/(\d+)$/.exec(pathname) ?? [];
    const body = id === undefined ? served.slice(begin, begin + limit) : served[Number(id) - 100_000];
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(body));
  });
  server.listen(0, "127.0.0.1", () => {
    const address = server.address();
    process.send?.(typeof address === "object" ? address?.port : undefined);
  });
  process.once("disconnect", () => process.exit());
}

module.exports = { bench, channels, ids, serveChannels };
