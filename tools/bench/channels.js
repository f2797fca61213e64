/** Alert channels like those of real accounts, and a service that has them. */
const { fork } = require("node:child_process");
const http = require("node:http");
const path = require("node:path");

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

/**
 * Serves alert channels from a process of its own.
 * @returns {Promise<{url: string, close: () => void}>}
 */
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

module.exports = { channel, ids, serveChannels };
