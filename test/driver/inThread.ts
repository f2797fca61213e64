/** Plays scenarios with runs in a thread. The thread can be killed, and waits are short. */
import type { Sandbox } from "../../sandbox";
import { sandboxForEachTest } from "../sandbox/sandboxes";
import { Clock } from "./clock";
import { play, type Scenario } from "./expecting";
import { removeMachines } from "./provider";
import { RunThread } from "./runs";

/** Returns the service of each test, and a function that plays a scenario with it. */
export function startThread() {
  const sandbox: () => Sandbox = sandboxForEachTest();
  const [thread, clock] = [new RunThread(), new Clock()];
  afterAll(async () => {
    clock.remove();
    await thread.remove();
    // Jest doesn't emit `exit` when its process ends.
    removeMachines();
  });
  const playInThread = (scenario: Scenario) =>
    play(
      scenario,
      async (config, { machine, env, skips = 0 }) => {
        clock.skip(skips);
        return thread.start(config, { machine, env: { ...env, ...clock.env } });
      },
      sandbox(),
    );
  return { sandbox, play: playInThread };
}
