/** Timelines on pages with cards and on pages with components. */
const { apart, keyed, numbered, timeline } = require("./programs");

/** @type {readonly import("../world").Configuration[]} */
const configurations = [
  {
    name: "another resource adopts the lost update",
    programs: [
      { chain: true, entries: { b: { text: "C" }, a: { text: "A" } } },
      { chain: true, entries: { b: { text: "A" }, a: { text: "B" } }, after: [0] },
    ],
    bounds: { runs: 2, edits: 1, faults: 1 },
  },
  {
    name: "timeline, a later entry in the dashboard",
    programs: [timeline("AB")],
    dashboardText: "B",
    bounds: { runs: 2, faults: 1, kills: 1, events: 1 },
    larger: { runs: 3, faults: 1, kills: 1, events: 1 },
  },
  {
    name: "timeline",
    programs: [
      timeline("AB"),
      { ...timeline("CAB"), after: [0] },
      { ...timeline("ACB"), after: [0] },
      { ...timeline("BA"), after: [0] },
    ],
    bounds: { runs: 2, edits: 1, faults: 1, kills: 1 },
    larger: { runs: 3, edits: 1, faults: 1, kills: 1 },
  },
  {
    name: "timeline with numbers as keys",
    programs: [numbered("AB"), { ...numbered("CAB"), after: [0] }, { ...numbered("BA"), after: [0] }],
    bounds: { runs: 2, edits: 1, faults: 1, kills: 1 },
  },
  {
    name: "timeline, an entry is excluded",
    programs: [timeline("AB"), { ...timeline("ABC"), after: [0] }],
    options: [{}, { exclude: ["tA"] }, { exclude: ["tB"] }],
    bounds: { runs: 3, edits: 1, faults: 1 },
    larger: { runs: 3, edits: 1, faults: 1, kills: 1 },
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
  },
  {
    name: "timeline with repeated, dated texts, edited in the dashboard",
    programs: [timeline("A1A2"), { ...timeline("A1A2B"), after: [0] }],
    options: [{}, { refresh: true }],
    bounds: { runs: 2, edits: 1, events: 1 },
    larger: { runs: 3, edits: 1, faults: 1, events: 1 },
    edits: "E",
  },
  {
    name: "timeline with a repeated text, and the service rounds another date to its date",
    programs: [timeline("A1"), { ...timeline("A1BA2"), after: [0] }],
    bounds: { runs: 2, edits: 1, faults: 1, kills: 1, events: 1 },
    losesState: true,
    changesDates: "rounds",
  },
  {
    name: "timeline with a date that the service rounds",
    programs: [timeline("A1B")],
    bounds: { runs: 2, kills: 1, events: 1 },
    late: 0,
    machines: apart,
    losesState: true,
    changesDates: "rounds",
  },
  {
    name: "timeline that gets an identical entry without a date",
    programs: [timeline("A1"), { ...timeline("AA1"), after: [0] }, { ...timeline("A1A"), after: [0] }],
    bounds: { runs: 3, edits: 1, events: 1 },
    changesDates: "rounds",
  },
  {
    name: "two timelines with the same text",
    programs: [{ chain: true, entries: { ...timeline("A1A2", "s").entries, ...timeline("BA3").entries } }],
    bounds: { runs: 2, kills: 1 },
  },
  {
    name: "timeline with repeated entries, deleted in the dashboard, and a lost state",
    programs: [timeline("AA")],
    bounds: { runs: 2, events: 2 },
    deletes: "permits another post",
    losesState: true,
  },
  {
    name: "renamed timeline with repeated, dated texts",
    programs: [
      timeline("A2", "s"),
      { ...timeline("A1A2"), after: [0] },
      { ...timeline("AA2"), after: [0] },
      { ...timeline("A2A"), after: [0] },
    ],
    bounds: { runs: 2, edits: 1, faults: 1, kills: 1 },
    larger: { runs: 3, edits: 1, faults: 1, kills: 1 },
  },
  {
    name: "timeline, shown much later",
    programs: [timeline("AB"), { ...timeline("CAB"), after: [0] }],
    bounds: { runs: 3, edits: 1, faults: 1, events: 1 },
    losesState: true,
    late: 20,
  },
  {
    // The notes of one machine would identify the resource's own post.
    name: "replace without diff on two machines",
    machines: apart,
    late: 0,
    programs: [numbered("AB"), { ...numbered("AC"), after: [0] }, { ...numbered("CB"), after: [0] }],
    options: [{}, { replace: ["t1"] }, { replaceWith: ["t1"] }, { replaceWith: ["t2"] }],
    bounds: { runs: 3, edits: 1, faults: 1 },
  },
  {
    name: "timeline with keys",
    programs: [
      keyed({ a: "A", b: "B" }),
      keyed({ a: "C", b: "B" }, [0]),
      keyed({ a: "A", b: "B", c: "D" }, [0]),
      keyed({ a: "C", b: "B", c: "D" }, [1, 2]),
    ],
    bounds: { runs: 2, edits: 1, faults: 1, kills: 1 },
    larger: { runs: 3, edits: 2, faults: 1, kills: 1 },
  },
  {
    name: "timeline with keys, an entry is inserted",
    programs: [
      keyed({ a: "A", b: "B" }),
      keyed({ a: "A", x: "X", b: "B" }, [0]),
      keyed({ a: "A", x: "X", b: "C" }, [0, 1]),
    ],
    isUp: true,
    late: 0,
    bounds: { runs: 2, edits: 2, faults: 1, events: 1 },
    larger: { runs: 3, edits: 2, faults: 1, kills: 1, events: 1 },
    deletes: "forbids another post",
  },
  {
    name: "timeline with keys, an edit is reverted",
    programs: [keyed({ a: "A", b: "B" }), keyed({ a: "C", b: "B" }, [0]), keyed({ a: "A", b: "B" }, [1])],
    isUp: true,
    goesBack: true,
    ignoresEdits: true,
    bounds: { runs: 2, edits: 2, faults: 1 },
    larger: { runs: 3, edits: 3, faults: 1, kills: 1 },
  },
  {
    name: "timeline with keys, an entry is removed, and the order changes",
    programs: [
      keyed({ a: "A", b: "B" }),
      keyed({ b: "B" }, [0]),
      keyed({ b: "B", a: "A" }, [0]),
      keyed({ b: "A", a: "B" }, [0]),
      keyed({ b: "B", c: "A" }, [0]),
      keyed({ x: "X", a: "A", b: "B" }, [0]),
    ],
    isUp: true,
    bounds: { runs: 2, edits: 2, faults: 1 },
    larger: { runs: 3, edits: 2, faults: 1, kills: 1 },
  },
  {
    name: "timeline with keys, a key is renamed and the text corrected",
    programs: [
      keyed({ a: "A", b: "We see slow payments for most." }),
      keyed({ a: "A", c: "We see slow payments for some." }, [0]),
      keyed({ a: "A", b: "We see slow payments for some." }, [0]),
    ],
    bounds: { runs: 2, edits: 1, faults: 1, kills: 1 },
    larger: { runs: 3, edits: 2, faults: 1, kills: 1 },
  },
  {
    name: "timeline with keys on two separate machines",
    programs: [keyed({ a: "A" }), keyed({ a: "C", b: "B" }, [0]), keyed({ a: "A", b: "B" }, [1])],
    late: 0,
    machines: apart,
    bounds: { runs: 3, edits: 2, faults: 1 },
  },
];

module.exports = { configurations };
