/**
 * P3: from every state between runs, two undisturbed runs succeed, or a user who follows their error messages gets a successful run. These
 * runs also check P6 and P12.
 */
const { listRunSteps } = require("./engine");
const { ordered } = require("./configurations/programs");
const { runPreview, checkPreview } = require("./preview");
const { setCodesAfterCheck, findRequirement } = require("./resendCodes");
const { start, refreshState, withProgram } = require("./user");
const {
  toCalmWorld,
  toDeclaration,
  formatDeclaredContent,
  getProgram,
  getStack,
  withStack,
} = require("./world");

/**
 * @import { World, Entry, Program, Run, Stack, Update } from "./world"
 * @import { Model, Step } from "./engine"
 *
 * @typedef {object} RunResult
 * @property {World} world
 * @property {Run["rejections"]} rejections
 * @property {string} [violation]
 * @property {readonly Step[]} trace
 *
 * The changes that a user makes because of the error messages of one run.
 * @typedef {object} Correction
 * @property {World} world
 * @property {Program["entries"]} entries the entries of the corrected program
 * @property {readonly string[]} redeclared the resources that are declared with the date that the service shows
 * @property {boolean} areCodesSet true if the user has set codes because of one of these messages
 * @property {boolean} isChanged true if the next run may end differently
 *
 * @typedef {Run["rejections"][number]} Rejection
 */

/**
 * @template {Rejection["kind"]} Kind
 * @typedef {Extract<Rejection, {readonly kind: Kind}>} RejectionOf
 */

/** @typedef {RejectionOf<"lost" | "unconfirmed" | "doubtedPost" | "alike" | "undecided">} DoubtRejection the user looks for the update on the page */

/**
 * A rejection, with the stack's name, its state after the run, and the declared entry.
 * @template {Rejection} Cause
 * @typedef {{name: string, state: Stack["state"], entry: Entry, rejection: Cause}} Failure
 */

/**
 * @param {Model} model @param {World} world @param {Set<string>} known the keys of the states that were already checked
 * @returns {{violation: string, trace: readonly Step[]} | undefined}
 */
function checkUndisturbedRuns(model, world, known) {
  const calm = toCalmWorld(world);
  const key = model.computeKey(calm);
  if (known.has(key)) return undefined;
  known.add(key);
  for (const [name, { program }] of Object.entries(world.stacks)) {
    if (program < 0) continue;
    // Cached results contain no trace, so a violation is computed again without the cache.
    if (checkStack(model, calm, name))
      return checkStack({ ...model, undisturbedResults: undefined }, calm, name);
  }
  return undefined;
}

/** Returns true if only the user can find out whether the update of the rejection is public. @param {string} why */
const needsUser = (why) => ["lost", "unconfirmed", "doubtedPost", "undecided", "alike", "full"].includes(why);

/** @param {Model} initial @param {World} calm @param {string} name */
function checkStack(initial, calm, name) {
  let model = initial;
  const world = omitStackExpectation(calm, name);
  let result = runTwice(model, world, name);
  const trace = [...result.trace];
  const unexpected = getStack(calm, name).shouldSucceed && findUnexpectedRejection(world, name, result);
  if (unexpected) {
    const why = `${unexpected.urn}: ${unexpected.kind}`;
    return {
      violation: `P6: without the interruption, the run would have succeeded, but it fails (${why})`,
      trace,
    };
  }
  const rounds = Object.keys(getProgram(model.config, world, name).entries).length + 4;
  /** @type {Set<string>} */
  let requiredFor = new Set();
  for (let round = 0; ; round++) {
    if (result.violation !== undefined) return { violation: result.violation, trace };
    const useless = result.rejections.find(({ urn, kind }) => requiredFor.has(urn) && kind === "laterEntry");
    if (useless)
      return {
        violation: `P3: after the codes of ${useless.urn} are set, it fails with ${useless.kind}`,
        trace,
      };
    requiredFor = new Set(result.rejections.flatMap(({ urn, kind }) => (needsUser(kind) ? urn : [])));
    if (result.rejections.length === 0) return undefined;
    const why = result.rejections.map((rejection) => `${rejection.urn}: ${rejection.kind}`).join(", ");
    const corrected = round < rounds ? followInstructions(model, result, name) : undefined;
    if (corrected === "given up") return undefined;
    if (!corrected) return { violation: `P3: no message names a way out of ${why}`, trace };
    trace.push({ label: `way out of ${why}` });
    model = corrected.model;
    result = runTwice(model, corrected.world, name);
    trace.push(...result.trace);
  }
}

