/** Models the service: the possible results of a read, a post and an edit. */
const { loadCore } = require("./core");
const { tick, formatContent, formatSavedContent } = require("./world");

/**
 * @import { World, Update } from "./world"
 * @import { Model } from "./engine"
 * @import { Event } from "../../provider/protocol"
 *
 * An update in a read, or its absence.
 * @typedef {{label: string, update: Update | undefined}} ShownVersion
 *
 * @typedef {object} Shown
 * @property {string} label
 * @property {readonly ReturnType<typeof toEntry>[]} shown the updates, newest first
 */

const { normalizeUpdate } = loadCore();

/** The creation time of the first update. It is in the future, so that a real process also waits for the update, as a run of the model does. */
const began = Date.UTC(2099, 0, 1);
/** The start of an incident on a page with components. The page rejects earlier dates. */
const pageBegan = Date.UTC(1968, 0, 1);
/** The creation time of an update that is so old that every read shows it. */
const longAgo = Date.UTC(1969, 0, 1);

/** @type {WeakMap<Update, import("../../provider/protocol").ShownUpdate>} */
const entries = new WeakMap();

/** Returns the update as the service shows it. @param {Update} update */
function toEntry(update) {
  const entry = entries.get(update) ?? normalizeUpdate(toRawEntry(update));
  entries.set(update, entry);
  return entry;
}

/** @param {Model["config"]} config @param {Update} update */
function showUpdate({ capitals }, update) {
  // The service changes the IDs that it receives, but not its own IDs.
  return capitals && update.id.length > 8
    ? normalizeUpdate({ ...toRawEntry(update), id: update.id.toUpperCase() })
    : toEntry(update);
}

/** Returns the creation time of an update, as the service returns it. @param {number} order @param {boolean} [isOld] */
function getCreationTime(order, isOld) {
  return (isOld ? longAgo : began) + order * 20_000;
}

/** @param {Update} update */
function toRawEntry({ id, text, edited = text, date, shownDate = date, order, isOld, ...others }) {
  const { name, isResolved } = others;
  return {
    id,
    status: /** @type {const} */ ("INVESTIGATING"),
    description: edited,
    created_at: new Date(getCreationTime(order, isOld)).toISOString(),
    ...(shownDate != null && { publicIncidentUpdateDate: shownDate }),
    ...(name !== undefined && { name, isResolved: isResolved === true }),
  };
}

/** Returns true if a change is so recent that a read may not show it yet. @param {World} world @param {Model["config"]} config @param {number} [at] */
function isLate({ now, calm }, { late }, at = -Infinity) {
  return !calm && at > now - late * tick;
}

/** Returns true if a read may not show the update yet. @param {World} world @param {Model["config"]} config @param {Update} update */
function isYoung(world, config, { at }) {
  return isLate(world, config, at);
}

/** Returns true if two reads may show different versions of the update. @param {World} world @param {Model["config"]} config @param {Update} update */
function mayDiffer(world, config, update) {
  return (!update.deleted && isYoung(world, config, update)) || isLate(world, config, update.changedAt);
}

/** Returns true if two reads of the incident may differ. @param {World} world @param {Model["config"]} config @param {string} container */
function mayLack(world, config, container) {
  return world.updates.some((update) => update.container === container && mayDiffer(world, config, update));
}

/**
 * Lists the versions of an update that a read may show. It may show the current version, the version before a change, or no version yet.
 * @param {World} world @param {Model["config"]} config @param {Update} update @returns {ShownVersion[]}
 */
function listVersions(world, config, update) {
  const { deleted, edited, changedAt, previous, ...others } = update;
  const before = previous ? { ...others, date: undefined, shownDate: undefined, ...previous } : others;
  /** @type {ShownVersion[]} */
  const versions = [{ label: "", update: deleted ? undefined : update }];
  if (!deleted && isYoung(world, config, update))
    versions.push({ label: `without ${formatUpdate(update)}`, update: undefined });
  const isAgain = world.updates.some((other) => other !== update && other.id === update.id);
  if (isLate(world, config, changedAt) && !isAgain)
    versions.push({ label: `with ${formatUpdate(before)} as before`, update: before });
  return versions;
}

/**
 * Lists the possible results of reading the history.
 * @param {World} world @param {Model["config"]} config @param {string} container
 * @returns {Shown[]}
 */
function listReads(world, config, container) {
  const notes = Object.values(world.notes).flat();
  const sent = new Set(notes.flatMap(({ id, nonce }) => (id === undefined ? nonce : [])));
  const versions = world.updates
    .filter((update) => update.container === container)
    .map((update) => listVersions(world, config, update));
  return listCombinations(versions).map((all) => {
    const newestFirst = all.flatMap(({ update }) => update ?? []).reverse();
    // Of the resolved incidents with one name, a run reads only the newest one, and those that a killed run may have opened.
    const shown = newestFirst.filter(
      (each) =>
        !each.isResolved ||
        sent.has(each.nonce) ||
        each === newestFirst.find(({ isResolved, name }) => isResolved && name === each.name),
    );
    const latest = shown.slice(0, config.limit ?? shown.length).map((each) => showUpdate(config, each));
    const twice = config.listsTwice ? latest.slice(0, 1) : [];
    const label = all.flatMap((each) => (each.label === "" ? [] : ` ${each.label}`)).join(",");
    return { label, shown: [...latest, ...twice] };
  });
}

