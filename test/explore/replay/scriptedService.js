/** The service of a replay: holds each request until the trace says what it responds. */
const events = require("node:events");
const http = require("node:http");

/**
 * @typedef {object} Request
 * @property {"read" | "readUpdate" | "post" | "edit"} does
 * @property {string} incident its address: on a page with components, the id of the page comes first
 * @property {string} [id] of the update that is read, posted or edited
 * @property {string} [text]
 * @property {string} [date] of an edit
 * @property {(status: number, body: unknown) => void} respond
 * @property {() => void} drop ends the connection without a response
 */

const address =
  /^\/v\d\/status-pages\/(?:([^/]+)\/)?incidents\/([^/]+)(?:\/incident-updates(?:\/([^/]+))?)?$/;

class ScriptedService {
  static async start() {
    const service = new ScriptedService();
    service.#server.listen(0, "127.0.0.1");
    await events.once(service.#server, "listening");
    return service;
  }

  /** @type {Request[]} */
  #arrived = [];
  /** @type {(() => void) | undefined} */
  #tell;
  #server = http.createServer((incoming, response) => void this.#receive(incoming, response));

  get url() {
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("The service doesn't listen.");
    return `http://127.0.0.1:${address.port}`;
  }

  /** The next request; undefined when the other work is done first. @param {Promise<unknown>} work */
  async next(work) {
    if (this.#arrived.length === 0) {
      await Promise.race([work, new Promise((resolve) => (this.#tell = () => resolve(undefined)))]);
    }
    return this.#arrived.shift();
  }

  /** Those of a process that is killed don't matter any more. */
  forget() {
    for (const { drop } of this.#arrived.splice(0)) drop();
  }

  close() {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** @param {http.IncomingMessage} incoming @param {http.ServerResponse} response */
  async #receive(incoming, response) {
    const [, page, incidentId = "", update] = address.exec(incoming.url ?? "") ?? [];
    const posts = incoming.method === "POST";
    const edits = incoming.method === "PUT";
    const body = posts || edits ? JSON.parse(await readBody(incoming)) : {};
    const { id = update, description, publicIncidentUpdateDate: date } = body;
    this.#arrived.push({
      does: posts ? "post" : edits ? "edit" : id === undefined ? "read" : "readUpdate",
      incident: page === undefined ? incidentId : `${page}/${incidentId}`,
      ...(id !== undefined && { id }),
      ...((posts || edits) && { text: description }),
      ...(edits && { date }),
      respond: (status, body) => {
        response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
      },
      drop: () => response.destroy(),
    });
    this.#tell?.();
  }
}

/** @param {http.IncomingMessage} incoming */
async function readBody(incoming) {
  let text = "";
  for await (const chunk of incoming.setEncoding("utf8")) text += chunk;
  return text;
}

exports.ScriptedService = ScriptedService;
