/** Visits every state of a configuration, nearest states first, so that the first violation has the shortest trace. */
const { loadCore } = require("./core");
const { isForced, listRunSteps } = require("./engine");
const { listMoves, withProgram } = require("./user");
const { expectSuccess } = require("./expectSuccess");
const { checkUndisturbedRuns, runUp } = require("./undisturbed");
const { resetClock } = require("./runs");
const { defaults, hour, createKeyFunction, tick } = require("./world");

/**
 * @import { Configuration, Declaration, World } from "./world"
 * @import { Model, Successor, Step } from "./engine"
 * @import { Core } from "./core"
 *
 * @typedef {object} Explored
 * @property {number} states
 * @property {string} [violation]
 * @property {readonly Step[]} trace the steps that lead to the violation
 * @property {boolean} isComplete true if every state was visited
 */

/** @param {Model} model @param {World} world @returns {Successor[]} */
function listSuccessors(model, world) {
  const moves = listMoves(model, world).map((move) => expectSuccess(model, world, move));
  return [...world.runs.flatMap((run) => listRunSteps(model, world, run)), ...moves];
}

/**
 * Takes a step, and then further steps as long as only one step is possible.
 * @param {Model} model @param {Successor} successor
 */
function followForcedSteps(model, successor) {
  let { label, world, violation } = successor;
  const labels = [label];
  while (violation === undefined && isForced(model, world)) {
    const [next] = listSuccessors(model, world);
    if (!next) break;
    ({ label, world, violation } = next);
    labels.push(label);
    if (labels.length > 500) violation ??= "the run does not end";
  }
  return { labels, world, violation };
}

/**
 * @param {Model} model @param {number} [most] the maximum number of states
 * @param {(count: number) => number} [choose] chooses one of `count` candidates: first the distance of the next state, then a state at that
 *   distance. By default, the nearest state is visited next
 * @returns {Explored}
 */
function explore(model, most = Infinity, choose = () => 0) {
  const { world: first } = findStart(model);
  const isKnown = createMemory(model);
  isKnown(first);
  /** @type {{world: World, from: number, labels: readonly string[]}[]} */
  const found = [{ world: first, from: -1, labels: [] }];
  /** The indexes of the states that aren't visited yet, by their distance from the start. @type {number[][]} */
  const open = [[0]];
  /** @type {Set<string>} */
  const undisturbed = new Set();
  const traceTo = (/** @type {number} */ index, /** @type {string[]} */ ...last) => {
    const all = [...last];
    for (let at = index; at > 0;) {
      const { labels, from } = found[at] ?? { labels: [], from: 0 };
      all.unshift(...labels);
      at = from;
    }
    return takeSteps(model, (successors, at) => successors.find(({ label }) => label === all[at]));
  };
  for (;;) {
    const distances = open.flatMap((level, distance) => (level.length > 0 ? distance : []));
    const distance = distances[choose(distances.length)];
    const states = found.length;
    if (distance === undefined) return { states, trace: [], isComplete: true };
    if (states > most) return { states, trace: [], isComplete: false };
    const level = /** @type {number[]} */ (open[distance]);
    const [index = 0] = level.splice(choose(level.length), 1);
    const { world } = /** @type {(typeof found)[number]} */ (found[index]);
    if (world.runs.length === 0 && index > 0) {
      const violated = checkUndisturbedRuns(model, world, undisturbed);
      if (violated) {
        const { violation, trace } = violated;
        return { states, violation, trace: [...traceTo(index), ...trace], isComplete: false };
      }
    }
    const next = (open[distance + 1] ??= []);
    for (const successor of listSuccessors(model, world)) {
      const { labels, world: after, violation } = followForcedSteps(model, successor);
      if (violation !== undefined)
        return { states, violation, trace: traceTo(index, ...labels), isComplete: false };
      if (isKnown(after)) continue;
      next.push(found.length);
      found.push({ world: after, from: index, labels });
    }
    // Traces only need the labels of visited states. Releasing their worlds saves memory.
    Object.assign(/** @type {object} */ (found[index]), { world: undefined });
  }
}

/**
 * Creates a function that returns true if a world was found before, with at least the same budget. A larger budget permits every event that
 * a smaller budget permits.
 * @param {Pick<Model, "computeKey">} model @returns {(world: World) => boolean}
 */
