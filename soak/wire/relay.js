/** A TCP relay between one account and the service: forwards each request, and injects the faults that it is given. */
const events = require("node:events");
const net = require("node:net");
const { forward, readRequest } = require("./message");
const { fateOf, reachesService, whole } = require("./strike");

/** @typedef {import("./strike").Strike} Strike */
/** @typedef {import("./strike").Stage} Stage */
/** @typedef {import("./strike").Answer} Answer */
/** A POST of which at least one byte arrived. @typedef {{turnedAway: boolean, applied: boolean}} Post */

const refusesForMs = 300;

class Relay {
  /** @param {string} service base address */
  static async open(service) {
    const relay = new Relay(service);
    await relay.#listen(0);
    return relay;
  }

  /** Every POST, oldest first. @type {Post[]} */
  posts = [];
  /** The number of connections, which is the number of requests. */
  requests = 0;
  /** The number of requests with a fault. */
  struck = 0;
  #service;
  #port = 0;
  #server = net.createServer((socket) => void this.#serve(socket).catch(() => socket.destroy()));
  /** @type {Set<net.Socket>} */
  #sockets = new Set();
  /** @type {(Strike & {skip: number})[]} */
  #strikes = [];
  /**
   * The purpose of the next connection, since each request has its own: a create reads the
   * incident, posts, and searches for a post without a response.
   * @type {"observe" | "post" | "look"}
   */
  #next = "observe";
  /** @type {NodeJS.Timeout | undefined} */
  #reopening;
  #held = deferred();
  #released = deferred();
  /** While a request is held, later requests wait. @type {Promise<void> | undefined} */
  #holding;

  /** @param {string} service */
  constructor(service) {
    this.#service = new URL(service);
  }