/** Finds a rejection that an interruption doesn't justify. @param {World} world @param {string} name @param {RunResult} result */
function findUnexpectedRejection(world, name, { rejections }) {
  return rejections.find((rejection) => {
    const isUnsettled = rejection.kind === "twin" && rejection.id === undefined;
    // A killed run may have posted a different text. Without a key, the change is then rejected, and P3 checks that the message helps.
    const isOwn = (/** @type {{by: string}} */ { by }) => by === `${name}/${rejection.urn}`;
    const isOfKilled =
      rejection.kind === "changed" && [...world.updates, ...Object.values(world.notes).flat()].some(isOwn);
    return !isUnsettled && !isOfKilled && !needsUser(rejection.kind);
  });
}

/** @param {Model} model @param {World} world @param {string} name @returns {RunResult} */
function runTwice(model, world, name) {
  const first = runWithPreview(model, world, name);
  if (first.rejections.length === 0 || first.violation !== undefined) return first;
  const second = runWithPreview(model, first.world, name);
  return { ...second, trace: [...first.trace, ...second.trace] };
}

/** Runs a preview and then `up`. If the preview fails, nothing changes. @param {Model} model @param {World} world @param {string} name @returns {RunResult} */
function runWithPreview(model, world, name) {
  return getCachedResult(model, world, `previewed ${name}`, () => checkWithPreview(model, world, name));
}

/** @param {Model} model @param {World} world @param {string} name @returns {RunResult} */
function checkWithPreview(model, world, name) {
  const preview = runPreview(model, world, name);
  const result = runUndisturbed(model, world, name);
  const violation =
    result.violation ??
    checkPreview(model, world, result.world, name, preview.predictions, result.rejections) ??
    checkPrintedCodes(preview.rejections, result.rejections);
  if (violation !== undefined) return { ...result, violation };
  // The other rejections don't fail the preview, because `up` settles the posts that caused them.
  const rejections = preview.rejections.filter(
    ({ urn }) => preview.predictions[urn]?.prediction.kind === "refused",
  );
  if (rejections.length === 0) return result;
  return {
    world,
    rejections,
    trace: [
      { label: `the preview fails (${rejections.map(({ urn, kind }) => `${urn}: ${kind}`).join(", ")})` },
    ],
  };
}

/** @param {Model} model @param {World} world @param {string} name @returns {RunResult} */
function runUndisturbed(model, world, name) {
  return getCachedResult(model, world, name, () => runUp(model, world, name));
}

/**
 * Caches the result of an undisturbed run. Many states lead to the same calm world, and P6 needs the same results.
 * @param {Model} model @param {World} world @param {string} what @param {() => RunResult} compute @returns {RunResult}
 */
function getCachedResult({ undisturbedResults, computeKey, config }, world, what, compute) {
  const key = `${what} ${computeKey(config)} ${computeKey(world)}`;
  const known = undisturbedResults?.get(key);
  if (known) return known;
  const result = compute();
  undisturbedResults?.set(key, { ...result, trace: [] });
  return result;
}

/** Removes the expectation about an interrupted run, because it has no effect on further runs. @param {World} world @param {string} name */
function omitStackExpectation(world, name) {
  const { shouldSucceed: _, ...stack } = getStack(world, name);
  return { ...world, stacks: { ...world.stacks, [name]: stack } };
}

/** P12: checks that a preview prints the same codes as the `up`. @param {Run["rejections"]} preview @param {Run["rejections"]} runUp */
function checkPrintedCodes(preview, runUp) {
  for (const rejection of preview) {
    const same = runUp.find(({ urn, kind }) => urn === rejection.urn && kind === rejection.kind);
    if (!same || !("codes" in same) || !("codes" in rejection)) continue;
    const [printedByPreview, printedByRun] = [rejection, same].map(({ codes }) => codes.join(" "));
    if (printedByPreview !== printedByRun)
      return `P12: for ${same.urn}, the preview prints ${printedByPreview}, but the run prints ${printedByRun}`;
  }
  return undefined;
}

