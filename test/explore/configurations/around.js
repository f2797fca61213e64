/** Events outside the protocol. The start of an incident is corrected, the service is set up again, or the notes can't be read. */
const { bHasA, counted, onlyA, onlyB } = require("./programs");

/** @type {readonly import("../world").Configuration[]} */
const configurations = [
  {
    name: "incident that is corrected",
    programs: [onlyA, { ...bHasA, after: [0] }],
    bounds: { runs: 2, edits: 1, faults: 1, kills: 1, events: 1 },
    larger: { runs: 3, edits: 1, faults: 1, kills: 1, events: 1 },
    corrects: true,
  },
  {
    name: "incident that is corrected, and an update deleted in the dashboard",
    programs: [onlyA],
    history: ["B"],
    bounds: { runs: 2, faults: 1, events: 2 },
    larger: { runs: 2, faults: 1, kills: 1, events: 3 },
    deletes: "permits another post",
    corrects: true,
  },
  {
    name: "service that is set up again",
    programs: [onlyA, { ...onlyB, after: [0] }],
    bounds: { runs: 2, edits: 1, faults: 1, events: 2 },
    larger: { runs: 3, edits: 1, faults: 1, kills: 1, events: 2 },
    startsAnew: true,
    losesState: true,
  },
  {
    name: "notes that a process can't read",
    programs: [counted],
    options: [{}, { withoutNotes: true }],
    bounds: { runs: 3, faults: 1, kills: 1 },
  },
];

module.exports = { configurations };
