/** What can happen to a stack and to the service, as fast-check's commands. */
const assert = require("node:assert/strict");
const fc = require("fast-check");
const {
  afterCalmUp,
  afterRefresh,
  afterRoughUp,
  everythingPublic,
  nothingNew,
  sameTracked,
} = require("./expect");
const { isReachable, names, revoked, statuses } = require("./model");

/** @typedef {import("./model").Model} Model */
/** @typedef {import("./model").Name} Name */
/** @typedef {import("./world").World} World */
/** @typedef {import("./phases").Weather} Weather */
/** @typedef {import("../wire/strike").Strike} Strike */

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

const up = new Step("up", async (model, world) => {
  const outcomes = model.next(world.history);
  model.stateAccess = model.access;
  if (model.looksInVain(world.history)) {
    await world.up(model, "hasty");
    afterRoughUp(model, world, outcomes, false);
  } else {
    afterCalmUp(model, world, outcomes, await world.up(model));
  }
});

const loss = fc.constantFrom(
  .../** @type {const} */ ([
    { stage: "during the request", kind: "reset" },
    { stage: "before the answer", kind: "reset" },
    { stage: "before the answer", kind: "timeout" },
    { stage: "mid-answer", kind: "cut body" },
    { stage: "before the answer", kind: "5xx" },
  ]),
);
const hastyUp = loss.map(({ stage, kind }) =>
  roughUp(`up, of whose posts each gets a ${kind} ${stage}`, "hasty", {
    method: "POST",
    stage,
    kind,
    times: 100,
  }),
);

const killedUp = fc
  .record({
    weather: fc.constantFrom(.../** @type {const} */ (["provider killed", "engine killed"])),
    stage: fc.constantFrom(
      .../** @type {const} */ (["during the request", "before the answer", "mid-answer"]),
    ),
    skip: fc.integer({ min: 0, max: 2 }),
    version: fc.integer({ min: 1, max: 9 }),
  })
  .map(({ weather, stage, skip, version }) =>
    roughUp(
      `declare all in words ${version}; up, ${weather} ${stage}, after ${skip} posts`,
      weather,
      { method: "POST", stage, kind: "kill" },
      skip,
      version,
    ),
  );

/**
 * @param {string} says
 * @param {Weather} weather
 * @param {Strike} strike
 * @param {number} [skip]
 */
function roughUp(says, weather, strike, skip = 0, version = 0) {
  return new Step(says, async (model, world) => {
    // Where there is nothing to post, nothing is killed.
    if (version > 0) for (const name of names) model.declared.set(name, { version, resend: false });
    const outcomes = model.next(world.history);
    model.stateAccess = model.access;
    const { posts } = world;
    await world.up(model, weather, strike, skip);
    if (weather === "engine killed")
      assert.ok(world.posts - posts <= skip + 1, "posted after the engine's end");
    afterRoughUp(model, world, outcomes, weather !== "hasty");
  });
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
  const published = [...model.tracked.values()].some(({ seen }) => !seen);
  const failures = await world.refresh(model);
  const { account } = model.stateAccess;
  const fails = account === "own" ? published && !isReachable(model.stateAccess) : model.tracked.size > 0;
  assert.equal(failures.length > 0, fails, `whether the refresh fails: ${failures.join("; ")}`);
  if (isReachable(model.stateAccess)) afterRefresh(model, world);
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
