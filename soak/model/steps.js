/** What can happen to a stack and to the service, as fast-check's commands. */
const assert = require("node:assert/strict");
const fc = require("fast-check");
const { afterRefresh, everythingPublic, nothingNew, sameTracked } = require("./expect");
const { isReachable, revoked, statuses, updates } = require("./model");
const { saying, Step, takeDestroy, takeUp } = require("./step");
const { datedBackUp, hastyUp, killedUp, returning, stoppedUp, turnedUp, twoStacks } = require("./ups");

/** The program changes; nothing happens before the next `up`. */
const anyUpdate = fc.constantFrom(...updates);
const program = fc
  .record({
    update: anyUpdate,
    version: fc.integer({ min: 1, max: 3 }),
    occurrence: fc.constantFrom(1, 1, 1, 2),
    resend: fc.boolean(),
    notify: fc.boolean(),
  })
  .map(
    ({ update, ...declared }) =>
      new Step(`declare ${update} ${saying(declared)}`, (model) => model.declare(update, declared)),
  );
const removal = anyUpdate.map(
  (update) => new Step(`remove ${update}`, (model) => void model.declared.delete(model.nameOf(update))),
);

const up = new Step("up", takeUp);

const preview = new Step("preview", async (model, world) => {
  const { requests } = world;
  const steps = [...model.next(world.history).values()].map(({ step }) => step);
  const shown = await world.preview(model);
  if (steps.includes("refused"))
    assert.match(shown.join("\n"), /account points to/, "what the preview shows");
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

const destroy = new Step("destroy", takeDestroy);

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
      hastyUp,
      hastyUp,
      killedUp,
      killedUp,
      datedBackUp,
      stoppedUp,
      turnedUp,
      turnedUp,
      returning,
      twoStacks,
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
    ...[0, 0, 1, revoked].map(keyStep),
    ...["own", "own", "own", "own", "other"].map(accountStep),
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
