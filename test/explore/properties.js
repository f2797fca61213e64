/**
 * The properties that must hold in every state. `undisturbed.js` checks P3, P6 and P12, `preview.js` checks P11, and this file checks the
 * others. Together, they are the provider's guarantee. The numbers of removed properties aren't reused.
 *
 * - P1: an update is posted once. The same content is posted at most as often as a program has declared it, unless a user has deleted or
 *   edited the update on the service.
 * - P2: after a successful `pulumi up`, each declared resource owns an update on the service with the declared content.
 * - P3: from every state between runs, two undisturbed runs succeed, or a user who follows their error messages gets a successful run.
 * - P4: the updates of a timeline are posted in the declared order.
 * - P5: a resource that owns a newer update doesn't go back to an update that it owned before.
 * - P6: if a run succeeds undisturbed, it also succeeds after an interruption at any point.
 * - P7: two resources never own the same update, and no resource owns the update of a later entry.
 * - P9: the statements of a rejection are true. No resend code is required if the history or a note shows the result of the post.
 * - P10: changing a resource never posts a second update.
 * - P11: a preview predicts the result of the `pulumi up` that follows.
 * - P12: a preview prints the same resend codes as the `pulumi up` that follows.
 * - P13: no run requires a resend code for a post after the user has set that code.
 * - P15: an edit replaces only content that the run has read and the resource has written.
 * - P16: after an edit, the update shows the declared content.
 * - P18: after a successful `pulumi up`, an entry that can be edited shows the declared content, unless a user edited it in the dashboard.
 * - P19: if a killed run has posted an update for a resource, the next run doesn't post different content for it.
 * - P20: an incident isn't opened while an open incident has the same name, and a resolved incident isn't adopted, unless a code permits it.
 */
const { isYoung } = require("./service");
const { hasDeclaredText } = require("./contentVersions");
const { formatLocation, toDeclaration, formatDeclaredContent } = require("./world");
const { getNoteFile, getProgram, formatSavedContent, getStack } = require("./world");

/**
 * @import { World, Run } from "./world"
 * @import { Model } from "./engine"
 */

/**
 * A post that the service has applied: the world before and after the post, the declared content, all updates of the incident, the updates
 * that a read may have shown (`visible`), and the stack's program and state.
 * @typedef {ReturnType<typeof describePost>} AppliedPost
 */

/**
 * P1, P4, P10, P19, P20: checks a post that the service has applied.
 * @param {Model} model @param {World} before @param {World} world @param {Run} run
 * @param {import("./world").Running} running @returns {string | undefined}
 */
function checkPost(model, before, world, run, running) {
  const post = describePost(model, before, world, run, running);
  return (
    checkPostCount(post) ??
    checkLaterContent(post) ??
    checkKilledPost(post) ??
    checkOpenIncident(post) ??
    checkLaterKeys(post) ??
    checkEarlierEntries(post) ??
    checkChange(post)
  );
}

/**
 * @param {Model} model @param {World} before @param {World} world @param {Run} run @param {import("./world").Running} running
 */
function describePost({ core, config }, before, world, run, { urn, task: { declared } }) {
  const all = before.updates.filter(
    ({ container, deleted }) => container === declared.containerId && !deleted,
  );
  // An update that a user has just published in the dashboard is ignored, because no read may have shown it yet.
  const visible = all.filter((update) => update.by !== "" || !isYoung(before, config, update));
  const { chain, entries } = getProgram(config, before, run.stack);
  const { state, ownedIds, codes } = getStack(before, run.stack);
  const content = formatDeclaredContent(declared);
  return {
    core,
    config,
    before,
    world,
    run,
    urn,
    declared,
    content,
    all,
    visible,
    chain,
    entries,
    state,
    ownedIds,
    codes,
  };
}

/** P1: the content is posted at most as often as a program has declared it. @param {AppliedPost} post */
function checkPostCount({ world, content }) {
  const same = world.updates.filter(
    (update) => (update.emailedContent ?? formatSavedContent(update)) === content,
  );
  const posted = same.filter(({ by, isReplaceable }) => by !== "" && !isReplaceable).length;
  return posted > (world.intent[content] ?? 0) ? `P1: ${content} was posted ${posted} times` : undefined;
}