/**
 * @param {Model} model @param {World} before @param {string} name
 * @param {(steps: import("./engine").Successor[]) => import("./engine").Successor | undefined} [choose] chooses the next step; by default, the first step
 * @returns {RunResult}
 */
function runUp(model, before, name, choose = () => undefined) {
  const [machine = ""] = Object.keys(model.config.machines);
  const [began] = start(model, before, name, machine, {}, "undisturbed ");
  if (!began) return { world: before, rejections: [], trace: [] };
  let { world } = began;
  /** @type {Step[]} */
  const trace = [{ ...began, model, before }];
  /** @type {Run["rejections"]} */
  let rejections = [];
  for (;;) {
    const [run] = world.runs;
    if (!run) return { world, rejections, trace };
    rejections = run.rejections;
    const steps = listRunSteps(model, world, run);
    const next = choose(steps) ?? steps[0];
    if (!next) return { world, rejections, trace, violation: "the run hangs" };
    trace.push({ ...next, model, before: world });
    world = next.world;
    if (next.violation !== undefined) return { world, rejections, trace, violation: next.violation };
    if (trace.length > 500) return { world, rejections, trace, violation: "the run does not end" };
  }
}

/**
 * Follows the instructions of all error messages. Returns "given up" if the user finishes in the dashboard, and undefined if no message names
 * a way out.
 * @param {Model} model @param {RunResult} failed @param {string} name
 * @returns {{model: Model, world: World} | "given up" | undefined}
 */
function followInstructions(model, { world, rejections }, name) {
  const { state } = getStack(world, name);
  const { entries } = getProgram(model.config, world, name);
  /** @type {Correction} */
  let correction = { world, entries, redeclared: [], areCodesSet: false, isChanged: false };
  for (const rejection of rejections) {
    const entry = correction.entries[rejection.urn];
    if (!entry) continue;
    const next = followInstruction(model, correction, { name, state, entry, rejection });
    if (next === undefined || next === "given up") return next;
    correction = next;
  }
  return correction.isChanged ? declareEntries(model, correction, name) : undefined;
}

/**
 * Follows the instruction of one error message. Returns the correction unchanged if the next run needs no change.
 * @param {Model} model @param {Correction} correction @param {Failure<Rejection>} failure
 * @returns {Correction | "given up" | undefined}
 */
function followInstruction(model, correction, { rejection, ...failure }) {
  const { world, entries } = correction;
  const { name, entry } = failure;
  const { urn } = rejection;
  switch (rejection.kind) {
    case "twin":
      // If the result of the other resource's post is unknown, the next run settles it first.
      if (rejection.id === undefined && !isDeclaredTwice(model.core, entries, urn)) return correction;
      return omitDeclaration(correction, urn);
    case "failed":
      if (rejection.text !== "edited in the dashboard") return undefined;
      return { ...correction, world: refreshState(model, world, name), isChanged: true };
    case "gone":
      return { ...correction, world: deleteFromState(world, name, urn), isChanged: true };
    case "tooEarly":
      return withEntry(correction, urn, { ...entry, date: undefined });
    case "earlierEntry":
      // Without `--exclude`, the next run posts the previous entry.
      return { ...correction, isChanged: true };
    case "laterEntry":
      return followOrder(correction, { ...failure, rejection });
    case "editedSince":
      return withEntry(correction, urn, { ...entry, text: rejection.shown.description });
    case "changed":
      return restorePublicContent(correction, { ...failure, rejection });
    // The user finds the update on the page or publishes it in the dashboard.
    case "full":
      return "given up";
    case "lost":
    case "unconfirmed":
    case "doubtedPost":
    case "alike":
    case "undecided":
      return (
        declareShownUpdate(correction, { ...failure, rejection }) ??
        resolveDoubt(model, correction, { ...failure, rejection })
      );
    case "moved": {
      const { containerId: container } = failure.state[urn]?.declared ?? {};
      return container === undefined ? undefined : withEntry(correction, urn, { ...entry, container });
    }
    default:
      return undefined;
  }
}

/**
 * Removes an entry that would follow a later one. Returns undefined if the entry is public with another date that the message doesn't show.
 * @param {Correction} correction @param {Failure<RejectionOf<"laterEntry">>} failure
 */
