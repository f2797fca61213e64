/** Plays scenarios with runs in this process, without real waits. wire.test.ts shows that both adapters behave the same. */
import { Connections } from "../../provider/connection";
import { Run } from "../../provider/run";
import { formatNoticeText } from "../../provider/texts";
import type { Sandbox } from "../../sandbox";
import "../lifecycles/idleClock";
import { sandboxForEachTest } from "../sandbox/sandboxes";
import { play, type Scenario } from "./expecting";
import { removeMachines } from "./provider";
import { ProviderRun } from "./runs";
import type { Begin } from "./scenario";

const beginRun: Begin = (config, { machine, env, skips = 0 }) => {
  jest.setSystemTime(Date.now() + skips);
  const host = { output: "", cancel: () => undefined, end: () => undefined };
  const say = (text: string): void => void (host.output += `${text}\n`);
  const run = new Run({
    connections: new Connections((key) => config[`monitoring:${key}`], {
      MONITORING_LOCK_DIRECTORY: machine,
      ...env,
    }),
    notice: (text) => say(formatNoticeText(text)),
    warn: (text) => say(`warning: ${text}`),
    assertAlive: () => Promise.resolve(),
  });
  return Promise.resolve(new ProviderRun((call) => run.handle(call), host));
};

/** Returns the service of each test, and a function that plays a scenario with it. */
export function startService() {
  const sandbox: () => Sandbox = sandboxForEachTest();
  // Jest doesn't emit `exit` when its process ends.
  afterAll(removeMachines);
  return { sandbox, play: (scenario: Scenario) => play(scenario, beginRun, sandbox()) };
}

/** Defines a test for each scenario, by its title. */
export function playEach(
  scenarios: Readonly<Record<string, Scenario | ((sandbox: Sandbox) => Scenario)>>,
): void {
  const service = startService();
  it.each(Object.entries(scenarios))("%s", async (_, scenario) =>
    service.play(typeof scenario === "function" ? scenario(service.sandbox()) : scenario),
  );
}