/** P4: no update of a later entry may be public. @param {AppliedPost} post */
function checkLaterContent({ core, run, declared, content, visible, entries }) {
  const counts = new Map();
  for (const { text: posted, edited: text = posted, date, by } of visible) {
    const key = core.normalizeContent({ status: "INVESTIGATING", description: text }).contentKey;
    counts.set(key, (counts.get(key) ?? 0) + 1);
    const poster = Object.entries(entries).find(([urn]) => by === `${run.stack}/${urn}`)?.[1];
    const entry = poster?.text === posted && poster.date === date ? poster.entry : undefined;
    // If the program still declares the posted content, the entry is known. Otherwise, it follows from the content and the date.
    const names = entry
      ? [entry]
      : [core.computeEntryKey(key, counts.get(key)), core.computeEntryKey(key, 1, date)];
    if (names.some((name) => declared.followedBy?.includes(name)))
      return `P4: ${content} was posted after ${text}, which follows it`;
  }
  return undefined;
}

/** P19: no killed run may have posted different content for this resource. Only posts in the notes of this machine are checked. @param {AppliedPost} post */
function checkKilledPost({ config, before, run, urn, declared, content, visible, state }) {
  const notes = before.notes[getNoteFile(config, run, formatLocation(declared, declared.containerId))] ?? [];
  const killed = visible.find(
    ({ id, by, edited, nonce, ...update }) =>
      by === `${run.stack}/${urn}` &&
      !isRecorded(state, id) &&
      formatSavedContent(update) !== content &&
      edited === undefined &&
      notes.some((note) => note.nonce === nonce && note.id === undefined),
  );
  return killed && `P19: a killed run posted ${killed.text} for ${urn}, which now posts ${content}`;
}

/** P20: no other open incident may have the declared name, unless the user has set a code. @param {AppliedPost} post */
function checkOpenIncident({ config, before, run, declared, content, all, entries, state, codes }) {
  const isOfProgram = (/** @type {string} */ by) =>
    Object.keys(entries).some((each) => by === `${run.stack}/${each}`);
  const open = all.find(
    (each) =>
      each.name === declared.name &&
      !each.isResolved &&
      !isRecorded(state, each.id) &&
      !isOfProgram(each.by) &&
      !isYoung(before, config, each),
  );
  return declared.name !== undefined && open && codes.length === 0
    ? `P20: ${content} is opened, although ${open.text} is open with the same name`
    : undefined;
}

/** P4: no later resource with a key may own an update. @param {AppliedPost} post */
function checkLaterKeys({ urn, content, visible, entries, state }) {
  const urns = Object.keys(entries);
  const after = entries[urn]?.key === undefined ? [] : urns.slice(urns.indexOf(urn) + 1);
  const ids = after.flatMap((other) => (state[other]?.kind === "posted" ? [state[other].id] : []));
  const later = visible.find(({ id }) => ids.includes(id));
  return later && `P4: ${content} was posted after ${later.text}, whose entry follows it`;
}

/** P4: in a chain, all earlier entries must be public. @param {AppliedPost} post */
function checkEarlierEntries({ config, before, run, urn, declared, content, chain, entries }) {
  const earlier = chain ? Object.entries(entries).slice(0, Object.keys(entries).indexOf(urn)) : [];
  const posts = before.updates.filter(({ container }) => container === declared.containerId);
  const missing = earlier.find(
    ([other, entry]) =>
      !posts.some(
        (update) =>
          [update.text, update.edited].includes(entry.text) ||
          isLostEdit({ config }, before, run, other, update),
      ),
  );
  return missing && `P4: ${content} was posted before ${missing[1].text}`;
}

