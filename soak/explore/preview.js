/** P11: what a preview says is what the `up` does, when nothing else writes in between. */
const { stepsOfRun } = require("./engine");
const { declaredOf, ledgerOf } = require("./runs");
const { lookupsOf, readsOf } = require("./service");
const { isWithoutResponse, witnessOf } = require("./task");
const { start } = require("./user");

/**
 * @import { World, Run } from "./world"
 * @import { Model } from "./engine"
 * @import { Event, Result } from "../../provider/protocol"
 *
 * What becomes of each resource: `posts`, `adopts …`, `keeps …`, `fails: …`, or `waits`: only the `up` can tell.
 * @typedef {Record<string, string>} Outcomes
 */

/**
 * What a preview in a calm world says.
 * @param {Model} model @param {World} before @param {string} name
 * @returns {{outcomes: Outcomes, refused: Run["refused"]}}
 */
function said(model, before, name) {
  /** @type {Outcomes} */
  const outcomes = {};
  const [machine = ""] = Object.keys(model.config.machines);
  /** @type {Run["refused"]} */
  let refused = [];
  let world = start(model, before, name, machine, {}, "")[0]?.world ?? before;
  for (;;) {
    const [run] = world.runs;
    if (!run) return { outcomes, refused };
    refused = run.refused;
    for (const { urn, why } of run.refused)
      outcomes[urn] = model.core.isForUpToSettle(why) ? "waits" : `fails: ${why}`;
    if (run.running) {
      const { urn } = run.running;
      const previewed = previewOf(model, world, run);
      outcomes[urn] ??= previewed.outcome;
      world = { ...world, runs: [previewed.run] };
    } else {
      const [next] = stepsOfRun(model, world, run);
      if (!next) return { outcomes, refused };
      world = next.world;
    }
  }
}

/** Performs the running declaration as a preview does. @param {Model} model @param {World} world @param {Run} run */
function previewOf(model, world, run) {
  const { core } = model;
  if (!run.running) throw new Error("Nothing is running.");
  const { urn, incident: first } = run.running;
  const recorded = world.stacks[run.stack]?.state[urn];
  let { task, command, incident } = run.running;
  let ledger = ledgerOf(model, run, incident);
  let after = run;
  let { ids } = ledger;
  /** @type {string | undefined} */
  let effect;
  let { now } = world;
  for (;;) {
    if (command.do === "finish" && command.result.kind === "settled") {
      after = { ...after, ledgers: { ...after.ledgers, [incident]: ledger } };
      incident = task.declared.incidentId;
      const { lineage, settled } = command.result;
      ledger = ledgerOf(model, after, incident);
      ({ ids } = ledger);
      const declared = declaredOf(model, world, run, urn);
      const beginning = { resource: urn, declared, nonce: "preview", from: { lineage, settled } };
      ({ ledger, task, command } = core.begin(ledger, beginning));
      continue;
    }
    if (command.do === "finish") break;
    if (command.do === "post") effect ??= "posts";
    if (command.do === "read" && command.until !== undefined) effect = "waits";
    if (command.do === "read") now = Math.max(now, command.until ?? 0);
    const event = eventOf(model, { ...world, now }, run, incident, command, task);
    ({ ledger, task, command } = core.step(ledger, task, event));
  }
  const { result } = command;
  // Nothing was posted, so nothing was learned about ids.
  if (effect) ledger = { ...ledger, ids };
  const { running: _, ...ended } = { ...after, ledgers: { ...after.ledgers, [incident]: ledger } };
  if (result.kind === "failed") {
    const { refusal } = result;
    const ready = isWithoutResponse(refusal) ? [] : ended.ready;
    const failed = { ...ended, ready, refused: [...ended.refused, { ...refusal, urn }] };
    return { run: failed, outcome: `fails: ${refusal.why}` };
  }
  if (result.kind !== "done") throw new Error(`A preview of ${first} ends as ${result.kind}.`);
  return { run: ended, outcome: effect ?? outcomeOf(recorded, result.posted) };
}

/**
 * @param {Model} model @param {World} world @param {Run} run @param {string} incident
 * @param {Exclude<import("./world").Command, {do: "finish"}>} command @param {import("./world").Task} task
 * @returns {Event}
 */
function eventOf(model, world, run, incident, command, { resource, declared }) {
  const witness = witnessOf(model, world, run, incident);
  if (command.do === "post") {
    const { status, description, publicIncidentUpdateDate } = declared;
    const id = `preview of ${resource}`;
    const created_at = new Date(Date.UTC(2027, 0, 1)).toISOString();
    return { on: "posted", update: { id, status, description, publicIncidentUpdateDate, created_at } };
  }
  if (command.do === "readUpdate") {
    const [found] = lookupsOf(world, model.config, incident, command.id);
    return { on: "update", id: command.id, update: found?.update, ...witness };
  }
  if (command.again && command.until === undefined) return { on: "timeUp" };
  const [read] = readsOf(world, model.config, incident);
  return { on: "history", shown: read?.shown ?? [], ...witness };
}

/** @param {import("./world").Recorded | undefined} before @param {import("./world").Recorded} after */
function outcomeOf(before, after) {
  if (after.kind !== "posted") return "fails";
  return before?.kind === "posted" && before.id === after.id ? `keeps ${after.id}` : `adopts ${after.id}`;
}

/**
 * What the `up` did.
 * @param {World} before @param {World} after @param {string} name @param {Run["refused"]} refused @returns {Outcomes}
 */
function did(before, after, name, refused) {
  const posted = new Set(after.updates.slice(before.updates.length).map(({ by }) => by));
  /** @type {Outcomes} */
  const outcomes = {};
  for (const [urn, recorded] of Object.entries(after.stacks[name]?.state ?? {})) {
    const outcome = outcomeOf(before.stacks[name]?.state[urn], recorded);
    outcomes[urn] = posted.has(`${name}/${urn}`) ? "posts" : outcome;
  }
  for (const { urn, why } of refused) outcomes[urn] = `fails: ${why}`;
  return outcomes;
}

/**
 * @param {Model} model @param {Outcomes} preview @param {Outcomes} up
 * @returns {string | undefined}
 */
function previewViolation({ config }, preview, up) {
  for (const [urn, outcome] of Object.entries(preview)) {
    if (outcome === "waits" || outcome === up[urn]) continue;
    // Before a post, a service doesn't tell that it has the id of an update that was deleted by hand, or one of identical updates.
    if (outcome === "posts" && (config.deletedIds === "taken" || config.keepsOne)) continue;
    return `P11: the preview says that ${urn} ${outcome}, and it ${up[urn] ?? "is not declared"}`;
  }
  return undefined;
}

module.exports = { did, previewViolation, said };
