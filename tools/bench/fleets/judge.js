/** Whether the findings of an audit are right: a right one names a problem that no other finding has named. */

/**
 * @typedef {object} Problem
 * @property {number} [channel] its id; missing for a problem of all channels together
 * @property {string} about
 * @property {string[]} fields a finding that names it is about one of these
 *
 * @typedef {object} Fleet
 * @property {number} fleet
 * @property {import("../../../audit").AlertChannel[]} channels as the API returns them
 * @property {Problem[]} problems
 *
 * @typedef {object} Judgement
 * @property {{rule: string, isRight: boolean}[]} findings
 * @property {{about: string, isFound: boolean}[]} problems
 */

/**
 * @param {readonly Fleet[]} fleets
 * @param {(fleet: Fleet) => readonly import("../../../audit").Finding[]} findingsOf
 * @returns {Judgement}
 */
function judge(fleets, findingsOf) {
  /** @type {Judgement} */
  const judgement = { findings: [], problems: [] };
  for (const fleet of fleets) {
    /** @type {Set<Problem>} */
    const open = new Set(fleet.problems);
    for (const finding of findingsOf(fleet)) {
      const matching = [...open].filter((problem) => names(finding, problem));
      // A problem of the channel itself comes before one of the fleet.
      const problem = matching.find(({ channel }) => channel !== undefined) ?? matching[0];
      if (problem) open.delete(problem);
      judgement.findings.push({ rule: finding.rule, isRight: problem !== undefined });
      if (!problem) console.error(`fleet ${fleet.fleet}: not right: ${textOf(finding)}`);
    }
    for (const problem of fleet.problems) {
      judgement.problems.push({ about: problem.about, isFound: !open.has(problem) });
      if (open.has(problem))
        console.error(`fleet ${fleet.fleet}: not found: ${problem.channel ?? "all"}: ${problem.about}`);
    }
  }
  return judgement;
}

/** @param {import("../../../audit").Finding} finding @param {Problem} problem */
function names({ channel, field }, problem) {
  return problem.fields.includes(field) && (problem.channel === undefined || problem.channel === channel?.id);
}

/** @param {import("../../../audit").Finding} finding */
function textOf({ rule, channel, field, actual }) {
  return `${channel?.id ?? "all"} ${rule} ${field}: ${actual}`;
}

module.exports = { judge };
