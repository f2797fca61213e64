/** What one sequence works with: a stack, its account on the service behind a relay, and what the public has seen. */
const { apiKeys } = require("../service");
const { edited, words } = require("./model");

/** @typedef {import("../service").Account} Account */
/** @typedef {import("../wire/relay").Relay} Relay */
/** @typedef {import("./model").Model} Model */
/** @typedef {import("./model").Update} Update */
/** @typedef {import("./drivenEngine").DrivenEngine | import("./pulumiEngine").PulumiEngine} Engine */
/** @typedef {{id: string, outputs: Record<string, unknown>}} Remembered a resource, as the stack holds it */
/** @typedef {import("./phases").Weather} Weather */
/** @typedef {import("../wire/strike").Strike} Strike */
/** @typedef {import("../wire/strike").Answer} Answer */
/**
 * What goes wrong in an `up`, beside its weather.
 * @typedef {object} Trouble
 * @property {Strike} [strike] of the post after so many others
 * @property {number} [skip]
 * @property {boolean} [slowReads] half of the reads of the incident take longer than the provider waits
 * @property {boolean} [clockBehind] the service dates what is posted before what was there
 */
/**
 * What an `up` was, and what the wire counted of it.
 * @typedef {object} Run
 * @property {Weather} weather
 * @property {string[]} failures
 * @property {ReadonlySet<string>} before ids of what stood in the history
 * @property {import("../wire/relay").Post[]} posts those that were not turned away, oldest first
 * @property {boolean} held whether the last of them waited for the end of whoever was killed
 */

const slowMs = 500;
const behindMs = 5_000;

class World {
  /** How many were taken. */
  steps = 0;
  /** How many mails were to be sent: one for each update that was to be published, and is public, with its flag. */
  mailsDue = 0;
  #known;
  #engine;
  #sandbox;
  #relay;
  #own;
  #other;

  /**
   * @param {Engine} engine
   * @param {import("../service").Sandbox} sandbox
   * @param {Relay} relay
   * @param {Account} own
   * @param {Account} other an account that has nothing of this
   */
  constructor(engine, sandbox, relay, own, other) {
    this.#engine = engine;
    this.#sandbox = sandbox;
    this.#relay = relay;
    this.#own = own;
    this.#other = other;
    this.#known = new Set(this.history.map(({ id }) => id));
  }

  /** The incident's history now, newest first. @returns {Update[]} */
  get history() {
    return this.#sandbox.incident(this.#own.incidentId).incidentUpdates;
  }

