/** P11: what a preview says is what the `up` does, when nothing else writes in between. */
const { stepsOfRun } = require("./engine");
const { ledgerOf } = require("./runs");
const { isWithoutResponse, stepsOfTask, take } = require("./task");
const { start } = require("./user");

/**
 * @import { World, Run } from "./world"
 * @import { Model } from "./engine"
 * @import { Event } from "../../provider/protocol"
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

/** Performs the running declaration as a preview does. @param {Model} model @param {World} world @param {Run} before */
function previewOf(model, world, before) {
  let run = before;
  /** @type {string | undefined} */
  let effect;
  for (;;) {
    const { running, ...others } = run;
    if (!running) throw new Error("Nothing is running.");
    const { command, urn } = running;
    if (command.do === "finish") {
      const ended = effect ? withIdsOf(model, before, others, running.incident) : others;
      const { result } = command;
      if (result.kind === "done") {
        const recorded = world.stacks[run.stack]?.state[urn];
        return { run: ended, outcome: effect ?? outcomeOf(recorded, result.posted) };
      }
      const { refusal } = result;
      const ready = isWithoutResponse(refusal) ? [] : ended.ready;
      const failed = { ...ended, ready, refused: [...ended.refused, { ...refusal, urn }] };
      return { run: failed, outcome: `fails: ${refusal.why}` };
    }
    if (command.do === "post") effect ??= "posts";
    if (command.do === "read" && command.until !== undefined) effect = "waits";
    const [next] =
      command.do === "post"
        ? [take(model, world, run, running, "", previewedPost(running))]
        : stepsOfTask(model, world, run, running);
    const [after] = next?.world.runs ?? [];
    if (!next || !after) throw new Error(`A preview of ${urn} hangs.`);
    ({ world } = next);
    run = after;
  }
}

/** Nothing was posted, so nothing was learned about ids. @param {Model} model @param {Run} before @param {Run} run @param {string} incident */
function withIdsOf(model, before, run, incident) {
  const { ids } = ledgerOf(model, before, incident);
  const ledger = { ...ledgerOf(model, run, incident), ids };
  return { ...run, ledgers: { ...run.ledgers, [incident]: ledger } };
}

/** @param {import("./world").Running} running @returns {Event} */
function previewedPost({ urn, task: { declared } }) {
  const { status, description, publicIncidentUpdateDate } = declared;
  const created_at = new Date(Date.UTC(2027, 0, 1)).toISOString();
  const id = `preview of ${urn}`;
  return { on: "posted", update: { id, status, description, publicIncidentUpdateDate, created_at } };
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
  // Before a post, a service doesn't tell that it rejects ids, or has the id of an update that was deleted by hand, or one of
  // identical updates. What waits for that post isn't done then, either.
  const mayReject = config.deletedIds === "taken" || config.ids === "rejected" || config.keepsOne;
  const isPost = (/** @type {string} */ said) => said === "posts" || said === "waits";
  if (
    mayReject &&
    Object.entries(preview).some(([urn, said]) => isPost(said) && up[urn]?.startsWith("fails"))
  )
    return undefined;
  for (const [urn, outcome] of Object.entries(preview)) {
    if (outcome === "waits" || outcome === up[urn] || (mayReject && outcome === "posts")) continue;
    return `P11: the preview says that ${urn} ${outcome}, and it ${up[urn] ?? "is not declared"}`;
  }
  return undefined;
}

module.exports = { did, previewViolation, said };
