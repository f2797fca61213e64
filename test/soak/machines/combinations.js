const { markdownTable } = require("../../../tools/tables");

/** What is combined: when the first machine is killed, what both machines share, and what the service does. */

/** @typedef {"before the read" | "before the POST" | "after the service applied it" | "before the checkpoint"} Point */
/** @typedef {"ignored" | "honoured"} Ids */
/** @typedef {import("./machine").Outcome} Outcome */

/**
 * @typedef {object} Combination
 * @property {boolean} applied whether the service applied the post of the killed run
 * @property {boolean} sharesLocks whether both machines have one lock directory
 * @property {Ids} ids what the service does with the ids of posts
 * @property {number} lateMs how long after the next run's first request the service shows what the killed run posted
 *
 * @typedef {object} Kill
 * @property {Point} point
 * @property {"engine and provider" | "engine" | "provider"} target
 * @property {"SIGKILL" | "SIGTERM"} signal
 *
 * @typedef {Combination & Kill & {run: number, adapter: "dynamic" | "plugin", backend: "file" | "PostgreSQL", sameMachine: boolean, hasUsers: boolean}} MachineRun
 */

const post = /** @type {const} */ ({ operation: "createIncidentUpdate", times: 1 });

/** What holds the request while all is killed. @type {Record<Point, import("../../../sandbox").FaultInput>} */
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
  const kill = /** @type {const} */ ({
    target: "engine and provider",
    signal: "SIGKILL",
    sameMachine: false,
    hasUsers: false,
  });
  return runs.map((each, run) => ({ run, ...kill, ...each }));
}

/**
 * Kills of one process or both, whose next run is on the same machine.
 * @param {{short: boolean}} options
 * @returns {MachineRun[]}
 */
function killRuns({ short }) {
  const ways = /** @type {const} */ (["engine and provider", "engine", "provider"]).flatMap((target) =>
    /** @type {const} */ (["SIGKILL", "SIGTERM"]).map((signal) => ({ target, signal })),
  );
  const runs = kills.flatMap(([applied, points, lates]) =>
    points.flatMap((point) =>
      ways.flatMap((way, turn) =>
        adapters.flatMap((adapter, other) => {
          const [lateMs = 0] = lates.slice((turn + other) % lates.length);
          // In the short form each adapter meets every second kill.
          return short && turn % 2 !== other ? [] : [{ applied, point, ...way, adapter, lateMs }];
        }),
      ),
    ),
  );
  const shared = /** @type {const} */ ({
    sharesLocks: true,
    ids: "ignored",
    backend: "file",
    sameMachine: true,
    hasUsers: false,
  });
  return runs.map((each, run) => ({ run, ...shared, ...each }));
}

/**
 * Runs of two users who share the lock directory of their group: whether the second one posts depends on what the first one noted.
 * @param {number} first number of the first run
 * @returns {MachineRun[]}
 */
function userRuns(first) {
  const runs = kills.flatMap(([applied, points, lates]) =>
    points.flatMap((point) =>
      adapters.map((adapter) => ({ applied, point, adapter, lateMs: lates.at(1) ?? 0 })),
    ),
  );
  const shared = /** @type {const} */ ({
    sharesLocks: true,
    ids: "ignored",
    backend: "file",
    sameMachine: false,
    hasUsers: true,
    target: "engine and provider",
    signal: "SIGKILL",
  });
  return runs.map((each, index) => ({ run: first + index, ...shared, ...each }));
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

/**
 * The table of the guide: what each combination of machines, service and kill gave.
 * @param {readonly Outcome[]} outcomes
 * @returns {string} in Markdown
 */
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

/** @param {Combination} one @param {Combination} other */
function isSame(one, other) {
  return /** @type {const} */ (["applied", "sharesLocks", "ids", "lateMs"]).every(
    (name) => one[name] === other[name],
  );
}

module.exports = {
  faults,
  isGuaranteed,
  killRuns,
  machineRuns,
  secondMailsOf,
  tableOfCombinations,
  userRuns,
};
