/** A stack of the small engine, in processes that it shares. */
const { Stack } = require("../driver/stack");

/** @typedef {import("../driver/provider").ProviderProcess} ProviderProcess */
/** @typedef {import("../driver/service").Access} Access */
/** @typedef {import("../driver/stack").Program} Program */
/** @typedef {import("./phases").Weather} Weather */

class DrivenEngine {
  /** Whether one failure leaves the other resources alone. */
  goesOnAfterFailures = true;
  /** Its own among all that share a process. */
  account;
  #stack = new Stack();
  #phases;
  #relay;

  /**
   * @param {import("./phases").Phases} phases
   * @param {import("../wire/relay").Relay} relay
   */
  constructor(phases, relay) {
    this.#phases = phases;
    this.#relay = relay;
    this.account = `stack-${new URL(relay.url).port}`;
  }

  /** @returns {ReadonlyMap<string, import("./world").Remembered>} */
  get resources() {
    return this.#stack.resources;
  }

  /** @param {Program} program @param {Access} access @param {Weather} weather */
  up(program, access, weather) {
    return this.#phase(access, weather, (provider) => this.#stack.up(provider, program));
  }

  /** @param {Program} program @param {Access} access */
  preview(program, access) {
    return this.#phase(access, "calm", (provider) => this.#stack.preview(provider, program));
  }

  /** @param {Access} access what the last `up` went by */
  refresh(access) {
    return this.#phase(access, "calm", (provider) => this.#stack.refresh(provider));
  }

  /** @param {Access} access what the last `up` went by */
  destroy(access) {
    return this.#phase(access, "calm", (provider) => this.#stack.destroy(provider));
  }

  /**
   * @param {Access} access
   * @param {Weather} weather
   * @param {(provider: ProviderProcess) => Promise<string[]>} ask
   */
  async #phase(access, weather, ask) {
    /** @type {string[]} */
    let result = [];
    const work = async (/** @type {ProviderProcess} */ provider) => {
      result = await ask(provider);
    };
    await this.#phases.run({ account: this.account, access, weather, relay: this.#relay, work });
    return result;
  }
}

module.exports = { DrivenEngine };
