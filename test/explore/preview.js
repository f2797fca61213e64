/** P11: what the facts of a preview say is what the `up` does, when nothing else writes in between. */
const { stepsOfRun } = require("./engine");
const { declaredOf, ledgerOf } = require("./runs");
const { isWithoutResponse, stepsOfTask, take } = require("./task");
const { start } = require("./user");

/**
 * @import { World, Run, Running, Recorded, Refusal } from "./world"
 * @import { Model } from "./engine"
 * @import { Event, PreviewFact, Previewed } from "../../provider/protocol"
 *
 * What a preview says of each resource that it decides about, and why that fails.
 * @typedef {{fact: PreviewFact, why?: Refusal["why"] | undefined}} Said
 */

/**
 * What a preview in a calm world says.
 * @param {Model} model @param {World} before @param {string} name
 * @returns {{said: Record<string, Said>, refused: Run["refused"]}}
 */
function previewed(model, before, name) {
  /** @type {Record<string, Said>} */
  const said = {};
  const [machine = ""] = Object.keys(model.config.machines);
  /** @type {Run["refused"]} */
  let refused = [];
  let world = start(model, before, name, machine, {}, "")[0]?.world ?? before;
  for (;;) {
    const [run] = world.runs;
    if (!run) return { said, refused };
    refused = run.refused;
    if (run.running) {
      const { urn } = run.running;
      const { run: after, found } = performed(model, world, run);
      said[urn] = { fact: factOf(model, world, run, urn, found), why: found.failure?.why };
      world = { ...world, runs: [after] };
      continue;
    }
    const [next] = stepsOfRun(model, world, run);
    if (!next) return { said, refused };
    tellOfState(model, world, run, next.world, said);
    world = next.world;
  }
}

/**
 * Of what `diff` refuses, and of what changes in the state alone.
 * @param {Model} model @param {World} world @param {Run} run @param {World} after @param {Record<string, Said>} said
 */
function tellOfState(model, world, run, after, said) {
  const { state: old } = stateOf(world, run.stack);
  for (const [urn, recorded] of Object.entries(stateOf(after, run.stack).state))
    if (urn in old && old[urn] !== recorded) said[urn] = { fact: factOf(model, world, run, urn, {}) };
  const [ended] = after.runs;
  for (const { urn, ...refusal } of ended?.refused.slice(run.refused.length) ?? []) {
    const text = model.core.refusalText(refusal, declaredOf(model, world, run, urn));
    said[urn] = {
      fact: factOf(model, world, run, urn, { failure: { why: refusal.why, text } }),
      why: refusal.why,
    };
  }
}

/** @param {World} world @param {string} name @returns {{state: Readonly<Record<string, Recorded>>}} */
function stateOf({ stacks }, name) {
  return stacks[name] ?? { state: {} };
}

/** @param {Model} model @param {World} world @param {Run} run @param {string} urn @param {Previewed} found */
function factOf(model, world, run, urn, found) {
  const { [urn]: recorded } = stateOf(world, run.stack).state;
  // The engine gives no state to a create.
  const isCreate = run.running?.urn === urn && run.running.via === "create";
  const subject = { urn, declared: declaredOf(model, world, run, urn), isTextSecret: false };
  return model.core.previewFact({ ...subject, recorded: isCreate ? undefined : recorded }, found);
}

/**
 * Performs the running declaration as a preview does.
 * @param {Model} model @param {World} world @param {Run} before @returns {{found: Previewed, run: Run}}
 */
