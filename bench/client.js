const path = require("node:path");
const { ids, serveChannels } = require("./channels");
const { atMost } = require("./figures");
const { atOnce, compare, readAll } = require("./libraries");

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
