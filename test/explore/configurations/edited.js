/** Updates that are edited in place, on a page with components. */
const { apart, bHasA, both, counted, editing, onlyA, onlyB, onPage, shared, swapped } = require("./programs");

const onlyC = { entries: { a: { text: "C" } } };
/** A date before the start of the incident. A page with components rejects it. */
const early = { entries: { a: { text: "A", date: "1967-01-05T10:00:00Z" } } };
const dated = { entries: { a: { text: "A", date: "2100-01-05T10:00:00.000Z" } } };
const later = { entries: { a: { text: "A", date: "2100-01-06T10:00:00.000Z" } } };

/** @type {readonly import("../world").Configuration[]} */
const configurations = [
  {
    name: "a page with components",
    programs: [onPage(onlyA), onPage(onlyB, [0]), onPage(bHasA, [0])],
    bounds: { runs: 3, edits: 1, faults: 1, kills: 1 },
    larger: { runs: 4, edits: 2, faults: 2, kills: 1 },
    machines: shared,
  },
  {
    name: "an edit",
    programs: [editing(onlyA), editing(onlyB), editing(onlyC, [1])],
    bounds: { runs: 3, edits: 2, faults: 1, kills: 1 },
    larger: { runs: 4, edits: 3, faults: 2, kills: 1 },
  },
  {
    name: "an edit that is reverted",
    programs: [editing(onlyA), editing(onlyB), editing(onlyA, [1])],
    bounds: { runs: 3, edits: 2, faults: 1, kills: 1 },
    larger: { runs: 4, edits: 3, faults: 1, kills: 1 },
    goesBack: true,
    ignoresEdits: true,
  },
  {
    name: "an edit that is reverted on two machines",
    programs: [editing(onlyA), editing(onlyB, [0]), editing(onlyA, [1])],
    isUp: true,
    bounds: { runs: 2, edits: 2, faults: 1 },
    machines: apart,
  },
  {
    name: "a correction of a killed correction",
    programs: [editing(onlyA), editing(onlyB, [0]), editing(onlyC, [1])],
    bounds: { runs: 3, edits: 2, faults: 1, kills: 2 },
    larger: { runs: 4, edits: 2, faults: 1, kills: 2 },
    ignoresEdits: true,
  },
  {
    name: "another resource adopts a killed run's post, and the name is used again",
    programs: [
      editing(onlyA),
      editing(bHasA, [0]),
      editing({ chain: true, entries: { a: { text: "C" }, b: { text: "A" } } }, [1]),
    ],
    bounds: { runs: 3, edits: 2, kills: 1 },
    larger: { runs: 4, edits: 2, faults: 1, kills: 1 },
  },
  {
    name: "a text that an edit removes and another resource declares",
    programs: [editing(both), editing(swapped, [0])],
    bounds: { runs: 2, edits: 1, faults: 1 },
  },
  {
    name: "an edit of a killed run's post",
    programs: [editing(onlyA), editing(onlyB, [0])],
    bounds: { runs: 2, edits: 1, kills: 1, events: 1 },
    larger: { runs: 3, edits: 1, kills: 1, events: 2 },
  },
  {
    name: "an update is removed, and the name of its resource is used again",
    programs: [editing(onlyA, []), { entries: {}, after: [0] }, editing(onlyB, [1])],
    isUp: true,
    bounds: { runs: 3, edits: 2, faults: 1, kills: 1, events: 1 },
  },
  {
    name: "a change of a killed run's post is rejected",
    programs: [{ entries: { a: { text: "A" } } }, { entries: { a: { text: "B" } }, after: [0] }],
    bounds: { runs: 2, edits: 1, kills: 1, events: 1 },
    larger: { runs: 3, edits: 1, kills: 1, events: 2 },
  },
  {
    name: "an edit after a colleague's edit",
    programs: [editing(onlyA), editing(onlyB, [0]), editing({ entries: { a: { text: "E" } } }, [0])],
    options: [{}, { refresh: true }],
    bounds: { runs: 3, edits: 1, faults: 1, events: 2 },
    larger: { runs: 4, edits: 2, faults: 1, kills: 1, events: 2 },
    edits: "E",
    hasty: true,
  },
  {
    name: "an edit of an update that is deleted in the dashboard",
    programs: [editing(onlyA), editing(onlyB, [0])],
    options: [{}, { refresh: true }],
    bounds: { runs: 3, edits: 1, faults: 1, events: 1 },
    larger: { runs: 4, edits: 2, faults: 1, kills: 1, events: 2 },
    deletes: "permits another post",
  },
  {
    name: "a lost edit of an update that is deleted in the dashboard long after its post",
    programs: [editing(onlyA), editing(onlyB, [0]), editing(onlyC, [1])],
    options: [{}, { refresh: true }],
    bounds: { runs: 3, edits: 2, faults: 1, kills: 1, events: 1 },
    larger: { runs: 4, edits: 3, faults: 2, kills: 1, events: 2 },
    deletes: "permits another post",
    isOld: true,
    late: 0,
  },
  {
    name: "an edit of a lost post that a colleague has edited",
    programs: [editing(onlyA), editing(onlyB, [0])],
    bounds: { runs: 3, edits: 1, faults: 1, kills: 1, events: 1 },
    larger: { runs: 4, edits: 1, faults: 2, kills: 1, events: 2 },
    edits: "E",
    hasty: true,
  },
  {
    name: "an edit that reads show late",
    programs: [editing(onlyA), editing(onlyB, [0]), editing(onlyC, [1])],
    isUp: true,
    bounds: { runs: 3, edits: 2, faults: 1, events: 1 },
    larger: { runs: 4, edits: 3, faults: 1, kills: 1, events: 1 },
    edits: "E",
    goesBack: true,
  },
  {
    name: "an edit of a date",
    programs: [editing(dated), editing(later), editing(onlyA)],
    bounds: { runs: 3, edits: 2, faults: 1 },
    larger: { runs: 4, edits: 3, faults: 1, kills: 1 },
  },
  {
    name: "an edit to a date before the incident's start",
    programs: [editing(onlyA), editing(early), editing(onlyB, [0, 1])],
    bounds: { runs: 3, edits: 2, faults: 1 },
    larger: { runs: 4, edits: 2, faults: 1, kills: 1 },
  },
  {
    name: "an edit to the text of another update",
    programs: [
      editing(both),
      editing({ entries: { a: { text: "B" }, b: { text: "B" } } }, [0]),
      editing(onlyC, [0]),
    ],
    isUp: true,
    bounds: { runs: 3, edits: 1, faults: 1 },
  },
  {
    name: "an edit of one of two occurrences",
    programs: [
      editing(counted),
      editing({ entries: { x: { text: "B" }, y: { text: "A" } } }, [0]),
      editing({ entries: { x: { text: "A" }, y: { text: "B" } } }, [0]),
    ],
    bounds: { runs: 3, edits: 1, faults: 1 },
  },
  {
    name: "edits of both of two occurrences",
    programs: [
      editing({ entries: { a: { text: "A" }, b: { text: "A" } } }),
      editing({ entries: { a: { text: "B" }, b: { text: "B" } } }, [0]),
    ],
    bounds: { runs: 3, edits: 1, faults: 1 },
  },
  {
    name: "an edit beyond a full history",
    programs: [editing(onlyA), editing(onlyB, [0])],
    isUp: true,
    dashboardText: "X",
    limit: 1,
    bounds: { runs: 2, edits: 1, faults: 1, events: 1 },
  },
  {
    name: "an edit of a resource that is replaced",
    programs: [editing(onlyA), editing(onlyB, [0])],
    options: [{}, { replaceWith: ["a"] }, { replaceAfterDiff: ["a"] }],
    isUp: true,
    bounds: { runs: 3, edits: 1, faults: 1 },
  },
  {
    name: "an edit and a renamed resource",
    programs: [editing(onlyA), editing(onlyB, [0]), editing(bHasA, [0])],
    bounds: { runs: 3, edits: 2, faults: 1 },
  },
  {
    name: "an edit on two separate machines",
    programs: [editing(onlyA), editing(onlyB, [0]), editing(onlyC, [1])],
    bounds: { runs: 3, edits: 2, faults: 1 },
    late: 0,
    machines: apart,
  },
  {
    name: "an edit and a lost state",
    programs: [editing(onlyA), editing(onlyB, [0])],
    bounds: { runs: 3, edits: 2, faults: 1, events: 1 },
    losesState: true,
  },
  {
    name: "failing reads around an edit",
    programs: [editing(onlyA), editing(onlyB, [0])],
    isUp: true,
    bounds: { runs: 3, edits: 1, faults: 3 },
    failingReads: true,
    rejectsRequests: true,
  },
];

module.exports = { configurations };
