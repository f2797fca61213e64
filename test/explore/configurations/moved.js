/** A page with cards that is migrated to one with components: the incident has another address, and ids may be other ones. */
const { apart, bHasA, counted, onlyA, onlyB, shared, timeline } = require("./programs");

/** @typedef {import("../world").Program & {after?: readonly number[]}} Program */

/**
 * The same program at the new address.
 * @param {Program} program @param {readonly number[]} [after] @param {string} [container] @returns {Program}
 */
function moved({ entries, ...program }, after, container = "i2") {
  const all = Object.entries(entries).map(([urn, entry]) => [urn, { ...entry, container, page: true }]);
  return { ...program, entries: Object.fromEntries(all), ...(after && { after }) };
}

const allNew = /** @type {const} */ ({ container: "new", updates: "new" });
const allKept = /** @type {const} */ ({ container: "kept", updates: "kept" });

/** @type {readonly import("../world").Configuration[]} */
const configurations = [
  {
    name: "a page with components",
    programs: [moved(onlyA), moved(onlyB, [0]), moved(bHasA, [0])],
    bounds: { runs: 3, edits: 1, faults: 1, kills: 1 },
    larger: { runs: 4, edits: 2, faults: 2, kills: 1 },
    machines: shared,
  },
  {
    name: "migrated, all IDs are new",
    programs: [onlyA, moved(onlyA, [0]), moved(onlyB, [0, 1])],
    options: [{}, { refresh: true }],
    bounds: { runs: 3, edits: 2, faults: 1, kills: 1, events: 1 },
    larger: { runs: 4, edits: 2, faults: 2, kills: 1, events: 2 },
    migrates: allNew,
  },
  {
    name: "migrated, all IDs are kept",
    programs: [onlyA, moved(onlyA, [0], "i"), moved(onlyB, [0, 1], "i")],
    options: [{}, { refresh: true }],
    bounds: { runs: 3, edits: 2, faults: 1, kills: 1, events: 1 },
    larger: { runs: 4, edits: 2, faults: 2, kills: 1, events: 2 },
    migrates: allKept,
  },
  {
    name: "migrated, updates have new IDs",
    programs: [
      onlyA,
      moved(onlyA, [0], "i"),
      moved(onlyB, [0, 1], "i"),
      moved({ ...counted, chain: true }, [0, 1], "i"),
    ],
    bounds: { runs: 3, edits: 2, faults: 1, kills: 1, events: 1 },
    larger: { runs: 4, edits: 2, faults: 2, kills: 1, events: 1 },
    migrates: { container: "kept", updates: "new" },
  },
  {
    name: "migrated, the incident has a new ID",
    programs: [onlyA, moved(onlyA, [0]), moved(onlyB, [0, 1])],
    bounds: { runs: 3, edits: 2, faults: 1, kills: 1, events: 1 },
    larger: { runs: 4, edits: 2, faults: 2, kills: 1, events: 1 },
    migrates: { container: "new", updates: "kept" },
  },
  {
    name: "migrated, two occurrences",
    programs: [counted, moved(counted, [0])],
    bounds: { runs: 2, edits: 1, faults: 1, events: 1 },
    larger: { runs: 3, edits: 1, faults: 2, events: 1 },
    migrates: allNew,
  },
  {
    name: "migrated, older updates of others",
    programs: [
      { entries: { a: { text: "A", occurrence: 2 } } },
      moved({ entries: { a: { text: "A", occurrence: 2 } } }, [0]),
    ],
    history: ["A"],
    bounds: { runs: 3, edits: 1, faults: 1, kills: 1, events: 1 },
    migrates: allNew,
  },
  {
    name: "migrated, timeline",
    programs: [timeline("AB"), moved(timeline("AB"), [0]), moved(timeline("ABC"), [0, 1])],
    bounds: { runs: 3, edits: 2, faults: 1, events: 1 },
    larger: { runs: 3, edits: 2, faults: 1, kills: 1, events: 2 },
    migrates: allNew,
  },
  {
    name: "migrated, timeline with repeated entries",
    programs: [timeline("AA"), moved(timeline("AA"), [0]), moved(timeline("AAB"), [0, 1])],
    bounds: { runs: 3, edits: 2, faults: 1, events: 1 },
    migrates: allNew,
  },
  {
    name: "migrated, replaced",
    programs: [onlyA, moved(onlyA, [0])],
    options: [{}, { replaceWith: ["a"] }, { replaceAfterDiff: ["a"] }],
    bounds: { runs: 3, edits: 1, faults: 1, events: 1 },
    larger: { runs: 3, edits: 1, faults: 1, kills: 1, events: 2 },
    migrates: allNew,
  },
  {
    name: "migrated, on two machines",
    programs: [onlyA, moved(onlyA, [0]), moved(onlyB, [0, 1])],
    bounds: { runs: 3, edits: 2, faults: 1, events: 1 },
    late: 0,
    machines: apart,
    migrates: allNew,
  },
  {
    name: "migrated, and changed by hand",
    programs: [onlyA, moved(onlyA, [0]), moved(onlyB, [0, 1])],
    options: [{}, { refresh: true }],
    bounds: { runs: 3, edits: 2, events: 2 },
    larger: { runs: 4, edits: 2, events: 3 },
    edits: "B",
    losesState: true,
    migrates: allNew,
  },
  {
    name: "migrated, and deleted by hand",
    programs: [onlyA, moved(onlyA, [0]), moved(onlyB, [0, 1])],
    options: [{}, { refresh: true }],
    bounds: { runs: 3, edits: 1, events: 2 },
    larger: { runs: 3, edits: 1, faults: 1, events: 3 },
    deletes: "permits another post",
    migrates: allNew,
  },
  {
    name: "migrated, beyond a full history",
    programs: [
      { ...onlyA, chain: true },
      moved({ ...onlyA, chain: true }, [0]),
      moved({ ...onlyB, chain: true }, [0, 1]),
    ],
    bounds: { runs: 3, edits: 2, faults: 1, events: 1 },
    limit: 1,
    history: ["X"],
    migrates: allKept,
  },
  {
    name: "migrated, a code that is set at once",
    programs: [onlyA, moved(onlyA, [0])],
    bounds: { runs: 4, edits: 1, faults: 2, events: 1 },
    hasty: true,
    migrates: allNew,
  },
];

module.exports = { configurations, moved };
