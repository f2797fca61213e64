/** What has to hold after a step. */
const assert = require("node:assert/strict");
const { words } = require("./model");

/** @typedef {import("./model").Model} Model */
/** @typedef {import("./model").Name} Name */
/** @typedef {import("./model").Outcome} Outcome */
/** @typedef {import("./model").Tracked} Tracked */
/** @typedef {import("./world").World} World */

/** The stack remembers what the model does, of each name. @param {Model} model @param {World} world */
function sameTracked({ tracked }, world) {
  const remembered = [...world.resources.keys()].sort();
  assert.deepEqual(remembered, [...tracked.keys()].sort(), "the stack remembers other names");
  for (const [name, old] of tracked) {
    assert.equal(
      descriptionOf(world, name),
      words(name, old.version),
      `${name} is remembered in other words`,
    );
    assert.equal(isUnconfirmed(world, name), old.seen !== undefined, `whether ${name} is unconfirmed`);
  }
}

/** @param {World} world @param {Name} name */
function descriptionOf(world, name) {
  return world.resources.get(name)?.outputs.description;
}

/** @param {World} world @param {Name} name */
function isUnconfirmed(world, name) {
  const { outputs = {} } = world.resources.get(name) ?? {};
  const unconfirmed = outputs.unconfirmed !== undefined;
  assert.notEqual(unconfirmed, typeof outputs.incidentUpdateId === "string", `${name} is one or the other`);
  return unconfirmed;
}

/** Nothing was published. @param {World} world */
function nothingNew(world) {
  assert.deepEqual(world.newlyPublic(), [], "something was published");
}

/**
 * After an `up` without faults: exactly what was to be published is, and remembered.
 * @param {Model} model
 * @param {World} world
 * @param {Map<Name, Outcome>} outcomes
 * @param {string[]} failures
 */
function afterCalmUp(model, world, outcomes, failures) {
  const fails = [...outcomes.values()].some((outcome) => outcome.fails);
  assert.equal(failures.length > 0, fails, `whether it fails: ${failures.join("; ")}`);
  if (fails && !world.goesOnAfterFailures) {
    afterRoughUp(model, world, outcomes, false);
    return;
  }
  const expected = [...outcomes.values()].flatMap(({ posts }) => posts);
  assert.deepEqual(world.newlyPublic().sort(), expected.sort(), "what was published");
  for (const [name, { tracked }] of outcomes) if (tracked) model.tracked.set(name, tracked);
  if (!fails) forgetUndeclared(model);
  sameTracked(model, world);
}

/**
 * After an `up` that got no answers, or was killed: what is new was to be published, once, and what the stack made of
 * that is taken over into the model.
 * @param {Model} model
 * @param {World} world
 * @param {Map<Name, Outcome>} outcomes
 * @param {boolean} forgetful whether what was under way may be forgotten
 */
function afterRoughUp(model, world, outcomes, forgetful) {
  const news = world.newlyPublic();
  assert.equal(new Set(news).size, news.length, "something was published twice");
  for (const [name, { posts }] of outcomes) {
    const declared = model.declared.get(name);
    const old = model.tracked.get(name);
    const now = trackedIn(world, name, [declared, old]);
    const published = posts.some((post) => news.includes(post));
    if (published && !forgetful)
      assert.equal(now?.version, declared?.version, `${name} is published, and forgotten`);
    if (now) model.tracked.set(name, now);
    else assert.equal(old, undefined, `${name} was forgotten`);
  }
  const expected = [...outcomes.values()].flatMap(({ posts }) => posts);
  for (const post of news) assert.ok(expected.includes(post), `published: ${post}`);
  for (const name of model.tracked.keys()) if (!world.resources.has(name)) model.tracked.delete(name);
  sameTracked(model, world);
}

/**
 * What the stack remembers of a name now, which is one of these.
 * @param {World} world
 * @param {Name} name
 * @param {(import("./model").Declared | undefined)[]} known
 * @returns {Tracked | undefined}
 */
function trackedIn(world, name, known) {
  if (!world.resources.has(name)) return undefined;
  const description = descriptionOf(world, name);
  const which = known.find((each) => each && words(name, each.version) === description);
  assert.ok(which, `${name} is remembered in words of its own: ${String(description)}`);
  const { onUnconfirmed, unconfirmed } = world.resources.get(name)?.outputs ?? {};
  const tracked = { version: which.version, resend: onUnconfirmed === "resend" };
  return isUnconfirmed(world, name) ? { ...tracked, seen: idsIn(unconfirmed) } : tracked;
}

/** @param {unknown} unconfirmed what the stack remembers of the history before the post */
function idsIn(unconfirmed) {
  assert.ok(
    typeof unconfirmed === "object" && unconfirmed && "ids" in unconfirmed && Array.isArray(unconfirmed.ids),
  );
  return new Set(unconfirmed.ids.map(String));
}

/**
 * After a refresh that could read everything: what the stack shows is what the public sees, and each has its own id.
 * @param {Model} model
 * @param {World} world
 */
function afterRefresh({ tracked }, world) {
  const ids = [...world.resources.values()].map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length, "two resources are one update");
  for (const [name, old] of tracked) {
    const found = world.history.find(({ description }) => description === words(name, old.version));
    if (old.seen && found && !old.seen.has(found.id)) {
      tracked.set(name, { version: old.version, resend: old.resend });
    }
    if (tracked.get(name)?.seen) continue;
    const { id, outputs = {} } = world.resources.get(name) ?? {};
    const shown = world.history.find((update) => id?.endsWith(`/${update.id}`));
    assert.equal(id?.split("/")[1], outputs.incidentUpdateId, `the id of ${name}`);
    assert.equal(outputs.missing, shown === undefined, `whether ${name} is missing`);
    if (shown) assert.deepEqual(publishedText(outputs), shown.description, `what is shown of ${name}`);
  }
}

/**
 * When all is mended: what is declared is public once, or the stack knows why it isn't.
 * @param {Model} model
 * @param {World} world
 */
function everythingPublic({ declared, tracked }, world) {
  for (const [name, { version }] of declared) {
    const wanted = words(name, version);
    const times = world.history.filter(({ description }) => description === wanted).length;
    const { outputs = {} } = world.resources.get(name) ?? {};
    const excused =
      outputs.missing === true || tracked.get(name)?.seen !== undefined || publishedText(outputs) !== wanted;
    assert.ok(times === 1 || (times === 0 && excused), `${name} is public ${times} times`);
  }
}

/** @param {Record<string, unknown>} outputs */
function publishedText({ published }) {
  return typeof published === "object" && published && "description" in published
    ? published.description
    : undefined;
}

/** @param {Model} model */
function forgetUndeclared({ declared, tracked }) {
  for (const name of tracked.keys()) if (!declared.has(name)) tracked.delete(name);
}

module.exports = { afterCalmUp, afterRefresh, afterRoughUp, everythingPublic, nothingNew, sameTracked };
