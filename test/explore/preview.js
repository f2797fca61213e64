/** P11: a preview predicts the result of the `up` that follows, if nothing else changes the page between them. */
const { listRunSteps } = require("./engine");
const { getDeclaration, getLedger } = require("./runs");
const { isWithoutResponse, listTaskSteps } = require("./task");
const { start } = require("./user");
const { formatLocation } = require("./world");

/**
 * @import { World, Run, Running, Recorded, Rejection, Declaration } from "./world"
 * @import { Model } from "./engine"
 * @import { Prediction } from "../../provider/protocol"
 * @import { PreviewFact } from "../../provider/wording"
 *
 * The output of a preview about a resource. A rejection has no fact, because the preview fails with its message.
 * @typedef {{posts: PreviewFact["posts"], blocks: import("../../provider/wording").Block[]}} Fact
 *
 * The prediction of a preview for a resource. `why` is the kind of rejection, if the preview predicts a failure.
 * @typedef {{fact: Fact, prediction: Prediction, declared: Declaration, why?: Rejection["kind"] | undefined}} PredictedFact
 */

/**
 * Runs a preview in a calm world and returns its predictions.
 * @param {Model} model @param {World} before @param {string} name
 * @returns {{predictions: Record<string, PredictedFact>, rejections: Run["rejections"]}}
 */
function runPreview(model, before, name) {
  /** @type {Record<string, PredictedFact>} */
  const predictions = {};
  const [machine = ""] = Object.keys(model.config.machines);
  /** @type {Run["rejections"]} */
  let rejections = [];
  let world = start(model, before, name, machine, {}, "")[0]?.world ?? before;
  for (;;) {
    const [run] = world.runs;
    if (!run) return { predictions, rejections };
    rejections = run.rejections;
    if (run.running) {
      const { urn } = run.running;
      const { run: after, prediction } = runPreviewTask(model, world, run);
      const why = "rejection" in prediction ? prediction.rejection?.kind : undefined;
      predictions[urn] = { ...createPredictedFact(model, world, run, urn, prediction), why };
      world = { ...world, runs: [after] };
      continue;
    }
    const [next] = listRunSteps(model, world, run);
    if (!next) return { predictions, rejections };
    addStatePredictions(model, world, run, next.world, predictions);
    world = next.world;
  }
}

/**
 * Adds the predictions for resources that `diff` rejects, and for resources with a change in the state only.
 * @param {Model} model @param {World} world @param {Run} run @param {World} after @param {Record<string, PredictedFact>} predictions
 */
function addStatePredictions(model, world, run, after, predictions) {
  const { state: old } = getStackState(world, run.stack);
  for (const [urn, recorded] of Object.entries(getStackState(after, run.stack).state))
    if (recorded.kind === "posted" && urn in old && old[urn] !== recorded)
      predictions[urn] = createPredictedFact(model, world, run, urn, { kind: "kept", recorded, notices: [] });
  const [ended] = after.runs;
  for (const { urn, ...rejection } of ended?.rejections.slice(run.rejections.length) ?? []) {
    /** @type {Prediction} */
    const prediction = { kind: "refused", rejection, notices: [] };
    predictions[urn] = { ...createPredictedFact(model, world, run, urn, prediction), why: rejection.kind };
  }
}

/** @param {World} world @param {string} name @returns {{state: Readonly<Record<string, Recorded>>}} */
function getStackState({ stacks }, name) {
  return stacks[name] ?? { state: {} };
}

/** @param {Model} model @param {World} world @param {Run} run @param {string} urn @param {Prediction} prediction @returns {PredictedFact} */
function createPredictedFact(model, world, run, urn, prediction) {
  const { [urn]: recorded } = getStackState(world, run.stack).state;
  const declared = getDeclaration(model, world, run, urn);
  // A create receives no state from the engine.
  const isCreate = run.running?.urn === urn && run.running.via === "create";
  const subject = { urn, declared, isTextSecret: false, recorded: isCreate ? undefined : recorded };
  if (prediction.kind === "refused") return { fact: { posts: "no", blocks: [] }, prediction, declared };
  const fact = model.core.createPreviewFact(subject, prediction);
  return {
    fact: { posts: fact.posts, blocks: model.core.formatUpdateBlocks(fact, 0) },
    prediction,
    declared,
  };
}

/**
 * Runs the running task as a preview does: without a post or an edit.
 * @param {Model} model @param {World} world @param {Run} before @returns {{prediction: Prediction, run: Run}}
 */
function runPreviewTask(model, world, before) {
  let run = before;
  for (let steps = 0; ; steps++) {
    const { running, ...others } = run;
    if (!running) throw new Error("Nothing is running.");
    const { command, urn, task, container } = running;
    if (command.kind === "finish") {
      const prediction = model.core.predict({ declared: task.declared }, command.result);
      const { rejection } = { rejection: undefined, ...command.result };
      if (!rejection) return { prediction, run: others };
      const ready = isWithoutResponse(rejection) ? [] : others.ready;
      const failed = { ...others, ready, rejections: [...others.rejections, { ...rejection, urn }] };
      return { prediction, run: failed };
    }
    if (command.kind === "post" || command.kind === "edit") {
      const location = formatLocation(task.declared, container);
      const { ledger, prediction: written } = model.core.predictWrite(getLedger(model, run, location), task);
      const prediction = model.core.predict({ declared: task.declared }, written);
      return { prediction, run: { ...others, ledgers: { ...run.ledgers, [location]: ledger } } };
    }
    const [next] = listTaskSteps(model, world, run, running);
    const [after] = next?.world.runs ?? [];
    if (!next || !after || steps > 500) throw new Error(`A preview of ${urn} does not end.`);
    ({ world } = next);
    run = after;
  }
}

