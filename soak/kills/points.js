/** When an `up` is killed, what of it, and how: so many rounds of twenty points, with all combinations in turn. */
const { stages } = require("../wire/strike");

/** @typedef {import("../realStack").Target} Target */
/** @typedef {import("../wire/strike").Strike} Strike */
/**
 * @typedef {object} Kill
 * @property {number} run
 * @property {Strike[]} strikes the last of them holds the request at whose stage all is killed
 * @property {number} skip how many posts come before the first strike
 * @property {number} posts how many came until then: what is left of a killed run sends no more
 * @property {number} updates of the incident
 * @property {Target} target
 * @property {NodeJS.Signals} signal
 * @property {number} nextUpAfterMs
 * @property {boolean} sameMachine whether the next up finds what was noted of the posts of this one
 */

/**
 * Of one update each of its requests in turn, the reads after a post whose answer was lost in two ways; of six the
 * first, the second, the fourth and the last post.
 * @type {Record<1 | 6, {posts: number, before: Strike[], held: Pick<Strike, "method" | "first">}[]>}
 */
const requests = {
  1: [
    { posts: 0, before: [], held: { method: "GET", first: true } },
    { posts: 1, before: [], held: { method: "POST" } },
    {
      posts: 1,
      before: [{ method: "POST", stage: "before the answer", kind: "reset" }],
      held: { method: "GET" },
    },
    {
      posts: 1,
      before: [{ method: "POST", stage: "mid-response", kind: "cut body" }],
      held: { method: "GET" },
    },
  ],
  6: [1, 2, 4, 6].map((posts) => ({ posts, before: [], held: { method: "POST" } })),
};
const points = stages.flatMap((stage) => [0, 1, 2, 3].map((request) => ({ stage, request })));

const targets = /** @type {const} */ (["provider", "engine", "both"]);
const signals = /** @type {const} */ (["SIGKILL", "SIGTERM"]);
const ways = targets.flatMap((target) =>
  signals.flatMap((signal) =>
    /** @type {const} */ ([1, 6]).flatMap((updates) =>
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
    const request = way && point && requests[way.updates][point.request];
    if (!request) throw new Error("There is nothing to kill.");
    const { before, held } = request;
    // Who has read all of the incident posts at once.
    const posts = request.posts + Number(held.first === true && point.stage === "after the answer");
    /** @type {Strike[]} */
    const strikes = [...before, { ...held, stage: point.stage, kind: "kill" }];
    const skip = way.updates === 1 ? 0 : posts - 1;
    // At one point of each round: what was sent and never applied is looked for until a minute after the kill.
    return { run, strikes, skip, posts, ...way, sameMachine: run % points.length === round % points.length };
  });
}

module.exports = { killsFor };
