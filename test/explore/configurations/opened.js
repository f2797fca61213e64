/** Incidents that a program opens on a page. In most configurations, all incidents have the same name, because this is the worst case. */
const { apart, shared } = require("./programs");

/** @typedef {import("../world").Configuration} Configuration */

const name = "N";
/** @param {string} text */
const opened = (text) => ({ text, name });

const onlyA = { entries: { a: opened("A") } };
const onlyB = { entries: { a: opened("B") }, after: [0] };
const bHasA = { entries: { b: opened("A") }, after: [0] };
const both = { entries: { a: opened("A"), b: opened("B") }, after: [0] };
const twins = { entries: { a: opened("A"), b: opened("A") }, after: [0] };
/** Corrects the name of an incident that a killed run may have opened. */
const renamed = { entries: { a: { ...opened("B"), name: "M" } }, after: [0] };

/** @type {readonly Configuration[]} */
const configurations = [
  {
    name: "an incident is opened",
    programs: [onlyA],
    opens: name,
    bounds: { runs: 3, faults: 2, kills: 1 },
    larger: { runs: 4, faults: 2, kills: 2 },
  },
  {
    name: "an incident, a second incident and a rename",
    programs: [onlyA, both, bHasA],
    opens: name,
    bounds: { runs: 3, edits: 1, faults: 1, kills: 1 },
    larger: { runs: 4, edits: 2, faults: 1, kills: 1 },
  },
  {
    name: "a change of an incident is rejected, even after a kill",
    programs: [onlyA, onlyB],
    opens: name,
    bounds: { runs: 3, edits: 1, faults: 1, kills: 1 },
  },
  {
    name: "an incident whose name changes after a kill",
    programs: [onlyA, renamed],
    opens: name,
    bounds: { runs: 3, edits: 1, faults: 1, kills: 1 },
  },
  {
    name: "an incident is resolved, and the state is lost",
    programs: [onlyA, { ...bHasA, after: [0] }],
    opens: name,
    resolves: true,
    losesState: true,
    bounds: { runs: 3, edits: 1, faults: 1, kills: 1, events: 2 },
    larger: { runs: 4, edits: 1, faults: 1, kills: 1, events: 3 },
  },
  {
    name: "an incident with a different text under the same name, after a lost state",
    programs: [onlyA, { entries: { b: opened("B") }, after: [0] }],
    opens: name,
    losesState: true,
    bounds: { runs: 3, edits: 1, faults: 1, kills: 1, events: 2 },
  },
  {
    name: "an identical incident was resolved before",
    programs: [onlyA, both, twins],
    opens: name,
    history: ["A"],
    resolves: true,
    bounds: { runs: 3, edits: 1, faults: 1, kills: 1, events: 1 },
  },
  {
    name: "an incident is opened and resolved in the dashboard",
    programs: [onlyA, both],
    opens: name,
    dashboardText: "B",
    resolves: true,
    bounds: { runs: 3, edits: 1, faults: 1, events: 2 },
  },
  {
    name: "a colleague opens an identical incident",
    programs: [onlyA, both],
    opens: name,
    dashboardText: "A",
    bounds: { runs: 3, edits: 1, faults: 1, kills: 1, events: 1 },
  },
  {
    name: "a colleague opens an incident with the same name, and the state is lost",
    programs: [onlyA, both],
    opens: name,
    dashboardText: "C",
    losesState: true,
    bounds: { runs: 3, edits: 1, faults: 1, kills: 1, events: 2 },
  },
  {
    name: "an incident on two machines with one lock directory",
    programs: [onlyA],
    opens: name,
    machines: shared,
    parallel: 2,
    bounds: { runs: 3, faults: 1, kills: 1 },
  },
  {
    name: "an incident of two stacks on one machine",
    programs: [
      { ...onlyA, stack: "dev" },
      { entries: { b: opened("A") }, stack: "prod" },
    ],
    opens: name,
    parallel: 2,
    bounds: { runs: 3, faults: 1, kills: 1 },
  },
  {
    name: "an incident, replaced without diff, and failing reads",
    programs: [onlyA],
    opens: name,
    options: [{}, { replace: ["a"] }, { replaceWith: ["a"] }],
    failingReads: true,
    rejectsRequests: true,
    bounds: { runs: 3, faults: 2, kills: 1 },
  },
];

module.exports = {
  configurations,
  unguarded: [
    {
      name: "an incident on two separate machines",
      programs: [onlyA],
      opens: name,
      machines: apart,
      fails: "P1",
      bounds: { runs: 2, kills: 1 },
    },
  ],
};
