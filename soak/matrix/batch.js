/** Many runs at once: an `up` under faults, one without, a refresh and a preview, each with a process for all of them. */
const { adapters } = require("../../test/driver/adapters");
const { inParallel } = require("../parallel");
const { ProviderProcess } = require("../../test/driver/provider");
const { configOf, startService } = require("../service");
const { Relay } = require("../wire/relay");
const { holdsKey, Run } = require("./run");

/** @typedef {import("./plans").Plan} Plan */
/**
 * @typedef {object} Outcome
 * @property {Plan} plan
 * @property {boolean} struck whether the fault met a request
 * @property {number} published how often the update is public after two `up`s, a refresh and a preview
 * @property {boolean} withheld whether it isn't, although no post was lost
 * @property {boolean} leaked whether a key is printed, or kept in the stack
 * @property {boolean} untracked whether it is, and the stack doesn't know it
 * @property {number} repeated how many posts must not have been
 * @property {number} secondMails how many mails were sent about it, but for the first
 * @property {boolean} settled whether nothing is left to do after a refresh
 * @property {string[]} failures of the second `up`
 */

/**
 * @typedef {object} Where
 * @property {import("../../test/driver/adapters").Adapter} [adapter] default: the dynamic provider
 * @property {string} [machine] default: another than all before
 */

/** Few enough for each to get its share of a process. */
const atOnce = 40;
const batchSize = 120;
/** Short, so that waiting in vain is. What is found in this time is found at the first look. */
const underFaults = { timeoutMs: 2_000, deadlineMs: 8_000 };
/** As short as a look can be that finds nothing. */
const inVain = { deadlineMs: 7_000 };

/**
 * @param {Plan[]} plans
 * @returns {Promise<Outcome[]>}
 */
async function runBatch(plans) {
  const adapter = adapterOf(plans);
  const { sandbox, accounts } = await startService(plans.length);
  const relays = await Promise.all(accounts.map(() => Relay.open(sandbox.url)));
  try {
    const runs = plans.flatMap((plan, index) => {
      const [account, relay] = [accounts[index], relays[index]];
      return account && relay ? [new Run(plan, account, relay, sandbox)] : [];
    });
    const killed = runs.filter(({ plan }) => plan.kind === "kill");
    const others = runs.filter(({ plan }) => plan.kind !== "kill");
    await Promise.all([
      inOneProcess(others, underFaults, (run, provider) => run.up(provider), { adapter }),
      upAndKill(killed, { adapter }),
    ]);
    await Promise.all(relays.map((relay) => relay.heal()));
    const lost = runs.filter(({ isLost }) => isLost);
    const found = runs.filter(({ isLost }) => !isLost);
    await Promise.all([
      inOneProcess(lost, inVain, (run, provider) => run.up(provider), { adapter }),
      inOneProcess(found, {}, (run, provider) => run.up(provider), { adapter }),
    ]);
    const untracked = runs.map((run) => run.untracked);
    await inOneProcess(runs, {}, (run, provider) => run.refresh(provider), { adapter });
    const settled = await inOneProcess(runs, {}, (run, provider) => run.isSettled(provider), { adapter });
    // Counted in the end: a refresh and a preview publish nothing either.
    return runs.map((run, index) => {
      const { plan, struck, published, withheld, leaked, repeated, secondMails, failures } = run;
      const [was = false, is = false] = [untracked[index], settled[index]];
      const counted = { plan, struck, published, withheld, leaked, repeated, secondMails, failures };
      return { ...counted, untracked: was, settled: is };
    });
  } finally {
    await Promise.all(relays.map((relay) => relay.close()));
    await sandbox.close();
  }
}

/**
 * Does one thing with each run, in a process that ends when all is done.
 * @template T
 * @param {Run[]} runs
 * @param {Parameters<typeof configOf>[1]} limits
 * @param {(run: Run, provider: ProviderProcess) => Promise<T>} work
 * @param {Where} [where]
 */
async function inOneProcess(runs, limits, work, where) {
  if (runs.length === 0) return [];
  const provider = await ProviderProcess.start(configOf(accessOf(runs), limits), where);
  try {
    return await inParallel(runs, (run) => work(run, provider), undefined, atOnce);
  } finally {
    await end(runs, provider);
  }
}

/**
 * One process for all, killed when each request is held at its stage.
 * @param {Run[]} runs
 * @param {Where} [where]
 */
async function upAndKill(runs, where) {
  if (runs.length === 0) return;
  const provider = await ProviderProcess.start(configOf(accessOf(runs)), where);
  const ups = runs.map((run) => run.up(provider));
  try {
    await Promise.all(runs.map(({ relay }, index) => Promise.race([relay.held, ups[index]])));
  } finally {
    await end(runs, provider);
    await Promise.all(ups);
  }
}

/** @param {Run[]} runs @param {ProviderProcess} provider */
async function end(runs, provider) {
  await provider.end();
  const printed = holdsKey(provider.said);
  for (const run of runs) run.keyPrinted ||= printed;
}

/** Batches take turns, so that half of the runs meet each adapter. @param {Plan[]} plans */
function adapterOf([first]) {
  return adapters[Math.floor((first?.run ?? 0) / batchSize) % adapters.length];
}

/** @param {Run[]} runs */
function accessOf(runs) {
  return Object.assign({}, ...runs.map(({ access }) => access));
}

module.exports = { batchSize, inOneProcess, runBatch, upAndKill };
