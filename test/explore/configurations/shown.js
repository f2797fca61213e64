/** Public dates, similar texts, and updates that a user edits in the dashboard. */
const { apart, bHasA, dated, datedB, onlyA, onlyB } = require("./programs");

const date = "2099-01-05T10:00:00Z";
const rounded = "2099-01-05T00:00:00Z";
const later = "2099-01-06T10:00:00Z";
const datedTwice = { chain: true, entries: { ...dated.entries, b: { text: "A", date: rounded } } };

const b = { text: "A", date: rounded };
const twoDates = [
  { chain: true, entries: { ...dated.entries, b } },
  { chain: true, entries: { a: { text: "A", date: later }, b }, after: [0] },
];

/** @type {readonly NonNullable<import("../world").Configuration["changesDates"]>[]} */
const changes = ["rounds", "drops"];

const edited = { chain: true, entries: { a: { text: "E" } } };

/** @type {readonly import("../world").Configuration[]} */
const configurations = [
  {
    name: "public dates",
    programs: [
      { chain: true, entries: { a: { text: "A" }, b: { text: "A", date } } },
      { chain: true, entries: { a: { text: "A", date }, b: { text: "B" } }, after: [0] },
    ],
    bounds: { runs: 2, edits: 1, faults: 1, kills: 1 },
    larger: { runs: 3, edits: 1, faults: 1, kills: 1 },
  },
  {
    name: "public date that the service changes",
    programs: [{ entries: { a: { text: "A", date } } }, onlyB],
    bounds: { runs: 4, edits: 3 },
    changesDates: "rounds",
  },
  {
    name: "public date next to the date of the resource's previous update",
    programs: [
      dated,
      {
        chain: true,
        entries: { a: { text: "B" }, b: { text: "A", date: later } },
        after: [0],
      },
    ],
    bounds: { runs: 3, edits: 1, kills: 1 },
    late: 0,
    machines: apart,
    changesDates: "rounds",
  },
  {
    name: "public date that moves to another resource",
    programs: [dated, { chain: true, entries: { a: { text: "B" }, b: { text: "A", date } }, after: [0] }],
    bounds: { runs: 3, edits: 1 },
    late: 0,
    machines: apart,
    changesDates: "rounds",
  },
  ...changes.map((changesDates) => ({
    name: `the service ${changesDates} public dates`,
    programs: [dated, datedB, { ...datedTwice, after: [0] }],
    bounds: { runs: 3, edits: 1, faults: 1, events: 1 },
    larger: { runs: 3, edits: 1, faults: 1, kills: 1, events: 1 },
    losesState: true,
    changesDates,
  })),
  {
    name: "an identical update is inserted before a dated update",
    programs: [
      dated,
      { chain: true, entries: { n: { text: "A" }, ...dated.entries }, after: [0] },
      { chain: true, entries: { n: { text: "A" }, ...datedB.entries }, after: [0] },
    ],
    bounds: { runs: 3, edits: 1, faults: 1, events: 1 },
    losesState: true,
    changesDates: "rounds",
  },
  {
    name: "the date of the first of two updates changes",
    programs: twoDates,
    bounds: { runs: 2, edits: 1, faults: 1, kills: 1 },
  },
  {
    name: "a date is dropped and declared again",
    programs: [
      dated,
      { ...onlyA, after: [0] },
      { ...dated, after: [1] },
      { entries: { b: { text: "B" }, ...dated.entries }, after: [1] },
    ],
    bounds: { runs: 3, edits: 2, faults: 1 },
    changesDates: "rounds",
  },
  {
    name: "a search identifies an update by its content",
    programs: [
      { ...onlyA, stack: "dev" },
      { chain: true, entries: { ...onlyA.entries, ...datedB.entries }, stack: "dev", after: [0] },
      { entries: { c: { text: "A", date } }, stack: "prod" },
    ],
    bounds: { runs: 3, edits: 1, faults: 1 },
    changesDates: "rounds",
  },
  {
    name: "another resource adopts the update of a search",
    programs: [dated, { chain: true, entries: { n: { text: "A" }, ...dated.entries }, after: [0] }],
    bounds: { runs: 2, edits: 1, faults: 1 },
    changesDates: "rounds",
  },
  {
    name: "a similar text is declared before the older update",
    programs: [onlyA, { entries: { n: { text: "✅ A" }, ...onlyA.entries }, after: [0] }],
    bounds: { runs: 3, edits: 1, faults: 1, kills: 1 },
  },
  {
    name: "a similar text is declared before the older update, another machine",
    programs: [onlyA, { entries: { n: { text: "✅ A" }, ...onlyA.entries }, after: [0] }],
    isUp: true,
    bounds: { runs: 2, edits: 1 },
    machines: apart,
  },
  {
    name: "a text similar to an update of another stack",
    programs: [
      { ...onlyA, stack: "dev" },
      { entries: { n: { text: "✅ A" } }, stack: "prod" },
    ],
    bounds: { runs: 3, faults: 1 },
  },
  {
    name: "an identical update is declared before a dated update",
    programs: [dated, { entries: { n: { text: "A" }, ...dated.entries }, after: [0] }],
    isUp: true,
    bounds: { runs: 2, edits: 1 },
  },
  {
    name: "edited in the dashboard",
    programs: [onlyA, { ...edited, after: [0] }],
    options: [{}, { refresh: true }],
    bounds: { runs: 4, edits: 1, faults: 1, events: 1 },
    edits: "E",
  },
  {
    name: "edited in the dashboard, replace without diff on another machine",
    programs: [onlyA],
    options: [{}, { replaceWith: ["a"] }, { refresh: true, replaceWith: ["a"] }],
    isUp: true,
    bounds: { runs: 3, faults: 1, events: 1 },
    late: 0,
    machines: apart,
    edits: "E",
    isKept: true,
  },
  {
    name: "edited in the dashboard, renamed",
    programs: [onlyA, { ...bHasA, after: [0] }],
    isUp: true,
    bounds: { runs: 2, edits: 1, kills: 1, events: 1 },
    edits: "E",
    isKept: true,
  },
  {
    name: "edited in the dashboard after a lost response, and both texts are declared",
    programs: [onlyA, { chain: true, entries: { ...edited.entries, ...bHasA.entries }, after: [0] }],
    bounds: { runs: 3, edits: 1, faults: 1, events: 1 },
    larger: { runs: 4, edits: 1, faults: 2, events: 1 },
    edits: "E",
    dashboardText: "E",
  },
];

module.exports = { configurations };
