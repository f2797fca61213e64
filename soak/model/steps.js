/** What can happen to a stack and to the service, as fast-check's commands. */
const assert = require("node:assert/strict");
const fc = require("fast-check");
const { afterRefresh, afterUp, everythingPublic, nothingNew, sameTracked } = require("./expect");
const { isReachable, names, revoked, statuses, wantedBy } = require("./model");

/** @typedef {import("./model").Model} Model */
/** @typedef {import("./model").Name} Name */
/** @typedef {import("./world").World} World */
/** @typedef {import("./model").Outcome} Outcome */

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

/** The program changes; nothing happens before the next `up`. */
const program = fc
  .record({ name: fc.constantFrom(...names), version: fc.integer({ min: 1, max: 3 }), resend: fc.boolean() })
  .map(({ name, version, resend }) => {
    const says = `declare ${name} in words ${version}${resend ? ", to be resent" : ""}`;
    return new Step(says, ({ declared }) => void declared.set(name, { version, resend }));
  });
const removal = fc
  .constantFrom(...names)
  .map((name) => new Step(`remove ${name}`, ({ declared }) => void declared.delete(name)));

const up = new Step("up", takeUp);

/** Without a fault; in haste where it looks for what isn't there. @param {Model} model @param {World} world */
async function takeUp(model, world) {
  await upIn(model.looksInVain(world.history) ? "hasty" : "calm", model, world);
}

/**
 * @param {import("./phases").Weather} weather
 * @param {Model} model
 * @param {World} world
 * @param {import("../wire/strike").Strike} [strike]
 */
async function upIn(weather, model, world, strike) {
  const outcomes = model.next(world.history);
  model.stateAccess = model.access;
  afterUp(model, world, outcomes, await world.up(model, weather, strike));
}

const loss = fc.constantFrom(
  .../** @type {const} */ ([
    { stage: "during the request", kind: "reset" },
    { stage: "during the request", kind: "timeout" },
    { stage: "during the request", kind: "5xx" },
    { stage: "before the answer", kind: "reset" },
    { stage: "before the answer", kind: "timeout" },
    { stage: "mid-answer", kind: "cut body" },
    { stage: "before the answer", kind: "5xx" },
  ]),
);
const hastyUp = fc
  .record({ loss, version: fc.nat(9), resend: fc.boolean() })
  .map(({ loss: { stage, kind }, version, resend }) => {
    // Left to chance, what is declared would mostly be public already, and nothing would be lost.
    const first = version > 0 ? `declare all in words ${version}${resend ? ", to be resent" : ""}; ` : "";
    return new Step(`${first}up, of whose posts each gets a ${kind} ${stage}`, async (model, world) => {
      if (version > 0) for (const name of names) model.declared.set(name, { version, resend });
      await upIn("hasty", model, world, { method: "POST", stage, kind, times: 100 });
    });
  });

const killedUp = fc
  .record({
    weather: fc.constantFrom(.../** @type {const} */ (["provider killed", "engine killed"])),
    stage: fc.constantFrom(
      .../** @type {const} */ (["during the request", "before the answer", "mid-answer"]),
    ),
    skip: fc.integer({ min: 0, max: 2 }),
    version: fc.integer({ min: 1, max: 9 }),
  })
  .map(({ weather, stage, skip, version }) => {
    const says = `declare all in words ${version}; up, ${weather} ${stage} of a post after ${skip} others, if one comes`;
    return new Step(says, async (model, world) => {
      for (const name of names) model.declared.set(name, { version, resend: false });
      const outcomes = model.next(world.history);
      if (!comesToPost(outcomes, skip)) return takeUp(model, world);
      model.stateAccess = model.access;
      const run = await world.up(model, weather, { method: "POST", stage, kind: "kill" }, skip);
      assert.ok(run.held, "nobody was killed");
      assert.equal(run.posts.length, skip + 1, "posts up to the kill, and none after it");
      afterUp(model, world, outcomes, run);
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

const preview = new Step("preview", async (model, world) => {
  const { requests } = world;
  const steps = [...model.next(world.history).values()].map(({ step }) => step);
  const shown = await world.preview(model);
  if (steps.includes("refused")) assert.match(shown.join("\n"), /account leads to/, "what the preview shows");
  else
    assert.deepEqual(shown.sort(), steps.filter((step) => step !== "same").sort(), "what the preview shows");
  assert.equal(world.requests, requests, "requests of a preview");
  nothingNew(world);
  sameTracked(model, world);
});

const refresh = new Step("refresh", async (model, world) => {
  const { posts } = world;
  const published = [...model.tracked.values()].some(({ seen }) => !seen);
  const failures = await world.refresh(model);
  const { account } = model.stateAccess;
  const fails = account === "own" ? published && !isReachable(model.stateAccess) : model.tracked.size > 0;
  assert.equal(failures.length > 0, fails, `whether the refresh fails: ${failures.join("; ")}`);
  if (isReachable(model.stateAccess)) afterRefresh(model, world);
  assert.equal(world.posts, posts, "posts of a refresh");
  nothingNew(world);
  sameTracked(model, world);
});

const destroy = new Step("destroy", async (model, world) => {
  const { requests } = world;
  assert.deepEqual(await world.destroy(model), []);
  model.tracked.clear();
  assert.equal(world.requests, requests, "requests of a destroy");
  nothingNew(world);
  sameTracked(model, world);
});

const edit = fc
  .nat(5)
  .map((place) => new Step(`edit update ${place} by hand`, (_, world) => world.editByHand(place)));
const posting = fc
  .constantFrom(...Object.values(statuses))
  .map((status) => new Step(`somebody else posts ${status}`, (_, world) => world.postByHand(status)));
const deletion = fc
  .nat(5)
  .map((place) => new Step(`delete update ${place} by hand`, (_, world) => world.deleteByHand(place)));

/** @param {number} key */
const keyStep = (key) =>
  new Step(key === revoked ? "the key is revoked" : `rotate to key ${key}`, (model) => {
    model.access = { ...model.access, key };
  });
/** @param {string} account */
const accountStep = (account) =>
  new Step(`switch to the ${account} account`, (model) => {
    model.access = { ...model.access, account };
  });

/** @param {number} most steps of a sequence */
function sequences(most) {
  const all = [
    ...[
      up,
      up,
      hastyUp,
      hastyUp,
      killedUp,
      killedUp,
      program,
      program,
      program,
      removal,
      preview,
      refresh,
      destroy,
      edit,
      deletion,
      posting,
    ],
    ...[0, 1, revoked].map(keyStep),
    ...["own", "own", "other"].map(accountStep),
  ];
  const steps = all.map((step) => (step instanceof Step ? fc.constant(step) : step));
  return fc.commands(steps, { maxCommands: most, size: "max" });
}

/** All is mended, and the stack comes to rest. */
const inTheEnd = [
  keyStep(0),
  accountStep("own"),
  up,
  refresh,
  up,
  preview,
  new Step("look", everythingPublic),
];

module.exports = { inTheEnd, sequences };
