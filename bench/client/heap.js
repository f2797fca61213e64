const { setFlagsFromString } = require("node:v8");
const { runInNewContext } = require("node:vm");
const { atMost, quantity } = require("../figures");
const { MonitoringClient } = require("./built");
const { perPage, servePages } = require("./pages");

const count = 100_000;

/** The most that the heap grew by while a long list was read. */
async function heap() {
  setFlagsFromString("--expose-gc");
  /** @type {() => void} */
  const collect = runInNewContext("gc");
  const used = () => {
    collect();
    return process.memoryUsage().heapUsed / 1_000_000;
  };
  const server = await servePages();
  const client = new MonitoringClient({ apiKey: "bench", baseUrl: `${server.url}/large/${count}` });
  let [seen, before, most] = [0, 0, 0];
  for await (const entry of client.listStatusPages({ limit: perPage })) {
    if (entry.id !== "") seen += 1;
    if (seen === perPage) before = used();
    if (seen % 10_000 === 0) most = Math.max(most, used());
  }
  server.close();
  if (seen !== count) throw new Error(`${seen} of ${count} status pages came.`);
  return [
    {
      what: `heap growth over ${count.toLocaleString("en")} status pages`,
      ...atMost(quantity(most - before, "MB"), 30),
    },
  ];
}

module.exports = { heap };
