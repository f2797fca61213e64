/** What the explorer's states are made of. Everything is a plain value that never changes, so that states share parts. */
const { loadCore } = require("./core");

/**
 * @typedef {import("../../provider/protocol").Ledger} Ledger
 * @typedef {import("../../provider/protocol").Task} Task
 * @typedef {import("../../provider/protocol").Command} Command
 * @typedef {import("../../provider/protocol").UpdateRecord} Recorded
 * @typedef {import("../../provider/protocol").Declaration} Declaration
 * @typedef {import("../../provider/protocol").Refusal} Refusal
 * @typedef {import("../../provider/protocol").TaskResult} Ending
 * @typedef {import("../../provider/protocol").NotedPost} NotedPost
 *
 * `by`: the resource that sent it; `sent`: when.
 * @typedef {NotedPost & Parameters<typeof import("../../provider/protocol").isFromEarlierContainer>[0] & {by: string, sent: number, order?: number}} Note
 *
 * A declaration in a program.
 * @typedef {object} Entry
 * @property {string} text a letter
 * @property {string} [container]
 * @property {boolean} [page] whether it is on a page with components
 * @property {string} [date]
 * @property {boolean} [flag]
 * @property {readonly string[]} [followedBy]
 * @property {string} [follows]
 * @property {string} [entry]
 * @property {string} [key] of an entry, by which its resource is named
 * @property {string} [name] of an incident, which is opened on its page as an update is posted on its incident
 *
 * @typedef {object} Program
 * @property {boolean} [chain] each waits for the one before it
 * @property {Readonly<Record<string, Entry>>} entries in their order
 *
 * An update of the service. The model knows who posted it. A resource that edits it changes `text` and `date`.
 * @typedef {object} Update
 * @property {string} id
 * @property {string} container
 * @property {string} text
 * @property {string} [date]
 * @property {string} [mailed] what it said when it was posted, if a resource has edited it since
 * @property {Pick<Update, "text" | "date" | "shownDate" | "edited" | "name">} [previous] what it said before a resource edited it, if reads may go back to that
 * @property {string | null} [shownDate] the date that the service shows instead, or none
 * @property {string} [edited] what it says since somebody edited it by hand
 * @property {number} at
 * @property {number} order
 * @property {string} [name] of an incident
 * @property {boolean} [isOver] whether somebody resolved it
 * @property {boolean} [isOld] whether it was created so long ago that no read may lack it
 * @property {string} by the resource that posted it; empty when somebody else did
 * @property {string} nonce
 * @property {boolean} [deleted]
 * @property {boolean} [isReplaceable] whether somebody deleted or edited it, so that it may be posted once more
 * @property {number} [changedAt] when somebody edited or deleted it, if reads may go back to before that
 *
 * @typedef {object} Stack
 * @property {Readonly<Record<string, Recorded>>} state
 * @property {number} program index of the program in the configuration; -1 before the first
 * @property {readonly string[]} codes of `monitoring:resend`, which the user leaves there
 * @property {readonly string[]} answered the nonces of the posts that these codes are about
 * @property {Readonly<Record<string, import("./questions").Asked>>} asked the last question of each resource
 * @property {Readonly<Record<string, readonly string[]>>} had the ids that each resource had on an incident, the last one is the current one; of a post without a response with a question mark, and first what lost posts said
 * @property {Readonly<Record<string, readonly string[]>>} said what each resource made public last, and what it has sent since
 * @property {boolean} [passes] whether the last run, which was interrupted, would have passed undisturbed
 *
 * @typedef {object} Options
 * @property {boolean} [refresh] `up --refresh`
 * @property {readonly string[]} [replace] `--replace`: neither old inputs nor `diff`
 * @property {readonly string[]} [replaceWith] old inputs, no `diff`
 * @property {readonly string[]} [replaceAfterDiff] `diff` finds no change, and the engine replaces it all the same
 * @property {readonly string[]} [target]
 * @property {readonly string[]} [exclude] what is neither created nor changed, although others depend on it
 * @property {boolean} [withoutNotes] its process can't read the notes: they are truncated, or another user's
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
 * @property {Readonly<Record<string, Ledger>>} ledgers by the address of the incident
 * @property {readonly string[]} todo
 * @property {readonly Request[]} ready
 * @property {Running} [running]
 * @property {readonly (Refusal & {urn: string})[]} refused
 * @property {Readonly<Record<string, string>>} saw what each update said when the run read it last, where updates are edited
 * @property {Pick<Stack, "state" | "had" | "said">} [unsaved] the state without what was recorded last, which may not be saved yet
 *
 * @typedef {object} Budget what may still happen
 * @property {number} runs
 * @property {number} edits
 * @property {number} faults
 * @property {number} kills
 * @property {number} events of the user: waits, lost states, deletions by hand
 *
 * @typedef {object} World
 * @property {number} now
 * @property {readonly Update[]} updates all that were ever created, the oldest first
 * @property {Readonly<Record<string, readonly Note[]>>} notes by lock directory and incident
 * @property {number | null} created when the incidents were created, as the service says: in ms since the first post, which no day is
 * @property {number} sentAt when posts are sent, on the same scale
 * @property {Readonly<Record<string, Stack>>} stacks
 * @property {readonly Run[]} runs
 * @property {Budget} budget
 * @property {Readonly<Record<string, number>>} intent
 * @property {Readonly<Record<string, readonly string[]>>} keys the entries with keys that have ever declared a text
 * @property {boolean} calm reads lack nothing, and the first thing that may happen is what happens
 */

