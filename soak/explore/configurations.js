/** What is explored: programs, the service, machines, and how much may go wrong. */

/**
 * @typedef {object} Configuration
 * @property {string} name
 * @property {readonly (import("./world").Program & {stack?: string, after?: readonly number[]})[]} programs
 *   `after`: the programs that the user changes to this one; `stack`: whose program it is
 * @property {{runs: number, edits?: number, faults?: number, kills?: number, events?: number}} bounds
 * @property {Configuration["bounds"]} [larger] bounds of `npm run soak -- explore`
 * @property {Readonly<Record<string, string>>} machines the lock directory of each
 * @property {readonly string[]} [stacks]
 * @property {readonly import("./world").Options[]} [options] of `up`
 * @property {"ignored" | "rejected" | "409" | "500" | "400" | "200"} [ids] what the service does with ids of our own
 * @property {"free" | "taken"} [deletedIds]
 * @property {boolean} [clientIds]
 * @property {readonly string[]} [history] texts of older updates
 * @property {number} [limit] of a history
 * @property {number} [late] how many ticks a read may lack an update
 * @property {number} [parallel] runs at one time
 * @property {boolean} [interleaves] whether `diff` is called while another update is published, too
 * @property {boolean} [listsTwice]
 * @property {boolean} [failingReads]
 * @property {boolean} [refusals]
 * @property {boolean} [consents]
 * @property {boolean} [losesState]
 * @property {"permits another post" | "forbids another post"} [deletes] a deletion by hand
 */

const one = { laptop: "laptop" };
const shared = { laptop: "shared", ci: "shared" };
const apart = { laptop: "laptop", ci: "ci" };

const onlyA = { entries: { a: { text: "A" } } };
const onlyB = { entries: { a: { text: "B" } } };
const bHasA = { entries: { b: { text: "A" } } };
const both = { entries: { a: { text: "A" }, b: { text: "B" } } };
const swapped = { entries: { a: { text: "B" }, b: { text: "A" } } };
const twins = { entries: { a: { text: "A" }, b: { text: "A" } } };
const counted = { entries: { a: { text: "A" }, b: { text: "A", occurrence: 2 } } };
const chained = { chain: true, entries: { a: { text: "A" }, b: { text: "B" } } };

/** The entries of an `IncidentTimeline`. @param {string} texts a letter each */
function timeline(texts) {
  const { loadCore } = require("./core");
  const core = loadCore();
  const keys = [...texts].map((text, index) => {
    const occurrence = [...texts.slice(0, index)].filter((other) => other === text).length + 1;
    return {
      text,
      occurrence,
      key: core.entryKey(core.contentKey({ status: "INVESTIGATING", description: text }), occurrence),
    };
  });
  return {
    chain: true,
    entries: Object.fromEntries(
      keys.map(({ text, occurrence }, index) => [
        `t${index + 1}`,
        { text, occurrence, refuse: true, followedBy: keys.slice(index + 1).map(({ key }) => key) },
      ]),
    ),
  };
}

