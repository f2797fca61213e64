/** What is combined: when the first machine is killed, what both machines share, and what the service does. */

/** @typedef {"before the read" | "before the POST" | "after the service applied it" | "before the checkpoint"} Point */
/** @typedef {"ignored" | "honoured"} Ids */
/**
 * @typedef {object} Combination
 * @property {boolean} applied whether the service applied the post of the killed run
 * @property {boolean} sharesLocks whether both machines have one lock directory
 * @property {Ids} ids what the service does with the ids of posts
 * @property {number} lateMs how long after the next run's first request the service shows what the killed run posted
 *
 * @typedef {Combination & {run: number, point: Point, adapter: "dynamic" | "plugin", backend: "file" | "PostgreSQL"}} MachineRun
 */

const post = /** @type {const} */ ({ operation: "createIncidentUpdate", times: 1 });

/** What holds the request while all is killed. @type {Record<Point, import("../../sandbox").FaultInput>} */
const faults = {
  "before the read": { kind: "hang", operation: "getStatusPageIncident", times: 1 },
  "before the POST": { kind: "hang", ...post },
  "after the service applied it": { kind: "hang", applied: true, ...post },
  // The provider receives the response when the engine, which would write the checkpoint, doesn't run any more.
  "before the checkpoint": { kind: "latency", ms: 1_500, ...post },
};

/** @type {readonly [applied: boolean, points: readonly Point[], lateMs: readonly number[]][]} */
const kills = [
  [false, ["before the read", "before the POST"], [0]],
  [true, ["after the service applied it", "before the checkpoint"], [0, 5_000, 30_000]],
];
const ids = /** @type {const} */ (["honoured", "ignored"]);
const adapters = /** @type {const} */ (["dynamic", "plugin"]);

/** @type {readonly Combination[]} */
const combinations = kills.flatMap(([applied, , lates]) =>
  [true, false].flatMap((sharesLocks) =>
    ids.flatMap((each) => lates.map((lateMs) => ({ applied, sharesLocks, ids: each, lateMs }))),
  ),
);

/**
 * Each combination at each of its points. The backends take turns, so that each meets both adapters.
 * @param {{short: boolean, backends: readonly MachineRun["backend"][]}} options
 * @returns {MachineRun[]}
 */
function machineRuns({ short, backends }) {
  const runs = combinations.flatMap((combination, index) =>
    pointsOf(combination).flatMap((point, turn) =>
      adapters.flatMap((adapter, other) => {
        const [backend = "file"] = backends.slice((index + turn + other) % backends.length);
        // In the short form each combination meets each adapter at one of its points.
        return short && turn !== other ? [] : [{ ...combination, point, adapter, backend }];
      }),
    ),
  );
  return runs.map((each, run) => ({ run, ...each }));
}

/** @param {Combination} combination */
function pointsOf({ applied }) {
  return kills.flatMap(([isApplied, points]) => (isApplied === applied ? points : []));
}

/**
 * Whether each subscriber is emailed at most once. No client can tell a post that isn't shown from one that was never sent,
 * without an id that the service honours or a note of the other machine.
 * @param {Combination} combination
 */
function isGuaranteed({ applied, sharesLocks, ids: kind, lateMs }) {
  return !applied || sharesLocks || kind === "honoured" || lateMs === 0;
}

module.exports = { combinations, faults, isGuaranteed, machineRuns };
