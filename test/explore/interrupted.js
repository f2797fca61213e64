/** P6: a program that passes undisturbed passes after an interruption at any point. */
const { undisturbedUp } = require("./undisturbed");
const { calmed, getStack, withoutExpectations, withStack } = require("./world");

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
    model.config.options.some(({ target, exclude }) => target ?? exclude)
  )
    return move;
  const run = world.runs.length > before.runs.length ? world.runs.at(-1) : undefined;
  const { machines } = model.config;
  // An undisturbed run is one on the first machine.
  const hasNotes = run !== undefined && machines[run.machine] === Object.values(machines)[0];
  const isAlone = hasNotes && world.runs.length === 1 && Object.keys(run.options).length === 0;
  const unexpected = withoutExpectations(world);
  if (!isAlone) return { ...move, world: unexpected };
  const { passes, program } = getStack(world, run.stack);
  const wasInterrupted = passes && program === before.stacks[run.stack]?.program;
  const isExpected =
    wasInterrupted ||
    undisturbedUp(model, calmed({ ...unexpected, runs: [] }), run.stack).refused.length === 0;
  return { ...move, world: isExpected ? withStack(unexpected, run.stack, { passes: true }) : unexpected };
}

module.exports = { withExpectation };
