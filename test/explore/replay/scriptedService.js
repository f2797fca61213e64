/** The service of a replay. It delays each request until the trace provides the response. */
const events = require("node:events");
const http = require("node:http");

/**
 * @typedef {object} Request
 * @property {"read" | "readUpdate" | "post" | "edit"} does
 * @property {string} incident the incident's location. On a page with components, the page's ID comes before the incident's ID
 * @property {string} [id] the ID of the update that is read, posted or edited
 * @property {string} [text] the text of the post or edit; for an incident, with its name
 * @property {string} [date] the date of an edit
 * @property {(status: number, body: unknown) => unknown} respond sends the response. Returns a promise if the read consists of more requests
 * @property {() => void} drop ends the connection without a response
 */

/** The URLs of a page with incidents that a program opens. */
const opening = /^\/v3\/status-pages\/([^/?]+)(?:\/(incidents)(?:\/([^/?]+))?)?(?:\?|$)/;
const address =
  /^\/v\d\/status-pages\/(?:([^/]+)\/)?incidents\/([^/]+)(?:\/incident-updates(?:\/([^/]+))?)?$/;

class ScriptedService {
  /** @param {boolean} [opens] true if the trace opens incidents on a page. False if it posts updates on an incident */
  static async start(opens = false) {
    const service = new ScriptedService();
    service.opens = opens;
    service.#server.listen(0, "127.0.0.1");
    await events.once(service.#server, "listening");
    return service;
  }

  /** @type {Request[]} */
  #arrived = [];
  /** The incidents that the process hasn't read individually yet, during a read of their page. @type {Map<string, object>} */
  #unread = new Map();
  #tellRead = () => {};
  opens = false;
  /** @type {(() => void) | undefined} */
  #tell;
  #server = http.createServer((incoming, response) => void this.#receive(incoming, response));

  get url() {
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("The service doesn't listen.");
    return `http://127.0.0.1:${address.port}`;
  }

  /** Waits for the next request. Returns undefined if the other work ends first. @param {Promise<unknown>} work */
  async next(work) {
    if (this.#arrived.length === 0) {
      await Promise.race([work, new Promise((resolve) => (this.#tell = () => resolve(undefined)))]);
    }
    return this.#arrived.shift();
  }

  /** Drops the requests of a process that was killed. */
  forget() {
    for (const { drop } of this.#arrived.splice(0)) drop();
  }

  close() {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** @param {http.IncomingMessage} incoming @param {http.ServerResponse} response */
  async #receive(incoming, response) {
    if (this.opens) return this.#receiveOpening(incoming, response);
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
      ...createResponder(response),
    });
    this.#tell?.();
  }

  /**
   * A read of a page consists of several requests. The trace responds to the first request, and the service to the others.
   * @param {http.IncomingMessage} incoming @param {http.ServerResponse} response
   */
  async #receiveOpening(incoming, response) {
    const [, incident = "", list, id] = opening.exec(incoming.url ?? "") ?? [];
    const { respond } = createResponder(response);
    const unread = id !== undefined && this.#unread.get(id);
    if (id !== undefined && unread) {
      this.#unread.delete(id);
      respond(200, unread);
    } else if (list !== undefined && id === undefined && incoming.method === "GET")
      respond(200, { length: this.#unread.size, entries: [...this.#unread.values()], nextId: null });
    else return this.#receiveFirst(incoming, response, incident, id);
    if (this.#unread.size === 0) this.#tellRead();
  }

  /** @param {http.IncomingMessage} incoming @param {http.ServerResponse} response @param {string} incident @param {string} [id] */
  async #receiveFirst(incoming, response, incident, id) {
    const { respond, drop } = createResponder(response);
    const { name, incidentUpdates } = incoming.method === "GET" ? {} : JSON.parse(await readBody(incoming));
    const does = incoming.method === "POST" ? "post" : id === undefined ? "read" : "readUpdate";
    this.#arrived.push({
      ...{ does, incident, ...(id !== undefined && { id }), drop },
      ...(does === "post" && { text: `${incidentUpdates[0].description} as ${name}` }),
      respond: (status, /** @type {any} */ body) => {
        if (status >= 300) return respond(status, body);
        if (does !== "read") return respond(status, toIncident(body));
        this.#unread = new Map(
          body.incidentUpdates.map((/** @type {any} */ each) => [each.id, toIncident(each)]),
        );
        respond(status, { id: body.id, name: body.name, created_at: body.created_at });
        return new Promise((resolve) => (this.#tellRead = () => resolve(undefined)));
      },
    });
    this.#tell?.();
  }
}

/** Converts an entry of a page to an incident as the service shows it. @param {Record<string, unknown> & {id: string}} entry */
function toIncident({ id, name, isResolved, ...first }) {
  const { status, created_at } = first;
  const lastUpdateStatus = isResolved ? "RESOLVED" : status;
  return {
    id,
    name,
    created_at,
    lastUpdateStatus,
    componentImpacts: [],
    incidentUpdates: [{ id: `first-${id}`, ...first }],
  };
}

/** @param {http.ServerResponse} response @returns {Pick<Request, "respond" | "drop">} */
function createResponder(response) {
  return {
    respond: (status, body) => {
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    },
    drop: () => response.destroy(),
  };
}

/** @param {http.IncomingMessage} incoming */
async function readBody(incoming) {
  let text = "";
  for await (const chunk of incoming.setEncoding("utf8")) text += chunk;
  return text;
}

exports.ScriptedService = ScriptedService;
