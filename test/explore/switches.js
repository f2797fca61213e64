/** Rules of the protocol, switched off one at a time: the named configuration notices each. */
const { readFileSync } = require("node:fs");
const path = require("node:path");
const { protocol } = require("./core");

/**
 * @import { Changes, Core, Replacement } from "./core"
 * @import { Ledger } from "./world"
 * @import { UpdateRecord } from "../../provider/protocol"
 *
 * @typedef {typeof import("../../provider/protocol/guards").guards} Guards
 * @typedef {typeof import("../../provider/protocol/edit").editGuards} EditGuards
 * @typedef {(ledger: Ledger, task: import("./world").Task & {phase: {posted: {id: string}}}, ...others: never[]) => object} DecideEdit
 * @typedef {typeof import("../../provider/protocol/edit").stepEdit} StepOfEdit
 * @typedef {(task: import("./world").Task, shown: {readonly description: string}, circumstances: object) => string | undefined} CodeToOverwrite
 * @typedef {(ledger: Ledger, task: import("./world").Task, ...others: never[]) => unknown} Settled
 * @typedef {typeof import("../../provider/protocol/identity").matches} Matches
 * @typedef {typeof import("../../provider/protocol/ledger").withOwner} WithOwner
 * @typedef {typeof import("../../provider/protocol/results").createRecord} RecordOf
 * @typedef {typeof import("../../provider/protocol/guards").listSimilarUpdates} Alikes
 * @typedef {(update: unknown) => readonly string[]} KeysOf
 *
 * @typedef {object} Switch
 * @property {string} name what the protocol then does
 * @property {string} caughtBy the configuration
 * @property {Changes} off
 */

/** The configuration that fails without each guard. @type {Readonly<Record<keyof Guards, string>>} */
const guards = {
  twin: "rename",
  changedBack: "public date that the service changes",
  adopt: "one update",
  taken: "edits of a list whose names are places",
  reworded: "edits of a list in a chain whose names are places",
  killedPost: "an edit of what a killed run posted",
  unsettledTwin: "history that becomes full, two occurrences",
  occurrence: "history that becomes full, two occurrences",
  laterEntry: "timeline, a later entry by hand",
  earlierEntry: "timeline, an entry is excluded",
  unreadId: "full history, an answer about other content",
  alike: "the service rounds public dates",
  liveNote: "one update",
  noted: "shown much later",
  undecided: "replace without diff on two machines, refuse",
  full: "full history, lost state, another machine",
  tooEarly: "an edit to a date before the incident began",
};

/** The same for those of an edit. @type {Readonly<Record<keyof EditGuards, string>>} */
const editGuards = {
  miscounted: "an edit to what another update says",
  wanted: "edits of a list whose names are places on two machines",
  shifted: "edits of the latest entries of a list in a chain whose names are places",
  editedSince: "an edit after a colleague's",
  tooEarly: "an edit to a date before the incident began",
};

/** @param {unknown} value @returns {Replacement} */
function always(value) {
  return () => () => value;
}

/**
 * What else the protocol's page says: the function that does it, and what it does then.
 * @type {readonly (readonly [name: string, caughtBy: string, functionName: string, Replacement])[]}
 */
