/** What is struck in each run: every stage by every kind, of the post and of the reads that look for it, from a seed. */
const fc = require("fast-check");
const { kinds, stages } = require("../wire/strike");

/** @typedef {import("../wire/strike").Strike} Strike */
/** @typedef {{run: number, cell: string, kind: Strike["kind"], strikes: Strike[], words: Record<string, unknown>}} Plan */

const methods = /** @type {const} */ (["POST", "GET"]);
const cells = methods.flatMap((method) =>
  stages.flatMap((stage) => kinds.map((kind) => ({ method, stage, kind }))),
);

/** How a post gets lost before the reads after it are struck: with and without the service having it. */
const losses = /** @type {const} */ ([
  { method: "POST", stage: "before the answer", kind: "reset" },
  { method: "POST", stage: "mid-response", kind: "cut body" },
  { method: "POST", stage: "before the answer", kind: "5xx" },
  { method: "POST", stage: "during the request", kind: "reset" },
  { method: "POST", stage: "during the request", kind: "5xx" },
]);

const anyBody = fc.constantFrom(
  "",
  "{}",
  '{"statusCode":500,"error":"Server error"}',
  '"gone"',
  "<html>proxy</html>",
);
// No longer texts than these: unlike the engine's, Node's gRPC client takes no failure that repeats them.
const endings = ["", " Späť — 警報 🚨", " <b>&amp;</b>\r\n\r\nMore  below.", ` ${"Long. ".repeat(300)}`];
const variation = fc.record({
  loss: fc.constantFrom(...losses),
  times: fc.constantFrom(1, 1, 2, 5, 100),
  refused: fc.boolean(),
  failure: fc.record({ status: fc.constantFrom(500, 502, 503, 504, 520), body: anyBody }),
  limit: fc.record({
    status: fc.constant(429),
    body: anyBody,
    retryAfter: fc.constantFrom("0", "1", "soon"),
  }),
  absentRetryAfter: fc.boolean(),
  ending: fc.constantFrom(...endings),
  status: fc.constantFrom("INVESTIGATING", "IDENTIFIED", "MONITORING", "RESOLVED"),
  notifySubscribers: fc.boolean(),
});

/**
 * @param {number} count
 * @param {number} seed
 * @returns {Plan[]} the cells in turn
 */
function plansFor(count, seed) {
  return fc.sample(variation, { seed, numRuns: count }).map((varied, index) => {
    const cell = cells[index % cells.length];
    if (!cell) throw new Error("There are no cells.");
    const { method, stage, kind } = cell;
    const { retryAfter, ...limit } = varied.limit;
    const strike = {
      ...cell,
      // A post is struck once, or turned away several times.
      times: method === "GET" || kind === "429" ? varied.times : 1,
      refused: varied.refused && kind === "reset" && stage === "before accept",
      refusal: kind === "429" ? (varied.absentRetryAfter ? limit : { ...limit, retryAfter }) : varied.failure,
    };
    return {
      run: index,
      cell: `${method}, ${stage}, ${kind}`,
      kind,
      strikes: method === "GET" ? [varied.loss, strike] : [strike],
      words: {
        status: varied.status,
        description: `Run ${index}.${varied.ending}`,
        notifySubscribers: varied.notifySubscribers,
      },
    };
  });
}

module.exports = { plansFor };
