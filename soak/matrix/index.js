/** The fault matrix: what becomes of an update when its post, or a read that looks for it, is struck. */
const { step } = require("../../scripts/setup/progress");
const { all, none } = require("../bars");
const { inParallel } = require("../parallel");
const { batchSize, runBatch } = require("./batch");
const { lateFigures } = require("./late");
const { plansFor } = require("./plans");
const { wholeEngineFigures } = require("./wholeEngine");

/** @typedef {import("./batch").Outcome} Outcome */
/** @typedef {import("..").Figure} Figure */

/** @param {import("..").Options} options */
async function stage({ short, seed, runs = short ? 240 : 12_000, replay }) {
  const only = replay === undefined ? undefined : Number(replay);
  const outcomes = await step("Fault matrix", `${only === undefined ? runs : 1} runs`, (tell) =>
    runMatrix(only === undefined ? plansFor(runs, seed) : plansFor(only + 1, seed).slice(-1), tell),
  );
  for (const line of mistakes(outcomes)) process.stderr.write(`  ${line}\n`);
  const figures = figuresOf(outcomes);
  if (only !== undefined) return figures;
  return [
    ...figures,
    ...(await wholeEngineFigures(Math.max(6, Math.round(runs / 200)), seed)),
    ...(await lateFigures(short)),
  ];
}

/**
 * @param {import("./plans").Plan[]} plans
 * @param {(text: string) => void} [tell]
 * @returns {Promise<Outcome[]>}
 */
async function runMatrix(plans, tell = () => undefined) {
  const batches = Array.from({ length: Math.ceil(plans.length / batchSize) }, (_, index) =>
    plans.slice(index * batchSize, (index + 1) * batchSize),
  );
  return (await inParallel(batches, runBatch, (done) => tell(`${done} times ${batchSize}`))).flat();
}

/** Of each mistake, what it takes to see it again. @param {Outcome[]} outcomes */
function mistakes(outcomes) {
  return outcomes
    .filter(
      (outcome) =>
        duplicatesOf(outcome) > 0 ||
        outcome.withheld ||
        outcome.leaked ||
        outcome.untracked ||
        outcome.repeated > 0 ||
        outcome.secondMails > 0 ||
        !outcome.settled,
    )
    .map(({ plan, struck, ...what }) => `run ${plan.run} (${plan.cell}): ${JSON.stringify(what)}`);
}

/** @param {Outcome[]} outcomes @returns {Figure[]} */
function figuresOf(outcomes) {
  const struck = outcomes.filter((outcome) => outcome.struck);
  const cells = new Set(struck.map(({ plan }) => plan.cell)).size;
  return [
    all(
      "combinations of stage and fault that occurred",
      cells,
      new Set(outcomes.map(({ plan }) => plan.cell)).size,
    ),
    all("runs in which every fault occurred", struck.length, outcomes.length),
    none("updates that are public more than once", outcomes.filter((each) => duplicatesOf(each) > 0).length),
    none(
      "duplicate emails",
      outcomes.reduce((sum, { secondMails }) => sum + secondMails, 0),
    ),
    none("rejected, and not public after two ups", outcomes.filter(({ withheld }) => withheld).length),
    none("applied but untracked after two ups", outcomes.filter(({ untracked }) => untracked).length),
    none(
      "posts after one whose result is unknown",
      outcomes.reduce((sum, { repeated }) => sum + repeated, 0),
    ),
    none("runs that print or store a key", outcomes.filter(({ leaked }) => leaked).length),
    none("stacks with changes after a refresh", outcomes.filter(({ settled }) => !settled).length),
  ];
}

/** @param {Outcome} outcome */
function duplicatesOf({ published }) {
  return Math.max(0, published - 1);
}

module.exports = { figuresOf, mistakes, runMatrix, stage };
