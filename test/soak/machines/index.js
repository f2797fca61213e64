/** Two machines with one backend: a run is killed on one, the next run is on the other. */
const os = require("node:os");
const { inspect } = require("node:util");
const { startPostgres } = require("../../../tools/setup/backends");
const { SetupFailure } = require("../../../tools/setup/command");
const { inParallel, say, step } = require("../../../tools/setup/run");
const { all, none } = require("../../../tools/tables");
const {
  isGuaranteed,
  killRuns,
  machineRuns,
  secondMailsOf,
  tableOfCombinations,
  userRuns,
} = require("./combinations");
const { machineRun, namespaceCommand, usersProblem } = require("./machine");

/** @typedef {import("./machine").Outcome} Outcome */

/** For most of its time a run waits. */
const atOnce = 3 * os.availableParallelism();

/** @param {import("..").Options} options @returns {Promise<import("..").Figure[]>} */
async function stage({ short, replay }) {
  if (namespaceCommand() === "") {
    say(
      "Both machines have the same host name: `unshare -u` isn't permitted here. Run this as root on Linux.",
    );
  }
  const postgres = await postgresIfInstalled();
  try {
    const runs = machineRuns({ short, backends: postgres ? ["file", "PostgreSQL"] : ["file"] });
    const problem = usersProblem();
    if (problem !== undefined) say(`RUNS OF TWO USERS ARE LEFT OUT: ${problem}. Run this as root on Linux.`);
    const ofUsers = problem === undefined ? userRuns(runs.length) : [];
    const every = [...runs, ...ofUsers];
    const wanted = replay === undefined ? every : every.filter(({ run }) => run === Number(replay));
    /** @type {Outcome[]} */
    const outcomes = await step("Two machines", `${wanted.length} runs, half a minute each`, (tell) =>
      inParallel(wanted, (run) => outcomeOf(run, postgres), tell, atOnce),
    );
    const [byUsers, byOne] = [true, false].map((has) => outcomes.filter(({ run }) => run.hasUsers === has));
    console.log(`${tableOfCombinations(byOne ?? [])}\n`);
    return [...figuresOf(byOne ?? []), ...figuresOfUsers(byUsers ?? [], problem)];
  } finally {
    await postgres?.close();
  }
}

async function postgresIfInstalled() {
  try {
    return await startPostgres();
  } catch (error) {
    if (!(error instanceof SetupFailure)) throw error;
    say(`Stacks are kept in files only. ${error.message}`);
    return undefined;
  }
}

/** Kills of engine or provider, and the next run on the same machine. @param {import("..").Options} options @returns {Promise<import("..").Figure[]>} */
async function kills({ short, replay }) {
  const runs = killRuns({ short }).filter(({ run }) => replay === undefined || run === Number(replay));
  const outcomes = await step("Kills", `${runs.length} runs, half a minute each`, (tell) =>
    inParallel(runs, (run) => outcomeOf(run, undefined), tell, atOnce),
  );
  return figuresOf(outcomes);
}

/** @param {import("./combinations").MachineRun} run @param {Awaited<ReturnType<typeof postgresIfInstalled>>} postgres @returns {Promise<Outcome>} */
async function outcomeOf(run, postgres) {
  const url = run.backend === "PostgreSQL" ? postgres?.url(`stack_${run.run}`) : undefined;
  const failed = { run, posts: 0, mails: 0, refused: 0, tracked: false };
  const outcome = await machineRun(run, url).catch((/** @type {unknown} */ error) => ({
    ...failed,
    mistake: inspect(error),
  }));
  const { mistake = "", ...figures } = outcome;
  if (isGuaranteed(run) && (!outcome.tracked || secondMailsOf(outcome) > 0)) {
    process.stderr.write(`  run ${run.run}: ${JSON.stringify(figures)}\n${mistake}\n`);
  }
  return outcome;
}

/** @param {Outcome[]} outcomes @param {string | undefined} problem why there is none */
function figuresOfUsers(outcomes, problem) {
  const what = "two users of a group's lock directory";
  if (problem !== undefined) return [{ what, measured: "left out", bar: "needs root on Linux" }];
  if (outcomes.length === 0) return [];
  return figuresOf(outcomes).map((figure) => ({ ...figure, what: `${what}, ${figure.what}` }));
}

/** @param {Outcome[]} outcomes */
function figuresOf(outcomes) {
  if (outcomes.length === 0) return [];
  const guaranteed = outcomes.filter(({ run }) => isGuaranteed(run));
  const open = outcomes.filter(({ run }) => !isGuaranteed(run));
  const secondMails = (/** @type {Outcome[]} */ of) =>
    of.reduce((sum, outcome) => sum + secondMailsOf(outcome), 0);
  return [
    all(
      "guaranteed: public once, and tracked by the next run",
      guaranteed.filter(({ tracked }) => tracked).length,
      guaranteed.length,
    ),
    none("guaranteed: duplicate emails", secondMails(guaranteed)),
    open.length > 0 && {
      what: "ids ignored, lock directories apart, not shown to the next run: duplicate emails",
      measured: `${secondMails(open)} of ${open.length}`,
      bar: "none",
    },
  ].filter((figure) => figure !== false);
}

module.exports = { kills, stage };