/**
 * Compares the predictions of a preview with the `up` that followed. Returns the first difference.
 * @param {Model} model @param {World} before @param {World} after @param {string} name
 * @param {Record<string, PredictedFact>} predictions @param {Run["rejections"]} rejections the rejections of the `up`
 * @returns {string | undefined}
 */
function checkPreview({ config }, before, after, name, predictions, rejections) {
  // A preview can't predict that the service rejects a post or returns an identical update. Resources that depend on that post aren't run.
  const mayReject = config.deletedIds === "taken" || config.keepsOne;
  if (mayReject && rejections.some(({ urn }) => predictions[urn] && predictions[urn].fact.posts !== "no"))
    return undefined;
  const posted = after.updates.slice(before.updates.length);
  for (const { by, text } of posted) {
    const [stack, urn = ""] = by.split("/");
    if (stack === name && !predictions[urn])
      return `P11: the preview doesn't mention ${urn}, which posts ${text}`;
  }
  for (const [urn, each] of Object.entries(predictions)) {
    const [was, is] = [before, after].map((world) => getStackState(world, name).state[urn]);
    const update = posted.find(({ by }) => by === `${name}/${urn}`);
    const problem =
      checkSentContent(before, was, each) ??
      findProblem(each, {
        recordBefore: was,
        recordAfter: is,
        update,
        isEdited: isEdited(before, after, is),
        why: rejections.find((rejection) => rejection.urn === urn)?.kind,
      });
    if (problem === undefined || (mayReject && each.fact.posts === "will")) continue;
    return `P11: the preview predicts that ${urn} is ${each.prediction.kind}, but ${problem}`;
  }
  return undefined;
}

/**
 * @typedef {object} RunEffect the result of the `up` for a resource
 * @property {Recorded | undefined} recordBefore
 * @property {Recorded | undefined} recordAfter
 * @property {import("./world").Update | undefined} update the update that it posted
 * @property {boolean} isEdited true if it edited its update
 * @property {Rejection["kind"] | undefined} why the kind of rejection, if it failed
 */

/** @param {PredictedFact} predicted @param {RunEffect} effect @returns {string | undefined} */
function findProblem(
  { fact, prediction, declared, why },
  { recordBefore, recordAfter, update, isEdited, why: failed },
) {
  const { posts } = fact;
  if (update && posts === "no") return `it posts ${update.text}`;
  const place = declared.name === undefined ? "incident" : "status page";
  if (update && !containsText(fact, `${place} ${declared.containerId}`, update.text))
    return `it posts ${update.text} to ${declared.containerId}`;
  // In a calm world, the longer search of `up` finds nothing else, so `up` fails as the preview predicts.
  if (posts === "may" && why === undefined) return undefined;
  if (failed !== why)
    return failed === undefined ? `it succeeds and doesn't fail with ${why}` : `it fails with ${failed}`;
  if (failed !== undefined) return undefined;
  // `up` may send an edit that isn't necessary.
  if (isEdited && prediction.kind !== "edited") return "it edits its update";
  if (posts === "will" && !update) return "it posts nothing";
  if (recordAfter?.kind !== "posted") return "no update is recorded";
  if (
    prediction.kind === "adopted" &&
    !containsText(fact, `adopts ${declared.name === undefined ? "update" : "incident"} ${recordAfter.id} on `)
  )
    return `it has ${recordAfter.id}`;
  const isOther = recordBefore?.kind === "posted" && recordAfter.id !== recordBefore.id;
  if (prediction.kind === "kept" && (!recordBefore || isOther)) return `it has ${recordAfter.id}`;
  return undefined;
}

/** @param {World} before @param {World} after @param {Recorded | undefined} recorded */
function isEdited(before, after, recorded) {
  if (recorded?.kind !== "posted") return false;
  const [was, is] = [before, after].map(({ updates }) => updates.find(({ id }) => id === recorded.id));
  return (
    was !== undefined &&
    is !== undefined &&
    (was.text !== is.text || was.date !== is.date || was.edited !== is.edited)
  );
}

/** Returns true if the head of a block contains this heading, and the block contains the text. @param {Fact} fact @param {string} heading @param {string} [text] */
function containsText({ blocks }, heading, text) {
  return blocks.some((block) => block.head.includes(heading) && (text === undefined || block.text === text));
}

/**
 * Checks that a preview shows the content of a post whose result is unknown.
 * @param {World} world @param {Recorded | undefined} was @param {PredictedFact} predicted @returns {string | undefined}
 */
function checkSentContent({ updates }, was, { fact, prediction, declared }) {
  if (was?.kind !== "sent") return undefined;
  if (prediction.kind === "unconfirmed" && !containsText(fact, "", was.declared.description))
    return "it doesn't show the content that was sent";
  const update = updates.find(({ nonce }) => nonce === was.nonce);
  const known = [
    declared.description,
    update?.text,
    update?.edited,
    ...(update?.emailedContent ? [was.declared.description] : []),
  ];
  const other = fact.blocks.find(({ text }) => text !== undefined && !known.includes(text));
  return update && other && `${update.text} was sent, not ${other.text}`;
}

module.exports = { runPreview, checkPreview };