function followOrder(correction, { name, state, entry, rejection }) {
  const { urn, alike } = rejection;
  const { id: ownId = "", shownDate } =
    correction.world.updates.find(
      ({ by, date, deleted }) => by === `${name}/${urn}` && date === entry.date && !deleted,
    ) ?? {};
  const isRecorded = Object.values(state).some((each) => each.kind === "posted" && each.id === ownId);
  // The user can only declare the update with the date that the message shows.
  if (shownDate !== undefined && !isRecorded && !alike.some(({ id }) => id === ownId)) return undefined;
  return omitDeclaration(correction, urn);
}

/**
 * Declares the public content or the content that was sent, as the message quotes it.
 * @param {Correction} correction @param {Failure<RejectionOf<"changed">>} failure
 */
function restorePublicContent(correction, { state, entry, rejection }) {
  const { urn, shown, fields } = rejection;
  const recorded = state[urn]?.declared;
  const { description: text, name: named, publicIncidentUpdateDate: date } = shown ?? recorded ?? {};
  if (text === undefined) return undefined;
  const isMoved = fields.some((field) => field === "containerId" || field === "statusPageId");
  return withEntry(correction, urn, {
    ...entry,
    text,
    ...(fields.includes("publicIncidentUpdateDate") && { date: date ?? undefined }),
    ...(named !== undefined && { name: named }),
    ...(isMoved && recorded && { container: recorded.containerId }),
  });
}

/**
 * Declares the update as the page shows it, or removes the declaration of a resolved incident. Returns undefined if the page shows no update
 * that the message describes.
 * @param {Correction} correction @param {Failure<DoubtRejection>} failure
 */
function declareShownUpdate(correction, { entry, rejection }) {
  const { urn } = rejection;
  const { updates } = correction.world;
  const alike = rejection.kind === "alike" ? rejection.updates.map(({ id }) => id) : [];
  const opened = updates.find(({ id, by, name }) => alike.includes(id) && by !== "" && name !== undefined);
  // The incident is resolved or has a different text.
  if (opened?.isResolved) return omitDeclaration(correction, urn);
  if (opened)
    return withEntry(correction, urn, { ...entry, text: opened.edited ?? opened.text, name: opened.name });
  const redated = updates.find(
    ({ id, text, date, name }) =>
      name === undefined && alike.includes(id) && text === entry.text && date === entry.date,
  );
  if (redated) return withShownDate(correction, urn, entry, redated);
  const posts = rejection.kind === "doubtedPost" ? rejection.posts.map(({ nonce }) => nonce) : [];
  const post = updates.find(({ nonce, deleted }) => posts.includes(nonce) && !deleted);
  // The page shows the post with a date that the service has changed.
  if (post?.shownDate != null && post.edited === undefined && entry.date !== undefined)
    return withShownDate(correction, urn, entry, post);
  // A user has edited the post in the dashboard.
  if (post?.edited !== undefined && post.edited !== entry.text)
    return withEntry(correction, urn, { ...entry, text: post.edited });
  const edited = updates.find(({ text, deleted }) => text === entry.text && !deleted)?.edited;
  // The update was edited in the dashboard.
  if (rejection.kind === "undecided" && edited !== undefined)
    return withEntry(correction, urn, { ...entry, text: edited });
  return undefined;
}

/**
 * Finds out with the page whether the post was applied, and sets the codes if it wasn't.
 * @param {Model} model @param {Correction} correction @param {Failure<DoubtRejection>} failure
 */
function resolveDoubt(model, correction, { name, entry, rejection }) {
  const { world, areCodesSet } = correction;
  const { urn } = rejection;
  if ("sent" in rejection && rejection.sent.answered !== undefined && model.config.keepsOne)
    return omitDeclaration(correction, urn);
  if (rejection.kind === "undecided")
    return { ...correction, world: deleteFromState(world, name, urn), isChanged: true };
  const sent = "sent" in rejection ? findUpdate(world, rejection.sent, entry) : undefined;
  const edited = sent?.edited;
  if (sent && edited === undefined && sent.shownDate !== undefined && entry.date !== undefined)
    return withShownDate(correction, urn, entry, sent);
  // The message instructs the user to declare the public content.
  if (edited !== undefined) {
    if (edited === entry.text && sent?.name === entry.name) return undefined;
    return withEntry(correction, urn, { ...entry, text: edited, name: sent?.name });
  }
  // The page shows the update, although it is older than the history that the API returns.
  if (rejection.kind === "unconfirmed" && rejection.isCut && sent) {
    const deleted = { ...correction, world: deleteFromState(world, name, urn), isChanged: true };
    return sent.text === entry.text ? omitDeclaration(deleted, urn) : deleted;
  }
  const requirement = findRequirement(rejection, toDeclaration(entry));
  // `pulumi config set` replaces earlier codes. The message also mentions this.
  const withoutCodes = areCodesSet ? world : withStack(world, name, { codes: [] });
  const checked = requirement && setCodesAfterCheck(withoutCodes, model, name, requirement);
  return checked && { ...correction, world: checked, areCodesSet: true, isChanged: true };
}

