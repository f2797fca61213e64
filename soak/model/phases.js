/** Provider processes for many sequences at once: a process serves one phase of the engine, of all that are at the same step. */
const { newMachine } = require("../../test/driver/machines");
const { ProviderProcess } = require("../../test/driver/provider");
const { configOf } = require("../service");

/** @typedef {import("../service").Access} Access */
/** @typedef {import("../wire/relay").Relay} Relay */
/** @typedef {"calm" | "hasty" | "provider killed" | "engine killed" | "stopped" | "two at once"} Weather */
/**
 * @typedef {object} Phase
 * @property {Weather} weather
 * @property {string} account its name in `monitoring:accounts`
 * @property {Access} access
 * @property {Relay} relay
 * @property {(provider: ProviderProcess, other: ProviderProcess) => Promise<unknown>} work `other` is a second process
 * of the machine when two run at once, otherwise the same
 * @property {() => void} stop Ctrl-C
 */

/** For those that wait for what doesn't come. What they do is right however short it is. */
const hasty = { timeoutMs: 400, deadlineMs: 800 };
/** So that who is killed isn't waiting for ever before. */
const patient = { deadlineMs: 7_000 };
/** @type {Record<Weather, Parameters<typeof configOf>[1]>} */
const limits = {
  calm: {},
  hasty,
  "provider killed": patient,
  "engine killed": patient,
  stopped: {},
  "two at once": {},
};

class Phases {
  #sequences;
  /** @type {{phase: Phase, done: () => void, failed: (error: unknown) => void}[]} */
  #waiting = [];

  #adapter;

  /**
   * @param {number} sequences how many take part; each either waits here, or leaves in the end
   * @param {import("../../test/driver/adapters").Adapter} adapter
   */
  constructor(sequences, adapter) {
    this.#sequences = sequences;
    this.#adapter = adapter;
  }

  /** Runs a phase when all other sequences have come to theirs. @param {Phase} phase @returns {Promise<void>} */
  run(phase) {
    return new Promise((done, failed) => {
      this.#waiting.push({ phase, done, failed });
      this.#startWhenAllAreHere();
    });
  }

  leave() {
    this.#sequences -= 1;
    this.#startWhenAllAreHere();
  }

  #startWhenAllAreHere() {
    if (this.#waiting.length === 0 || this.#waiting.length < this.#sequences) return;
    const all = this.#waiting;
    this.#waiting = [];
    const weathers = new Set(all.map(({ phase }) => phase.weather));
    const works = [...weathers].map((weather) =>
      runTogether(
        all.map(({ phase }) => phase).filter((phase) => phase.weather === weather),
        weather,
        this.#adapter,
      ),
    );
    Promise.all(works).then(
      () => all.forEach(({ done }) => done()),
      (/** @type {unknown} */ error) => all.forEach(({ failed }) => failed(error)),
    );
  }
}

/**
 * @param {Phase[]} phases
 * @param {Weather} weather
 * @param {import("../../test/driver/adapters").Adapter} adapter
 */
async function runTogether(phases, weather, adapter) {
  const accounts = Object.fromEntries(phases.map(({ account, access }) => [account, access]));
  const machine = newMachine();
  const start = () => ProviderProcess.start(configOf(accounts, limits[weather]), { adapter, machine });
  const provider = await start();
  const other = weather === "two at once" ? await start() : provider;
  const works = phases.map(({ work }) => work(provider, other));
  const allHeld = () =>
    Promise.all(phases.map(({ relay }, index) => Promise.race([relay.held, works[index]])));
  try {
    if (weather === "stopped") {
      await allHeld();
      for (const { stop } of phases) stop();
      for (const { relay } of phases) relay.release();
    }
    if (weather === "provider killed" || weather === "engine killed") {
      await allHeld();
      if (weather === "provider killed") await provider.end();
      provider.loseEngine();
      // What a killed engine leaves behind goes on: it gets its answer, and finds out that nobody wants more.
      if (weather === "engine killed") for (const { relay } of phases) relay.release();
    }
    await Promise.all(works);
  } finally {
    await provider.end();
    if (other !== provider) await other.end();
  }
}

module.exports = { hasty, Phases };
