/** Functions that several modules use to change a run, its ledgers and its state. */
const {
  formatLocation,
  toDeclaration,
  formatLostPost,
  getNoteFile,
  getProgram,
  getStack,
} = require("./world");
const { tick, withStack } = require("./world");
const { checkRecord, checkSuccess } = require("./properties");

/**
 * @import { World, Run, Recorded } from "./world"
 * @import { Model, Successor } from "./engine"
 */

/** The maximum age of an update. Ages are capped so that worlds with older updates are equal. */
const oldest = -9 * tick;

/** @param {World} world @param {Run} before @param {Run | undefined} after @returns {World} */
function changeRun(world, before, after) {
  const runs = after
    ? world.runs.map((run) => (run === before ? after : run))
    : world.runs.filter((run) => run !== before);
  return { ...world, runs };
}

/** @param {Model} model @param {Run} run @param {string} location */
function getLedger({ core }, { ledgers }, location) {
  return ledgers[location] ?? core.createLedger();
}

/** @param {Model} model @param {World} world @param {Run} run @param {string} urn */
function getDeclaration({ config }, world, { stack }, urn) {
  const entry = getProgram(config, world, stack).entries[urn];
  if (!entry) throw new Error(`${stack} doesn't declare ${urn}`);
  return toDeclaration(entry);
}

/**
 * Returns a note as the resource reads it. Its content key is removed unless `keys` includes it, and the resource's own note is marked.
 * @param {import("./world").Note} note @param {Run} run @param {string} urn @param {readonly string[]} keys @returns {import("./world").Note}
 */
function toReadNote(note, { stack }, urn, keys) {
  const known = keys.includes(note.contentKey) ? note : { ...note, contentKey: "" };
  return note.by === `${stack}/${urn}` ? { ...known, isOwn: true } : known;
}

/**
 * Returns the record of a resource, completed with an edit that only the notes contain, because the run was killed.
 * @param {Model} model @param {World} world @param {Run} run @param {string} urn @param {Recorded} recorded @returns {Recorded}
 */
function withOwnNotes(model, world, run, urn, recorded) {
  if (recorded.kind !== "posted") return recorded;
  const { declared } = recorded;
  const keys = [declared.contentKey];
  const notes =
    world.notes[getNoteFile(model.config, run, formatLocation(declared, declared.containerId))] ?? [];
  return model.core.withNotedEdit(
    recorded,
    notes.map((note) => ({ ...toReadNote(note, run, urn, keys), at: note.sent })),
  );
}

/**
 * Saves a record to the state, encoded and decoded as for the next run.
 * @param {Model} model @param {World} world @param {Run} run @param {string} urn @param {Recorded} given
 * @returns {World}
 */
function saveRecord(model, world, { stack: name, options }, urn, given) {
  const recorded = toStoredRecord(model, given);
  const stack = getStack(world, name);
  const place = `${urn}@${recorded.declared.containerId}`;
  // With `--replace`, the provider receives no earlier state.
  const { [place]: ownedIds = [] } = options.replace?.includes(urn) ? {} : stack.ownedIds;
  const id = recorded.kind === "posted" ? recorded.id : findSentId(world, recorded);
  const lost = formatLostPost(recorded.declared.description);
  const others = ownedIds.filter((each) => each !== (id ?? lost));
  const now = id === undefined ? [lost, ...others] : [...others, id];
  return withStack(world, name, {
    state: { ...stack.state, [urn]: recorded },
    ownedIds: { ...stack.ownedIds, [place]: now },
  });
}

/** The properties of an `IncidentUpdate` that contain its IDs. */
const idNames = { containerId: "incidentId", id: "incidentUpdateId" };

/** @param {Model} model @param {Recorded} recorded @returns {Recorded} */
function toStoredRecord({ core, computeKey, states }, recorded) {
  const key = computeKey(recorded);
  const known = states.get(key);
  if (known) return known;
  const text = JSON.stringify(core.encode(recorded, idNames));
  const decoded = core.decode(JSON.parse(text), idNames);
  if (!decoded || decoded.kind === "unreadable") throw new Error(`The state can't be read: ${text}`);
  states.set(key, decoded);
  return decoded;
}

/** Returns the ID of an unconfirmed post, with a question mark in front of it. Undefined if the post wasn't applied. @param {World} world @param {Recorded & {kind: "sent"}} recorded */
function findSentId({ updates }, { nonce }) {
  const sent = updates.find((update) => update.nonce === nonce);
  return sent && `?${sent.id}`;
}

/**
 * Ends the run. If nothing failed, the resources that the program no longer declares are removed.
 * @param {Model} model @param {World} world @param {Run} run
 * @returns {Successor[]}
 */
