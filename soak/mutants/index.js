/** Mutation tests of the code that decides: retries, paths, redaction, reconciliation. */
const { step } = require("../../scripts/setup/progress");
const { groups } = require("./groups");
const { figureOf, lastFigures } = require("./lastFigures");
const { measure, remarksOn } = require("./measure");

/** The other groups take hours: `npm run mutants` runs them, and this stage shows their last figures. */
const complete = Object.keys(groups).filter((name) => groups[name]?.bar === 100);
const quick = ["retry decision", "path building"];

/** @type {import("..").Stage} */
async function stage({ short }) {
  /** @type {import("..").Figure[]} */
  const figures = [];
  for (const name of short ? quick : complete) {
    /** @type {import("./measure").Measured} */
    const measured = await step(`Mutants, ${name}`, "a few seconds each", () => measure(name, []));
    for (const remark of remarksOn(measured)) process.stderr.write(`  ${remark}\n`);
    figures.push({ ...figureOf(name, measured.bar, measured), met: measured.met });
  }
  return short ? figures : [...figures, ...lastFigures()];
}

module.exports = { stage };
