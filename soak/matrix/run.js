/** One run of the matrix: a stack with one update, whose account is reached through a relay. */
const { apiKeys } = require("../service");
const { Stack } = require("../../test/driver/stack");

/** @typedef {import("./plans").Plan} Plan */
/** @typedef {import("../../test/driver/provider").ProviderProcess} ProviderProcess */
/** @typedef {import("../wire/relay").Relay} Relay */
/** @typedef {import("../service").Account} Account */
/** @typedef {import("../../sandbox").Sandbox} Sandbox */

class Run {
  /** What the last `up` failed with. @type {string[]} */
  failures = [];
  /** Whether a process that it ran in printed a key. */
  keyPrinted = false;
  #stack = new Stack();
  #sandbox;
  #account;
  #program;
  #before;

  /**
   * @param {Plan} plan
   * @param {Account} account
   * @param {Relay} relay
   * @param {Sandbox} sandbox
   */
  constructor(plan, account, relay, sandbox) {
    this.plan = plan;
    this.relay = relay;
    this.#account = account;
    this.#sandbox = sandbox;
    this.#program = { update: { ...plan.words, incidentId: account.incidentId, account: account.id } };
    this.#before = new Set(this.#history().map(({ id }) => id));
    for (const strike of plan.strikes) relay.strike(strike);
  }

  /** What `monitoring:accounts` says of it. */
  get access() {
    const access = { apiKey: apiKeys[0], accountId: this.#account.id, baseUrl: this.relay.url };
    return { [this.#account.id]: access };
  }

  /** @param {ProviderProcess} provider */
  async up(provider) {
    this.failures = await this.#stack.up(provider, this.#program);
  }

  /** @param {ProviderProcess} provider */
  async refresh(provider) {
    await this.#stack.refresh(provider);
  }

  /** Whether a key is printed, or stands in the stack or in a failure. */
  get leaked() {
    return this.keyPrinted || holdsKey(JSON.stringify([...this.#stack.resources, this.failures]));
  }

  /** Whether each strike met a request. */
  get struck() {
    return this.relay.struck >= this.plan.strikes.length;
  }

  /** How often the update is public. */
  get published() {
    return this.#history().filter(({ id }) => !this.#before.has(id)).length;
  }

  /** How many mails were sent about it, but for the first. */
  get secondMails() {
    const mails = this.#history().reduce((sum, { id }) => sum + this.#sandbox.mailed(id), 0);
    return Math.max(0, mails - 1);
  }

  /** Whether the update is public, and the stack doesn't know it. */
  get untracked() {
    const { outputs } = this.#resource ?? {};
    const known = outputs?.incidentUpdateId;
    return this.published > 0 && !this.#history().some(({ id }) => id === known && !this.#before.has(id));
  }

  /** How many posts must not have been. */
  get repeated() {
    return postsTooMany(this.relay, this.plan);
  }

  /** Whether it isn't public although no post of it can have been lost: each was turned away, or none left. */
  get withheld() {
    const lost = this.relay.posts.some(({ turnedAway }) => !turnedAway);
    return this.published === 0 && !lost && !this.plan.strikes.some(isLostUnread);
  }

  /** Whether it may have been posted, and no look at the incident will ever find it. */
  get isLost() {
    return this.published === 0 && !this.withheld;
  }

  /**
   * Whether the stack is at rest with what is public: under its own id, and nothing left to do.
   * @param {ProviderProcess} provider
   */
  async isSettled(provider) {
    const left = await this.#stack.preview(provider, this.#program);
    if (this.published === 0) return this.#resource === undefined || left.length > 0;
    const { id, outputs } = this.#resource ?? {};
    return left.length === 0 && id === `${this.#account.incidentId}/${String(outputs?.incidentUpdateId)}`;
  }

  get #resource() {
    return this.#stack.resources.get("update");
  }

  #history() {
    return this.#sandbox.incident(this.#account.incidentId).incidentUpdates;
  }
}

/**
 * After a post that wasn't turned away, none may be. A killed process could not remember its own, so there it is after
 * one that was applied.
 * @param {Relay} relay
 * @param {Pick<Plan, "kind">} plan
 */
function postsTooMany({ posts }, { kind }) {
  const last = posts.findIndex(({ turnedAway, applied }) => (kind === "kill" ? applied : !turnedAway));
  return last < 0 ? 0 : posts.length - last - 1;
}

/** @param {string} text */
function holdsKey(text) {
  return apiKeys.some((key) => text.includes(key));
}

/** A connection that is reset at once: whether a post was on its way over it, nobody can tell. @param {import("../wire/strike").Strike} strike */
function isLostUnread({ method, stage, kind, refused }) {
  return method === "POST" && stage === "before accept" && kind === "reset" && !refused;
}

module.exports = { holdsKey, postsTooMany, Run };