const sentences = [
  ["updates with other dates are identical", "public dates", "matches", withoutDate],
  ["a resource has no lineage", "A, B, A", "listPastUpdates", always([])],
  ["several resources have one update", "lost state", "findOtherOwner", always(undefined)],
  [
    "an update that another resource had is one with a changed date",
    "public date beside one that the resource before it had",
    "listKnownUpdates",
    always([]),
  ],
  [
    "an update that is adopted by its words was posted as declared",
    "an update of equal words is inserted before one with a date",
    "createRecord",
    byId,
  ],
  [
    "an update was posted with the date that is declared later",
    "a date is dropped and declared again",
    "withDeclaration",
    withDeclared,
  ],
  [
    "a note doesn't say with which date its update was posted",
    "the date of the first of two updates changes",
    "listSimilarUpdates",
    withoutNotes,
  ],
  [
    "the key of an entry has no date",
    "timeline of another name that repeats words with dates",
    "computeEntryKeys",
    onlyFirst,
  ],
  [
    "updates of resources have the key that the history gives them",
    "timeline that repeats words with a date to which the service rounds others",
    "withOwner",
    withoutEntry,
  ],
  ["an update that existed before a post is the new one", "one of identical updates", "isNew", always(true)],
  [
    "a search takes any update for the post that a note identifies",
    "listed twice",
    "findKnownId",
    always(undefined),
  ],
  [
    "a code is about each post",
    "a code that is left over, shown much later",
    "computePostCode",
    always("aaaaaaaa"),
  ],
  ["a resource has its updates under their old ids", "migrated, A, B, A", "remapIds", asBefore],
  ["a new address alone posts", "migrated, and deleted by hand", "searchPhase", withoutMove],
  ["an update has the same id at its new address", "migrated, all ids are new", "findShownUpdate", onlyById],
  ["a code of the state's post counts at once", "a code that is set at once", "getCodeStart", always(0)],
  ["a code of a noted post counts at once", "a code that is set at once", "isCodeValid", always(true)],
  [
    "a note counts for each incident of its id",
    "service that is set up anew",
    "isFromEarlierContainer",
    always(false),
  ],
  [
    "a note counts for no incident that is corrected",
    "incident that is corrected",
    "isFromEarlierContainer",
    always(true),
  ],
  [
    "a time in the future proves that an incident is another one",
    "incident that is corrected",
    "isFromEarlierContainer",
    inFarFuture,
  ],
  ["an edit of what is gone posts", "an edit of what is deleted by hand", "decideEdit", postsWhatIsGone],
  ["a refresh permits to overwrite", "an edit after a colleague's", "computeOverwriteCode", afterRefresh],
  ["a lost edit counts as done", "an edit", "stepEdit", withoutLook],
  ["words that follow a lost post are posted", "an edit", "settleFound", postsAnew],
  [
    "what somebody made of a lost post leaves its note as it was",
    "edited by hand after a lost response, and both texts are declared",
    "findShownDeclared",
    withoutEdited,
  ],
  [
    "what a note identifies has the resource's words",
    "an edit of a lost post that a colleague has edited",
    "computePublishedVersion",
    asShown,
  ],
  ["a killed edit leaves no note", "an edit that is taken back", "withNotedEdit", asRecorded],
  [
    "a read shows what is declared, so nothing is sent",
    "an edit that is taken back",
    "needsVerification",
    always(false),
  ],
  ["a response shows each edit", "an edit that is taken back", "isResponseTo", always(true)],
  ["a lost post that its id identifies says what is declared", "an edit", "needsEdit", always(false)],
  [
    "a move doesn't look for what a killed run made of an update",
    "an edit of what was posted to a page with cards",
    "findMovedUpdate",
    withoutEdits,
  ],
  ["a lost edit leaves no record", "an edit that is taken back on two machines", "withLostEdit", asPosted],
  [
    "a refusal doesn't wait for the other resources",
    "words that look like those of an older update are listed before it, another machine",
    "needsListening",
    always(false),
  ],
  [
    "an update is adopted before the other resources are asked about",
    "an update of equal words is listed before one with a date",
    "needsListening",
    always(false),
  ],
  [
    "words that are public already are posted before the other resources are asked about",
    "occurrence, answered with the update that exists, two machines apart",
    "needsListening",
    always(false),
  ],
  [
    "what was sent is found before the other resources are asked about",
    "occurrence 2 on two machines, not found after a lost response",
    "stepSearch",
    havingListened,
  ],
  [
    "notes of other words say nothing of what looks alike",
    "words that look like those of another stack",
    "listContentKeys",
    withoutShown,
  ],
  [
    "a change of impacts does what onChange says",
    "an incident whose impacts change",
    "resolveOnChange",
    declaredAlone,
  ],
  ["all impacts are the same", "an incident whose impacts change", "hasSameImpacts", always(true)],
  ["a preview forgets what it edits", "edits of both of two occurrences", "applyOwnEdit", asRead],
];

/** @param {Matches} original @returns {Matches} */
function withoutDate(original) {
  return (declared, update) => original({ ...declared, publicIncidentUpdateDate: undefined }, update);
}

/** @param {WithOwner} original @returns {WithOwner} */
function withoutEntry(original) {
  return (ledger, { resource, declared }, posted) =>
    original(ledger, { resource, declared: { ...declared, entry: undefined } }, posted);
}

/** @param {RecordOf} original @returns {RecordOf} */
function byId(original) {
  return (lineage, declared, update) => original(lineage, declared, update, false);
}

/** @returns {typeof import("../../provider/protocol/records").withDeclaration} */
function withDeclared() {
  return (recorded, declared) => ({ ...recorded, declared });
}