function performed(model, world, before) {
  let run = before;
  /** @type {Previewed["effect"]} */
  let effect;
  for (;;) {
    const { running, ...others } = run;
    if (!running) throw new Error("Nothing is running.");
    const { command, urn, task } = running;
    if (command.do === "finish") {
      const ended = effect ? withIdsOf(model, before, others, running.incident) : others;
      const replaced = model.core.replacedBy(ledgerOf(model, before, running.incident), task);
      const found = { notices: task.notices, effect, replaced };
      const { result } = command;
      if (result.kind === "done") return { found, run: ended };
      const { refusal } = result;
      const ready = isWithoutResponse(refusal) ? [] : ended.ready;
      const failed = { ...ended, ready, refused: [...ended.refused, { ...refusal, urn }] };
      const text = model.core.refusalText(refusal, task.declared);
      return { found: { ...found, failure: { why: refusal.why, text } }, run: failed };
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

/** @param {Running} running @returns {Event} */
function previewedPost({ urn, task: { declared } }) {
  const { status, description, publicIncidentUpdateDate } = declared;
  const created_at = new Date(Date.UTC(2027, 0, 1)).toISOString();
  const id = `preview of ${urn}`;
  return { on: "posted", update: { id, status, description, publicIncidentUpdateDate, created_at } };
}

/**
 * What is wrong with what a preview says, after the `up` that followed it.
 * @param {Model} model @param {World} before @param {World} after @param {string} name
 * @param {Record<string, Said>} said @param {Run["refused"]} refused of the `up`
 * @returns {string | undefined}
 */
function previewViolation({ config }, before, after, name, said, refused) {
  // Before a post, a service doesn't tell that it rejects ids, or has the id of an update that was deleted by hand, or one of
  // identical updates. What waits for that post isn't done then, either.
  const mayReject = config.deletedIds === "taken" || config.ids === "rejected" || config.keepsOne;
  if (mayReject && refused.some(({ urn }) => said[urn] && effects[said[urn].fact.effect].posts !== "nothing"))
    return undefined;
  const posted = after.updates.slice(before.updates.length);
  for (const { by, text } of posted) {
    const [stack, urn = ""] = by.split("/");
    if (stack === name && !said[urn]) return `P11: the preview says nothing of ${urn}, which posts ${text}`;
  }
  for (const [urn, each] of Object.entries(said)) {
    const [was, is] = [before, after].map((world) => stateOf(world, name).state[urn]);
    const update = posted.find(({ by }) => by === `${name}/${urn}`);
    const problem =
      problemOfSent(before, was, each.fact) ??
      problemOf(each, { was, is, update, why: refused.find((refusal) => refusal.urn === urn)?.why });
    if (problem === undefined || (mayReject && effects[each.fact.effect].posts === "must")) continue;
    return `P11: the preview says that ${urn} ${each.fact.effect}, and ${problem}`;
  }
  return undefined;
}

/** @type {Readonly<Record<PreviewFact["effect"], {posts: "must" | "may" | "nothing"}>>} */
const effects = {
  posts: { posts: "must" },
  replaces: { posts: "must" },
  waits: { posts: "may" },
  unconfirmed: { posts: "may" },
  unknown: { posts: "may" },
  adopts: { posts: "nothing" },
  stateOnly: { posts: "nothing" },
  refused: { posts: "nothing" },
};

/**
 * @typedef {object} Deed what the `up` did with a resource
 * @property {Recorded | undefined} was
 * @property {Recorded | undefined} is
 * @property {import("./world").Update | undefined} update that it posted
 * @property {Refusal["why"] | undefined} why it failed
 */

/** @param {Said} said @param {Deed} deed @returns {string | undefined} */
function problemOf({ fact, why }, { was, is, update, why: failed }) {
  const { posts } = effects[fact.effect];
  if (update && posts === "nothing") return `it posts ${update.text}`;
  if (update && (update.text !== fact.text || update.incident !== fact.incident?.id))
    return `it posts ${update.text} to ${update.incident}, not ${fact.text} to ${fact.incident?.id}`;
  // Where nothing goes wrong, a longer search finds no more, and fails as the preview says.
  if (posts === "may" && why === undefined) return undefined;
  if (failed !== why)
    return failed === undefined ? `it passes, although it says ${why}` : `it fails: ${failed}`;
  if (failed !== undefined) return undefined;
  if (posts === "must" && !update) return "it posts nothing";
  // What was sent, and is found, stays public, too.
  const isPublic = was?.kind === "posted" ? !was.missing : was !== undefined && !fact.sent;
  if (posts === "must" && isPublic !== (fact.effect === "replaces"))
    return isPublic ? "its earlier update stays public" : "nothing of it is public";
  if (is?.kind !== "posted") return "no update is recorded";
  if (fact.effect === "adopts" && is.id !== fact.adopted?.id)
    return `it has ${is.id}, not ${fact.adopted?.id}`;
  if (fact.effect === "stateOnly" && (!was || (was.kind === "posted" && is.id !== was.id)))
    return `it has ${is.id}`;
  return undefined;
}

/**
 * A preview shows what was sent for as long as nobody knows what became of it.
 * @param {World} world @param {Recorded | undefined} was @param {PreviewFact} fact @returns {string | undefined}
 */
function problemOfSent({ updates }, was, { effect, sent, replaced, text }) {
  // A note tells of an identical update that this resource, or another one, sent.
  if (was?.kind !== "sent") return sent && sent.text !== text ? `${sent.text} was never sent` : undefined;
  const update = updates.find(({ nonce }) => nonce === was.nonce);
  const shown = sent?.text ?? replaced?.text;
  if (effect === "unconfirmed" && !sent) return "it does not say what was sent";
  if (update && shown !== undefined && shown !== update.text && shown !== update.edited)
    return `${update.text} was sent, not ${shown}`;
  return undefined;
}

module.exports = { previewed, previewViolation };