  /** What came into it since this was last asked, in words. */
  newlyPublic() {
    const news = this.history.filter(({ id }) => !this.#known.has(id));
    for (const { id } of news) this.#known.add(id);
    return news.map(({ description }) => description);
  }

  /** How many mails were sent: there is one subscriber. */
  get mails() {
    return this.#sandbox.mailed();
  }

  /**
   * @param {Model} model
   * @param {string[]} news what became public
   * @param {string[]} wanted what was to
   */
  countMailsDue({ declared }, news, wanted) {
    for (const [name, { version, notify }] of declared) {
      const text = words(name, version);
      if (notify && wanted.includes(text) && news.includes(text)) this.mailsDue += 1;
    }
    return this.mailsDue;
  }

  /** How many requests came. */
  get requests() {
    return this.#relay.requests;
  }

  /** How many posts came. */
  get posts() {
    return this.#relay.posts.length;
  }

  /** What the stack remembers, by name. */
  get resources() {
    return this.#engine.resources;
  }

  /** Whether one failure leaves the other resources alone. */
  get goesOnAfterFailures() {
    return this.#engine.goesOnAfterFailures;
  }

  /**
   * @param {Model} model
   * @param {Weather} weather
   * @param {Trouble} trouble
   * @returns {Promise<Run>}
   */
  async up(model, weather = "calm", { strike, skip, slowReads, clockBehind } = {}) {
    const { struck } = this.#relay;
    if (strike) this.#relay.strike(strike, skip);
    if (slowReads) {
      const half = { probability: 0.5, seed: this.steps };
      this.#sandbox.faults.add({ kind: "latency", operation: "getStatusPageIncident", ms: slowMs, ...half });
    }
    if (clockBehind) this.#relay.onApplied = (answer) => this.#dateBack(answer);
    const run = await this.#observed(async () => ({
      weather,
      failures: await this.#engine.up(this.#programOf(model), this.#accessOf(model.access), weather),
    }));
    this.#sandbox.faults.clear();
    this.#relay.onApplied = (answer) => answer;
    const killed = weather === "provider killed" || weather === "engine killed";
    return { ...run, held: killed && this.#relay.struck > struck };
  }

  /**
   * Beside another stack of the same program, at the same moment and on the same machine.
   * @param {Model} model
   */
  upTwice(model) {
    return this.#observed(async () => ({
      weather: /** @type {const} */ ("two at once"),
      held: false,
      ...(await this.#engine.upTwice(this.#programOf(model), this.#accessOf(model.access))),
    }));
  }

  /**
   * What the wire counted of a run, beside what the run tells itself.
   * @template Told
   * @param {() => Promise<Told>} run
   */
  async #observed(run) {
    const before = new Set(this.history.map(({ id }) => id));
    const { posts: earlier } = this;
    const told = await run();
    await this.#relay.heal();
    const posts = this.#relay.posts.slice(earlier).filter(({ turnedAway }) => !turnedAway);
    return { ...told, before, posts };
  }

  /** As from a node of the service whose clock is behind. @param {Answer} answer to a post @returns {Answer} */
  #dateBack(answer) {
    /** @type {Update} */
    const update = JSON.parse(answer.body.toString());
    const dates = this.history.flatMap(({ id, created_at }) => (id === update.id ? [] : [created_at ?? ""]));
    const newest = Math.max(...dates.map((date) => Date.parse(date)));
    const date = { created_at: new Date(newest - behindMs).toISOString() };
    this.#sandbox.byHand.editUpdate(this.#own.incidentId, update.id, date);
    return { ...answer, body: Buffer.from(JSON.stringify({ ...update, ...date })) };
  }

  /** @param {Model} model */
  preview(model) {
    return this.#engine.preview(this.#programOf(model), this.#accessOf(model.access));
  }

  /** @param {Model} model */
  refresh({ stateAccess }) {
    return this.#engine.refresh(this.#accessOf(stateAccess));
  }

  /** @param {Model} model */
  destroy({ stateAccess }) {
    return this.#engine.destroy(this.#accessOf(stateAccess));
  }

  /** Somebody else posts, past the API. @param {"INVESTIGATING" | "IDENTIFIED" | "MONITORING"} status */
  postByHand(status) {
    const id = `by-hand-${this.#known.size}`;
    const now = new Date().toISOString();
    const moments = { created_at: now, publicIncidentUpdateDate: now };
    this.#sandbox.byHand.change(({ accounts: [{ statusPageIncidents }] }) =>
      statusPageIncidents[0]?.incidentUpdates.unshift({
        ...{ id, status, description: `${edited}: ${id}.`, notifySubscribers: false },
        ...moments,
      }),
    );
    this.#known.add(id);
  }

  /** Edits one of the updates that stand there, past the API. @param {number} place */
  editByHand(place) {
    const id = this.#pick(place);
    if (id) {
      this.#sandbox.byHand.editUpdate(this.#own.incidentId, id, { description: `${edited}: ${id}.` });
    }
  }

  /** Deletes one of the updates that stand there, past the API. @param {number} place */
  deleteByHand(place) {
    const id = this.#pick(place);
    if (id) this.#sandbox.byHand.deleteUpdate(this.#own.incidentId, id);
  }

  /** @param {number} place */
  #pick(place) {
    return this.history[place % this.history.length]?.id;
  }

  /** @param {Model} model */
  #programOf({ program }) {
    const { account } = this.#engine;
    const { incidentId } = this.#own;
    return Object.fromEntries(
      Object.entries(program).map(([name, args]) => [name, { ...args, incidentId, account }]),
    );
  }

  /** @param {Model["access"]} access */
  #accessOf({ account, key }) {
    return {
      apiKey: apiKeys[key] ?? "soak-key-0123456789abcdef-revoked",
      accountId: account === "own" ? this.#own.id : this.#other.id,
      baseUrl: this.#relay.url,
    };
  }
}

module.exports = { World };