/** @param {Alikes} original @returns {Alikes} */
function withoutNotes(original) {
  return (ledger, declared, had) => original(ledger, declared, had);
}

/** @returns {typeof import("../../provider/protocol/ledger").remapIds} */
function asBefore() {
  return (_, past) => past;
}

/** @typedef {(was: UpdateRecord, isMoved: boolean) => object} SearchPhase */

/** @param {SearchPhase} original @returns {SearchPhase} */
function withoutMove(original) {
  return (was, isMoved) =>
    was.kind === "sent" ? original(was, isMoved) : { kind: "decide", lineage: { past: [] }, lookedUp: [] };
}

/** @returns {typeof import("../../provider/protocol/ledger").findShownUpdate} */
function onlyById() {
  return ({ view }, { id }) => view.updates.find((update) => update.id === id);
}

/** @param {DecideEdit} original @returns {DecideEdit} */
function postsWhatIsGone(original) {
  return (ledger, task, ...others) => {
    if (ledger.view.updates.some(({ id }) => id === task.phase.posted.id))
      return original(ledger, task, ...others);
    const phase = { kind: /** @type {const} */ ("decide"), lineage: { past: [] }, lookedUp: [] };
    return { ledger, task: { ...task, phase }, command: { kind: "read", again: false } };
  };
}

/** @param {CodeToOverwrite} original @returns {CodeToOverwrite} */
function afterRefresh(original) {
  return (task, shown, circumstances) => {
    const published = task.phase.kind === "edit" ? task.phase.posted.published : undefined;
    return published?.description === shown.description ? undefined : original(task, shown, circumstances);
  };
}

/** @param {StepOfEdit} original @returns {StepOfEdit} */
function withoutLook(original) {
  return (ledger, task, event) => {
    const update = { ...task.declared, id: task.phase.posted.id };
    return original(ledger, task, event.kind === "unknown" ? { kind: "edited", update } : event);
  };
}

/** @param {Settled} original @returns {Settled} */
function postsAnew(original) {
  return (ledger, task, ...others) =>
    original(ledger, { ...task, declared: { ...task.declared, onChange: "post" } }, ...others);
}

/** @param {(declared: unknown, update: unknown) => string} original @returns {(declared: unknown, update: unknown) => string} */
function asShown(original) {
  return (_, update) => original(update, update);
}

/** @typedef {(ledger: Ledger, posted: unknown, declared: object) => unknown} ShownAs */

/** @param {ShownAs} original @returns {ShownAs} */
function withoutEdits(original) {
  return (ledger, posted, declared) => original(ledger, posted, { ...declared, onChange: "post" });
}

/** @returns {(phase: {readonly posted: unknown}) => unknown} */
function asPosted() {
  return ({ posted }) => posted;
}

/** @param {(...given: unknown[]) => object} original @returns {(...given: unknown[]) => object} */
function withoutEdited(original) {
  return (...given) => ({ ...original(...given), edited: undefined });
}

/** @returns {(declared: {readonly onChange?: string}) => string | undefined} */
function declaredAlone() {
  return ({ onChange }) => onChange;
}

/** @returns {(recorded: unknown) => unknown} */
function asRecorded() {
  return (recorded) => recorded;
}

/** @returns {(ledger: Ledger, shown: unknown) => unknown} */
function asRead() {
  return (_, shown) => shown;
}

/** @param {Core["listContentKeys"]} original @returns {Core["listContentKeys"]} */
function withoutShown(original) {
  return (task, ledger) => original(task, { ...ledger, view: { ...ledger.view, updates: [] } });
}

/** @param {Settled} original @returns {Settled} */
function havingListened(original) {
  return (ledger, ...others) => original({ ...ledger, hasListened: true }, ...others);
}

/** @param {KeysOf} original @returns {KeysOf} */
function onlyFirst(original) {
  return (update) => original(update).slice(0, 1);
}

/** @param {Core["isFromEarlierContainer"]} original @returns {Core["isFromEarlierContainer"]} */
function inFarFuture(original) {
  return (note, createdAt) => original(note, createdAt, Date.UTC(2100, 0));
}

