/** Services that use or reject the IDs in posts. */
const { apart, beforeCounted, bHasA, chained, counted, inTwoStacks, onlyA, onlyB } = require("./programs");

/** @typedef {import("../world").Configuration} Configuration */

/** The responses to a second post with the same ID, for services that use the IDs in posts. @type {readonly NonNullable<Configuration["ids"]>[]} */
const honored = ["409", "500", "200"];

/** The status of a deleted update's ID: free for another update, or still taken. @type {readonly NonNullable<Configuration["deletedIds"]>[]} */
const deleted = ["free", "taken"];

/** @type {readonly import("../world").Configuration[]} */
const configurations = [
  ...honored.map((ids) => ({
    name: `IDs honored with ${ids}, two separate machines`,
    ids,
    programs: [onlyA, { ...onlyB, after: [0] }, { ...bHasA, after: [0] }],
    bounds: { runs: 3, edits: 1, faults: 1 },
    larger: { runs: 3, edits: 1, faults: 1, kills: 1 },
    machines: apart,
  })),
  {
    name: "IDs returned in capital letters",
    ids: "409",
    capitals: true,
    programs: [onlyA, { ...onlyB, after: [0] }, { ...bHasA, after: [0] }],
    bounds: { runs: 3, edits: 1, faults: 1 },
    machines: apart,
  },
  ...honored.map((ids) => ({
    name: `IDs honored with ${ids}, two stacks`,
    ids,
    programs: inTwoStacks,
    // The responses of the services only differ after a fault.
    bounds: ids === "409" ? { runs: 2, kills: 1 } : { runs: 2, faults: 1 },
    larger: { runs: 3, faults: 1, kills: 1 },
    machines: apart,
    parallel: 2,
  })),
  ...honored.flatMap((ids) =>
    deleted.map((deletedIds) => ({
      name: `deleted in the dashboard, IDs ${deletedIds}, ${ids}`,
      ids,
      deletedIds,
      programs: [onlyA, { ...bHasA, after: [0] }],
      bounds: { runs: 4, edits: 2, faults: 1, events: 1 },
      deletes: /** @type {const} */ ("permits another post"),
    })),
  ),
  {
    name: "deleted in the dashboard on two machines, IDs taken",
    ids: "500",
    deletedIds: "taken",
    programs: [onlyA],
    bounds: { runs: 2, faults: 1, events: 1 },
    machines: apart,
    deletes: "permits another post",
  },
  {
    name: "occurrence, IDs honored, two separate machines",
    ids: "409",
    programs: [beforeCounted, { ...counted, after: [0] }],
    bounds: { runs: 3, edits: 1, kills: 1 },
    machines: apart,
  },
  {
    name: "occurrence, a response with the existing update, two separate machines",
    ids: "200",
    programs: [counted],
    bounds: { runs: 3, kills: 1 },
    machines: apart,
    late: 1,
    goesBack: true,
  },
  {
    name: "IDs honored with 400, another stack",
    ids: "400",
    programs: [
      { ...onlyA, stack: "dev" },
      { ...chained, stack: "dev", after: [0] },
      { chain: true, entries: { c: { text: "A" }, d: { text: "B" } }, stack: "prod" },
      { entries: { d: { text: "B" } }, stack: "prod" },
    ],
    isUp: "long ago",
    bounds: { runs: 2, edits: 1, kills: 1 },
    larger: { runs: 2, edits: 1, faults: 1, kills: 1 },
    machines: apart,
  },
  {
    name: "IDs honored with 400, an update before",
    ids: "400",
    programs: [onlyA, { ...chained, after: [0] }],
    isUp: true,
    bounds: { runs: 2, edits: 1, faults: 1, kills: 1 },
    machines: apart,
  },
];

module.exports = { configurations };
