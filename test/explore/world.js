/** Defines the explorer's states. All values are plain and immutable, so that states can share parts. */
const { loadCore } = require("./core");

/**
 * @typedef {import("../../provider/protocol").Ledger} Ledger
 * @typedef {import("../../provider/protocol").Task} Task
 * @typedef {import("../../provider/protocol").Command} Command
 * @typedef {import("../../provider/protocol").UpdateRecord} Recorded
 * @typedef {import("../../provider/protocol").Declaration} Declaration
 * @typedef {import("../../provider/protocol").Rejection} Rejection
 * @typedef {import("../../provider/protocol").NotedPost} NotedPost
 *
 * A note. `by` is the resource that sent the post or the edit, and `sent` is the time of that request.
 * @typedef {NotedPost & Parameters<typeof import("../../provider/protocol").isFromEarlierContainer>[0] & {by: string, sent: number, order?: number}} Note
 *
 * A declaration in a program.
 * @typedef {object} Entry
 * @property {string} text the description, a letter
 * @property {string} [container]
 * @property {boolean} [page] true on a page with components
 * @property {string} [date]
 * @property {boolean} [flag] true if subscribers are emailed
 * @property {readonly string[]} [followedBy] the entry keys of the later entries in its timeline
 * @property {string} [follows] the entry key of the previous entry
 * @property {string} [entry] its own entry key
 * @property {string} [key] the key of the entry. It names the entry's resource
 * @property {string} [name] the name of an incident. An incident is opened on its page in the same way as an update is posted on its incident
 *
 * @typedef {object} Program
 * @property {boolean} [chain] true if each entry depends on the previous one
 * @property {Readonly<Record<string, Entry>>} entries by the name of the resource, in declaration order
 *
 * An update on the service. Unlike the service, the model records who posted it. An edit by a resource changes `text` and `date`.
 * @typedef {object} Update
 * @property {string} id
 * @property {string} container
 * @property {string} text
 * @property {string} [date]
 * @property {string} [emailedContent] the emailed content, if a resource has edited the update
 * @property {Pick<Update, "text" | "date" | "shownDate" | "edited" | "name">} [previous] the content before a resource's last edit, if reads may still return it
 * @property {string | null} [shownDate] the date that the service shows instead of `date`; null if it shows none
 * @property {string} [edited] the text after an edit in the dashboard
 * @property {number} at the time of its creation
 * @property {number} order its position in the order of creation; negative in the initial history
 * @property {string} [name] the name, if it is an incident
 * @property {boolean} [isResolved] true if it is resolved
 * @property {boolean} [isOld] true if it was created so long ago that every read shows it
 * @property {string} by the resource that posted it; empty if it was posted in the dashboard
 * @property {string} nonce the nonce of its post
 * @property {boolean} [deleted]
 * @property {boolean} [isReplaceable] true if it was deleted or edited in the dashboard, so that it may be posted again
 * @property {number} [changedAt] the time of its last edit or deletion, if reads may still return the earlier version
 *
 * @typedef {object} Stack
 * @property {Readonly<Record<string, Recorded>>} state
 * @property {number} program the index of the program in the configuration; -1 before the first run
 * @property {readonly string[]} codes the codes in `monitoring:resend`. A user who follows error messages replaces earlier codes. Otherwise, no code is removed
 * @property {readonly string[]} confirmedPosts the nonces of the posts that these codes confirm as not public
 * @property {Readonly<Record<string, import("./resendCodes").CodeRequirement>>} requirements the codes that the last rejection of each resource required
 * @property {Readonly<Record<string, readonly string[]>>} ownedIds the IDs of the updates that each resource owned on an incident, the current one last. The ID of a post without a response starts with a question mark. For a post that was not applied, the list starts with its content (`formatLostPost`)
 * @property {Readonly<Record<string, readonly string[]>>} ownVersions the content that each resource last published, followed by all content that it has sent since then
 * @property {boolean} [shouldSucceed] true if the last run was interrupted and would have succeeded undisturbed
 *
 * @typedef {object} Options
 * @property {boolean} [refresh] `up --refresh`
 * @property {readonly string[]} [replace] resources of `--replace`: the engine passes no old inputs and doesn't call `diff`
 * @property {readonly string[]} [replaceWith] resources that the engine replaces with their old inputs, without calling `diff`
 * @property {readonly string[]} [replaceAfterDiff] resources that the engine replaces although `diff` finds no change
 * @property {readonly string[]} [target]
 * @property {readonly string[]} [exclude] resources that are neither created nor changed, even if others depend on them
 * @property {boolean} [withoutNotes] true if the process can't read the notes, for example because they are truncated or belong to another user
 *
 * A create or update that the engine has requested.
 * @typedef {object} Request
 * @property {string} urn
 * @property {"create" | "update"} via
 *
 * @typedef {object} Running
 * @property {string} urn
 * @property {"create" | "update"} via
 * @property {string} container
 * @property {Task} task
 * @property {Command} command
 *
 * One `up`, and its provider process.
 * @typedef {object} Run
 * @property {string} stack
 * @property {string} machine
 * @property {Options} options
 * @property {Readonly<Record<string, Ledger>>} ledgers by the location of the incident
 * @property {readonly string[]} todo the resources for which the engine hasn't called `diff` yet
 * @property {readonly Request[]} ready the requests that wait for the lock
 * @property {Running} [running] the declaration that is being published
 * @property {readonly (Rejection & {urn: string})[]} rejections the rejections so far
 * @property {Readonly<Record<string, string>>} readVersions the content of each update when the run last read it. Only filled if the configuration edits updates
 * @property {Pick<Stack, "state" | "ownedIds" | "ownVersions">} [unsaved] the values before the resource's result was recorded. The engine may not have saved that result yet
 *
 * @typedef {object} Budget the number of each kind of event that may still happen
 * @property {number} runs
 * @property {number} edits changes of programs
 * @property {number} faults lost requests, lost responses and failed reads
 * @property {number} kills
 * @property {number} events waits, lost states and changes in the dashboard
 *
 * @typedef {object} World
 * @property {number} now
 * @property {readonly Update[]} updates all updates that were ever created, oldest first
 * @property {Readonly<Record<string, readonly Note[]>>} notes by lock directory and incident
 * @property {number | null} created the creation time of the incidents, as the service returns it, in milliseconds relative to the first post
 * @property {number} sentAt the time when posts are sent, on the same scale
 * @property {Readonly<Record<string, Stack>>} stacks
 * @property {readonly Run[]} runs
 * @property {Budget} budget
 * @property {Readonly<Record<string, number>>} intent how often each content may be posted: as often as programs have declared it
 * @property {Readonly<Record<string, readonly string[]>>} keys for each content, the entries with a key that have declared it
 * @property {boolean} calm true if every read is complete, and the first possible event always happens
 */