/** @type {readonly Configuration[]} */
const configurations = [
  {
    name: "one update",
    programs: [onlyA, onlyB],
    bounds: { runs: 3, edits: 1, faults: 2, kills: 1 },
    larger: { runs: 4, edits: 3, faults: 2, kills: 2, events: 1 },
    machines: one,
    consents: true,
  },
  {
    name: "two updates, swap",
    programs: [both, { ...swapped, after: [0] }, { ...bHasA, after: [0, 1] }],
    bounds: { runs: 3, edits: 1, faults: 1 },
    larger: { runs: 3, edits: 1, faults: 1, kills: 1 },
    machines: one,
    consents: true,
  },
  {
    name: "rename",
    programs: [onlyA, { ...bHasA, after: [0] }, { ...twins, after: [0, 1] }],
    bounds: { runs: 3, edits: 2, faults: 1, kills: 1 },
    larger: { runs: 4, edits: 2, faults: 1, kills: 1 },
    machines: one,
    consents: true,
  },
  {
    name: "occurrence",
    programs: [
      onlyA,
      { ...counted, after: [0] },
      { entries: { b: { text: "A", occurrence: 2 } }, after: [1] },
    ],
    bounds: { runs: 3, edits: 2, faults: 1, kills: 1 },
    machines: one,
    consents: true,
  },
  {
    name: "chain",
    programs: [
      chained,
      { chain: true, entries: { a: { text: "B" }, b: { text: "A" } }, after: [0] },
      { chain: true, entries: { a: { text: "C" }, b: { text: "A" }, c: { text: "B" } }, after: [0] },
    ],
    bounds: { runs: 2, edits: 1, faults: 1, kills: 1 },
    larger: { runs: 3, edits: 1, faults: 1, kills: 1 },
    machines: one,
    consents: true,
  },
  {
    name: "refuse",
    programs: [
      { entries: { a: { text: "A", refuse: true } } },
      { entries: { a: { text: "B", refuse: true } } },
    ],
    bounds: { runs: 4, edits: 2, faults: 1, kills: 1 },
    machines: one,
    consents: true,
  },
  {
    name: "timeline",
    programs: [
      timeline("AB"),
      { ...timeline("CAB"), after: [0] },
      { ...timeline("ACB"), after: [0] },
      { ...timeline("BA"), after: [0] },
    ],
    bounds: { runs: 3, edits: 1, faults: 1, kills: 1 },
    machines: one,
    consents: true,
  },
  {
    name: "timeline with repeated entries",
    programs: [
      timeline("A"),
      { ...timeline("AA"), after: [0] },
      { ...timeline("AAB"), after: [1] },
      { ...timeline("ABA"), after: [1] },
    ],
    bounds: { runs: 3, edits: 2, faults: 1, kills: 1 },
    machines: one,
    consents: true,
  },
  {
    name: "replace without diff",
    programs: [onlyA, { ...onlyB, after: [0] }],
    options: [{}, { replace: ["a"] }, { replaceWith: ["a"] }],
    bounds: { runs: 3, edits: 1, faults: 1, kills: 1 },
    machines: one,
    consents: true,
  },
  {
    name: "replace without diff, refuse",
    programs: [timeline("AB"), { ...timeline("AC"), after: [0] }, { ...timeline("CB"), after: [0] }],
    options: [{}, { replace: ["t1"] }, { replaceWith: ["t1"] }, { replaceWith: ["t2"] }],
    bounds: { runs: 3, edits: 1, faults: 1 },
    machines: one,
    consents: true,
  },
  {
    name: "refresh",
    programs: [both, { ...swapped, after: [0] }, { ...bHasA, after: [0] }, { ...twins, after: [0] }],
    options: [{}, { refresh: true }],
    bounds: { runs: 3, edits: 1, faults: 1 },
    larger: { runs: 3, edits: 1, faults: 2 },
    machines: one,
    consents: true,
  },
  {
    name: "target",
    programs: [both, { ...swapped, after: [0] }, { ...counted, after: [0] }],
    options: [{}, { target: ["a"] }, { target: ["b"] }],
    bounds: { runs: 3, edits: 1, faults: 1 },
    larger: { runs: 3, edits: 1, faults: 1, kills: 1 },
    machines: one,
    consents: true,
  },
  {
    name: "A, B, A",
    programs: [onlyA, { ...onlyB, after: [0] }],
    bounds: { runs: 4, edits: 3, faults: 1, kills: 1 },
    machines: one,
    consents: true,
  },
  {
    name: "lost state",
    programs: [counted],
    bounds: { runs: 3, faults: 1, events: 1 },
    larger: { runs: 3, faults: 1, kills: 1, events: 1 },
    machines: one,
    losesState: true,
    consents: true,
  },
  {
    name: "failing reads",
    programs: [onlyA, { ...onlyB, after: [0] }],
    bounds: { runs: 3, edits: 1, faults: 3 },
    machines: one,
    failingReads: true,
    refusals: true,
    consents: true,
  },
  {
    name: "two machines, one lock directory",
    programs: [onlyA, { ...bHasA, after: [0] }],
    bounds: { runs: 3, edits: 1, faults: 1, kills: 1 },
    machines: shared,
    parallel: 1,
    consents: true,
  },
  {
    name: "two stacks on one machine",
    programs: [
      { ...onlyA, stack: "dev" },
      { ...onlyB, stack: "dev", after: [0] },
      { ...bHasA, stack: "prod" },
    ],
    stacks: ["dev", "prod"],
    bounds: { runs: 2, faults: 1, kills: 1 },
    larger: { runs: 3, edits: 1, faults: 1, kills: 1 },
    machines: one,
    parallel: 2,
    consents: true,
  },
  {
    name: "two stacks, resend",
    programs: [
      { ...onlyA, stack: "dev" },
      { ...bHasA, stack: "prod" },
    ],
    stacks: ["dev", "prod"],
    bounds: { runs: 4, faults: 2 },
    machines: one,
    parallel: 1,
    consents: true,
  },
  ...["409", "500", "200"].map((ids) => ({
    name: `ids honoured with ${ids}, two machines apart`,
    ids,
    programs: [onlyA, { ...onlyB, after: [0] }, { ...bHasA, after: [0] }],
    bounds: { runs: 3, edits: 1, faults: 1 },
    larger: { runs: 3, edits: 1, faults: 1, kills: 1 },
    machines: apart,
    consents: true,
  })),
  ...["409", "500", "200"].map((ids) => ({
    name: `ids honoured with ${ids}, two stacks`,
    ids,
    programs: [
      { ...onlyA, stack: "dev" },
      { ...bHasA, stack: "prod" },
    ],
    stacks: ["dev", "prod"],
    bounds: { runs: 2, faults: 1, kills: 1 },
    larger: { runs: 3, faults: 1, kills: 1 },
    machines: apart,
    parallel: 2,
    consents: true,
  })),
  {
    name: "ids rejected",
    ids: "rejected",
    programs: [both, { ...swapped, after: [0] }],
    bounds: { runs: 2, edits: 1, faults: 1, kills: 1 },
    larger: { runs: 3, edits: 1, faults: 1, kills: 1 },
    machines: one,
    consents: true,
  },
  ...["409", "500", "200"].flatMap((ids) =>
    ["free", "taken"].map((deletedIds) => ({
      name: `deleted by hand, ids ${deletedIds}, ${ids}`,
      ids,
      deletedIds,
      programs: [onlyA, { ...bHasA, after: [0] }],
      bounds: { runs: 4, edits: 2, faults: 1, events: 1 },
      machines: one,
      deletes: "permits another post",
      consents: true,
    })),
  ),
  {
    name: "listed twice",
    programs: [onlyA, { ...counted, after: [0] }],
    bounds: { runs: 3, edits: 1, faults: 1, kills: 1 },
    machines: one,
    listsTwice: true,
    consents: true,
  },
  {
    name: "full history",
    programs: [both, { ...bHasA, after: [0] }],
    history: ["X", "Y", "Z"],
    limit: 3,
    bounds: { runs: 3, edits: 1, faults: 1 },
    larger: { runs: 3, edits: 1, faults: 1, kills: 1 },
    machines: one,
    consents: true,
  },
  {
    name: "history that becomes full",
    programs: [both, { ...bHasA, after: [0] }, { ...counted, after: [0] }],
    history: ["X"],
    limit: 3,
    bounds: { runs: 2, edits: 1, faults: 1, kills: 1 },
    larger: { runs: 3, edits: 1, faults: 1, kills: 1 },
    machines: one,
    consents: true,
  },
  {
    name: "full history, ids honoured",
    ids: "409",
    programs: [both, { ...bHasA, after: [0] }],
    history: ["X", "Y", "Z"],
    limit: 3,
    bounds: { runs: 3, edits: 1, faults: 1 },
    larger: { runs: 3, edits: 1, faults: 1, kills: 1 },
    machines: apart,
    consents: true,
  },
  {
    name: "full history, ids honoured, resend",
    ids: "409",
    programs: [both],
    history: ["X"],
    limit: 1,
    bounds: { runs: 3, faults: 1 },
    larger: { runs: 4, faults: 2 },
    machines: one,
    consents: true,
  },
  {
    name: "full history, moved to another incident",
    programs: [
      onlyA,
      { entries: { a: { text: "A", incident: "j" } }, after: [0] },
      { entries: { a: { text: "B", incident: "j" } }, after: [0] },
    ],
    history: ["X"],
    limit: 1,
    bounds: { runs: 3, edits: 2, faults: 1 },
    larger: { runs: 4, edits: 2, faults: 1, kills: 1 },
    machines: one,
    consents: true,
  },
  {
    name: "full history, timeline",
    programs: [timeline("AB"), { ...timeline("CAB"), after: [0] }],
    history: ["X", "Y", "Z"],
    limit: 3,
    bounds: { runs: 4, edits: 1, faults: 1 },
    machines: one,
    consents: true,
  },
  {
    name: "move to another incident",
    programs: [
      onlyA,
      { entries: { a: { text: "A", incident: "j" } }, after: [0] },
      { entries: { a: { text: "B", incident: "j" } }, after: [0, 1] },
    ],
    bounds: { runs: 3, edits: 2, faults: 1, kills: 1 },
    machines: one,
    consents: true,
  },
];