  get url() {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Resolves when a request is held for a kill. */
  get held() {
    return this.#held.promise;
  }

  /** Injects a fault into the POST after `skip` others, or into the reads after it. @param {Strike} strike */
  strike(strike, skip = 0) {
    this.#held = deferred();
    this.#released = deferred();
    const others = Array.from({ length: (strike.times ?? 1) - 1 }, () => ({ ...strike, skip: 0 }));
    this.#strikes.push({ ...strike, skip }, ...others);
  }

  /** A held request continues normally, and no further fault is injected. */
  release() {
    this.#strikes = [];
    this.#released.resolve();
  }

  /** Open requests are lost, and no further fault is injected. */
  async heal() {
    this.#strikes = [];
    this.#holding = undefined;
    this.#endConnections();
    if (!this.#server.listening) await this.#listen(this.#port);
  }

  async close() {
    this.#endConnections();
    if (this.#server.listening) await new Promise((resolve) => this.#server.close(resolve));
  }

  #endConnections() {
    clearTimeout(this.#reopening);
    for (const socket of this.#sockets) socket.destroy();
  }

  /** @param {number} port */
  async #listen(port) {
    await events.once(this.#server.listen(port, "127.0.0.1"), "listening");
    const address = this.#server.address();
    if (typeof address === "object" && address) this.#port = address.port;
  }

  /** @param {net.Socket} socket */
  async #serve(socket) {
    this.requests += 1;
    this.#sockets.add(socket);
    socket.on("error", () => undefined).on("close", () => this.#sockets.delete(socket));
    /** @type {AsyncIterator<Buffer>} */
    const chunks = socket.iterator({ destroyOnReturn: false });
    await this.#holding;
    const beforeAccept = this.#take(this.#next, ["before accept"]);
    if (beforeAccept && !(await this.#carryOut(beforeAccept, socket, this.#noteUnread(beforeAccept, chunks))))
      return;

    const { value: first, done } = await chunks.next();
    if (done) return;
    const post = isPost(first) ? this.#note() : undefined;
    const step = post ? "post" : this.#next === "look" ? "look" : "observe";
    const during = this.#take(step, ["during the request"]);
    if (during && !(await this.#carryOut(during, socket, post))) return;

    const request = await readRequest(first, chunks);
    if (!request) return;
    const strike = this.#take(step, ["before the answer", "mid-response", "after the answer"]);
    const answer = !strike || reachesService(strike) ? await forward(request, this.#service) : undefined;
    if (post && answer) post.applied = answer.status === 201;
    if (strike && !(await this.#carryOut(strike, socket, post, answer))) return;
    if (!answer) return;
    if (step !== "look") this.#expect(step === "observe" ? "post" : "observe");
    socket.end(whole(answer).subarray(socket.bytesWritten));
  }

  #note() {
    const post = { turnedAway: false, applied: false };
    this.posts.push(post);
    return post;
  }

  /**
   * A POST counts when any of it arrives, even when it isn't read. A reset loses what isn't read.
   * @param {Strike} strike
   * @param {AsyncIterator<Buffer>} chunks
   */
  #noteUnread(strike, chunks) {
    if (strike.method === "GET" || strike.kind === "kill") return undefined;
    const post = { turnedAway: false, applied: false };
    const note = (/** @type {IteratorResult<Buffer>} */ { value, done }) => {
      if (!done && isPost(value)) this.posts.push(post);
    };
    if (strike.kind !== "reset") chunks.next().then(note, () => undefined);
    return post;
  }

  /**
   * @param {Strike} strike
   * @param {net.Socket} socket
   * @param {Post} [post]
   * @param {Answer} [genuine]
   * @returns {Promise<boolean>} whether the request continues normally
   */
  async #carryOut(strike, socket, post, genuine) {
    const turnedAway = strike.kind === "429" && strike.stage !== "after the answer";
    if (post) post.turnedAway = turnedAway;
    if (strike.kind !== "kill") this.#expect(turnedAway && strike.method === "POST" ? "post" : "look");
    const { bytes, then } = fateOf(strike, genuine);
    if (bytes.length > 0) await new Promise((resolve) => socket.write(bytes, resolve));
    if (then === "reset") socket.resetAndDestroy();
    if (then === "end") socket.end();
    if (then !== "hold") return false;
    this.#holding = this.#released.promise;
    this.#held.resolve();
    await this.#holding;
    return !socket.destroyed;
  }

  /**
   * The fault of the next request, if it is due.
   * @param {"observe" | "post" | "look"} step
   * @param {Stage[]} stages
   */
  #take(step, stages) {
    const [strike] = this.#strikes;
    if (!strike || step !== stepOf(strike) || !stages.includes(strike.stage)) return undefined;
    if (strike.skip > 0) {
      strike.skip -= 1;
      return undefined;
    }
    this.#strikes.shift();
    this.struck += 1;
    return strike;
  }

  /** @param {"observe" | "post" | "look"} next */
  #expect(next) {
    this.#next = next;
    const [strike] = this.#strikes;
    if (!strike?.refused || !this.#take(next, ["before accept"])) return;
    this.#server.close();
    const keeper = this.#keepPort();
    this.#reopening = setTimeout(() => {
      keeper.destroy();
      // If it fails, `heal` throws.
      this.#listen(this.#port).catch(() => undefined);
    }, refusesForMs);
  }

  /** Keeps the port from other programs while the relay doesn't listen: it is the local port of a connection. */
  #keepPort() {
    const { hostname: host, port } = this.#service;
    const from = { localAddress: "127.0.0.1", localPort: this.#port };
    const keeper = net.connect({ host, port: Number(port), ...from });
    this.#sockets.add(keeper);
    return keeper.on("error", () => undefined).on("close", () => this.#sockets.delete(keeper));
  }
}

/** @param {Strike} strike @returns {"observe" | "post" | "look"} */
function stepOf({ method, first }) {
  if (method === "POST") return "post";
  return first ? "observe" : "look";
}

/** @param {Buffer} start of a request */
function isPost(start) {
  return start.toString("latin1", 0, 5) === "POST ";
}

function deferred() {
  /** @type {() => void} */
  let resolve = () => undefined;
  /** @type {Promise<void>} */
  const promise = new Promise((done) => (resolve = done));
  return { promise, resolve };
}

module.exports = { Relay };