/**
 * @typedef {object} Configuration
 * @property {string} name
 * @property {readonly (Program & {stack?: string, after?: readonly number[]})[]} programs
 *   `after`: the indexes of the programs that the user may replace with this one; `stack`: the only stack that runs it
 * @property {{runs: number, edits?: number, faults?: number, kills?: number, events?: number}} bounds
 * @property {Configuration["bounds"]} [larger] bounds of `npm run soak -- explore`
 * @property {Readonly<Record<string, string>>} [machines] the lock directory of each machine
 * @property {readonly Options[]} [options] the options of `up`
 * @property {"ignored" | "409" | "500" | "400" | "200"} [ids] how the service handles the ID in a post
 * @property {"free" | "taken"} [deletedIds] "taken" if the ID of a deleted update can't be used again
 * @property {boolean} [capitals] true if the service returns IDs in upper case
 * @property {true | "long ago" | "lost"} [isUp] set if the first program is already up after an undisturbed run, a run long ago, or a run with a lost request
 * @property {readonly string[]} [history] the texts of older updates
 * @property {number} [limit] the maximum length of a history
 * @property {number} [late] for how many ticks a read may not show an update yet
 * @property {boolean} [isOld] true if each run starts so long after the previous run that every read shows the earlier updates
 * @property {boolean} [goesBack] true if a read may show an update as it was before an edit or a deletion, for `late` ticks
 * @property {boolean} [ignoresEdits] true if the service may respond to an edit with the old content and change nothing
 * @property {number} [parallel] the maximum number of concurrent runs
 * @property {boolean} [interleaves] true if `diff` may also be called while another update is published
 * @property {boolean} [listsTwice] true if a read lists the newest update twice
 * @property {boolean} [failingReads] true if a read may fail
 * @property {boolean} [rejectsRequests] true if the service may reject a request
 * @property {boolean} [otherObjects] true if the response to a post may contain the incident or an old update
 * @property {boolean} [keepsOne] true if the service responds to an identical post with the first update
 * @property {boolean} [hasty] true if the user may set a resend code immediately, without checking the page
 * @property {boolean} [losesState] true if the state may be lost
 * @property {"rounds" | "drops"} [changesDates] set if the service rounds public dates to the day or drops them
 * @property {string} [edits] the new text of an update that a user may edit in the dashboard
 * @property {boolean} [isKept] true if an edit in the dashboard permits no further post, because the state contains the update. The user sets no codes either
 * @property {boolean} [corrects] true if a user may correct the start of the incident, or the service may omit it
 * @property {boolean} [startsAnew] true if the service may be set up again, with another incident under the same ID
 * @property {boolean} [losesNotes] true if the notes may be lost
 * @property {string} [dashboardText] a text that a user may publish in the dashboard
 * @property {"permits another post" | "forbids another post"} [deletes] set if a user may delete updates in the dashboard
 * @property {string} [opens] the name of the existing incident, and of an incident that a user opens in the dashboard
 * @property {boolean} [resolves] true if a user may resolve an incident
 * @property {string} [fails] the property that is violated, for a configuration outside the guarantee
 * @property {boolean} [isDrawn] true if it was drawn at random. A rejection after an interruption may then require a code
 */