/** P10: a resource in the state doesn't post if it owns an update or if its earlier content is public. @param {AppliedPost} post */
function checkChange({ core, config, before, run, urn, declared, content, visible, state, ownedIds }) {
  const { containerId } = declared;
  const recorded = state[urn];
  if (!recorded || run.options.replace?.includes(urn)) return undefined;
  const ids = ownedIds[`${urn}@${containerId}`] ?? [];
  const isEdit = core.isEditable(declared);
  const { replaceWith, replaceAfterDiff } = run.options;
  const isReplaced = [replaceWith, replaceAfterDiff].some((urns) => urns?.includes(urn));
  if (isEdit && recorded.kind === "posted" && recorded.declared.containerId === containerId && !isReplaced)
    return `P10: ${urn} owns ${recorded.id} and posts ${content}`;
  // Another resource may have adopted a lost post of this resource before the engine called `diff` for this resource. It isn't this
  // resource's update any more, so a code permits this resource to post its new content.
  const isOfOther = (/** @type {string} */ id) =>
    Object.entries(state).some(
      ([other, each]) =>
        other !== urn &&
        each.kind === "posted" &&
        each.id === id &&
        !listDiffedBefore(config, before, run, other).includes(urn),
    );
  const old = visible.find(
    ({ id, text, edited, name }) =>
      (ids.includes(id) || ids.includes(`?${id}`)) &&
      !isOfOther(id) &&
      (text !== declared.description || name !== declared.name) &&
      // If a user has edited the update in the dashboard, a code may confirm that the posted content isn't public.
      !(isEdit && edited !== undefined),
  );
  return old && `P10: ${urn} changed ${old.text}, which is public, by posting ${content}`;
}

/** Returns true if a resource in the state owns the update. @param {import("./world").Stack["state"]} state @param {string} id */
function isRecorded(state, id) {
  return Object.values(state).some((each) => each.kind === "posted" && each.id === id);
}

/**
 * Returns true if the state may not record the last edit of an update, because a killed run sent the edit, or because reads may still return
 * the earlier content. No run detects such an edit as long as the program declares the content in the state.
 * @param {Pick<Model, "config">} model @param {World} world @param {Run} run @param {string} urn
 * @param {import("./world").Update} update
 */
function isLostEdit({ config }, world, { stack }, urn, { emailedContent, text, date = "" }) {
  if (emailedContent === undefined) return false;
  const ownVersions = getStack(world, stack).ownVersions[urn] ?? [];
  const version = `${text}@${date}`;
  const isKilled = (config.bounds.kills ?? 0) > 0 && ownVersions.length > 1 && ownVersions.includes(version);
  return config.goesBack === true || isKilled;
}

/**
 * P15: checks that the run has read the update before it edits it, and that the resource wrote the content that the run has read.
 * @param {Pick<Model, "config" | "core">} model @param {World} world @param {Run} run @param {string} urn @param {string} id @param {import("./world").Declaration} declared
 * @returns {string | undefined}
 */
function checkEdit({ config, core }, world, run, urn, id, declared) {
  const { stack, readVersions } = run;
  const { ownVersions, state } = getStack(world, stack);
  const { [id]: version } = readVersions;
  if (version === undefined) return `P15: ${urn} edits ${id} without having read it`;
  const { by, text: posted, edited } = world.updates.find((update) => update.id === id) ?? {};
  const poster = `${stack}/${urn}`;
  // Identical posts of one stack can't be distinguished. A run may confuse them while reads are stale.
  const isAlike =
    by?.startsWith(`${stack}/`) === true &&
    world.updates.some((other) => other.by === poster && other.text === posted);
  // The edit overwrites no change if the update already shows the declared text, or if only this resource has written it.
  const isUntouched = (by === poster || isAlike) && edited === undefined;
  const isHarmless = hasDeclaredText(version, declared) || isUntouched;
  const recorded = state[urn];
  const [description = "", shownDate] = version.split("@");
  const named = { description, publicIncidentUpdateDate: shownDate || null };
  const key = core.computeContentVersion(core.normalizeContent({ status: "INVESTIGATING", ...named }));
  // While the result of an edit is unknown, and for two minutes after an edit, a stale read can't be distinguished from a colleague who
  // restores the earlier content.
  const notes = world.notes[getNoteFile(config, run, formatLocation(declared, declared.containerId))] ?? [];
  const unknown = notes
    .filter((note) => note.edits === id && note.id === undefined)
    .map(() => ({ version: "", until: undefined }));
  const mayBeLate =
    recorded?.kind === "posted" &&
    [...unknown, ...(recorded.mayShow ?? [])].some(({ version: late, until }) =>
      until === undefined ? description === recorded.declared.description : until > world.now && late === key,
    );
  if (!isHarmless && !mayBeLate && !ownVersions[urn]?.includes(version))
    return `P15: ${urn} overwrites ${version}, which it didn't write`;
  return undefined;
}

