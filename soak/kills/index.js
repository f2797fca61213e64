/** Kills of the provider, of the engine, and of both, in the middle of an `up` on the real engine; then another `up`. */
const os = require("node:os");
const { inspect } = require("node:util");
const { setTimeout: wait } = require("node:timers/promises");
const { step } = require("../../scripts/setup/progress");
const { all, none } = require("../bars");
const { inParallel } = require("../parallel");
const { RealStack } = require("../realStack");
const { killsFor } = require("./points");

/** @typedef {import("./points").Kill} Kill */
/** @typedef {{mistake?: string, secondMails: number}} Outcome */

/** Twice as many as there are cores: for half of its time a run waits. */
const atOnce = 2 * os.availableParallelism();

/** @param {import("..").Options} options @returns {Promise<import("..").Figure[]>} */
async function stage({ short, seed, runs, replay }) {
  const wanted = killsFor(runs ?? (short ? 1 : 50), seed);
  const kills = replay === undefined ? wanted : wanted.filter(({ run }) => run === Number(replay));
  /** @type {Outcome[]} */
  const outcomes = await step("Kills", `${kills.length} runs, 6 s each`, (tell) =>
    inParallel(kills, outcomeOf, tell, atOnce),
  );
  const right = outcomes.filter(({ mistake }) => mistake === undefined).length;
  const secondMails = outcomes.reduce((sum, outcome) => sum + outcome.secondMails, 0);
  return [
    all("kills after which each update is public once and tracked", right, kills.length),
    none("duplicate emails", secondMails),
  ];
}

/** @param {Kill} kill @returns {Promise<Outcome>} */
async function outcomeOf(kill) {
  const hours = Array.from({ length: kill.updates }, (_, index) => index + 1);
  const descriptions = hours.map((hour) => `Hour ${hour}: still watching it.`);
  const stack = await RealStack.create(
    descriptions.map((description) => ({ status: "MONITORING", description, notifySubscribers: true })),
  );
  try {
    for (const [index, strike] of kill.strikes.entries()) stack.relay.strike(strike, index ? 0 : kill.skip);
    await stack.upKilled(kill.target, kill.signal);
    const orphaned = kill.target !== "provider" && kill.signal === "SIGKILL";
    const stopped = !orphaned || stack.relay.posts.length <= kill.posts;
    await wait(kill.nextUpAfterMs);
    if (!kill.sameMachine) stack.moveToNewMachine();
    const { ok, output } = await stack.up();
    const { published, mails } = stack;
    const secondMails = Math.max(0, mails - descriptions.length);
    const { tracked } = await stack.remembered();
    const right =
      ok &&
      stopped &&
      stack.relay.struck === kill.strikes.length &&
      same(
        published.map(({ description }) => description),
        descriptions,
      ) &&
      same(
        tracked,
        published.map(({ id }) => id),
      );
    if (right) return { secondMails };
    const orphan = stopped ? "" : ", and a provider posted whose engine was gone";
    const mistake = told(kill, `published ${published.length}${orphan}\n${ok ? "" : output}`);
    return { mistake, secondMails };
  } catch (error) {
    return { mistake: told(kill, inspect(error)), secondMails: 0 };
  } finally {
    await stack.remove();
  }
}

/** @param {Kill} kill @param {string} what went wrong */
function told(kill, what) {
  const mistake = `run ${kill.run}: ${JSON.stringify(kill)} ${what}`;
  process.stderr.write(`  ${mistake}\n`);
  return mistake;
}

/** In any order. @param {string[]} some @param {string[]} others */
function same(some, others) {
  return [...some].sort().join("\n") === [...others].sort().join("\n");
}

module.exports = { stage };
