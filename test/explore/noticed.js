/** Which configuration notices each change of a comparison: the stage `comparisons`. */
const { step } = require("../../tools/setup/run");
const { all, textTable } = require("../../tools/tables");
const { comparisons, unnoticed } = require("./comparisons");
const { foundByWorkers, jobsOf } = require("./explored");

/** How many states are visited for a change by `--short`. */
const mostShort = 5_000;

/** @param {import("../soak").Options} options @returns {Promise<import("../../tools/tables").Figure[]>} */
async function stage({ short }) {
  const watched = await step("Comparisons: where a change has another result", "minutes", (tell) =>
    foundByWorkers(jobsOf.watched(), tell),
  );
  const jobs = jobsOf.comparisons(watched, short ? mostShort : undefined);
  const found = await step(`Comparisons: ${jobs.length} changes`, "an hour", (tell) =>
    foundByWorkers(jobs, tell),
  );
  const rows = jobs.map(({ name }, index) => {
    const { change, why } = unnoticed.find((each) => name.endsWith(`: ${each.change}`)) ?? {};
    return { name, noticed: found[index]?.violation, isListed: change !== undefined, why };
  });
  console.log(
    textTable([
      ["change", "noticed by"],
      ...rows.map(({ name, noticed, why }) => [name, noticed ?? why ?? "NOTHING"]),
    ]),
  );
  const isRight = (/** @type {(typeof rows)[number]} */ { noticed, isListed }) =>
    isListed !== (noticed !== undefined);
  const stale = unnoticed.filter(
    ({ change }) => !comparisons().some(({ name }) => name.endsWith(`: ${change}`)),
  );
  for (const { change } of stale) console.log(`No comparison is ${change}.`);
  return [
    {
      what: "changes of comparisons that a configuration notices",
      measured: `${rows.filter(({ noticed }) => noticed !== undefined).length} of ${rows.length}`,
    },
    all(
      "changes that are noticed, or are listed and aren't",
      rows.filter(isRight).length - stale.length,
      rows.length,
    ),
  ];
}

module.exports = { stage };
