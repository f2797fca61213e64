/**
 * Faults of the service and the network around a post, in the real provider process: each update is public at most once, on pages with
 * cards and on pages with components, in turn, and so is each incident that is opened.
 * The explorer takes the result of a request as known, unknown or rejected, and `test/client` proves which it is after which
 * response. Only here the bytes of each fault meet the whole provider, its process and its state, in the searches, too.
 */
const fc = require("fast-check");
const { inParallel, step } = require("../../tools/setup/run");
const { adapters } = require("../driver/adapters");
const { ProviderProcess } = require("../driver/provider");
const { Stack } = require("../driver/stack");
const { all, none } = require("../../tools/tables");
const { apiKey, createConfig, startService } = require("./soakSandbox");

/** @typedef {import("../../sandbox").Sandbox} Sandbox */
/** @typedef {import("../../sandbox").FaultInput} Fault */
/** @typedef {{run: number, faults: Fault[], update: Record<string, unknown>}} Plan */
/** @typedef {ReturnType<typeof prepareRun>} Run */

const batchSize = 120;
/** Few enough for each to get its share of a process. */
const atOnce = 40;
/** Short, so that waiting for a response that never comes is. */
const underFaults = { timeoutMs: 2_000, deadlineMs: 8_000 };

/** What happens to a request, whether or not the service applied it. @type {readonly Fault[]} */
const lost = [false, true].flatMap((applied) => [
  { kind: "reset", applied },
  { kind: "hang", applied },
  { kind: "cut", applied },
  { kind: "cut", applied, afterBytes: 0 },
  { kind: "status", applied, code: 200, body: "html" },
  ...["", '{"data":{"ok":true}}', '{"id": "'].map((body) => createSuccess(body, applied)),
  { kind: "drip", applied, endless: true },
  ...[303, 404, 409, 500, 502, 503, 504, 520].map(
    (code) => /** @type {const} */ ({ kind: "status", applied, code }),
  ),
]);
/** @type {readonly Fault[]} */
const rejected = [
  { kind: "status", code: 429 },
  { kind: "status", code: 429, headers: { "retry-after": "0" } },
  { kind: "status", code: 429, headers: { "retry-after": "1" } },
];

// No longer texts than these: unlike the engine's, Node's gRPC client takes no failure that repeats them.
const endings = ["", " Späť — 警報 🚨", " <b>&amp;</b>\r\n\r\nMore  below.", ` ${"Long. ".repeat(300)}`];
const variation = fc.record({
  loss: fc.constantFrom(...lost),
  times: fc.constantFrom(1, 1, 2, 5, 100),
  ending: fc.constantFrom(...endings),
  status: fc.constantFrom("INVESTIGATING", "IDENTIFIED", "MONITORING", "RESOLVED"),
  notifySubscribers: fc.boolean(),
});

/** The post is lost or rejected, or lost and then the reads that look for it. @type {readonly ((varied: {loss: Fault, times: number}) => Fault[])[]} */
const cells = [
  ...lost.map((fault) => () => [onPost(fault, 1)]),
  ...rejected.map((fault) => (/** @type {{times: number}} */ { times }) => [onPost(fault, times)]),
  ...[...lost.slice(0, lost.length / 2), ...rejected].map(
    (fault) =>
      (/** @type {{loss: Fault, times: number}} */ { loss, times }) => [
        onPost(loss, 1),
        // The first read is before the post.
        /** @type {Fault} */ ({ ...fault, operation: "getStatusPageIncident", skip: 1, times }),
      ],
  ),
];

/** A success that isn't the service's. @param {string} body @param {boolean} applied @returns {Fault} */
function createSuccess(body, applied) {
  const headers = ["Content-Type: application/json", `Content-Length: ${body.length}`];
  return { kind: "answer", applied, code: 201, headers, body };
}

/** @param {Fault} fault @param {number} times @returns {Fault} */
function onPost(fault, times) {
  return { ...fault, operation: "createIncidentUpdate", times };
}

