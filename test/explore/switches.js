/** Switches that turn off one rule of the protocol each. For each switch, the named configuration must then violate a property. */
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
 * @typedef {typeof import("../../provider/protocol/edit").stepEdit} StepEdit
 * @typedef {(task: import("./world").Task, shown: {readonly description: string}, circumstances: object) => boolean} IsOwnContent
 * @typedef {(ledger: Ledger, task: import("./world").Task, ...others: never[]) => unknown} StepSearch
 * @typedef {typeof import("../../provider/protocol/identity").matches} Matches
 * @typedef {typeof import("../../provider/protocol/ledger").withOwner} WithOwner
 * @typedef {typeof import("../../provider/protocol/guards").listSimilarUpdates} ListSimilarUpdates
 * @typedef {(update: unknown) => readonly string[]} ComputeKeys
 *
 * @typedef {object} Switch
 * @property {string} name the behavior of the protocol without the rule
 * @property {string} caughtBy the name of the configuration that violates a property
 * @property {Changes} off
 */

/** The configuration that fails without each guard. @type {Readonly<Record<keyof Guards, string>>} */
const guards = {
  twin: "rename",
  adopt: "one update",
  killedPost: "an edit of a killed run's post",
  order: "timeline, a later entry in the dashboard",
  unreadId: "full history, lost state, another update",
  alike: "timeline with a repeated text, and the service rounds another date to its date",
  liveNote: "one update",
  doubtedPost: "shown much later",
  undecided: "replace without diff on two machines",
  full: "full history, lost state, another machine",
  tooEarly: "an edit to a date before the incident's start",
};

/**
 * The configuration that fails without each guard of an edit. No configuration needs the guard `news`, because all updates in the explorer
 * have the same status.
 * @type {Readonly<Record<Exclude<keyof EditGuards, "news">, string>>}
 */
const editGuards = {
  editedSince: "an edit after a colleague's edit",
  date: "an edit to a date before the incident's start",
};

/** @param {unknown} value @returns {Replacement} */
function returnAlways(value) {
  return () => () => value;
}

/**
 * Other rules of `provider/protocol/README.md`: the function that implements the rule, and its replacement.
 * @type {readonly (readonly [name: string, caughtBy: string, functionName: string, Replacement])[]}
 */
const sentences = [
  ["updates with different dates are identical", "public dates", "matches", omitDate],
  ["several resources own the same update", "lost state", "findOtherOwner", returnAlways(undefined)],
  [
    "an unconfirmed post of another resource is ignored",
    "two updates, swap",
    "findUnsettledTwin",
    returnAlways(undefined),
  ],
  [
    "notes don't contain the dates of their updates",
    "public date next to the date of the resource's previous update",
    "listSimilarUpdates",
    omitNotes,
  ],
  [
    "keys of entries contain no date",
    "renamed timeline with repeated, dated texts",
    "computeEntryKeys",
    keepFirstKey,
  ],
  [
    "owners don't identify the entries of their updates",
    "timeline with a repeated text, and the service rounds another date to its date",
    "withOwner",
    omitEntry,
  ],
  [
    "an update that existed before a post is treated as the new update",
    "a response with the first of identical updates",
    "isNew",
    returnAlways(true),
  ],
  [
    "a code confirms every post",
    "a leftover code, shown much later",
    "computePostCode",
    returnAlways("aaaaaaaa"),
  ],
  [
    "a code for the state's post takes effect immediately",
    "a code that is set immediately",
    "getCodeStart",
    returnAlways(0),
  ],
  [
    "a code for a noted post takes effect immediately",
    "a code that is set immediately",
    "isCodeValid",
    returnAlways(true),
  ],
  [
    "notes of an earlier incident with the same ID are used",
    "service that is set up again",
    "isFromEarlierContainer",
    returnAlways(false),
  ],
  [
    "notes of an incident with a corrected start are ignored",
    "incident that is corrected",
    "isFromEarlierContainer",
    returnAlways(true),
  ],
  [
    "a time in the future is treated as proof of another incident",
    "incident that is corrected",
    "isFromEarlierContainer",
    useFarFuture,
  ],
  [
    "an edit of a missing update posts",
    "an edit of an update that is deleted in the dashboard",
    "decideEdit",
    postMissingUpdate,
  ],
  [
    "a refresh permits overwriting",
    "an edit after a colleague's edit",
    "isOwnContent",
    acceptRefreshedContent,
  ],
  ["a lost edit is treated as applied", "an edit", "stepEdit", acceptLostEdit],
  [
    "an update that a note identifies is treated as unchanged",
    "an edit of a lost post that a colleague has edited",
    "computePublishedVersion",
    useShownContent,
  ],
  ["the edit of a killed run is unknown", "an edit that is reverted", "withNotedEdit", useRecord],
  [
    "an edit isn't sent if a read shows the declared text",
    "an edit that is reverted",
    "needsVerification",
    returnAlways(false),
  ],
  [
    "every response is accepted as the result of the edit",
    "an edit that is reverted",
    "isResponseTo",
    returnAlways(true),
  ],
  ["a lost post that its ID identifies is treated as unchanged", "an edit", "needsEdit", returnAlways(false)],
  ["a lost edit isn't recorded", "an edit that is reverted on two machines", "withLostEdit", usePosted],
  [
    "a rejection doesn't wait for the other resources",
    "a similar text is declared before the older update, another machine",
    "needsListening",
    returnAlways(false),
  ],
  [
    "an adoption doesn't wait for the other resources",
    "an identical update is declared before a dated update",
    "needsListening",
    returnAlways(false),
  ],
  [
    "a post of a public text doesn't wait for the other resources",
    "rename",
    "needsListening",
    returnAlways(false),
  ],
  ["a search doesn't wait for the other resources", "refresh", "stepSearch", skipListening],
  [
    "notes of different texts don't identify similar updates",
    "a text similar to an update of another stack",
    "listContentKeys",
    omitShownUpdates,
  ],
];

