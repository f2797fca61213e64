/** What one sequence works with: a stack, its account on the service behind a relay, and what the public has seen. */
const { apiKeys } = require("../driver/service");
const { edited } = require("./model");

/** @typedef {import("../driver/service").Account} Account */
/** @typedef {import("../wire/relay").Relay} Relay */
/** @typedef {import("./model").Model} Model */
/** @typedef {import("./model").Update} Update */
/** @typedef {import("./drivenEngine").DrivenEngine | import("./pulumiEngine").PulumiEngine} Engine */
/** @typedef {{id: string, outputs: Record<string, unknown>}} Remembered a resource, as the stack holds it */
/** @typedef {import("./phases").Weather} Weather */
/** @typedef {import("../wire/strike").Strike} Strike */
/**
 * What an `up` was, and what the wire counted of it.
 * @typedef {object} Run
 * @property {Weather} weather
 * @property {string[]} failures
 * @property {ReadonlySet<string>} before ids of what stood in the history
 * @property {import("../wire/relay").Post[]} posts those that were not turned away, oldest first
 * @property {boolean} held whether the last of them waited for the end of whoever was killed
 */

class World {
  /** How many were taken. */
  steps = 0;
  #known;
  #engine;
  #sandbox;
  #relay;
  #own;
  #other;

  /**
   * @param {Engine} engine
   * @param {import("../driver/service").Sandbox} sandbox
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
   * @param {Weather} [weather]
   * @param {Strike} [strike] of the post after so many others
   * @param {number} [skip]
   * @returns {Promise<Run>}
   */
  async up(model, weather = "calm", strike, skip) {
    const before = new Set(this.history.map(({ id }) => id));
    const { posts: earlier } = this;
    const { struck } = this.#relay;
    if (strike) this.#relay.strike(strike, skip);
    const failures = await this.#engine.up(this.#programOf(model), this.#accessOf(model.access), weather);
    await this.#relay.heal();
    const posts = this.#relay.posts.slice(earlier).filter(({ turnedAway }) => !turnedAway);
    return { weather, failures, before, posts, held: strike?.kind === "kill" && this.#relay.struck > struck };
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