/** @param {number} count @param {number} seed @returns {Plan[]} the cells, each as often */
function plansFor(count, seed) {
  return fc
    .sample(variation, { seed, numRuns: count })
    .map(({ ending, status, notifySubscribers, ...varied }, run) => ({
      run,
      faults: cells[run % cells.length]?.(varied) ?? [],
      update: { status, description: `Run ${run}.${ending}`, notifySubscribers },
    }));
}

/** @param {import(".").Options} options @returns {Promise<import(".").Figure[]>} */
async function stage({ short, seed, replay }) {
  const plans = plansFor(short ? 2 * batchSize : 6_000, seed);
  const wanted = replay === undefined ? plans : plans.filter(({ run }) => run === Number(replay));
  const batches = Array.from({ length: Math.ceil(wanted.length / batchSize) }, (_, index) =>
    wanted.slice(index * batchSize, (index + 1) * batchSize),
  );
  const outcomes = await step("Faults", `${wanted.length} runs, ${batchSize} in half a minute`, (tell) =>
    inParallel(batches, runBatch, tell),
  );
  /** @type {string[]} */
  const mistakes = outcomes.flat();
  const count = (/** @type {string} */ what) => mistakes.filter((mistake) => mistake === what).length;
  return [
    all("runs in which every fault occurred", wanted.length - count(missed), wanted.length),
    ...Object.keys(rules).map((what) => none(what, count(what))),
  ];
}

const missed = "a fault did not occur";

/** What must not be said of a run in the end. */
const rules = {
  "updates that are public more than once": (/** @type {End} */ { published }) => published.length > 1,
  "duplicate emails": (/** @type {End} */ { mails }) => mails > 1,
  "posts after one whose result is unknown": (/** @type {End} */ { posts }) =>
    posts.slice(0, -1).some(({ status }) => status !== 429),
  "rejected, and not public after two ups": (/** @type {End} */ { published, posts }) =>
    published.length === 0 && posts.every(({ status }) => status === 429),
  "applied but untracked after two ups": (/** @type {End} */ { published, tracked }) =>
    published.length > 0 && tracked !== published[0],
  "runs that print or store a key": (/** @type {End} */ { text }) => text.includes(apiKey),
  "stacks with changes after a refresh": (/** @type {End} */ { published, left }) =>
    published.length > 0 && left.length > 0,
};

/**
 * @typedef {object} End of a run
 * @property {string[]} published ids of the new updates
 * @property {number} mails
 * @property {readonly {status: number | null}[]} posts
 * @property {unknown} tracked id of the update that the stack knew after two ups
 * @property {string[]} left to do after a refresh
 * @property {string} text all that was printed and stored
 */

/**
 * An `up` under faults, one without, a refresh and a preview, each in one process for all runs. As in a stack, no two of its resources
 * have the same name; each has an account of its own.
 * @param {Plan[]} plans
 * @returns {Promise<string[]>} the rules that were broken
 */
async function runBatch(plans) {
  const { sandbox, accounts } = await startService(plans.length);
  const runs = plans.map((plan, index) => prepareRun(plan, accounts[index], sandbox));
  let printed = "";
  /** @template T @param {{timeoutMs?: number, deadlineMs?: number}} limits @param {(run: Run, provider: ProviderProcess) => Promise<T>} work */
  const inOneProcess = async (limits, work) => {
    const adapter = adapters[Math.floor((plans[0]?.run ?? 0) / batchSize) % adapters.length];
    const provider = await ProviderProcess.start(createConfig(sandbox.url, accounts, limits), { adapter });
    try {
      return await inParallel(runs, (run) => work(run, provider), undefined, atOnce);
    } finally {
      await provider.end();
      printed += provider.said;
    }
  };
  const up = (/** @type {Run} */ { stack, program }, /** @type {ProviderProcess} */ provider) =>
    stack.up(provider, program);
  try {
    const failures = await inOneProcess(underFaults, up);
    const idle = sandbox.faults.list().filter(({ struck }) => struck === 0);
    sandbox.faults.clear();
    // As short as a search can be that finds nothing.
    failures.push(...(await inOneProcess({ deadlineMs: 7_000 }, up)));
    const tracked = runs.map(({ stack, name, account }) => {
      const { incidentId, incidentUpdateId } = stack.resources.get(name)?.outputs ?? {};
      return account.opens ? incidentId : incidentUpdateId;
    });
    await inOneProcess({}, ({ stack }, provider) => stack.refresh(provider));
    const left = await inOneProcess({}, ({ stack, program }, provider) => stack.preview(provider, program));
    return runs.flatMap((run, index) => {
      const texts = [printed, JSON.stringify([...run.stack.resources]), ...failures.flat()];
      const end = { tracked: tracked[index], left: left[index] ?? [], text: texts.join("\n") };
      return listMistakes(
        run,
        sandbox,
        end,
        idle.some(({ fault }) => fault.account === run.account.id),
      );
    });
  } finally {
    await sandbox.close();
  }
}

