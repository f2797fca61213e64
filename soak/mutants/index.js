/** Whether the tests tell a change of the code that decides: retries, paths, redaction, reconciliation. */
const { step } = require("../../scripts/setup/progress");
const { groups } = require("./groups");
const { figureOf, lastFigures } = require("./lastFigures");
const { measure, remarksOn } = require("./measure");

/** The others take hours: `npm run mutants` runs them, and their last figures are shown. */
const whole = Object.keys(groups).filter((name) => groups[name]?.bar === 100);
const quick = ["retry decision", "path building"];

/** @type {import("..").Stage} */
async function stage({ short }) {
  /** @type {import("..").Figure[]} */
  const figures = [];
  for (const name of short ? quick : whole) {
    /** @type {import("./measure").Measured} */
    const measured = await step(`Mutants, ${name}`, "a few seconds each", () => measure(name, []));
    for (const remark of remarksOn(measured)) process.stderr.write(`  ${remark}\n`);
    figures.push({ ...figureOf(name, measured.bar, measured), met: measured.met });
  }
  return short ? figures : [...figures, ...lastFigures()];
}

module.exports = { stage };
