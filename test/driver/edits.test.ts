import { Clock } from "./clock";
import { scenarios } from "./edits";
import { play } from "./expecting";
import { removeMachines } from "./provider";
import { RunThread } from "./runs";
import { sandboxForEachTest } from "../lifecycles/phases";

const sandbox = sandboxForEachTest();
const [thread, clock] = [new RunThread(), new Clock()];
afterAll(async () => {
  clock.remove();
  await thread.remove();
  // Jest doesn't tell the end of its process.
  removeMachines();
});

it.each(Object.entries(scenarios))("%s", async (_, scenario) =>
  play(
    scenario,
    async (config, options) => thread.start(config, { ...options, env: { ...options.env, ...clock.env } }),
    sandbox(),
  ),
);
