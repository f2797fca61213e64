/** P6: if a run succeeds undisturbed, it also succeeds after an interruption at any point. */
const { runUndisturbed } = require("./undisturbed");
const { toCalmWorld, getStack, omitExpectations, withStack } = require("./world");

/**
 * @import { World } from "./world"
 * @import { Model, Successor } from "./engine"
 */

/**
 * If a run starts, records whether it would succeed undisturbed. Any other event deletes these records, because it may change the result.
 * @param {Model} model @param {World} before @param {Successor} move
 * @returns {Successor}
 */
function expectSuccess(model, before, move) {
  const { world } = move;
  // A resource without a state may adopt an update that another resource still owns, for example after a kill with `--target`. Nothing is
  // posted, but the user must decide, so no result is expected.
  if (
    model.config.isDrawn ||
    model.config.losesState ||
    model.config.options.some(({ target, exclude }) => target ?? exclude)
  )
    return move;
  const run = world.runs.length > before.runs.length ? world.runs.at(-1) : undefined;
  const { machines } = model.config;
  // Undisturbed runs are computed for the first machine, so the notes must be that machine's.
  const hasNotes = run !== undefined && machines[run.machine] === Object.values(machines)[0];
  const isAlone = hasNotes && world.runs.length === 1 && Object.keys(run.options).length === 0;
  const unexpected = omitExpectations(world);
  if (!isAlone) return { ...move, world: unexpected };
  const { shouldSucceed, program } = getStack(world, run.stack);
  const wasInterrupted = shouldSucceed && program === before.stacks[run.stack]?.program;
  const isExpected =
    wasInterrupted ||
    runUndisturbed(model, toCalmWorld({ ...unexpected, runs: [] }), run.stack).rejections.length === 0;
  return {
    ...move,
    world: isExpected ? withStack(unexpected, run.stack, { shouldSucceed: true }) : unexpected,
  };
}

module.exports = { expectSuccess };
