/** When an `up` is killed, what of it, and how: so many rounds of twenty points, with all combinations in turn. */
const { stages } = require("../wire/strike");

/** @typedef {import("../driver/project").Target} Target */
/**
 * @typedef {object} Kill
 * @property {number} run
 * @property {import("../wire/strike").Stage} stage of a post
 * @property {number} skip how many posts come before it
 * @property {number} afterMs how long it is held there
 * @property {number} updates of the incident
 * @property {Target} target
 * @property {NodeJS.Signals} signal
 * @property {number} nextUpAfterMs
 */

/** Of six updates the first, the second, one in the middle, the last; of one the moments while it is held. */
const places = [
  { skip: 0, afterMs: 0 },
  { skip: 1, afterMs: 50 },
  { skip: 3, afterMs: 150 },
  { skip: 5, afterMs: 400 },
];
const points = stages.flatMap((stage) => places.map((place) => ({ stage, ...place })));

const targets = /** @type {const} */ (["provider", "engine", "both"]);
const signals = /** @type {const} */ (["SIGKILL", "SIGTERM"]);
const ways = targets.flatMap((target) =>
  signals.flatMap((signal) =>
    [1, 6].flatMap((updates) =>
      [0, 5_000].map((nextUpAfterMs) => ({ target, signal, updates, nextUpAfterMs })),
    ),
  ),
);

/**
 * @param {number} rounds how often each point is met
 * @param {number} seed where among the ways of killing to begin
 * @returns {Kill[]}
 */
function killsFor(rounds, seed) {
  return Array.from({ length: rounds * points.length }, (_, run) => {
    const [point] = points.slice(run % points.length);
    // Each round all points go one way on, so that each meets all of them; seven apart, so that one round meets most.
    const round = Math.floor(run / points.length);
    const [way] = ways.slice((seed + (run % points.length) * 7 + round) % ways.length);
    if (!point || !way) throw new Error("There is nothing to kill.");
    return { run, ...point, ...way, skip: way.updates === 1 ? 0 : point.skip };
  });
}

module.exports = { killsFor };
