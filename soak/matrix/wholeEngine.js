/** A sample of the matrix through the whole engine. */
const { step } = require("../../scripts/setup/progress");
const { all } = require("../bars");
const { inParallel } = require("../parallel");
const { RealStack } = require("../realStack");
const { plansFor } = require("./plans");
const { postsTooMany } = require("./run");

/** @typedef {import("./plans").Plan} Plan */

/** No divisor in common with the number of cells: so many runs meet as many cells, of all stages and kinds. */
const apart = 11;

/**
 * @param {number} count of runs, spread over all stages and kinds
 * @param {number} seed
 * @returns {Promise<import("..").Figure[]>}
 */
async function wholeEngineFigures(count, seed) {
  const plans = plansFor(count * apart, seed).filter(({ run }) => run % apart === 0);
  /** @type {boolean[]} */
  const outcomes = await step("Fault matrix on the real engine", `${count} runs, 5 s each`, (tell) =>
    inParallel(plans, runOnEngine, tell),
  );
  const right = outcomes.filter((each) => each).length;
  return [all("on the real engine: posted once, and public, and tracked or recorded", right, plans.length)];
}

/** @param {Plan} plan */
async function runOnEngine(plan) {
  const { run, cell, kind, strikes, words } = plan;
  const stack = await RealStack.create([words]);
  try {
    for (const strike of strikes) stack.relay.strike(strike);
    if (kind === "kill") {
      await stack.upKilled("provider", "SIGKILL");
    } else {
      stack.environment = { MONITORING_TIMEOUT_MS: "1000", MONITORING_DEADLINE_MS: "4000" };
      await stack.up();
    }
    await stack.relay.heal();
    stack.moveToNewMachine();
    // What isn't public is mostly looked for in vain.
    const deadlineMs = stack.published.length > 0 ? "" : "7000";
    stack.environment = { MONITORING_TIMEOUT_MS: "", MONITORING_DEADLINE_MS: deadlineMs };
    const { ok } = await stack.up();
    const found = await endOf(stack, ok);
    const struck = stack.relay.struck >= strikes.length;
    const repeated = postsTooMany(stack.relay, plan);
    const right = struck && repeated === 0 && (found === "public and tracked" || found === "remembered");
    if (!right)
      process.stderr.write(`  run ${run} (${cell}): ${JSON.stringify({ struck, repeated, found })}\n`);
    return right;
  } finally {
    await stack.remove();
  }
}

/** @param {RealStack} stack @param {boolean} ok whether the last `up` was */
async function endOf(stack, ok) {
  const published = stack.published.map(({ id }) => id);
  const { tracked, unconfirmed } = await stack.remembered();
  if (ok && published.length === 1 && published.join() === tracked.join()) return "public and tracked";
  if (!ok && published.length === 0 && unconfirmed === 1) return "remembered";
  return { ok, published, tracked, unconfirmed };
}

module.exports = { wholeEngineFigures };
