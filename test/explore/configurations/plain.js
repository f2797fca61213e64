/** One stack on one machine, and a service that ignores the IDs in posts. */
const {
  beforeCounted,
  bHasA,
  both,
  chained,
  counted,
  onlyA,
  onlyB,
  ordered,
  swapped,
  twins,
} = require("./programs");

/** @type {readonly import("../world").Configuration[]} */
const configurations = [
  {
    name: "one update",
    programs: [onlyA, onlyB],
    bounds: { runs: 3, edits: 1, faults: 1, kills: 1 },
    larger: { runs: 4, edits: 3, faults: 2, kills: 2, events: 1 },
  },
  {
    name: "two updates, swap",
    programs: [both, { ...swapped, after: [0] }, { ...bHasA, after: [0, 1] }],
    bounds: { runs: 2, edits: 1, faults: 1 },
    larger: { runs: 3, edits: 1, faults: 1, kills: 1 },
  },
  {
    name: "swap of two unconfirmed updates",
    programs: [both, { ...swapped, after: [0] }],
    bounds: { runs: 2, edits: 1, faults: 2 },
    larger: { runs: 3, edits: 1, faults: 2 },
  },
  {
    name: "rename",
    programs: [onlyA, { ...bHasA, after: [0] }, { ...twins, after: [0, 1] }],
    bounds: { runs: 3, edits: 2, faults: 1, kills: 1 },
    larger: { runs: 4, edits: 2, faults: 1, kills: 1 },
  },
  {
    name: "occurrence",
    programs: [
      onlyA,
      { ...counted, after: [0] },
      { chain: true, entries: ordered({ y: { text: "A", key: "y", followedBy: [] } }), after: [1] },
    ],
    bounds: { runs: 3, edits: 2, faults: 1, kills: 1 },
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
  },
  {
    name: "replace without diff",
    programs: [onlyA, { ...onlyB, after: [0] }],
    options: [{}, { replace: ["a"] }, { replaceWith: ["a"] }],
    bounds: { runs: 2, edits: 1, faults: 1, kills: 1 },
    larger: { runs: 3, edits: 1, faults: 1, kills: 1 },
  },
  {
    name: "refresh",
    programs: [both, { ...swapped, after: [0] }, { ...bHasA, after: [0] }, { ...twins, after: [0] }],
    options: [{}, { refresh: true }],
    bounds: { runs: 2, edits: 1, faults: 1 },
    larger: { runs: 3, edits: 1, faults: 2 },
  },
  {
    name: "target",
    programs: [both, { ...swapped, after: [0] }, { ...counted, after: [0] }],
    options: [{}, { target: ["a"] }, { target: ["b"] }],
    bounds: { runs: 2, edits: 1, faults: 1 },
    larger: { runs: 3, edits: 1, faults: 1, kills: 1 },
  },
  {
    name: "lost state",
    programs: [counted],
    bounds: { runs: 3, faults: 1, events: 1 },
    larger: { runs: 3, faults: 1, kills: 1, events: 1 },
    losesState: true,
  },
  {
    name: "lost state, and two occurrences deleted in the dashboard",
    programs: [counted],
    bounds: { runs: 2, events: 3 },
    losesState: true,
    deletes: "permits another post",
    late: 20,
  },
  {
    name: "failing reads",
    programs: [onlyA, { ...onlyB, after: [0] }],
    bounds: { runs: 3, edits: 1, faults: 3 },
    failingReads: true,
    rejectsRequests: true,
  },
  {
    name: "listed twice",
    programs: [beforeCounted, { ...counted, after: [0] }],
    bounds: { runs: 3, edits: 1, faults: 1, kills: 1 },
    listsTwice: true,
  },
  {
    name: "another object in the response",
    programs: [onlyA, { ...counted, after: [0] }, { ...onlyB, after: [0] }],
    bounds: { runs: 3, edits: 1, faults: 1 },
    otherObjects: true,
  },
  {
    name: "a response with the first of identical updates",
    programs: [onlyA, { ...counted, after: [0] }],
    bounds: { runs: 3, edits: 1, faults: 1 },
    keepsOne: true,
  },
  {
    name: "shown much later",
    programs: [onlyA, { ...bHasA, after: [0] }],
    options: [{}, { replace: ["a"] }],
    bounds: { runs: 3, edits: 1, faults: 1, events: 1 },
    late: 20,
  },
  {
    name: "a code that is set immediately",
    programs: [onlyA, { ...onlyB, after: [0] }, { ...bHasA, after: [0] }],
    bounds: { runs: 3, edits: 1, faults: 2 },
    larger: { runs: 4, edits: 1, faults: 2, kills: 1 },
    hasty: true,
  },
  {
    name: "a leftover code, shown much later",
    programs: [onlyA, { ...onlyB, after: [0] }],
    bounds: { runs: 4, edits: 1, faults: 2 },
    late: 20,
  },
  {
    name: "move to another incident",
    programs: [
      onlyA,
      { entries: { a: { text: "A", container: "j" } }, after: [0] },
      { entries: { a: { text: "B", container: "j" } }, after: [0, 1] },
    ],
    bounds: { runs: 3, edits: 2, faults: 1, kills: 1 },
  },
];

module.exports = { configurations };