function endRun(model, world, run) {
  const ended = changeRun(world, run, undefined);
  if (run.rejections.length > 0) {
    const why = run.rejections.map((rejection) => `${rejection.urn}: ${rejection.kind}`).join(", ");
    return [{ label: `up fails (${why})`, world: resetClock(ended) }];
  }
  const { entries } = getProgram(model.config, world, run.stack);
  const isKept = (/** @type {string} */ place) =>
    (place.split("@")[0] ?? "") in entries ||
    run.options.target !== undefined ||
    run.options.exclude !== undefined;
  const kept = /** @template Each @param {Readonly<Record<string, Each>>} all */ (all) =>
    Object.fromEntries(Object.entries(all).filter(([place]) => isKept(place)));
  const { state, ownedIds, ownVersions } = getStack(world, run.stack);
  const all = { state: kept(state), ownedIds: kept(ownedIds), ownVersions: kept(ownVersions) };
  const after = withStack(removeNoteOwner(ended, run.stack, isKept), run.stack, {
    ...all,
    shouldSucceed: undefined,
  });
  const violation = checkSuccess(model, after, run);
  return [{ label: "up succeeds", world: resetClock(after), ...(violation && { violation }) }];
}

/**
 * When a resource is removed from the state, its name is removed from its notes.
 * @param {World} world @param {string} stack @param {(urn: string) => boolean} isKept @returns {World}
 */
function removeNoteOwner(world, stack, isKept) {
  const { state } = getStack(world, stack);
  const isRemoved = (/** @type {import("./world").Note} */ { by }) => {
    const [owner, urn = ""] = by.split("/");
    return owner === stack && !isKept(urn) && urn in state;
  };
  const notes = Object.entries(world.notes).map(([file, sent]) => [
    file,
    sent.map((note) => (isRemoved(note) ? { ...note, by: "" } : note)),
  ]);
  return { ...world, notes: Object.fromEntries(notes) };
}

/**
 * Resets the clock and converts times to ages. Between runs, only ages matter, so that more worlds are equal.
 * @param {World} world @returns {World}
 */
function resetClock(world) {
  if (world.runs.length > 0 || world.now === 0) return world;
  const { now } = world;
  const updates = world.updates.map((update) => {
    const { at, changedAt } = update;
    if (at === oldest && changedAt === undefined) return update;
    const changed = changedAt !== undefined && { changedAt: Math.max(changedAt - now, oldest) };
    return { ...update, at: Math.max(at - now, oldest), ...changed };
  });
  const notes = Object.fromEntries(
    Object.entries(world.notes).map(([lock, sent]) => [
      lock,
      sent.map((note) => ({
        ...note,
        sent: Math.max(note.sent - now, oldest),
        mayAppearUntil: Math.max(note.mayAppearUntil - now, 0),
        codeStart: Math.max(note.codeStart - now, 0),
      })),
    ]),
  );
  const stacks = Object.fromEntries(
    Object.entries(world.stacks).map(([name, stack]) => [
      name,
      { ...stack, state: ageState(stack.state, world) },
    ]),
  );
  return { ...world, now: 0, updates, notes, stacks };
}

/** Converts the times in a state to ages. @param {import("./world").Stack["state"]} state @param {World} world */
function ageState(state, { now }) {
  return Object.fromEntries(
    Object.entries(state).map(([urn, recorded]) => {
      if (recorded.kind === "posted") return [urn, ageEdits(recorded, now)];
      if (recorded.at === oldest) return [urn, recorded];
      return [urn, { ...recorded, at: Math.max(recorded.at - now, oldest) }];
    }),
  );
}

/**
 * @param {import("../../provider/protocol").PostedUpdate} recorded @param {number} now @returns {Recorded}
 */
function ageEdits(recorded, now) {
  const { editedAt, mayShow } = recorded;
  if (editedAt === undefined && mayShow === undefined) return recorded;
  const late = mayShow?.flatMap((each) => {
    if (each.until === undefined) return each;
    return each.until > now ? { ...each, until: each.until - now } : [];
  });
  return {
    ...recorded,
    ...(editedAt !== undefined && { editedAt: Math.max(editedAt - now, oldest) }),
    ...(late && { mayShow: late }),
  };
}

/**
 * Returns the arguments that the program passes to the resource.
 * @param {Model} model @param {World} world @param {Run} run @param {string} urn
 */
function getArgs(model, world, run, urn) {
  const { text: _, contentKey: __, ...args } = getDeclaration(model, world, run, urn);
  return args;
}

module.exports = {
  getArgs,
  idNames,
  toReadNote,
  withOwnNotes,
  changeRun,
  getLedger,
  getDeclaration,
  record: saveRecord,
  stored: toStoredRecord,
  endRun,
  resetClock,
  checkRecord,
};