/**
 * P16: checks that an edited update shows the declared content, or that it is deleted if the state records it as missing.
 * @param {World} world @param {string} urn @param {import("../../provider/protocol").PostedUpdate} recorded
 * @returns {string | undefined}
 */
function checkEditedUpdate({ updates }, urn, { id, declared, missing }) {
  const update = updates.find((each) => each.id === id);
  if (missing) return update?.deleted ? undefined : `P16: ${urn} records ${id} as missing, but it is public`;
  const { text, edited, date, shownDate, previous } = { date: undefined, ...update };
  const { description, publicIncidentUpdateDate } = declared;
  // The run may have read the content from before another edit.
  const hasDeclaredText = [text, edited, previous?.text].includes(description);
  const hasDeclaredDate = [undefined, date, shownDate, previous?.date].includes(publicIncidentUpdateDate);
  if (hasDeclaredText && hasDeclaredDate) return undefined;
  return `P16: ${urn} was edited to ${description}, but ${id} shows ${edited ?? text}`;
}

/**
 * P5, P7, P20: checks the update that the state records for a resource. It must not be an update that the resource owned before its current
 * update, the update of a later entry or of another resource, or an incident that was resolved before.
 * @param {Model} model @param {World} before @param {Run} run @param {string} urn
 * @param {import("./world").Recorded} recorded @returns {string | undefined}
 */
function checkRecord({ config, core }, before, run, urn, recorded) {
  const { stack } = run;
  const { entries } = getProgram(config, before, stack);
  const owner = listDiffedBefore(config, before, run, urn).find((other) => {
    const each = getStack(before, stack).state[other];
    if (each?.kind !== "posted" || recorded.kind !== "posted" || each.id !== recorded.id) return false;
    // If the program changes the declaration of the other resource, its update is free.
    const declared = toDeclaration(entries[other] ?? { text: "" });
    return core.listChangedFields(each.declared, declared).length === 0;
  });
  if (owner !== undefined) return `P7: ${urn} adopts the update of ${owner}`;
  const later = Object.keys(entries).slice(Object.keys(entries).indexOf(urn) + 1);
  const update = before.updates.find(({ id }) => recorded.kind === "posted" && id === recorded.id);
  // Only incidents of the initial history (negative order) are checked. Of several new incidents, a search accepts the oldest, even if a
  // user opened and resolved it in the dashboard.
  if (update?.isResolved && update.order < 0) return `P20: ${urn} adopts ${update.text}, which is resolved`;
  const otherOwner = later.find(
    (other) => update && entries[urn]?.followedBy && isOwnUpdate(update, entries, other),
  );
  if (otherOwner !== undefined) return `P7: ${urn} owns the update of ${otherOwner}`;
  const ownedIds = getStack(before, stack).ownedIds[`${urn}@${recorded.declared.containerId}`] ?? [];
  if (recorded.kind !== "posted" || ownedIds.at(-1) === recorded.id || !ownedIds.includes(recorded.id))
    return undefined;
  // The resource may return to an update that a user has edited to the declared text.
  if (before.updates.some(({ id, edited }) => id === recorded.id && edited !== undefined)) return undefined;
  return `P5: ${urn} went back to its earlier update ${recorded.id}`;
}

/**
 * Returns true if the resource posted the update, or if it is the only resource that declares the update's date.
 * @param {import("./world").Update} update @param {import("./world").Program["entries"]} entries @param {string} urn
 */
function isOwnUpdate({ by, text, date }, entries, urn) {
  if (by.endsWith(`/${urn}`) && entries[urn]?.text === text) return true;
  const dated = Object.keys(entries).filter((other) => date !== undefined && entries[other]?.date === date);
  return dated.length === 1 && dated[0] === urn && entries[urn]?.text === text;
}