function createMemory({ computeKey }) {
  /** @type {Map<string, World["budget"][]>} */
  const known = new Map();
  return ({ budget, ...world }) => {
    const key = Object.values(world).map(computeKey).join(" ");
    const budgets = known.get(key) ?? [];
    if (budgets.some((each) => isAtLeast(each, budget))) return true;
    known.set(key, [...budgets, budget]);
    return false;
  };
}

/** @param {World["budget"]} budget @param {World["budget"]} other */
function isAtLeast(budget, { runs, edits, faults, kills, events }) {
  return (
    budget.runs >= runs &&
    budget.edits >= edits &&
    budget.faults >= faults &&
    budget.kills >= kills &&
    budget.events >= events
  );
}

/**
 * Takes steps from the start until `choose` returns undefined.
 * @param {Model} model @param {(successors: Successor[], at: number) => Successor | undefined} choose @returns {Step[]}
 */
function takeSteps(model, choose) {
  const start = findStart(model);
  let { world } = start;
  const steps = [...start.trace];
  for (let at = 0; ; at++) {
    const next = choose(listSuccessors(model, world), at);
    if (!next) return steps;
    steps.push({ ...next, model, before: world });
    world = next.world;
  }
}

/** @param {Model} model @returns {{world: World, trace: readonly Step[]}} */
function findStart(model) {
  const first = createFirstWorld(model.config);
  if (!model.config.isUp) return { world: first, trace: [] };
  const [name = ""] = Object.keys(first.stacks);
  const began = withProgram(model, { ...first, calm: true }, name, 0);
  const { world, trace } =
    model.config.isUp === "lost" ? runLostUp(model, began, name) : runUp(model, began, name);
  const since = model.config.isUp === "long ago" ? 9 * tick : 0;
  return { world: { ...resetClock({ ...world, now: world.now + since }), calm: false }, trace };
}

/** Runs `up` undisturbed, except that its post is lost. @param {Model} model @param {World} began @param {string} name */
function runLostUp(model, began, name) {
  const budget = { ...began.budget, faults: 1 };
  const { world, trace } = runUp(model, { ...began, budget }, name, (steps) =>
    steps.find(({ label }) => label.includes("REQUEST LOST")),
  );
  return { world: { ...world, budget: began.budget }, trace };
}

/** @param {import("./world").Configuration} config @returns {World} */
function createFirstWorld(config) {
  const { runs, edits = 0, faults = 0, kills = 0, events = 0 } = config.bounds;
  const stacks = new Set(config.programs.map(({ stack = "dev" }) => stack));
  const stack = {
    state: {},
    program: -1,
    codes: [],
    confirmedPosts: [],
    requirements: {},
    ownedIds: {},
    ownVersions: {},
  };
  return {
    now: 0,
    updates: (config.history ?? []).map((text, index) => ({
      id: `old${index + 1}`,
      container: "i",
      text,
      at: -9 * tick,
      order: index - 100,
      by: "",
      nonce: "",
      ...(config.opens !== undefined && { name: config.opens, isResolved: true }),
    })),
    notes: {},
    created: -2 * hour,
    sentAt: 0,
    stacks: Object.fromEntries([...stacks].map((name) => [name, stack])),
    runs: [],
    budget: { runs, edits: edits + stacks.size, faults, kills, events },
    intent: {},
    keys: {},
    calm: false,
  };
}

/**
 * @param {Configuration} config
 * @param {import("./core").Changes} [off] a rule that is switched off
 * @returns {Model}
 */
function createModel(config, off = {}) {
  const changes = { ...off, historyLimit: config.limit };
  const computeKey = createKeyFunction();
  const hasEdits = config.programs.some(({ entries }) =>
    Object.values(entries).some(({ key, page }) => key !== undefined && page),
  );
  return {
    ...{
      config: { ...defaults, hasEdits, ...config },
      computeKey,
      states: new Map(),
      undisturbedResults: new Map(),
    },
    core: createCachedCore(loadCore(changes), computeKey),
  };
}

/** Returns the protocol with a cache, so that each step is computed once. @param {Core} core @param {Model["computeKey"]} computeKey @returns {Core} */
function createCachedCore(core, computeKey) {
  /** @type {Map<string, import("../../provider/protocol").Step>} */
  const known = new Map();
  return {
    ...core,
    step: (ledger, task, event) => {
      const key = `${computeKey(ledger)} ${computeKey(task)} ${computeKey(event)}`;
      const stepped = known.get(key) ?? core.step(ledger, task, event);
      known.set(key, stepped);
      return stepped;
    },
  };
}

module.exports = { explore, createModel, takeSteps };
