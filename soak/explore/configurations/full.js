/** Histories that are cut at their limit. */
const { apart, bHasA, both, chained, counted, onlyA, timeline } = require("./programs");

/** @type {readonly import("../world").Configuration[]} */
const configurations = [
  {
    name: "full history",
    programs: [both, { ...bHasA, after: [0] }],
    history: ["X", "Y", "Z"],
    limit: 3,
    bounds: { runs: 2, edits: 1, faults: 1 },
    larger: { runs: 3, edits: 1, faults: 1, kills: 1 },
  },
  {
    name: "history that becomes full",
    programs: [both, { ...bHasA, after: [0] }, { ...counted, after: [0] }],
    history: ["X"],
    limit: 3,
    bounds: { runs: 2, edits: 1, faults: 1 },
    larger: { runs: 3, edits: 1, faults: 1, kills: 1 },
  },
  {
    name: "full history, ids honoured",
    ids: "409",
    programs: [both, { ...bHasA, after: [0] }],
    history: ["X", "Y", "Z"],
    limit: 3,
    bounds: { runs: 2, edits: 1, faults: 1 },
    larger: { runs: 3, edits: 1, faults: 1, kills: 1 },
    machines: apart,
  },
  {
    name: "full history, ids honoured, resend",
    ids: "409",
    programs: [both],
    history: ["X"],
    limit: 1,
    bounds: { runs: 2, faults: 1 },
    larger: { runs: 4, faults: 2 },
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
  },
  {
    name: "full history, timeline",
    programs: [timeline("AB"), { ...timeline("CAB"), after: [0] }],
    history: ["X", "Y", "Z"],
    limit: 3,
    bounds: { runs: 4, edits: 1, faults: 1 },
  },
  {
    name: "full history, two occurrences",
    programs: [counted],
    history: ["X", "Y", "Z"],
    limit: 3,
    bounds: { runs: 2, faults: 1 },
    larger: { runs: 3, faults: 1 },
  },
  {
    name: "full history, answered with an older update",
    programs: [onlyA],
    history: ["X"],
    limit: 1,
    byHand: "B",
    bounds: { runs: 2, faults: 1, events: 1 },
    otherObjects: true,
  },
  {
    name: "full history, lost state",
    programs: [chained],
    history: ["X"],
    limit: 1,
    bounds: { runs: 4, events: 2 },
    losesState: true,
  },
  {
    name: "full history, lost state, another machine",
    programs: [chained],
    history: ["X"],
    limit: 1,
    bounds: { runs: 4, events: 1 },
    machines: apart,
    late: 0,
    losesState: true,
  },
];

module.exports = { configurations };
