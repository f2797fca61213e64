/**
 * How an `up` can have ended for a name: by the model, by what was struck, and by what became public. The stack is only
 * asked which of these it is, and the wire how many posts that takes.
 */
const { isDeepStrictEqual } = require("node:util");
const { foundIn, words } = require("./model");

/** @typedef {import("./model").Model} Model */
/** @typedef {import("./model").Name} Name */
/** @typedef {import("./model").Outcome} Outcome */
/** @typedef {import("./model").Tracked} Tracked */
/** @typedef {import("./world").Run} Run */
/** @typedef {import("./world").World} World */
/**
 * @typedef {object} End
 * @property {boolean} posted whether it takes a post, of which nobody knows that it was turned away
 * @property {boolean} [well] whether all was done that is declared
 * @property {Tracked | undefined} tracked
 * @property {ReadonlySet<string>} [atMost] what can have been seen before the post
 */
/**
 * @typedef {object} Case
 * @property {Model} model before the `up`
 * @property {World} world after it
 * @property {Run} run
 * @property {string[]} news what it made public, newest first
 */

/** @param {Name} name @param {Outcome} outcome @param {Case} whole @returns {End[]} */
function endsOf(name, outcome, whole) {
  const asBefore = { posted: false, tracked: whole.model.tracked.get(name) };
  if (outcome.fails) return [asBefore];
  const [post] = outcome.posts;
  const done = { posted: post !== undefined, well: true, tracked: settled(name, outcome, whole) };
  const stays = mayStay(outcome, asBefore.tracked, whole) ? [asBefore] : [];
  if (post === undefined) return [done, ...stays];
  const { news, run } = whole;
  const lost = unconfirmed(name, whole);
  if (news.includes(post)) {
    if (post === heldIn(whole)) return [{ ...asBefore, posted: true }, lost];
    return run.weather === "hasty" ? [done, lost] : [done];
  }
  // Its post may be the one that was held, and then never came to the service.
  if (run.held) return [...stays, { ...asBefore, posted: true }, lost];
  // Whether it came or not: that it may have come has to be remembered.
  return run.weather === "hasty" ? [...stays, lost] : stays;
}

/**
 * Which update the held post made, if the service took it. Of this one alone the model can't tell what the stack knows:
 * nothing, when its process or its engine was killed before it could say so; that it is unconfirmed, when the process
 * had given up the wait for its answer, as others that share it let the kill wait.
 *
 * @param {Case} whole
 */
function heldIn({ run: { held, posts }, news }) {
  return held && posts.at(-1)?.applied ? news[0] : undefined;
}

/**
 * Whether nothing may have been done, without a post. Which resources have had their turn when a process is killed, or
 * when one fails and the engine stops, is the engine's to decide. In haste a read may come too late, or the post of
 * another get no response: then those that wait for their turn on the incident fail without being tried.
 *
 * @param {Outcome} outcome
 * @param {Tracked | undefined} old
 * @param {Case} whole
 */
function mayStay({ step }, old, { run: { held, failures, weather }, world }) {
  if (held || (failures.length > 0 && !world.goesOnAfterFailures)) return true;
  const reads = step === "create" || step === "replace" || old?.seen !== undefined;
  return weather === "hasty" && reads;
}

/**
 * What is tracked when all was done: what was posted is the update that wasn't there before.
 *
 * @param {Name} name
 * @param {Outcome} outcome
 * @param {{run: Pick<Run, "before">, world: Pick<World, "history">}} whole
 * @returns {Tracked | undefined}
 */
function settled(name, { tracked }, { run, world }) {
  if (!tracked || tracked.id !== undefined) return tracked;
  const id = foundIn(world.history, name, tracked.version, run.before)?.id;
  return id === undefined ? undefined : { ...tracked, id };
}

/** @param {Name} name @param {Case} whole @returns {End} */
function unconfirmed(name, { model, run, world }) {
  const declared = model.declared.get(name);
  if (!declared) throw new Error(`${name} is not declared.`);
  const others = world.history.filter(({ description }) => description !== words(name, declared.version));
  return {
    posted: true,
    tracked: { ...declared, seen: run.before },
    // What was published beside it in this `up` can have been there before its turn.
    atMost: new Set([...run.before, ...others.map(({ id }) => id)]),
  };
}

/** Whether this is what the stack remembers. @param {End} end @param {Tracked | undefined} now */
function isEnd({ tracked, atMost = tracked?.seen }, now) {
  if (!tracked?.seen || !now?.seen || !atMost) return isDeepStrictEqual(tracked, now);
  const { seen, ...declared } = tracked;
  const { seen: seenNow, ...declaredNow } = now;
  return isDeepStrictEqual(declared, declaredNow) && isWithin(seen, seenNow) && isWithin(seenNow, atMost);
}

/** @param {ReadonlySet<string>} some @param {ReadonlySet<string>} all */
function isWithin(some, all) {
  return [...some].every((each) => all.has(each));
}

module.exports = { endsOf, isEnd, settled };