/** @template Each @param {readonly Each[][]} choices @returns {Each[][]} all combinations; the first one consists of the first choices */
function listCombinations(choices) {
  return choices.reduce(
    (combinations, each) => each.flatMap((one) => combinations.map((others) => [...others, one])),
    /** @type {Each[][]} */ ([[]]),
  );
}

/**
 * Lists the possible results of reading one update.
 * @param {World} world @param {Model["config"]} config @param {string} container @param {string} id
 */
function listLookups(world, config, container, id) {
  const update = world.updates.findLast((each) => each.id === id && each.container === container);
  if (!update) return [{ label: ": not found", update: undefined }];
  return listVersions(world, config, update).map(({ label, update: found }) => ({
    label: found ? `: ${formatUpdate(found)}` : `: not found${label && " yet"}`,
    update: found && showUpdate(config, found),
  }));
}

/** Formats an update for a trace. @param {Update} update */
function formatUpdate({ id, text, edited = text, container, date, name }) {
  return `${formatContent(edited, container, date, name)} (${id.slice(0, 8)})`;
}

/** @param {import("./world").Declaration} declared @returns {number | undefined} */
function findStartTime(declared) {
  return "statusPageId" in declared ? pageBegan : undefined;
}

/** @param {import("./world").Declaration} declared @param {string} [date] */
function isRejected(declared, date) {
  return date !== undefined && Date.parse(date) < (findStartTime(declared) ?? -Infinity);
}

/**
 * Applies a post: creates an update, or responds with an error or an existing update.
 * @param {World} world @param {Model["config"]} config
 * @param {import("./world").Running} running @param {string | undefined} sent the ID in the post @param {string} by
 * @returns {{world: World, label: string, event: Event}}
 */
function applyPost(world, config, { task, container }, sent, by) {
  const { ids = "ignored", deletedIds = "free" } = config;
  const id = "statusPageId" in task.declared ? undefined : sent;
  const { description: text, publicIncidentUpdateDate: date } = task.declared;
  if (isRejected(task.declared, date)) return { world, label: "400: before the incident", event: invalid };
  const honours = ids !== "ignored" && id !== undefined;
  const same = world.updates.filter((update) => honours && update.id === id);
  const existing = same.find(({ deleted }) => !deleted || deletedIds === "taken");
  if (existing) return { world, ...createDuplicateResponse(ids, showUpdate(config, existing)) };
  const first = world.updates.find(
    (each) => each.text === text && each.container === container && !each.deleted,
  );
  if (config.keepsOne && first)
    return { world, label: "the first one", event: { kind: "posted", update: showUpdate(config, first) } };
  const count = world.updates.length + 1;
  /** @type {Update} */
  const update = {
    id: honours ? id : `u${count}`,
    container: container,
    text,
    ...(date !== undefined && { date }),
    ...toShownDate(config, date),
    at: world.now,
    order: count,
    ...(config.isOld && { isOld: true }),
    ...(task.declared.name !== undefined && { name: task.declared.name }),
    by,
    nonce: task.nonce,
  };
  return {
    world: { ...world, updates: [...world.updates, update] },
    label: "applied",
    event: { kind: "posted", update: showUpdate(config, update) },
  };
}

/**
 * Applies an edit. The update gets the content that was sent, and no email is sent.
 * @param {World} world @param {Model["config"]} config
 * @param {import("./world").Running} running @param {{id: string, date: string}} command
 * @returns {{world: World, label: string, event: Event}}
 */
function applyEdit(world, config, { task, container }, { id, date }) {
  const update = world.updates.find(
    (each) => each.id === id && each.container === container && !each.deleted,
  );
  if (!update) return { world, label: "404: not found", event: { kind: "unknown", text: "404" } };
  if (isRejected(task.declared, date))
    return { world, label: "400: before the incident", event: { kind: "notApplied", text: "400" } };
  const { edited, previous: _, shownDate, ...others } = update;
  const before = { text: update.text, date: update.date, shownDate, edited };
  /** @type {Update} */
  const after = {
    ...others,
    text: task.declared.description,
    date,
    ...toShownDate(config, date),
    emailedContent: update.emailedContent ?? formatSavedContent(update),
    ...(config.goesBack && { previous: before, changedAt: world.now }),
  };
  const updates = world.updates.map((each) => (each === update ? after : each));
  return {
    world: { ...world, updates },
    label: "applied",
    event: { kind: "edited", update: showUpdate(config, after) },
  };
}

/** Returns the public date as the service shows it. @param {Model["config"]} config @param {string} [date] @returns {Pick<Update, "shownDate">} */
function toShownDate({ changesDates }, date) {
  if (changesDates === undefined || date === undefined) return {};
  return { shownDate: changesDates === "rounds" ? `${date.slice(0, 10)}T00:00:00Z` : null };
}

/** @type {Event} */
const invalid = { kind: "notApplied", text: "400" };

/** @param {string} ids @param {ReturnType<typeof toEntry>} existing @returns {{label: string, event: Event}} */
function createDuplicateResponse(ids, existing) {
  switch (ids) {
    case "409":
      return { label: "409: the id exists", event: { kind: "unknown", text: "409" } };
    case "500":
      return { label: "500: the id exists", event: { kind: "unknown", text: "500" } };
    case "400":
      return { label: "400: the id exists", event: invalid };
    default:
      return { label: "the existing update", event: { kind: "posted", update: existing } };
  }
}

module.exports = {
  getCreationTime,
  findStartTime,
  toEntry,
  toRawEntry,
  listReads,
  listLookups,
  applyPost,
  applyEdit,
  isYoung,
  mayDiffer,
  mayLack,
};