/**
 * @typedef {object} Configuration
 * @property {string} name
 * @property {readonly (Program & {stack?: string, after?: readonly number[]})[]} programs
 *   `after`: the programs that the user changes to this one; `stack`: whose program it is
 * @property {{runs: number, edits?: number, faults?: number, kills?: number, events?: number}} bounds
 * @property {Configuration["bounds"]} [larger] bounds of `npm run soak -- explore`
 * @property {Readonly<Record<string, string>>} [machines] the lock directory of each
 * @property {readonly Options[]} [options] of `up`
 * @property {"ignored" | "409" | "500" | "400" | "200"} [ids] what the service does with ids of our own
 * @property {"free" | "taken"} [deletedIds]
 * @property {boolean} [capitals] whether the service returns ids in capitals
 * @property {true | "long ago" | "lost"} [isUp] whether the first program was run before, undisturbed, or so that its request was lost
 * @property {readonly string[]} [history] texts of older updates
 * @property {number} [limit] of a history
 * @property {number} [late] how many ticks a read may lack an update
 * @property {boolean} [isOld] whether a run begins so long after another that no read may lack what that one posted
 * @property {boolean} [goesBack] whether a read may show an update as it was before somebody edited or deleted it, for as many
 * @property {boolean} [ignoresEdits] whether the service may answer an edit with the words from before, and change nothing
 * @property {number} [parallel] runs at one time
 * @property {boolean} [interleaves] whether `diff` is called while another update is published, too
 * @property {boolean} [listsTwice]
 * @property {boolean} [failingReads]
 * @property {boolean} [refusals]
 * @property {boolean} [otherObjects] whether a post may be answered with the incident, or with an old update
 * @property {boolean} [keepsOne] whether the service answers an identical post with the first update
 * @property {boolean} [hasty] whether the user may also deny a post at once, without a look at the page
 * @property {boolean} [losesState]
 * @property {"rounds" | "drops"} [changesDates] what the service does with public dates: rounds them to the day, or drops them
 * @property {string} [edits] a text to which somebody may edit an update
 * @property {boolean} [isKept] whether an edit permits no other post, because the state knows the update; nor does the user consent to one
 * @property {boolean} [corrects] whether somebody may correct when the incident began, or the service may omit it
 * @property {boolean} [startsAnew] whether the service may be set up anew, with another incident of the same id
 * @property {boolean} [losesNotes]
 * @property {string} [byHand] a text that somebody may publish on the page
 * @property {"permits another post" | "forbids another post"} [deletes] a deletion by hand
 * @property {string} [opens] the name of what is there, and of what somebody opens by hand
 * @property {boolean} [resolves] whether somebody may resolve an incident
 * @property {string} [fails] the property that doesn't hold, outside the guarantee
 * @property {boolean} [isDrawn] drawn at random: an interruption may need what the user is asked for
 */

/** What a configuration has unless it says something else. */
const defaults = {
  machines: /** @type {Readonly<Record<string, string>>} */ ({ laptop: "laptop" }),
  options: /** @type {readonly Options[]} */ ([{}]),
  late: 1,
  parallel: 1,
  /** Whether a program edits updates. */
  hasEdits: false,
};

const hour = 3_600_000;

/** The time after which every read shows an update, unless the service is late for longer. */
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

/** What a declaration says, for traces and counts. @param {Declaration} declared @param {string} [container] */
const formatDeclaredContent = (declared, container = declared.containerId) =>
  formatContent(declared.description, container, declared.publicIncidentUpdateDate, declared.name);

/** What the service has of an update. @param {Pick<Update, "text" | "container" | "date" | "name">} update */
const formatSavedContent = ({ text, container, date, name }) => formatContent(text, container, date, name);

/** What a resource had that sent a post which wasn't applied. @param {string} text */
function lostPost(text) {
  return `lost ${text}`;
}

/**
 * Where an incident is: it may have the same id on a page with components. @param {object} declared @param {string} container
 */
function formatAddress(declared, container) {
  return "statusPageId" in declared ? `${container} on the page` : container;
}

/** @param {typeof defaults} config @param {Run} run @param {string} address */
function noteFile({ machines }, { machine }, address) {
  return `${machines[machine] ?? machine} ${address}`;
}

/** The same, with nothing that goes wrong any more. @param {World} world @returns {World} */
function calmed(world) {
  return { ...world, calm: true, budget: { runs: 0, edits: 0, faults: 0, kills: 0, events: 0 } };
}

/** One less of what may still happen. @param {World} world @param {keyof Budget} what @returns {World} */
function spent(world, what) {
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

/** Whatever would have passed may fail now. @param {World} world @returns {World} */
function withoutExpectations(world) {
  const stacks = Object.entries(world.stacks).map(([name, { passes: _, ...stack }]) => [name, stack]);
  return { ...world, stacks: Object.fromEntries(stacks) };
}

/** What a stack declares. @param {Pick<Configuration, "programs">} config @param {World} world @param {string} name @returns {Program} */
function getProgram({ programs }, world, name) {
  return programs[getStack(world, name).program] ?? { entries: {} };
}

const memo = Symbol("key");

/**
 * The key of an object, kept in it. A spread copies it: `of` says whose key it is, and `by` who gave it.
 * @typedef {{of: object, by: Map<string, string>, key: string}} Memo
 */

/** A function that gives equal values the same short key. @returns {(value: unknown) => string} */
function newKeys() {
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
  // A map of the protocol, whose order says nothing.
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
  formatAddress,
  defaults,
  hour,
  tick,
  calmed,
  toDeclaration,
  formatContent,
  formatDeclaredContent,
  formatSavedContent,
  lostPost,
  newKeys,
  noteFile,
  getProgram,
  spent,
  getStack,
  withoutExpectations,
  withStack,
};
