const { fork } = require("node:child_process");
const http = require("node:http");
const { MonitoringClient } = require("./built");
const { perPage } = require("./pages");

/** @typedef {(baseUrl: string) => Promise<number>} Walk reads a whole list, and gives how many status pages it saw */

/** @type {Record<"client" | "hand", Walk>} */
const walks = {
  async client(baseUrl) {
    const client = new MonitoringClient({ apiKey: "bench", baseUrl });
    let seen = 0;
    for await (const entry of client.listStatusPages({ limit: perPage })) if (entry.id !== "") seen += 1;
    return seen;
  },

  /** The least that can be done: one request after another, and JSON.parse. */
  async hand(baseUrl) {
    const agent = new http.Agent({ keepAlive: true });
    let seen = 0;
    /** @type {string | null} */
    let nextId = "";
    while (nextId !== null) {
      const cursor = nextId === "" ? "" : `&nextId=${nextId}`;
      const page = JSON.parse(await get(`${baseUrl}/v1/status-pages?limit=${perPage}${cursor}`, agent));
      for (const entry of page.entries) if (entry.id !== "") seen += 1;
      nextId = page.nextId;
    }
    agent.destroy();
    return seen;
  },
};

/**
 * @param {string} url
 * @param {http.Agent} agent
 * @returns {Promise<string>}
 */
function get(url, agent) {
  return new Promise((resolve, reject) => {
    const request = http.get(url, { agent, headers: { authorization: "Bearer bench" } }, (response) => {
      /** @type {Buffer[]} */
      const chunks = [];
      response.on("data", (chunk) => chunks.push(chunk));
      response.on("end", () => resolve(Buffer.concat(chunks).toString("utf8")));
      response.on("error", reject);
    });
    request.on("error", reject);
  });
}

/**
 * Walks in a process of its own, so that neither pays for what the other left in memory.
 * @param {keyof typeof walks} name
 * @param {string} baseUrl
 */
function walker(name, baseUrl) {
  const child = fork(__filename, [name, baseUrl]);
  return {
    /** @returns {Promise<{seen: number, ms: number}>} */
    walk: () =>
      new Promise((resolve) => {
        child.once("message", resolve);
        child.send("walk");
      }),
    end: () => child.disconnect(),
  };
}

if (require.main === module) {
  const [name = "", baseUrl = ""] = process.argv.slice(2);
  const walk = name === "client" ? walks.client : walks.hand;
  process.on("message", () => {
    const began = performance.now();
    void walk(baseUrl).then((seen) => process.send?.({ seen, ms: performance.now() - began }));
  });
}

module.exports = { walker };
