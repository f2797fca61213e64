/** P6: a program that passes undisturbed passes after an interruption at any point. */
const { undisturbedUp } = require("./undisturbed");
const { calmed } = require("./world");

/**
 * @import { World } from "./world"
 * @import { Model, Successor } from "./engine"
 */

/**
 * Notes of a run that begins whether it would pass undisturbed, and forgets that of others when anything else happens.
 * @param {Model} model @param {World} before @param {Successor} move
 * @returns {Successor}
 */
function withExpectation(model, before, move) {
  const { world } = move;
  // What a resource without a state adopts, also after a kill and `--target`, may be what another one still has: nothing is posted, but the user must choose.
  if (
    model.config.isDrawn ||
    model.config.losesState ||
    model.config.edits !== undefined ||
    // Somebody may delete an update between the read and its edit.
    (model.config.hasEdits && model.config.deletes !== undefined) ||
    model.config.options.some(({ target, exclude }) => target ?? exclude)
  )
    return move;
  const run = world.runs.length > before.runs.length ? world.runs.at(-1) : undefined;
  const isAlone = run !== undefined && world.runs.length === 1 && Object.keys(run.options).length === 0;
  const stacks = Object.fromEntries(
    Object.entries(world.stacks).map(([name, { passes, ...stack }]) => {
      if (!isAlone || name !== run.stack) return [name, stack];
      const wasInterrupted = passes && stack.program === before.stacks[name]?.program;
      const calm = calmed({ ...world, stacks: { ...world.stacks, [name]: stack }, runs: [] });
      const isExpected = wasInterrupted || undisturbedUp(model, calm, name).refused.length === 0;
      return [name, isExpected ? { ...stack, passes: true } : stack];
    }),
  );
  return { ...move, world: { ...world, stacks } };
}

module.exports = { withExpectation };