/** @param {Matches} original @returns {Matches} */
function omitDate(original) {
  return (declared, update) => original({ ...declared, publicIncidentUpdateDate: undefined }, update);
}

/** @param {WithOwner} original @returns {WithOwner} */
function omitEntry(original) {
  return (ledger, by, posted) => original(ledger, by, posted, {});
}

/** @param {ListSimilarUpdates} original @returns {ListSimilarUpdates} */
function omitNotes(original) {
  return (ledger, task) => original(ledger, task);
}

/** @param {DecideEdit} original @returns {DecideEdit} */
function postMissingUpdate(original) {
  return (ledger, task, ...others) => {
    if (ledger.view.updates.some(({ id }) => id === task.phase.posted.id))
      return original(ledger, task, ...others);
    const phase = { kind: /** @type {const} */ ("decide"), lookedUp: [] };
    return { ledger, task: { ...task, phase }, command: { kind: "read", again: false } };
  };
}

/** @param {IsOwnContent} original @returns {IsOwnContent} */
function acceptRefreshedContent(original) {
  return (task, shown, circumstances) => {
    const published = task.phase.kind === "edit" ? task.phase.posted.published : undefined;
    return published?.description === shown.description || original(task, shown, circumstances);
  };
}

/** @param {StepEdit} original @returns {StepEdit} */
function acceptLostEdit(original) {
  return (ledger, task, event) => {
    const update = { ...task.declared, id: task.phase.posted.id };
    return original(ledger, task, event.kind === "unknown" ? { kind: "edited", update } : event);
  };
}

/** @param {(declared: unknown, update: unknown) => string} original @returns {(declared: unknown, update: unknown) => string} */
function useShownContent(original) {
  return (_, update) => original(update, update);
}

/** @returns {(phase: {readonly posted: unknown}) => unknown} */
function usePosted() {
  return ({ posted }) => posted;
}

/** @returns {(recorded: unknown) => unknown} */
function useRecord() {
  return (recorded) => recorded;
}

/** @param {Core["listContentKeys"]} original @returns {Core["listContentKeys"]} */
function omitShownUpdates(original) {
  return (task, ledger) => original(task, { ...ledger, view: { ...ledger.view, updates: [] } });
}

/** @param {StepSearch} original @returns {StepSearch} */
function skipListening(original) {
  return (ledger, ...others) => original({ ...ledger, hasListened: true }, ...others);
}

/** @param {ComputeKeys} original @returns {ComputeKeys} */
function keepFirstKey(original) {
  return (update) => original(update).slice(0, 1);
}

/** @param {Core["isFromEarlierContainer"]} original @returns {Core["isFromEarlierContainer"]} */
function useFarFuture(original) {
  return (note, createdAt) => original(note, createdAt, Date.UTC(2100, 0));
}

/** Rules that are parts of expressions: the source with the rule and without it. */
const expressions = [
  {
    name: "another resource's update is treated as the declared update with a changed date",
    caughtBy: "public date next to the date of the resource's previous update",
    file: "guards",
    source: "ledger.view.updates.filter(({ id }) => !findOtherOwner(ledger, resource, id));\n  const alike",
    without: "ledger.view.updates;\n  const alike",
  },
  {
    name: "a resolved incident is adopted",
    caughtBy: "an identical incident was resolved before",
    file: "guards",
    source: "!each.isResolved && ",
    without: "",
  },
  {
    name: "an identical resolved incident requires no code",
    caughtBy: "an incident is resolved, and the state is lost",
    file: "guards",
    source: '(isResolved ? isSame || text === "" : !isSame)',
    without: "(isResolved ? false : !isSame)",
  },
  {
    name: "an open incident of the same name with a different text requires no code",
    caughtBy: "an incident is opened and resolved in the dashboard",
    file: "guards",
    source: '(isResolved ? isSame || text === "" : !isSame)',
    without: "(isResolved ? isSame : false)",
  },
  {
    name: "a note is treated as proof that an open incident of the same name is a different one",
    caughtBy: "an incident with a different text under the same name, after a lost state",
    file: "guards",
    source: "declared.name === undefined && notes.some",
    without: "notes.some",
  },
  {
    name: "a response with the text from before proves the edit of a killed run",
    caughtBy: "a correction of a killed correction",
    file: "edit",
    source: ", edit && computeContentVersion(edit.before)]",
    without: "]",
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
    name: `there is no edit guard ${withoutEditGuard}`,
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
