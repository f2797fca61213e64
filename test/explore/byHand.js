/** What somebody does to an update by hand, on the page itself. */
const { entryOf } = require("./service");

/**
 * @import { World, Update, Configuration } from "./world"
 *
 * @typedef {object} ByHand
 * @property {string} label
 * @property {Update} update before the change
 * @property {World} world after it
 */

/** @param {Configuration} config @param {World} world @returns {ByHand[]} */
function changesByHand({ edits, deletes, isKept, goesBack }, world) {
  const shown = world.updates.filter(({ deleted }) => !deleted);
  const changed = (
    /** @type {Update} */ { previous: _, ...update },
    /** @type {Partial<Update>} */ change,
    /** @type {string} */ label,
  ) => {
    const after = { ...update, ...change, ...(goesBack && { changedAt: world.now }) };
    const updates = world.updates.map((each) => (each.id === update.id && !each.deleted ? after : each));
    return { label, update, world: { ...world, updates } };
  };
  const edited = edits === undefined ? [] : shown.filter((each) => entryOf(each).description !== edits);
  return [
    ...edited.map((each) => changed(each, { edited: edits, isReplaceable: !isKept }, `edited to ${edits}`)),
    ...(deletes ? shown : []).map((each) =>
      changed(each, { deleted: true, isReplaceable: deletes === "permits another post" }, "deleted"),
    ),
  ];
}

module.exports = { changesByHand };
