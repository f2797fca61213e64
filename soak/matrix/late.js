/** A service that shows writes late: what is promised, beside what is measured. */
const { setTimeout: wait } = require("node:timers/promises");
const { step } = require("../../scripts/setup/progress");
const { all, none } = require("../bars");
const { newMachine } = require("../../test/driver/machines");
const { startService } = require("../service");
const { Relay } = require("../wire/relay");
const { inOneProcess, upAndKill } = require("./batch");
const { Run } = require("./run");

/** @typedef {import("..").Figure} Figure */
/** @typedef {"reset" | "kill"} Kind */

const lateMs = 5_000;
/** Longer than a lock lasts whose holder was killed: what waits for the lock alone looks too early. */
const veryLateMs = 20_000;
/** So few that a process posts all of them, and the next one looks, before the first is shown. */
const few = 20;

/** @param {boolean} short @returns {Promise<Figure[]>} */
async function lateFigures(short) {
  const count = short ? 20 : 200;
  return step("Writes shown late", "about a minute", async () => {
    const lost = await runLate("reset", count, (runs) =>
      inOneProcess(runs, {}, (run, provider) => run.up(provider)),
    );
    const atOnce = await runLate("kill", few, upAndKill);
    const later = await runLate("kill", few, async (runs) => {
      await upAndKill(runs);
      await wait(lateMs);
    });
    const machine = newMachine();
    const sameMachine = await runLate("kill", few, (runs) => upAndKill(runs, { machine }), {
      shownAfterMs: veryLateMs,
      machine,
    });
    return [
      all("shown 5 s late, response lost: tracked by the same up", lost.trackedAtOnce, count),
      all("shown 5 s late, response lost: public once", lost.once, count),
      all("shown 5 s late, killed after the post, next up after 5 s: public once", later.once, few),
      all(
        "shown 20 s late, killed after the post, next up at once on the same machine: public once",
        sameMachine.once,
        few,
      ),
      none(
        "duplicate emails, without those of the next line",
        lost.secondMails + later.secondMails + sameMachine.secondMails,
      ),
      {
        what: "shown 5 s late, killed after the post, next up at once on another machine: public more than once",
        measured: `${atOnce.twice} of ${few}`,
        bar: "none",
      },
    ];
  });
}

/**
 * @param {Kind} kind
 * @param {number} count
 * @param {(runs: Run[]) => Promise<unknown>} firstUp
 * @param {object} options
 * @param {number} [options.shownAfterMs]
 * @param {string} [options.machine] of the next up; default: another
 */
async function runLate(kind, count, firstUp, { shownAfterMs = lateMs, machine } = {}) {
  const { sandbox, accounts } = await startService(count);
  sandbox.faults.add({ kind: "lateVisibility", ms: shownAfterMs });
  const relays = await Promise.all(accounts.map(() => Relay.open(sandbox.url)));
  try {
    const runs = accounts.map((account, index) => {
      const relay = /** @type {Relay} */ (relays[index]);
      return new Run(planOf(kind, index), account, relay, sandbox);
    });
    await firstUp(runs);
    const trackedAtOnce = runs.filter(({ published, untracked }) => published > 0 && !untracked).length;
    await Promise.all(relays.map((relay) => relay.heal()));
    await inOneProcess(runs, {}, (run, provider) => run.up(provider), { machine });
    const timesPublic = (/** @type {number} */ times) =>
      runs.filter(({ published }) => published === times).length;
    const secondMails = runs.reduce((sum, run) => sum + run.secondMails, 0);
    return { trackedAtOnce, once: timesPublic(1), twice: timesPublic(2), secondMails };
  } finally {
    await Promise.all(relays.map((relay) => relay.close()));
    await sandbox.close();
  }
}

/**
 * @param {Kind} kind
 * @param {number} run
 * @returns {import("./plans").Plan}
 */
function planOf(kind, run) {
  return {
    run,
    cell: "late",
    kind,
    strikes: [{ method: "POST", stage: "before the answer", kind }],
    words: { status: "MONITORING", description: `Late ${run}.`, notifySubscribers: true },
  };
}

module.exports = { lateFigures };
