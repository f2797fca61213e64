/**
 * Random programs of updates and entries that are edited, inserted, removed and taken back, with kills, by a service that shows edits late:
 * no resource posts twice, and an `up` that ends well is true.
 */
const os = require("node:os");
const path = require("node:path");
const { inspect } = require("node:util");
const fc = require("fast-check");
const { root } = require("../../tools/setup");
const { inParallel, step } = require("../../tools/setup/run");
const { all } = require("../../tools/tables");
const { programInput } = require("../driver/adapters");
const { Clock } = require("../driver/clock");
const { RunThread } = require("../driver/runs");
const { Project } = require("../driver/scenario");

/** @import { Step } from "../driver/scenario" */

/** @type {typeof import("../../sandbox")} */
const { startSandbox, wellKnown } = require(path.join(root, "dist", "sandbox"));
/** @type {typeof import("../../provider/lifecycles/timeline")} */
const { computeKeys } = require(path.join(root, "dist", "provider", "lifecycles", "timeline"));

const statusPageId = wellKnown.componentPages.shop;
const incidentId = wellKnown.componentPageIncidents.checkoutOutage;
const editing = "editComponentPageIncidentUpdate";
const posting = "createComponentPageIncidentUpdate";
const some = fc.constantFrom;
const common = { statusPageId, incidentId, status: "MONITORING", notifySubscribers: true, onChange: "edit" };

/** The words of each resource are its own: which of three it declares. */
const chosen = some(0, 0, 1, 2);
const keys = ["k1", "k2", "k3", "k4"];
const program = fc.record({
  single: chosen,
  entries: fc.subarray(keys, { minLength: 1 }),
  words: fc.tuple(chosen, chosen, chosen, chosen),
});
const trouble = some(
  ...Array.from({ length: 4 }, () => ({})),
  { killed: "SIGKILL", faults: [{ kind: "hang", operation: editing, applied: true }] },
  { killed: "SIGKILL", faults: [{ kind: "hang", operation: editing, skip: 1 }] },
  { killed: "SIGKILL", faults: [{ kind: "hang", operation: posting, applied: true }] },
  { faults: [{ kind: "reset", operation: editing, times: 1, applied: true }] },
  { faults: [{ kind: "reset", operation: editing, times: 1 }] },
  { byHand: { single: { description: "A colleague's words." } } },
);
const command = fc.record({
  declared: program,
  happens: trouble,
  refresh: some(undefined, undefined, /** @type {const} */ (true)),
  answers: some(undefined, /** @type {const} */ (true)),
  lateReads: fc.nat(6),
});
const scenario = fc.array(command, { minLength: 4, maxLength: 8 });

/** @param {string} name @param {number} choice */
const formatWords = (name, choice) =>
  `${["We look into", "We are looking into", "We have looked into"][choice]} the ${name} of all orders.`;

/** @param {{single: number, entries: string[], words: readonly number[]}} declared @returns {import("../driver/stack").Program} */
function createProgram({ single, entries, words }) {
  const contents = entries.map((key) => ({
    ...common,
    description: formatWords(key, words[keys.indexOf(key)] ?? 0),
  }));
  const places = computeKeys(contents);
  const timeline = entries.map((key, index) => {
    const place = { keys: places, index, later: contents.slice(index + 1) };
    return [`story-${key}`, { ...contents[index], [programInput()]: { place, key } }];
  });
  return {
    single: { ...common, description: formatWords("single", single) },
    ...Object.fromEntries(timeline),
  };
}

/** @param {import(".").Options} options @returns {Promise<import(".").Figure[]>} */
async function stage({ short, seed, replay, random = short ? 40 : 200 }) {
  const drawn = [...fc.sample(scenario, { seed, numRuns: random }).entries()];
  const wanted = replay === undefined ? drawn : drawn.filter(([index]) => index === Number(replay));
  const counts = { successes: 0, edits: 0 };
  const results = await step("Edits", `${wanted.length} programs, seconds each`, (tell) =>
    inParallel(
      wanted,
      async ([index, commands]) => {
        const violation = await findViolation(commands, counts);
        if (violation !== undefined) console.log(`Program ${index}: ${violation}`);
        return violation === undefined;
      },
      tell,
      // Most of the time they wait.
      8 * os.availableParallelism(),
    ),
  );
  return [
    all(
      "random programs of edits that post nothing twice, and end well only if that is true",
      results.filter(Boolean).length,
      results.length,
    ),
    { what: "runs of these that ended well", measured: String(counts.successes) },
    { what: "edits that they sent", measured: String(counts.edits) },
  ];
}

/**
 * @param {typeof scenario extends fc.Arbitrary<infer Commands> ? Commands : never} commands
 * @param {{successes: number, edits: number}} counts
 */
async function findViolation(commands, counts) {
  const sandbox = await startSandbox();
  const [clock, thread] = [new Clock(), new RunThread()];
  const project = new Project(
    (config, { machine, env }) => thread.start(config, { machine, env: { ...env, ...clock.env } }),
    sandbox,
  );
  /** How often the words of each resource were posted. @type {Map<string, number>} */
  const posted = new Map();
  let isForeign = false;
  /** An entry that was removed is forgotten: under the same key, it would be declared anew. @type {Set<string>} */
  const removed = new Set();
  /** @type {string[]} */
  let before = [];
  try {
    for (const [index, { declared, happens, refresh, answers, lateReads }] of commands.entries()) {
      const entries = declared.entries.filter((key) => !removed.has(key));
      for (const key of before) if (!entries.includes(key)) removed.add(key);
      before = [...new Set([...before, ...entries])];
      const up = createProgram({ ...declared, entries });
      /** @type {import("../../sandbox").FaultInput[]} */
      const late = lateReads === 0 ? [] : [{ kind: "lateVisibility", operation: editing, reads: lateReads }];
      const taken = /** @type {Step} */ (JSON.parse(JSON.stringify({ refresh, answers, ...happens, up })));
      const { steps, requests, resources } = await project.take({
        ...taken,
        keepsFaults: true,
        faults: [...(taken.faults ?? []), ...late],
      });
      const told = () => `command ${index + 1}\n${inspect(commands, { depth: null })}\n${project.calls}`;
      for (const { method, body, applied } of requests) {
        if (method === "PUT") counts.edits++;
        if (method !== "POST" || !applied) continue;
        const { description } = /** @type {{description: string}} */ (body);
        const name = /the (\S+) of all orders/.exec(description)?.[1] ?? "";
        posted.set(name, (posted.get(name) ?? 0) + 1);
        if (posted.get(name) !== 1) return `${name} is posted ${posted.get(name)} times in ${told()}`;
      }
      isForeign ||= taken.byHand !== undefined;
      if (steps.length > 0 || taken.killed) continue;
      counts.successes++;
      const { incidentUpdates } = sandbox.incident(incidentId, statusPageId);
      for (const [name, { description }] of Object.entries(up)) {
        const id = resources[name]?.id.split("/").at(-1);
        const shown = incidentUpdates.find((each) => each.id === id)?.description;
        if (shown !== description && !(isForeign && shown === "A colleague's words."))
          return `${name} declares "${String(description)}", and the page says "${shown}" after ${told()}`;
      }
    }
    return undefined;
  } finally {
    await thread.remove();
    await sandbox.close();
    clock.remove();
  }
}

module.exports = { stage };
