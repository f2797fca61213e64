/** The stage `comparisons`: changes each comparison of the protocol and reports which configuration detects the change. */
const { step } = require("../../tools/setup/run");
const { textTable } = require("../../tools/tables");
const { runJobsInWorkers, jobsByKind } = require("./jobs");

/** The maximum number of states that `--short` visits for each change. */
const maxShortStates = 5_000;

/** @param {import("../soak").Options} options @returns {Promise<import("../../tools/tables").Figure[]>} */
async function stage({ short }) {
  const watched = await step(
    "Comparisons: find the configurations in which a change has a different result",
    "minutes",
    (tell) => runJobsInWorkers(jobsByKind.watched(), tell),
  );
  const jobs = jobsByKind.comparisons(watched, short ? maxShortStates : undefined);
  const found = await step(`Comparisons: ${jobs.length} changes`, "an hour", (tell) =>
    runJobsInWorkers(jobs, tell),
  );
  const rows = jobs.map(({ name }, index) => [name, found[index]?.violation ?? "nothing"]);
  console.log(textTable([["change", "detected by"], ...rows]));
  const noticed = rows.filter(([, by]) => by !== "nothing").map(([name = ""]) => name);
  return [
    {
      what: "changes of comparisons that a configuration detects",
      measured: `${noticed.length} of ${jobs.length}`,
    },
    {
      what: "comparisons with a detected change",
      measured: `${count(noticed)} of ${count(jobs.map(({ name }) => name))}`,
    },
  ];
}

/** Counts the comparisons that these changes belong to. @param {readonly string[]} changes */
function count(changes) {
  return new Set(changes.map((change) => change.split(" -> ")[0])).size;
}

module.exports = { stage };
