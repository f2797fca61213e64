/** A clock that stands still while work is pending and jumps when only timers are left. */
import promised from "node:timers/promises";
import "../client/clock";
import { realProcess, until } from "../client/services";

/** Resources of work that the event loop doesn't run itself: DNS lookups, connections and writes. */
const work = /Req|Connect|Write|Shutdown/;

/** The time without pending work after which the clock jumps. Local writes are readable much earlier. */
const idle = { turns: 50, nanoseconds: 2_000_000n };

let isRunning = false;
let clock: Promise<void> = Promise.resolve();

beforeEach(() => {
  // Jest's fake timers don't replace this function.
  jest.spyOn(promised, "setTimeout").mockImplementation(async (ms, value, { signal } = {}) => {
    signal?.throwIfAborted();
    return new Promise<typeof value>((resolve, reject) => {
      signal?.addEventListener("abort", () => reject(new Error("aborted")));
      setTimeout(resolve, ms, value);
    });
  });
  isRunning = true;
  clock = run();
});

afterEach(async () => {
  isRunning = false;
  await clock;
  jest.restoreAllMocks();
});

async function run(): Promise<void> {
  for (;;) {
    await allWait();
    if (!isRunning) return;
    await jest.advanceTimersToNextTimerAsync();
  }
}

async function allWait(): Promise<void> {
  let turns = 0;
  let began = realProcess.hrtime.bigint();
  await until(() => {
    turns += 1;
    if (realProcess.getActiveResourcesInfo().some((name) => work.test(name))) {
      turns = 0;
      began = realProcess.hrtime.bigint();
    }
    return turns > idle.turns && realProcess.hrtime.bigint() - began > idle.nanoseconds;
  });
}