/** Adds the corrected program, and starts to use it. @param {Model} model @param {Correction} correction @param {string} name */
function declareEntries(model, { world, entries, redeclared }, name) {
  const { config, core } = model;
  const program = getProgram(config, world, name);
  const programs = [...config.programs, { ...program, entries: ordered(entries) }];
  const next = { ...model, config: { ...config, programs } };
  const declared = withProgram(next, world, name, programs.length - 1);
  // A resource that is redeclared with the date that the service shows may only post occurrences that aren't public yet.
  const intent = { ...declared.intent };
  for (const urn of redeclared) {
    const { text, ...entry } = entries[urn] ?? { text: "" };
    const content = formatDeclaredContent(toDeclaration({ ...entry, text }));
    const occurrence = core.getOccurrence(entry);
    const shown = world.updates.filter((update) => update.text === text && !update.deleted).length;
    intent[content] = Math.max(world.intent[content] ?? 0, occurrence - shown);
  }
  return { model: next, world: { ...declared, intent } };
}

/** @param {Correction} correction @param {string} urn @param {Entry} entry @returns {Correction} */
function withEntry(correction, urn, entry) {
  return { ...correction, entries: { ...correction.entries, [urn]: entry }, isChanged: true };
}

/** @param {Correction} correction @param {string} urn @returns {Correction} */
function omitDeclaration(correction, urn) {
  return { ...correction, entries: omitEntry(correction.entries, urn), isChanged: true };
}

/** Declares the date that the service shows. @param {Correction} correction @param {string} urn @param {Entry} entry @param {Update} update */
function withShownDate(correction, urn, { date: _, ...entry }, { date, shownDate = date }) {
  const dated = shownDate == null ? entry : { ...entry, date: shownDate };
  return { ...withEntry(correction, urn, dated), redeclared: [...correction.redeclared, urn] };
}

/**
 * Returns the update of a post or, if the post wasn't applied, an update with the same text and date.
 * @param {World} world @param {import("../../provider/protocol").UnconfirmedPost} sent @param {import("./world").Entry} entry
 */
function findUpdate({ updates }, { nonce }, { text, date }) {
  const shown = updates.filter(({ deleted }) => !deleted);
  return (
    shown.find((update) => update.nonce === nonce) ??
    shown.find((update) => date !== undefined && update.text === text && update.date === date)
  );
}

/** @param {Model["core"]} core @param {Record<string, import("./world").Entry>} entries @param {string} urn */
function isDeclaredTwice({ getOccurrence }, entries, urn) {
  const { [urn]: own, ...others } = entries;
  return Object.values(others).some(
    (other) => own && other.text === own.text && getOccurrence(other) === getOccurrence(own),
  );
}

/** @template Each @param {Readonly<Record<string, Each>>} all @param {string} urn */
function omitEntry(all, urn) {
  return Object.fromEntries(Object.entries(all).filter(([other]) => other !== urn));
}

/** Simulates `pulumi state delete`. @param {World} world @param {string} name @param {string} urn */
function deleteFromState(world, name, urn) {
  const { state, ownedIds, ownVersions } = getStack(world, name);
  const others = Object.entries(ownedIds).filter(([place]) => !place.startsWith(`${urn}@`));
  const left = { state: omitEntry(state, urn), ownVersions: omitEntry(ownVersions, urn) };
  return withStack(world, name, { ...left, ownedIds: Object.fromEntries(others) });
}

module.exports = { runUndisturbed, checkUndisturbedRuns, runUp };
