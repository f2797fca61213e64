/** Models the engine: lists the events that may happen next in a running `up`. */
const { changeRun, getDeclaration, endRun, getLedger, record, resetClock } = require("./runs");
const { withOwnNotes } = require("./runs");
const { checkRejection } = require("./properties");
const { toEntry, toRawEntry } = require("./service");
const { withPublishedVersions } = require("./contentVersions");
const { formatLocation, getProgram, spendBudget, getStack } = require("./world");
const { isForcedTask, listTaskSteps, startTask } = require("./task");

/**
 * @import { World, Run, Configuration } from "./world"
 * @import { Core } from "./core"
 *
 * @typedef {object} Model
 * @property {Core} core
 * @property {Configuration & typeof import("./world").defaults} config
 * @property {(value: unknown) => string} computeKey returns the same key for equal values
 * @property {Map<string, import("./undisturbed").RunResult> | undefined} undisturbedResults results of undisturbed runs, by the world before the run
 * @property {Map<string, import("./world").Recorded>} states the decoded form of each record, by the record's key
 *
 * @typedef {object} Successor
 * @property {string} label
 * @property {World} world
 * @property {string} [violation]
 * @property {import("../../provider/protocol").Event} [event] the event that the running task received
 *
 * A step of a trace or, without a world, a remark.
 * @typedef {Successor & {model: Model, before: World}} WorldStep
 * @typedef {{label: string} | WorldStep} Step
 */

/**
 * Lists the events that may happen next in a run.
 * @param {Model} model @param {World} world @param {Run} run
 * @returns {Successor[]}
 */
function listRunSteps(model, world, run) {
  if (run.running) {
    const listens = isListening(run.running);
    const between = model.config.interleaves || listens ? listDiffs(model, world, run) : [];
    // While a run listens, the engine has enough time to call `diff` for all resources that don't depend on another.
    if (listens && between.length > 0) return between;
    return [...between, ...listTaskSteps(model, world, run, run.running)];
  }
  const next = [...listDiffs(model, world, run), ...listStarts(model, world, run)];
  const isFinished = run.ready.length === 0 && (run.todo.length === 0 || run.rejections.length > 0);
  if (isFinished) next.push(...endRun(model, world, run));
  const isSaved = isFinished && !isRemoving(model, world, run);
  if (world.budget.kills > 0 && next.length > 0 && !isSaved) next.push(kill(world, run));
  return next;
}

/** @param {import("./world").Running} running */
function isListening({ command }) {
  return command.kind === "listen";
}

/**
 * Returns true if only one event can happen next, so that the state before it needn't be visited.
 * @param {Model} model @param {World} world
 */
function isForced(model, world) {
  const [run, ...others] = world.runs;
  if (!run || others.length > 0 || model.config.parallel > 1) return false;
  const { chain } = getProgram(model.config, world, run.stack);
  const isAlone = run.running && (chain || !(isListening(run.running) || model.config.interleaves));
  if (run.todo.length > 0 && !isAlone) return false;
  if (run.running) return isForcedTask(model, world, run.running);
  return world.budget.kills === 0 && run.ready.length < 2;
}

/** Returns true if the engine will remove resources at the end of the run. @param {Model} model @param {World} world @param {Run} run */
function isRemoving({ config }, world, { stack, rejections }) {
  const { entries } = getProgram(config, world, stack);
  return (
    rejections.length === 0 && Object.keys(getStack(world, stack).state).some((urn) => !(urn in entries))
  );
}

/** @param {World} world @param {Run} run @returns {Successor} */
function kill(world, run) {
  return { label: "KILLED", world: resetClock(changeRun(spendBudget(world, "kills"), run, undefined)) };
}

/** Lists the resources for which the engine may call `diff` next. @param {Model} model @param {World} world @param {Run} run @returns {Successor[]} */
function listDiffs(model, world, run) {
  const { chain } = getProgram(model.config, world, run.stack);
  if (chain && (run.running || run.ready.length > 0 || run.rejections.length > 0)) return [];
  const { state } = getStack(world, run.stack);
  const fresh = run.todo.find((urn) => !state[urn]);
  // A resource without a state doesn't change a ledger, so the order of these resources doesn't matter.
  if (fresh !== undefined && !chain) return [diff(model, world, run, fresh)];
  const next = chain ? run.todo.slice(0, 1) : run.todo;
  return next.map((urn) => diff(model, world, run, urn));
}

/**
 * The engine calls `check` and, for a resource of the stack, `diff`.
 * @param {Model} model @param {World} world @param {Run} before @param {string} urn
 * @returns {Successor}
 */