/** The defaults of a configuration. */
const defaults = {
  machines: /** @type {Readonly<Record<string, string>>} */ ({ laptop: "laptop" }),
  options: /** @type {readonly Options[]} */ ([{}]),
  late: 1,
  parallel: 1,
  /** True if a program edits updates. */
  hasEdits: false,
};

const hour = 3_600_000;

/** The time after which every read shows an update, unless the configuration sets a longer delay. */
const tick = 60_000;

const { normalizeContent } = loadCore();

/** @param {Entry} entry @returns {Declaration} */
function toDeclaration({ text, container = "i", page, date, ...others }) {
  const { flag, followedBy, follows, entry, key, name } = others;
  return normalizeContent({
    containerId: container,
    ...(page && { statusPageId: "p" }),
    status: "INVESTIGATING",
    description: text,
    notifySubscribers: flag ?? false,
    ...(date !== undefined && { publicIncidentUpdateDate: date }),
    ...(followedBy && { followedBy }),
    ...(follows !== undefined && { follows }),
    ...(entry !== undefined && { entry }),
    ...(key !== undefined && { key }),
    ...(name !== undefined && { name }),
  });
}

/** @param {string} text @param {string} container @param {string} [date] @param {string} [name] of an incident */
const formatContent = (text, container, date = "", name = "") =>
  [
    text,
    container === "i" ? "" : `@${container}`,
    date && ` of ${date.slice(0, 13)}`,
    name && ` as ${name}`,
  ].join("");

/** Formats the content of a declaration, for traces and counts. @param {Declaration} declared @param {string} [container] */
const formatDeclaredContent = (declared, container = declared.containerId) =>
  formatContent(declared.description, container, declared.publicIncidentUpdateDate, declared.name);

/** Formats the content that the service stores for an update. @param {Pick<Update, "text" | "container" | "date" | "name">} update */
const formatSavedContent = ({ text, container, date, name }) => formatContent(text, container, date, name);

/** Marks the content of a post that wasn't applied, in `ownedIds`. @param {string} text */
function formatLostPost(text) {
  return `lost ${text}`;
}

