/** The table of the guide: what each combination of machines, service and kill gave. */
const { markdownTable } = require("../../../tools/tables");
const { combinations, isGuaranteed } = require("./combinations");

/** @typedef {import("./machineRun").Outcome} Outcome */

/** @param {readonly Outcome[]} outcomes @returns {string} in Markdown */
function tableOfCombinations(outcomes) {
  const rows = combinations.flatMap((combination) => {
    const met = outcomes.filter(({ run }) => isSame(run, combination));
    if (met.length === 0) return [];
    const { applied, sharesLocks, ids, lateMs } = combination;
    const sum = (/** @type {(outcome: Outcome) => number} */ of) =>
      String(met.reduce((total, outcome) => total + of(outcome), 0));
    return [
      [
        applied ? "after the service applied the post" : "before the service received the post",
        sharesLocks ? "shared" : "each its own",
        ids,
        applied ? (lateMs === 0 ? "immediately" : `${lateMs / 1000} s late`) : "",
        String(met.length),
        sum(({ posts }) => posts),
        sum(({ mails }) => mails),
        sum(secondMailsOf),
        sum(({ refused }) => refused),
        isGuaranteed(combination) ? "yes" : "no",
      ],
    ];
  });
  const head = ["Killed", "Lock directory", "Ids", "Shown", "Runs", "Posts", "Emails", "Second emails"];
  return markdownTable([[...head, "Failed `up`s", "Guaranteed"], ...rows]);
}

/** @param {Outcome} outcome */
function secondMailsOf({ mails }) {
  return Math.max(0, mails - 1);
}

/** @param {import("./combinations").Combination} one @param {import("./combinations").Combination} other */
function isSame(one, other) {
  return /** @type {const} */ (["applied", "sharesLocks", "ids", "lateMs"]).every(
    (name) => one[name] === other[name],
  );
}

module.exports = { secondMailsOf, tableOfCombinations };