/** The rules of incidents that are parts of expressions: what the source says, and what it says without the rule. */
const expressions = [
  {
    name: "an incident that is over is adopted",
    caughtBy: "an identical incident was resolved before",
    file: "guards",
    source: "!each.isOver && ",
    without: "",
  },
  {
    name: "a search takes an incident that is over for another one's",
    caughtBy: "an identical incident was resolved before",
    file: "search",
    source: "!isOver && !findOwner",
    without: "!findOwner",
  },
  {
    name: "an identical incident that is over is no reason to ask",
    caughtBy: "an incident is resolved, and the state is lost",
    file: "guards",
    source: '(isOver ? isSame || text === "" : !isSame)',
    without: "(isOver ? false : !isSame)",
  },
  {
    name: "an open incident of the name that says something else is no reason to ask",
    caughtBy: "an incident is opened and resolved by hand",
    file: "guards",
    source: '(isOver ? isSame || text === "" : !isSame)',
    without: "(isOver ? isSame : false)",
  },
  {
    name: "a note proves that an open incident of the name is another one",
    caughtBy: "an incident of another text under the name, after the state is lost",
    file: "guards",
    source: "declared.name === undefined ? noted : []",
    without: "noted",
  },
  {
    name: "an incident that is adopted keeps its impacts",
    caughtBy: "an incident whose impacts change",
    file: "decide",
    source: "isEdited || hasOtherImpacts(declared, update)",
    without: "isEdited",
  },
  {
    name: "an incident that is found with other impacts keeps them",
    caughtBy: "an incident whose impacts change",
    file: "search",
    source: "if (hasOtherImpacts(declared, update)) return true;",
    without: "",
  },
  {
    name: "other impacts of an incident that is found are a change that is refused",
    caughtBy: "an incident whose impacts change while somebody changes them",
    file: "search",
    source: 'hasOtherImpacts(declared, update) ? "edit" : resolveOnChange',
    without: "resolveOnChange",
  },
  {
    name: "the state doesn't record the impacts that were sent",
    caughtBy: "an incident whose impacts change while somebody changes them",
    file: "records",
    source: ", componentImpacts: declared.componentImpacts };",
    without: " };",
  },
  {
    name: "impacts are sent to an incident that is over",
    caughtBy: "an incident that is resolved, and whose impacts change",
    file: "edit",
    source: "shown.isOver && hasDeclaredContent",
    without: "false",
  },
  {
    name: "the name of an incident that is over counts as what is declared",
    caughtBy: "an incident whose name is edited to that of one which somebody opens",
    file: "edit",
    source: "shown.isOver && hasDeclaredContent",
    without: "shown.isOver",
  },
  {
    name: "a response with the words from before proves the edit of a killed run's incident",
    caughtBy: "an incident whose name is edited and taken back",
    file: "edit",
    source: ", edit && computeContentVersion(edit.before)]",
    without: "]",
  },
  {
    name: "an edit of which only the first request arrived is somebody else's",
    caughtBy: "an incident whose name, text and impacts are edited by two requests",
    file: "edit",
    source: "(isNoted || (isHalf && hasOwnName))",
    without: "isNoted",
  },
  {
    name: "a note permits to overwrite impacts",
    caughtBy: "an incident whose impacts change while somebody changes them",
    file: "edit",
    source: "(isNoted || (isHalf && hasOwnName)) && hasOwnImpacts",
    without: "isNoted || (isHalf && hasOwnName)",
  },
];

/** @param {typeof expressions[number]} expression @returns {Switch} */
function createSwitch({ name, caughtBy, file, source, without }) {
  const module = path.join(protocol, file);
  const parts = readFileSync(`${module}.ts`, "utf8").split(source);
  if (parts.length !== 2)
    throw new Error(`provider/protocol/${file}.ts has ${source} ${parts.length - 1} times.`);
  return { name, caughtBy, off: { rewrites: { [module]: parts.join(without) } } };
}

/** @type {readonly Switch[]} */
const switches = [
  ...Object.entries(guards).map(([withoutGuard, caughtBy]) => ({
    name: `there is no guard ${withoutGuard}`,
    caughtBy,
    off: { withoutGuard },
  })),
  ...Object.entries(editGuards).map(([withoutEditGuard, caughtBy]) => ({
    name: `there is no guard ${withoutEditGuard} of an edit`,
    caughtBy,
    off: { withoutEditGuard },
  })),
  ...sentences.map(([name, caughtBy, functionName, replacement]) => ({
    name,
    caughtBy,
    off: { functions: { [functionName]: replacement } },
  })),
  ...expressions.map(createSwitch),
];

module.exports = { switches };