/**
 * P2, P7, P18: checks the state after a successful `pulumi up`.
 * @param {Model} model @param {World} world @param {Run} run @returns {string | undefined}
 */
function checkSuccess({ config, core }, world, run) {
  const owners = new Map();
  const { entries } = getProgram(config, world, run.stack);
  for (const [urn, { text, container = "i", date }] of Object.entries(entries)) {
    if (run.options.target?.includes(urn) === false || run.options.exclude?.includes(urn)) continue;
    const recorded = getStack(world, run.stack).state[urn];
    if (recorded?.kind !== "posted") return `P2: ${urn} owns no update`;
    const update = world.updates.find((each) => each.id === recorded.id && each.container === container);
    if (!update) return `P2: the update of ${urn} doesn't exist`;
    const { edited, deleted, date: dated } = update;
    const declared = toDeclaration(entries[urn] ?? { text });
    const isShownAsDeclared =
      update.text === text && (date === undefined || dated === date) && update.name === declared.name;
    if (core.isEditable(declared) && edited === undefined && !deleted && !isShownAsDeclared)
      return `P18: ${urn} declares ${text}, but the page shows ${update.text}`;
    // With `keepsOne`, the service may respond with an update that a user has just published, and that update has its own date.
    const isLost = isLostEdit({ config }, world, run, urn, update) || (config.keepsOne && update.by === "");
    if (date !== undefined && update.date !== date && update.shownDate !== date && !isLost)
      return `P2: the update of ${urn} has a different date`;
    if (update.text !== text && update.edited !== text && !isLost)
      return `P2: the update of ${urn} shows ${update.text} instead of ${text}`;
    if (owners.has(recorded.id)) return `P7: ${urn} and ${owners.get(recorded.id)} own the same update`;
    owners.set(recorded.id, urn);
  }
  return undefined;
}

/**
 * P9: checks that the statements of a rejection are true.
 * @param {Model} model @param {World} world @param {Run} run @param {string} urn
 * @param {import("./world").Rejection} rejection @returns {string | undefined}
 */
function checkRejection(model, world, run, urn, rejection) {
  const { config, core } = model;
  const { entries } = getProgram(config, world, run.stack);
  const entry = entries[urn] ?? { text: "" };
  switch (rejection.kind) {
    case "full":
      return isNoted(model, world, run, toDeclaration(entry))
        ? `P9: ${urn} requires a code, although a note contains the update's ID`
        : undefined;
    case "doubtedPost": {
      const { created, sentAt } = world;
      const began = created !== null && created <= sentAt && !config.isOld ? created : -Infinity;
      if (rejection.posts.some(({ at }) => at < began))
        return `P9: ${urn} requires a code for a post on an earlier incident with the same ID`;
      const isShown = rejection.posts.some(({ id }) => findShownUpdate(model, world, id));
      return isShown ? `P9: ${urn} requires a code for a post that the service shows` : undefined;
    }
    case "laterEntry": {
      const before = Object.keys(entries).slice(0, Object.keys(entries).indexOf(urn));
      const recorded = before.map((other) => getStack(world, run.stack).state[other]);
      const isBefore = recorded.some((each) => each?.kind === "posted" && each.id === rejection.id);
      return isBefore
        ? `P9: ${urn} is rejected because of a later entry, but the entry is an earlier one`
        : undefined;
    }
    case "alike": {
      const other = rejection.updates.find(
        ({ id, isRenamed, isResolved }) =>
          !isRenamed && isResolved === undefined && isKnownToDiffer(model, world, run, urn, id),
      );
      return (
        other && `P9: ${urn} requires a code for ${other.id}, although it was posted for another declaration`
      );
    }
    case "twin": {
      // If a run is killed after a rename, the state records the update under both names.
      const { state } = getStack(world, run.stack);
      const [mine, theirs] = [urn, rejection.by].map((each) => state[each]);
      const isRecordedTwice = mine?.kind === "posted" && theirs?.kind === "posted" && mine.id === theirs.id;
      if (rejection.id === undefined || isRecordedTwice || isDeclaredTwice(core, entries, urn))
        return undefined;
      return `P9: ${urn} is rejected as a duplicate of ${rejection.by}, but it isn't a duplicate`;
    }
    default:
      return undefined;
  }
}

