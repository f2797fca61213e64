/** Kills of the provider, of the engine, and of both, in the middle of an `up` on the real engine; then another `up`. */
const os = require("node:os");
const { inspect } = require("node:util");
const { setTimeout: wait } = require("node:timers/promises");
const { step } = require("../../scripts/setup/progress");
const { all } = require("../bars");
const { inParallel } = require("../driver/parallel");
const { RealStack } = require("../driver/project");
const { killsFor } = require("./points");

/** @typedef {import("./points").Kill} Kill */

/** Twice as many as there are cores: for half of its time a run waits. */
const atOnce = 2 * os.availableParallelism();

/** @param {import("..").Options} options @returns {Promise<import("..").Figure[]>} */
async function stage({ short, seed, runs, replay }) {
  const wanted = killsFor(runs ?? (short ? 1 : 50), seed);
  const kills = replay === undefined ? wanted : wanted.filter(({ run }) => run === Number(replay));
  /** @type {(string | undefined)[]} */
  const mistakes = await step("Kills", `${kills.length} runs, 6 s each`, (tell) =>
    inParallel(kills, mistakeAfter, tell, atOnce),
  );
  const right = mistakes.filter((mistake) => mistake === undefined).length;
  return [all("kills after which each update is public once, and tracked", right, kills.length)];
}

/** @param {Kill} kill @returns {Promise<string | undefined>} */
async function mistakeAfter(kill) {
  const hours = Array.from({ length: kill.updates }, (_, index) => index + 1);
  const descriptions = hours.map((hour) => `Hour ${hour}: still watching it.`);
  const stack = await RealStack.create(
    descriptions.map((description) => ({ status: "MONITORING", description })),
  );
  try {
    for (const [index, strike] of kill.strikes.entries()) stack.relay.strike(strike, index ? 0 : kill.skip);
    await stack.upKilled(kill.target, kill.signal);
    const orphaned = kill.target !== "provider" && kill.signal === "SIGKILL";
    const stopped = !orphaned || stack.relay.posts.length <= kill.posts;
    await wait(kill.nextUpAfterMs);
    const { ok, output } = await stack.up();
    const { published } = stack;
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
    if (right) return undefined;
    const orphan = stopped ? "" : ", and a provider posted whose engine was gone";
    return told(kill, `published ${published.length}${orphan}\n${ok ? "" : output}`);
  } catch (error) {
    return told(kill, inspect(error));
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
