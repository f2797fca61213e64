/** A sample of the matrix through the whole engine. */
const { step } = require("../../scripts/setup/progress");
const { all } = require("../bars");
const { inParallel } = require("../driver/parallel");
const { RealStack } = require("../driver/project");
const { plansFor } = require("./plans");

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
  return [
    all("on the real engine: once public or not at all, and tracked or remembered", right, plans.length),
  ];
}

/** @param {Plan} plan */
async function runOnEngine({ run, cell, kind, strikes, words }) {
  const stack = await RealStack.create([words]);
  try {
    for (const strike of strikes) stack.relay.strike(strike);
    if (kind === "kill") {
      await stack.upKilled("provider", "SIGKILL");
    } else {
      stack.environment = { MONITORING_TIMEOUT_MS: "500", MONITORING_DEADLINE_MS: "2000" };
      await stack.up();
    }
    await stack.relay.heal();
    stack.environment = { MONITORING_TIMEOUT_MS: "", MONITORING_DEADLINE_MS: "7000" };
    const { ok } = await stack.up();
    const published = stack.published.map(({ id }) => id);
    const tracked = await stack.tracked();
    const right =
      stack.relay.struck > 0 &&
      published.length < 2 &&
      published.join() === tracked.join() &&
      ok === (published.length === 1);
    if (!right)
      process.stderr.write(`  run ${run} (${cell}): ${JSON.stringify({ published, tracked, ok })}\n`);
    return right;
  } finally {
    await stack.remove();
  }
}

module.exports = { wholeEngineFigures };
