/** What has to hold after a step. */
const assert = require("node:assert/strict");
const { inspect } = require("node:util");
const { endsOf, isEnd, settled } = require("./ends");
const { foundIn, wantedBy, words } = require("./model");
const { allTrackedIn } = require("./remembered");

/** @typedef {import("./ends").End} End */
/** @typedef {import("./model").Model} Model */
/** @typedef {import("./model").Name} Name */
/** @typedef {import("./model").Outcome} Outcome */
/** @typedef {import("./model").Tracked} Tracked */
/** @typedef {import("./world").Run} Run */
/** @typedef {import("./world").World} World */

/** The stack remembers what the model does, of each name. @param {Model} model @param {World} world */
function sameTracked({ tracked }, world) {
  assert.deepEqual(allTrackedIn(world), tracked, "what the stack remembers");
}

/** Nothing was published. @param {World} world */
function nothingNew(world) {
  assert.deepEqual(world.newlyPublic(), [], "something was published");
}

/**
 * After an `up`, whatever happened to it: nothing is public but what was to be published, once, and each name came to an
 * end that it can have come to. That end is what the model goes on with.
 *
 * @param {Model} model
 * @param {World} world
 * @param {Map<Name, Outcome>} outcomes
 * @param {Run} run
 */
function afterUp(model, world, outcomes, run) {
  const wanted = wantedBy(outcomes);
  const news = world.newlyPublic();
  nothingTooOften(model, world);
  assert.equal(world.mails, world.countMailsDue(model, news, wanted), "mails");
  assert.ok(run.posts.length <= wanted.length, `${run.posts.length} posts to publish ${wanted.length}`);
  assert.equal(new Set(news).size, news.length, "something was published twice");
  for (const post of news) assert.ok(wanted.includes(post), `published: ${post}`);
  assert.equal(news.length, run.posts.filter(({ applied }) => applied).length, "what the service took");
  const now = allTrackedIn(world);
  /** @type {Map<Name, End[]>} */
  const ends = new Map();
  for (const [name, outcome] of outcomes) {
    const all = endsOf(name, outcome, { model, world, run, news });
    const met = all.filter((end) => isEnd(end, now.get(name)));
    assert.ok(met.length > 0, `${name} is ${shown(now.get(name))}, but can only be one of ${shown(all)}`);
    ends.set(name, met);
  }
  eachPostIsAccountedFor([...ends.values()], run);
  // Who is killed tells nobody what failed.
  if (!run.held) eachFailureIsTold([...ends.values()], run, world);
  for (const [name, [end]] of ends) goOnWith(model, name, end, now.get(name));
  if (run.failures.length === 0 && !run.held) forgetUndeclared(model);
  sameTracked(model, world);
}

/**
 * No name was posted twice, and none is remembered as lost that was never posted. Two ends can look the same: those of
 * an update that was lost before, and whose new post may have been lost again.
 *
 * @param {End[][]} ends
 * @param {Run} run
 */
function eachPostIsAccountedFor(ends, { posts: { length } }) {
  const least = ends.filter((met) => met.every(({ posted }) => posted)).length;
  const most = ends.filter((met) => met.some(({ posted }) => posted)).length;
  assert.ok(
    least <= length && length <= most,
    `${length} posts, of which the stack tells ${least} to ${most}`,
  );
}

/** @param {End[][]} ends @param {Run} run @param {World} world */
function eachFailureIsTold(ends, { failures, weather }, { goesOnAfterFailures }) {
  const unwell = ends.filter((met) => !met.some(({ well }) => well)).length;
  const told = weather === "stopped" ? 1 : goesOnAfterFailures ? unwell : Math.min(unwell, 1);
  assert.equal(failures.length, told, `what fails: ${failures.join("; ")}`);
}

/**
 * After two stacks of the same program were brought up at the same moment on one machine: what was missing was posted by
 * one of them, once, and each tracks it.
 *
 * @param {Model} model of this one
 * @param {World} world
 * @param {Map<Name, Outcome>} outcomes of this one
 * @param {Map<Name, Outcome>} others of the other one
 * @param {Run & {other: Pick<World, "resources">}} run of both
 */
