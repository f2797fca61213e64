const { fork } = require("node:child_process");
const http = require("node:http");
const { seedData } = require("./built");

const perPage = 100;

const [{ statusPages }] = seedData({ now: new Date("2026-01-31T09:30:00Z") }).accounts;

/** @typedef {(index: number) => object} Entry a status page with an id of its own */

/** By the first part of the path: the sandbox's status pages over and over, whole or with their name and slug alone. */
const kinds = {
  /** @type {Entry} */
  large: (index) => ({ ...modelOf(index), id: idOf(index), incidents: [] }),
  /** @type {Entry} */
  small: (index) => ({ id: idOf(index), name: modelOf(index)?.name, url: modelOf(index)?.url }),
};

/** @param {number} index */
function modelOf(index) {
  return statusPages[index % statusPages.length];
}

/** @param {number} index */
function idOf(index) {
  return `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`;
}

/** @typedef {keyof typeof kinds} Kind */

/**
 * The response with the page of the list that begins at `from`, of `count` status pages.
 * @param {Kind} kind
 * @param {number} from
 * @param {number} count
 */
function page(kind, from, count) {
  const entries = Array.from({ length: perPage }, (_, index) => kinds[kind](from + index));
  const next = from + perPage;
  return JSON.stringify({ length: perPage, entries, nextId: next < count ? String(next) : null });
}

/**
 * Serves lists from a process of its own: `/<kind>/<count>/v1/status-pages` has that many status pages.
 * @returns {Promise<{url: string, close: () => void}>}
 */
async function servePages() {
  const child = fork(__filename);
  const port = await new Promise((resolve) => child.once("message", resolve));
  return { url: `http://127.0.0.1:${port}`, close: () => child.disconnect() };
}

if (require.main === module) {
  const server = http.createServer(({ url = "" }, response) => {
    const [, kind, count, from = "0"] =
      /^\/(\w+)\/(\d+)\/[^?]*\?limit=\d+(?:&nextId=(\d+))?$/.exec(url) ?? [];
    // Made when it is asked for, as a service makes it.
    const body = page(kind === "small" ? "small" : "large", Number(from), Number(count));
    response.writeHead(200, { "content-type": "application/json" }).end(body);
  });
  server.listen(0, "127.0.0.1", () => {
    const address = server.address();
    process.send?.(typeof address === "object" ? address?.port : undefined);
  });
  process.once("disconnect", () => process.exit());
}

module.exports = { perPage, servePages };
