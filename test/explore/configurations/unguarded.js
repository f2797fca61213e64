/** Configurations outside the guarantee. Each must violate the property in `fails`, otherwise the explorer is broken. */
const { unguarded: openings } = require("./opened");
const { apart, bHasA, counted, inTwoStacks, onlyA } = require("./programs");

/** @param {Record<string, {text: string}>} entries */
const chain = (entries) => ({ chain: true, entries });

/** @type {readonly import("../world").Configuration[]} */
const configurations = [
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
    name: "two stacks that declare the same update at the same time on two machines",
    fails: "P1",
    programs: inTwoStacks,
    bounds: { runs: 2 },
    machines: apart,
    parallel: 2,
  },
  {
    name: "shown after the notes have expired",
    fails: "P1",
    programs: [onlyA],
    bounds: { runs: 2, kills: 1, events: 1 },
    late: 20,
  },
  {
    name: "an occurrence after a deletion in the dashboard and a lost state",
    fails: "P1",
    programs: [counted],
    bounds: { runs: 2, events: 2 },
    deletes: "forbids another post",
    losesState: true,
  },
  {
    name: "killed, and the notes are lost before the update is shown",
    fails: "P1",
    programs: [onlyA],
    bounds: { runs: 2, kills: 1, events: 1 },
    losesNotes: true,
  },
  {
    name: "renamed after a full history no longer contains it",
    fails: "P1",
    limit: 2,
    programs: [
      chain({ a: { text: "A" } }),
      { ...chain({ a: { text: "A" }, c: { text: "B" }, d: { text: "C" } }), after: [0] },
      { ...chain({ b: { text: "A" }, c: { text: "B" }, d: { text: "C" } }), after: [1] },
    ],
    bounds: { runs: 3, edits: 2, events: 1 },
    machines: apart,
  },
  ...openings,
];

module.exports = { configurations };
