/** Several stacks or machines. */
const {
  apart,
  beforeCounted,
  bHasA,
  bHasB,
  counted,
  editing,
  inTwoStacks,
  onlyA,
  onlyB,
  shared,
} = require("./programs");

/** @type {readonly import("../world").Configuration[]} */
const configurations = [
  {
    name: "two machines, one lock directory",
    programs: [onlyA, { ...bHasA, after: [0] }],
    bounds: { runs: 3, edits: 1, faults: 1, kills: 1 },
    machines: shared,
  },
  {
    name: "two stacks on one machine",
    programs: [
      { ...onlyA, stack: "dev" },
      { ...onlyB, stack: "dev", after: [0] },
      { ...bHasA, stack: "prod" },
    ],
    bounds: { runs: 2, faults: 1, kills: 1 },
    larger: { runs: 3, edits: 1, faults: 1, kills: 1 },
    parallel: 2,
  },
  {
    name: "two stacks on two machines at the same time, with different texts",
    programs: [
      { ...editing(onlyA), stack: "dev" },
      { ...editing(bHasB), stack: "prod" },
      { ...editing({ entries: { b: { text: "C" } } }, [1]), stack: "prod" },
    ],
    bounds: { runs: 2, faults: 1 },
    machines: apart,
    parallel: 2,
  },
  {
    name: "two stacks, resend",
    programs: inTwoStacks,
    bounds: { runs: 4, faults: 2 },
  },
  {
    name: "two processes at the same time, shown much later",
    programs: inTwoStacks,
    bounds: { runs: 3, faults: 1 },
    parallel: 2,
    late: 20,
  },
  {
    name: "two occurrences, shown much later",
    programs: [
      { ...onlyA, stack: "dev" },
      { ...counted, stack: "prod" },
    ],
    bounds: { runs: 3, faults: 1 },
    late: 20,
  },
  ...[1, 20].map((late) => ({
    name: `occurrence 2 on two machines, ${late === 1 ? "found" : "not found"} after a lost response`,
    programs: [beforeCounted, { ...counted, after: [0] }],
    isUp: /** @type {const} */ (true),
    bounds: { runs: 3, edits: 1, faults: 1 },
    machines: apart,
    late,
  })),
  {
    name: "replaced after diff on another machine",
    programs: [onlyA],
    options: [{}, { replaceAfterDiff: ["a"] }],
    isUp: true,
    bounds: { runs: 2, faults: 1 },
    machines: apart,
  },
];

module.exports = { configurations };
