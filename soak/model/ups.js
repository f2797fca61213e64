/** Ups that meet faults, kills, Ctrl-C or another stack, and those after what must not post. */
const assert = require("node:assert/strict");
const fc = require("fast-check");
const { afterTwoUps, afterUp } = require("./expect");
const { standingIn, updates, wantedBy } = require("./model");
const { declareAll, saying, Step, takeDestroy, takeUp, upIn } = require("./step");

/** @typedef {import("./model").Model} Model */
/** @typedef {import("./model").Name} Name */
/** @typedef {import("./model").Outcome} Outcome */

const anyUpdate = fc.constantFrom(...updates);

const loss = fc.constantFrom(
  .../** @type {const} */ ([
    { stage: "during the request", kind: "reset" },
    { stage: "during the request", kind: "timeout" },
    { stage: "during the request", kind: "5xx" },
    { stage: "before the answer", kind: "reset" },
    { stage: "before the answer", kind: "timeout" },
    { stage: "mid-response", kind: "cut body" },
    { stage: "before the answer", kind: "5xx" },
  ]),
);
const hastyUp = fc
  .record({
    loss,
    version: fc.nat(9),
    resend: fc.boolean(),
    notify: fc.boolean(),
    slowReads: fc.boolean(),
    clockBehind: fc.boolean(),
  })
  .map(({ loss: { stage, kind }, version, resend, notify, ...trouble }) => {
    const declared = { version, resend, notify };
    // Left to chance, what is declared would mostly be public already, and nothing would be lost.
    const first = version > 0 ? `declare all ${saying(declared)}; ` : "";
    const slow = trouble.slowReads ? ", while reads are slow" : "";
    const behind = trouble.clockBehind ? ", and the clock of the service is behind" : "";
    const says = `${first}up, of whose posts each gets a ${kind} ${stage}${slow}${behind}`;
    return new Step(says, async (model, world) => {
      if (version > 0) declareAll(model, declared);
      const strike = /** @type {const} */ ({ method: "POST", stage, kind, times: 100 });
      await upIn("hasty", model, world, { strike, ...trouble });
    });
  });
const datedBackUp = fc.integer({ min: 1, max: 9 }).map(
  (version) =>
    new Step(
      `declare all in words ${version}; up, while the clock of the service is behind`,
      async (model, world) => {
        declareAll(model, { version, notify: true });
        await upIn(model.looksInVain(world.history) ? "hasty" : "calm", model, world, { clockBehind: true });
      },
    ),
);

const killedUp = fc
  .record({
    weather: fc.constantFrom(.../** @type {const} */ (["provider killed", "engine killed"])),
    stage: fc.constantFrom(
      .../** @type {const} */ (["during the request", "before the answer", "mid-response"]),
    ),
    skip: fc.integer({ min: 0, max: 2 }),
    version: fc.integer({ min: 1, max: 9 }),
    notify: fc.boolean(),
  })
  .map(({ weather, stage, skip, ...declared }) => {
    const says = `declare all ${saying(declared)}; up, ${weather} ${stage} of a post after ${skip} others, if one comes`;
    return new Step(says, async (model, world) => {
      declareAll(model, declared);
      const outcomes = model.next(world.history);
      if (!comesToPost(outcomes, skip)) return takeUp(model, world);
      model.stateAccess = model.access;
      const run = await world.up(model, weather, { strike: { method: "POST", stage, kind: "kill" }, skip });
      assert.ok(run.held, "nobody was killed");
      assert.equal(run.posts.length, skip + 1, "posts up to the kill, and none after it");
      afterUp(model, world, outcomes, run);
    });
  });

/** Ctrl-C: the updates depend on each other, so those after the one in progress aren't requested. */
const stoppedUp = fc
  .record({
    skip: fc.integer({ min: 0, max: 2 }),
    version: fc.integer({ min: 1, max: 9 }),
    notify: fc.boolean(),
  })
  .map(({ skip, ...declared }) => {
    const says = `declare all ${saying(declared)}, chained; up, Ctrl-C during a post after ${skip} others, if one comes; up`;
    return new Step(says, async (model, world) => {
      declareAll(model, declared);
      const outcomes = model.next(world.history);
      const comes = comesToPost(outcomes, skip) && !model.looksInVain(world.history);
      if (!comes) return takeUp(model, world);
      model.stateAccess = model.access;
      const strike = /** @type {const} */ ({ method: "POST", stage: "before the answer", kind: "kill" });
      const run = await world.up(model, "stopped", { strike, skip });
      assert.equal(run.posts.length, skip + 1, "posts up to Ctrl-C");
      afterUp(model, world, requested(outcomes, skip + 1, model), run);
      await takeUp(model, world);
    });
  });