function afterTwoUps(model, world, outcomes, others, run) {
  const wanted = [...new Set([...wantedBy(outcomes), ...wantedBy(others)])];
  const news = world.newlyPublic();
  nothingTooOften(model, world);
  assert.equal(world.mails, world.countMailsDue(model, news, wanted), "mails");
  assert.deepEqual([...news].sort(), wanted.sort(), "what two stacks published");
  assert.deepEqual(
    run.posts.map(({ applied }) => applied),
    wanted.map(() => true),
    "posts of two stacks",
  );
  assert.deepEqual(run.failures, []);
  const ends = (/** @type {Map<Name, Outcome>} */ all) =>
    new Map([...all].map(([name, outcome]) => [name, settled(name, outcome, { run, world })]));
  assert.deepEqual(allTrackedIn(run.other), ends(others), "what the other stack remembers");
  for (const [name, tracked] of ends(outcomes)) if (tracked) model.tracked.set(name, tracked);
  forgetUndeclared(model);
  sameTracked(model, world);
}

/**
 * @param {Model} model
 * @param {Name} name
 * @param {End} [end]
 * @param {Tracked} [now]
 */
function goOnWith({ tracked }, name, end, now) {
  if (!end?.tracked) return;
  // Whose turn came first is the engine's to decide, and with that which of the others had been seen.
  tracked.set(name, { ...end.tracked, ...(now?.seen && { seen: now.seen }) });
}

/**
 * After a refresh that could read everything: what the stack shows is what the public sees, and each has its own id.
 * @param {Model} model
 * @param {World} world
 */
function afterRefresh({ declared, tracked }, world) {
  // One that is renamed is there under both names until an `up` succeeds.
  const ids = [...world.resources].flatMap(([name, { id }]) =>
    declared.has(/** @type {Name} */ (name)) ? [id] : [],
  );
  assert.equal(new Set(ids).size, ids.length, "two resources are one update");
  for (const [name, old] of tracked) {
    const { seen, ...rest } = old;
    const found = seen && foundIn(world.history, name, old.version, seen);
    if (found) tracked.set(name, { ...rest, id: found.id });
    if (tracked.get(name)?.seen) continue;
    const { id, outputs = {} } = world.resources.get(name) ?? {};
    const shown = world.history.find((update) => id?.endsWith(`/${update.id}`));
    assert.equal(id?.split("/")[1], outputs.incidentUpdateId, `the id of ${name}`);
    assert.equal(outputs.missing, shown === undefined, `whether ${name} is missing`);
    if (shown) assert.deepEqual(publishedText(outputs), shown.description, `what is shown of ${name}`);
  }
}

/**
 * When all is healthy again: what is declared is public, or the stack knows why it isn't.
 * @param {Model} model
 * @param {World} world
 */
function everythingPublic({ declared, tracked }, world) {
  for (const [name, { version }] of declared) {
    const wanted = words(name, version);
    const { outputs = {} } = world.resources.get(name) ?? {};
    const excused =
      outputs.missing === true || tracked.get(name)?.seen !== undefined || publishedText(outputs) !== wanted;
    assert.ok(timesPublic(wanted, world) > 0 || excused, `${name} is not public`);
  }
}

/** Whatever the model made of it: nothing is public more often than it was declared to be. @param {Model} model @param {World} world */
function nothingTooOften({ most }, world) {
  for (const [text, times] of most) {
    assert.ok(timesPublic(text, world) <= times, `public more than ${times} times: ${text}`);
  }
}

/** @param {string} text @param {World} world */
function timesPublic(text, world) {
  return world.history.filter(({ description }) => description === text).length;
}

/** @param {Record<string, unknown>} outputs */
function publishedText({ published }) {
  return typeof published === "object" && published && "description" in published
    ? published.description
    : undefined;
}

/** @param {unknown} value */
function shown(value) {
  return inspect(value, { depth: 3, breakLength: Infinity });
}

/** @param {Model} model */
function forgetUndeclared({ declared, tracked }) {
  for (const name of tracked.keys()) if (!declared.has(name)) tracked.delete(name);
}

module.exports = { afterRefresh, afterTwoUps, afterUp, everythingPublic, nothingNew, sameTracked };