/** Returns the update if every read shows it. @param {Model} model @param {World} world @param {string | undefined} id */
function findShownUpdate({ config }, world, id) {
  return world.updates.find(
    (update) => update.id === id && !update.deleted && !isYoung(world, config, update),
  );
}

/**
 * Returns true if a note contains the ID of the declared update, and every read shows that update.
 * @param {Model} model @param {World} world @param {Run} run @param {import("./world").Declaration} declared
 */
function isNoted(model, world, run, declared) {
  const { description, containerId } = declared;
  const occurrence = model.core.getOccurrence(declared);
  const notes = world.notes[getNoteFile(model.config, run, formatLocation(declared, containerId))] ?? [];
  return notes.some((note) => {
    const update = note.occurrence === occurrence && findShownUpdate(model, world, note.id);
    return update && update.text === description && update.container === containerId;
  });
}

/**
 * Returns true if another resource declares the same update.
 * @param {Model["core"]} core @param {import("./world").Program["entries"]} entries @param {string} urn
 */
function isDeclaredTwice(core, entries, urn) {
  const { [urn]: own, ...others } = entries;
  return Object.values(others).some(
    ({ text, date, container = "i", entry }) =>
      text === own?.text &&
      (own.date === undefined || date === undefined || date === own.date) &&
      container === (own.container ?? "i") &&
      core.getOccurrence({ entry }) === core.getOccurrence(own),
  );
}

/**
 * Returns true if the state of another resource, or a note, shows that the update was posted with different content or another date.
 * @param {Model} model @param {World} world @param {Run} run @param {string} urn @param {string} id
 */
function isKnownToDiffer({ config, core }, world, run, urn, id) {
  const { entries } = getProgram(config, world, run.stack);
  const own = entries[urn];
  const ownKey = own && core.normalizeContent({ status: "INVESTIGATING", description: own.text }).contentKey;
  const isOther = (
    /** @type {{id?: string | undefined, contentKey: string, date?: string | undefined}} */ {
      id: known,
      contentKey,
      date,
    },
  ) => known === id && (date !== own?.date || contentKey !== ownKey);
  const recorded = listDiffedBefore(config, world, run, urn).flatMap(
    (other) => getStack(world, run.stack).state[other] ?? [],
  );
  const records = recorded.flatMap((each) =>
    each.kind === "posted"
      ? [{ ...each, contentKey: each.declared.contentKey, date: each.declared.publicIncidentUpdateDate }]
      : [],
  );
  const declared = toDeclaration(own ?? { text: "" });
  const notes = world.notes[getNoteFile(config, run, formatLocation(declared, declared.containerId))] ?? [];
  return [...records, ...notes].some(isOther);
}

/**
 * Lists the resources for which the engine calls `diff` before this resource is rejected or adopts an update: in a chain, the resources
 * before it, otherwise all other resources.
 * @param {Model["config"]} config @param {World} world @param {Run} run @param {string} urn
 */
function listDiffedBefore(config, world, { stack, options }, urn) {
  const { chain, entries } = getProgram(config, world, stack);
  const urns = Object.keys(entries);
  if (options.target || options.exclude) return [];
  const skipped = [...(options.replace ?? []), ...(options.replaceWith ?? []), urn];
  return (chain ? urns.slice(0, urns.indexOf(urn)) : urns).filter((other) => !skipped.includes(other));
}

/**
 * P13: checks that a rejection doesn't require a code for a post that the user has already confirmed with a code.
 * @param {World} world @param {Run} run @param {string} urn @param {import("./resendCodes").CodeRequirement | undefined} requirement
 * @returns {string | undefined}
 */
function checkRequirement(world, { stack }, urn, requirement) {
  const twice = requirement?.posts.find((nonce) => getStack(world, stack).confirmedPosts.includes(nonce));
  return twice && `P13: ${urn} requires the code for ${twice} again`;
}

module.exports = {
  checkEdit,
  checkEditedUpdate,
  checkPost,
  checkRequirement,
  checkRecord,
  checkSuccess,
  checkRejection,
};
