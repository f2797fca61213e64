/** A stack of the small engine, in processes that it shares. */
const { Stack } = require("../../test/driver/stack");

/** @typedef {import("../../test/driver/provider").ProviderProcess} ProviderProcess */
/** @typedef {import("../service").Access} Access */
/** @typedef {import("../../test/driver/stack").Program} Program */
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
    const chained = weather === "stopped";
    return this.#phase(access, weather, (provider) => this.#stack.up(provider, program, chained));
  }

  /** Beside another stack of the same program, at the same moment and on the same machine. @param {Program} program @param {Access} access */
  async upTwice(program, access) {
    const other = new Stack();
    const failures = await this.#phase(access, "two at once", async (provider, second) => {
      const both = [this.#stack.up(provider, program), other.up(second, program)];
      return (await Promise.all(both)).flat();
    });
    return { failures, other };
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
   * @param {(provider: ProviderProcess, other: ProviderProcess) => Promise<string[]>} ask
   */
  async #phase(access, weather, ask) {
    /** @type {string[]} */
    let result = [];
    const work = async (/** @type {ProviderProcess} */ provider, /** @type {ProviderProcess} */ other) => {
      result = await ask(provider, other);
    };
    const stop = () => this.#stack.stop();
    await this.#phases.run({ account: this.account, access, weather, relay: this.#relay, work, stop });
    return result;
  }
}

module.exports = { DrivenEngine };
