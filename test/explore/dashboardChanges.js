/** Lists the changes that a user can make in the dashboard. */
const { toEntry } = require("./service");
const { formatSavedContent } = require("./world");

/**
 * @import { World, Update, Configuration } from "./world"
 *
 * @typedef {object} DashboardChange
 * @property {string} label the change, for the trace
 * @property {World} world the world after the change
 */

/**
 * @param {Configuration} config @param {World} world
 * @param {number} [at] the time of an update that the user publishes
 * @returns {DashboardChange[]}
 */
function listDashboardChanges(config, world, at = world.now) {
  const { edits, deletes, isKept, goesBack, dashboardText, opens, resolves } = config;
  const shown = world.updates.filter(({ deleted }) => !deleted);
  const changed = (
    /** @type {Update} */ { previous: _, ...update },
    /** @type {Partial<Update>} */ change,
    /** @type {string} */ label,
  ) => {
    const after = { ...update, ...change, ...(goesBack && { changedAt: world.now }) };
    const updates = world.updates.map((each) => (each.id === update.id && !each.deleted ? after : each));
    return {
      label: `${formatSavedContent(update)} is ${label} in the dashboard`,
      world: { ...world, updates },
    };
  };
  const edited = edits === undefined ? [] : shown.filter((each) => toEntry(each).description !== edits);
  return [
    ...edited.map((each) => changed(each, { edited: edits, isReplaceable: !isKept }, `edited to ${edits}`)),
    ...(deletes ? shown : []).map((each) =>
      changed(each, { deleted: true, isReplaceable: deletes === "permits another post" }, "deleted"),
    ),
    ...shown
      .filter(({ isResolved }) => resolves && !isResolved)
      .map((each) => changed(each, { isResolved: true }, "resolved")),
    ...(dashboardText === undefined ? [] : [publishInDashboard(world, dashboardText, at, opens)]),
  ];
}

/** @param {World} world @param {string} text @param {number} at @param {string} [name] @returns {DashboardChange} */
function publishInDashboard(world, text, at, name) {
  const order = world.updates.length + 1;
  const named = name === undefined ? {} : { name };
  const update = { id: `u${order}`, container: "i", text, at, order, by: "", nonce: "", ...named };
  return {
    label: `${text} is published in the dashboard`,
    world: { ...world, updates: [...world.updates, update] },
  };
}

module.exports = { listDashboardChanges };