function diff(model, world, before, urn) {
  const { core } = model;
  const run = { ...before, todo: before.todo.filter((other) => other !== urn) };
  const recorded = getStack(world, run.stack).state[urn];
  const declared = getDeclaration(model, world, run, urn);
  /** @param {Run} after */
  const create = (after) => ({
    ...after,
    ready: [...after.ready, { urn, via: /** @type {const} */ ("create") }],
  });
  const to = (/** @type {string} */ label, /** @type {Run} */ after) => ({
    label,
    world: changeRun(world, before, after),
  });
  if (!recorded) return to("", create(run));
  if (run.options.replace?.includes(urn)) return to(`replace ${urn} without diff`, create(run));
  const checked = callDiff(model, run, urn, { kind: "inputs", declared: recorded.declared }, declared);
  if (run.options.replaceWith?.includes(urn)) return to(`replace ${urn} without diff`, create(checked.run));
  const known = withOwnNotes(model, world, run, urn, recorded);
  const { difference, run: after } = callDiff(model, checked.run, urn, known, declared);
  switch (difference.kind) {
    case "reject": {
      const rejection = { ...difference.rejection, urn };
      const violation = checkRejection(model, world, run, urn, rejection);
      const rejectedStep = to(`diff ${urn}: rejected`, {
        ...after,
        rejections: [...run.rejections, rejection],
      });
      return { ...rejectedStep, ...(violation && { violation }) };
    }
    case "edit":
      // Removing a date from the declaration changes only the state.
      if (core.isKept(known, declared)) return keepUpdate(model, world, before, after, urn);
      return to(`diff ${urn}: edit`, { ...after, ready: [...after.ready, { urn, via: "update" }] });
    case "settle":
      return to(`diff ${urn}: ${difference.kind}`, {
        ...after,
        ready: [...after.ready, { urn, via: "update" }],
      });
    case "same": {
      if (run.options.replaceAfterDiff?.includes(urn)) return to(`replace ${urn}`, create(after));
      return keepUpdate(model, world, before, after, urn);
    }
  }
}

/**
 * Keeps the update and records its new declaration in the state.
 * @param {Model} model @param {World} world @param {Run} before @param {Run} after the comparison @param {string} urn
 * @returns {Successor}
 */
function keepUpdate(model, world, before, after, urn) {
  const { core } = model;
  const declared = getDeclaration(model, world, after, urn);
  const recorded = getStack(world, after.stack).state[urn];
  const isUnchanged = recorded && core.listChangedFields(recorded.declared, declared).length === 0;
  const compared = changeRun(world, before, after);
  if (recorded?.kind !== "posted" || isUnchanged) return { label: "", world: compared };
  const update = world.updates.find(({ id, deleted }) => id === recorded.id && !deleted);
  const shown = update && toEntry(update);
  const unread = core.toKeptRecord(recorded, declared);
  if (unread) {
    const updated = { ...unread, published: shown ?? recorded.published };
    return { label: `update ${urn}`, world: record(model, compared, after, urn, updated) };
  }
  const updated = core.toKeptRecord(recorded, declared, update && toRawEntry(update));
  if (!updated) {
    const rejection = { kind: /** @type {const} */ ("failed"), text: "edited in the dashboard", urn };
    const rejectedRun = { ...after, rejections: [...after.rejections, rejection] };
    return { label: `update ${urn}: edited in the dashboard`, world: changeRun(world, before, rejectedRun) };
  }
  const written = withPublishedVersions(model, compared, after, urn, updated);
  return { label: `update ${urn}`, world: record(model, written, after, urn, updated) };
}

/**
 * Calls the protocol's `diff` for a resource in the state. Returns its decision and the run with the updated ledger.
 * @param {Model} model @param {Run} run @param {string} urn
 * @param {import("../../provider/protocol").Comparison["was"]} was
 * @param {import("./world").Declaration} declared
 */
function callDiff(model, run, urn, was, declared) {
  const comparison = { resource: urn, was, declared, unknown: new Set() };
  const location = formatLocation(
    declared,
    model.core.getComparedContainerId(comparison) ?? declared.containerId,
  );
  const known = getLedger(model, run, location);
  const { difference, ledger = known } = model.core.diff(comparison, known);
  return { difference, run: { ...run, ledgers: { ...run.ledgers, [location]: ledger } } };
}

/** Lists the tasks that may start, if no other run holds the lock. @param {Model} model @param {World} world @param {Run} run @returns {Successor[]} */
function listStarts(model, world, run) {
  const { machines } = model.config;
  const lock = machines[run.machine];
  const isLocked = world.runs.some(
    (other) => other !== run && other.running && machines[other.machine] === lock,
  );
  if (isLocked) return [];
  return run.ready.map((request) => startTask(model, world, run, request));
}

/** @param {readonly Step[]} trace */
function formatTrace(trace) {
  return trace.flatMap(({ label }) => (label === "" ? [] : `  ${label}`)).join("\n");
}

module.exports = { isForced, listRunSteps, formatTrace };
