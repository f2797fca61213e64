/** Traces of the explorer, by the real provider process. */
import { walkOf } from "../explore/randomTraces";
import { configurations, unguarded } from "../explore/configurations";
import { replay } from "../explore/replay";
import { explore, modelOf } from "../explore/search";
import { dynamic, plugin } from "./adapters";
import { removeMachines } from "./machines";

afterAll(removeMachines);

/** Two posts of one update: killed, then a run on another machine before the update is shown. */
const killed = unguarded.slice(0, 1).flatMap((config) => explore(modelOf(config)).trace);

it("a provider posts twice where the explorer says that nobody can prevent it", async () => {
  expect(await replay(killed, plugin)).toEqual({ posts: 2 });
});

it("a provider that does something else than the trace is told apart", async () => {
  const read = killed.findLastIndex(({ label }) => label.includes(" reads"));
  const { mismatch } = await replay([...killed.slice(0, read), ...killed.slice(read + 1)], plugin);
  expect(mismatch).toMatch(/: expected post i, not read i$/);
});

it.each([
  ["plugin", "move to another incident", plugin],
  ["dynamic", "ids honoured with 409", dynamic],
] as const)(
  "the %s provider does what the protocol does in the configuration: %s",
  async (_, name, adapter) => {
    const config = configurations.find((each) => each.name.startsWith(name));
    if (!config) throw new Error(`No configuration ${name}`);
    expect(await replay(walkOf(config, 1), adapter)).toEqual({ posts: expect.any(Number) });
  },
);