/**
 * Outside the guarantee: an explorer in which these pass is broken.
 * @type {readonly (Configuration & {fails: string})[]}
 */
const unguarded = [
  {
    name: "killed, then a run on another machine before the update is shown",
    fails: "P1",
    programs: [onlyA],
    bounds: { runs: 2, kills: 1 },
    machines: apart,
  },
  {
    name: "renamed on another machine before the update is shown",
    fails: "P1",
    programs: [onlyA, { ...bHasA, after: [0] }],
    bounds: { runs: 2, edits: 1 },
    machines: apart,
  },
  {
    name: "replaced without diff on another machine before the update is shown",
    fails: "P1",
    programs: [onlyA],
    options: [{}, { replace: ["a"] }],
    bounds: { runs: 2 },
    machines: apart,
  },
  {
    name: "two stacks that declare the same at once on two machines",
    fails: "P1",
    programs: [
      { ...onlyA, stack: "dev" },
      { ...bHasA, stack: "prod" },
    ],
    stacks: ["dev", "prod"],
    bounds: { runs: 2 },
    machines: apart,
    parallel: 2,
  },
  {
    name: "shown later than the notes live",
    fails: "P1",
    programs: [onlyA],
    bounds: { runs: 2, kills: 1, events: 1 },
    machines: one,
    late: 20,
  },
  {
    name: "an occurrence after a deletion by hand and a lost state",
    fails: "P1",
    programs: [counted],
    bounds: { runs: 2, events: 2 },
    machines: one,
    deletes: "forbids another post",
    losesState: true,
  },
  {
    name: "inserted into a timeline on another machine before the next entry is shown",
    fails: "P4",
    ids: "409",
    programs: [timeline("A"), { ...timeline("BA"), after: [0] }],
    bounds: { runs: 2, edits: 1, kills: 1 },
    machines: apart,
  },
];

module.exports = { configurations, unguarded };