/**
 * What comes to be when nothing more is requested after so many posts.
 *
 * @param {Map<Name, Outcome>} outcomes in the order of the chain
 * @param {number} most
 * @param {Model} model
 */
function requested(outcomes, most, { tracked }) {
  let posts = 0;
  /** @type {[Name, Outcome][]} */
  const all = [...outcomes].map(([name, outcome]) => {
    const isRequested = posts < most;
    posts += outcome.posts.length;
    return [name, isRequested ? outcome : { ...outcome, fails: true, posts: [], tracked: tracked.get(name) }];
  });
  return new Map(all);
}

/** None of these posts what is public already: a rename, another flag, a destroy before. */
const turnedUp = fc
  .record({
    update: anyUpdate,
    all: fc.boolean(),
    rename: fc.boolean(),
    flag: fc.boolean(),
    destroyed: fc.constantFrom(false, false, false, true),
  })
  .filter(({ rename, flag }) => rename || flag)
  .map(({ update, all, rename, flag, destroyed }) => {
    const what = all ? "all" : update;
    const parts = [
      ...(rename ? [`rename ${what}`] : []),
      ...(flag ? [`turn the flag of ${what}`] : []),
      ...(destroyed ? ["destroy"] : []),
    ];
    return new Step([...parts, "up"].join("; "), async (model, world) => {
      for (const each of all ? updates : [update]) {
        if (rename) model.rename(each);
        if (flag) model.turnFlag(each);
      }
      if (destroyed) await takeDestroy(model, world);
      await takeUp(model, world);
    });
  });

/** A, B, A: refused before a post, as long as B is the newer one; then again as another occurrence, or as C. */
const returning = fc
  .record({
    update: anyUpdate,
    first: fc.integer({ min: 1, max: 9 }),
    apart: fc.integer({ min: 1, max: 8 }),
    again: fc.boolean(),
    notify: fc.boolean(),
  })
  .map(({ update, first, apart, again, notify }) => {
    const second = ((first + apart - 1) % 9) + 1;
    const goOn = again ? "as its next occurrence" : "in words 10";
    const says = `declare ${update} in words ${first}, ${second} and ${first} again, with an up each; then ${goOn}; up`;
    return new Step(says, async (model, world) => {
      model.access = { account: "own", key: 0 };
      for (const version of [first, second, first]) {
        model.declare(update, { version, notify });
        await takeUp(model, world);
      }
      const existing = standingIn(world.history, model.nameOf(update), first).length;
      if (again) model.declare(update, { version: first, notify, occurrence: existing + 1 });
      else model.declare(update, { version: 10, notify });
      await takeUp(model, world);
    });
  });

const twoStacks = fc
  .record({ version: fc.integer({ min: 1, max: 9 }), notify: fc.boolean() })
  .map((declared) => {
    const says = `declare all ${saying(declared)}; up of two stacks at once`;
    return new Step(says, async (model, world) => {
      declareAll(model, declared);
      const { history } = world;
      const [outcomes, others] = [model.next(history), model.another.next(history)];
      const fails = [...outcomes.values(), ...others.values()].some((outcome) => outcome.fails);
      // Another stack doesn't know what this one is unsure of.
      const unsure = [...model.tracked.values()].some(({ seen }) => seen);
      if (fails || unsure) return takeUp(model, world);
      model.stateAccess = model.access;
      afterTwoUps(model, world, outcomes, others, await world.upTwice(model));
    });
  });

/**
 * Whether the post to kill at is sure to come: before it an engine may stop at what fails, and a look in vain takes long.
 *
 * @param {Map<Name, Outcome>} outcomes
 * @param {number} skip how many posts come before it
 */
function comesToPost(outcomes, skip) {
  return wantedBy(outcomes).length > skip && ![...outcomes.values()].some(({ fails }) => fails);
}

module.exports = { datedBackUp, hastyUp, killedUp, returning, stoppedUp, turnedUp, twoStacks };