/**
 * Returns the location of an incident. An incident on a page with components may have the same ID as an incident on a page with cards.
 * @param {object} declared @param {string} container
 */
function formatLocation(declared, container) {
  return "statusPageId" in declared ? `${container} on the page` : container;
}

/** @param {typeof defaults} config @param {Run} run @param {string} location */
function getNoteFile({ machines }, { machine }, location) {
  return `${machines[machine] ?? machine} ${location}`;
}

/** Returns the world without further failures or events. @param {World} world @returns {World} */
function toCalmWorld(world) {
  return { ...world, calm: true, budget: { runs: 0, edits: 0, faults: 0, kills: 0, events: 0 } };
}

/** Returns the world after one event of this kind. @param {World} world @param {keyof Budget} what @returns {World} */
function spendBudget(world, what) {
  return { ...world, budget: { ...world.budget, [what]: world.budget[what] - 1 } };
}

/** @param {World} world @param {string} name @returns {Stack} */
function getStack({ stacks }, name) {
  const stack = stacks[name];
  if (!stack) throw new Error(`No stack ${name}`);
  return stack;
}

/** @param {World} world @param {string} name @param {Partial<Stack>} change @returns {World} */
function withStack(world, name, change) {
  return { ...world, stacks: { ...world.stacks, [name]: { ...getStack(world, name), ...change } } };
}

/** Returns the world without expectations about the results of runs. @param {World} world @returns {World} */
function omitExpectations(world) {
  const stacks = Object.entries(world.stacks).map(([name, { shouldSucceed: _, ...stack }]) => [name, stack]);
  return { ...world, stacks: Object.fromEntries(stacks) };
}

/** Returns the program of a stack. @param {Pick<Configuration, "programs">} config @param {World} world @param {string} name @returns {Program} */
function getProgram({ programs }, world, name) {
  return programs[getStack(world, name).program] ?? { entries: {} };
}

const memo = Symbol("key");

/**
 * The key of an object, cached in the object. A spread copies the cache, so `of` is the object to which the key belongs, and `by` contains
 * the keys of the function that computed it.
 * @typedef {{of: object, by: Map<string, string>, key: string}} Memo
 */

/** Creates a function that returns the same short key for equal values. @returns {(value: unknown) => string} */
function createKeyFunction() {
  /** @type {Map<string, string>} */
  const numbers = new Map();
  return function computeKey(value) {
    if (typeof value !== "object" || value === null) return String(value);
    const keyed = /** @type {{[memo]?: Memo}} */ (value);
    const known = keyed[memo];
    if (known?.of === value && known.by === numbers) return known.key;
    const parts = formatParts(value, computeKey);
    const key = numbers.get(parts) ?? `#${numbers.size}`;
    numbers.set(parts, key);
    keyed[memo] = { of: value, by: numbers, key };
    return key;
  };
}

/** @param {object} value @param {(value: unknown) => string} computeKey */
function formatParts(value, computeKey) {
  let parts = "";
  if (Array.isArray(value)) {
    for (const part of value) parts += `${computeKey(part)},`;
    return `[${parts}]`;
  }
  // The order of a map's entries has no meaning.
  if (Symbol.iterator in value) {
    const entries = [.../** @type {Iterable<[string, unknown]>} */ (value)];
    return `{${entries
      .map(([name, part]) => `${name}:${computeKey(part)}`)
      .sort()
      .join(",")}}`;
  }
  const record = /** @type {Record<string, unknown>} */ (value);
  for (const name in record) {
    const part = record[name];
    if (part !== undefined) parts += `${name}:${computeKey(part)},`;
  }
  return `{${parts}}`;
}

module.exports = {
  formatLocation,
  defaults,
  hour,
  tick,
  toCalmWorld,
  toDeclaration,
  formatContent,
  formatDeclaredContent,
  formatSavedContent,
  formatLostPost,
  createKeyFunction,
  getNoteFile,
  getProgram,
  spendBudget,
  getStack,
  omitExpectations,
  withStack,
};