/** @param {Plan} plan @param {import("./soakSandbox").Account | undefined} account @param {Sandbox} sandbox */
function prepareRun(plan, account, sandbox) {
  if (!account) throw new Error("A run needs an account.");
  const { id, incidentId, statusPageId } = account;
  sandbox.faults.add(...plan.faults.map((fault) => ({ ...ofPage(fault, account), account: id })));
  const before = listEntries(sandbox, account).map((entry) => entry.id);
  const name = `update-${plan.run}`;
  const place = account.opens ? { statusPageId, name: `Opened by ${name}` } : { incidentId, statusPageId };
  return {
    plan,
    account,
    before,
    name,
    stack: new Stack(account.opens ? () => "Incident" : undefined),
    program: { [name]: { ...plan.update, ...place, account: id } },
  };
}

/** The same fault of the operation on a page with components. @param {Fault} fault @param {import("./soakSandbox").Account} account @returns {Fault} */
function ofPage(fault, { statusPageId, opens }) {
  if (statusPageId === undefined) return fault;
  const [posts, reads] = opens
    ? ["openComponentPageIncident", "listComponentPageIncidents"]
    : ["createComponentPageIncidentUpdate", "getComponentPageIncident"];
  const operation = fault.operation === "createIncidentUpdate" ? posts : reads;
  return /** @type {Fault} */ ({ ...fault, operation });
}

/**
 * The updates of an account's incident or, if its run opens one, the incidents of its page, and the updates that were emailed.
 * @param {Sandbox} sandbox @param {import("./soakSandbox").Account} account
 */
function listEntries(sandbox, { id, incidentId, statusPageId, opens }) {
  if (opens) {
    const pages = sandbox.data.accounts.find((each) => each.id === id)?.componentPages ?? [];
    const incidents = pages.flatMap((page) => page.incidents);
    return incidents.map((each) => ({
      id: each.id,
      updates: each.incidentUpdates.map((update) => update.id),
    }));
  }
  const { incidentUpdates } =
    statusPageId === undefined ? sandbox.incident(incidentId) : sandbox.incident(incidentId, statusPageId);
  return incidentUpdates.map((update) => ({ id: update.id, updates: [update.id] }));
}

/** @param {Run} run @param {Sandbox} sandbox @param {Pick<End, "tracked" | "left" | "text">} end @param {boolean} isIdle whether a fault didn't occur */
function listMistakes({ plan, account, before }, sandbox, end, isIdle) {
  const entries = listEntries(sandbox, account).filter(({ id }) => !before.includes(id));
  const published = entries.map(({ id }) => id);
  const posts = sandbox.requests.filter((each) => each.account === account.id && each.method === "POST");
  const updates = entries.flatMap((entry) => entry.updates);
  const mails = updates.reduce((sum, id) => sum + sandbox.mailed(id), 0);
  const broken = Object.entries(rules).filter(([, isBroken]) =>
    isBroken({ ...end, published, posts, mails }),
  );
  const mistakes = [...broken.map(([name]) => name), ...(isIdle ? [missed] : [])];
  if (mistakes.length > 0)
    process.stderr.write(`  run ${plan.run}: ${mistakes.join(", ")}: ${JSON.stringify(plan.faults)}\n`);
  return mistakes;
}

module.exports = { stage };
