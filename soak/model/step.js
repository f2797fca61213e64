/** A step of a sequence, and what steps have in common. */
const assert = require("node:assert/strict");
const { afterUp, nothingNew, sameTracked } = require("./expect");
const { updates } = require("./model");

/** @typedef {import("./model").Model} Model */
/** @typedef {import("./world").World} World */

/** A step that can always be taken. */
class Step {
  #says;
  #take;

  /**
   * @param {string} says
   * @param {(model: Model, world: World) => Promise<void> | void} take
   */
  constructor(says, take) {
    this.#says = says;
    this.#take = take;
  }

  check() {
    return true;
  }

  /** @param {Model} model @param {World} world */
  async run(model, world) {
    world.steps += 1;
    await this.#take(model, world);
  }

  toString() {
    return this.#says;
  }
}

/**
 * With access to the account: otherwise all would fail, whatever else goes wrong.
 * @param {Model} model
 * @param {Partial<import("./model").Declared>} declared
 */
function declareAll(model, declared) {
  model.access = { account: "own", key: 0 };
  for (const update of updates) model.declare(update, declared);
}

/** @param {Partial<import("./model").Declared>} declared */
function saying({ version, occurrence = 1, resend, notify }) {
  const again = occurrence > 1 ? `, occurrence ${occurrence}` : "";
  return `in words ${version}${again}${resend ? ", to be resent" : ""}${notify ? ", with mails" : ""}`;
}

/** Without a fault; in haste where it looks for what isn't there. @param {Model} model @param {World} world */
async function takeUp(model, world) {
  await upIn(model.looksInVain(world.history) ? "hasty" : "calm", model, world);
}

/**
 * @param {import("./phases").Weather} weather
 * @param {Model} model
 * @param {World} world
 * @param {import("./world").Trouble} [trouble]
 */
async function upIn(weather, model, world, trouble) {
  const outcomes = model.next(world.history);
  model.stateAccess = model.access;
  afterUp(model, world, outcomes, await world.up(model, weather, trouble));
}

/** @param {Model} model @param {World} world */
async function takeDestroy(model, world) {
  const { requests } = world;
  assert.deepEqual(await world.destroy(model), []);
  model.tracked.clear();
  assert.equal(world.requests, requests, "requests of a destroy");
  nothingNew(world);
  sameTracked(model, world);
}

module.exports = { declareAll, saying, Step, takeDestroy, takeUp, upIn };
