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

it("the dynamic provider posts twice where the explorer says that nobody can prevent it", async () => {
  expect(await replay(killed, dynamic)).toEqual({ posts: 2 });
});

it("a provider that does something else than the trace is told apart", async () => {
  const read = killed.findLastIndex(({ label }) => label.includes(" reads"));
  const { mismatch } = await replay([...killed.slice(0, read), ...killed.slice(read + 1)], plugin);
  expect(mismatch).toMatch(/: expected post i, not read i$/);
});

it.each([
  // Its update is killed, then lost; its question is answered, and then its incident may not change.
  ["move to another incident", 1],
  // Its request is lost, its question is answered, and then another update is declared.
  ["full history, timeline", 1_474],
])("the plugin does what the protocol does in a random trace of %s", async (name, seed) => {
  const config = configurations.find((each) => each.name.startsWith(name));
  if (!config) throw new Error(`No configuration ${name}`);
  expect(await replay(walkOf(config, seed), plugin)).toEqual({ posts: expect.any(Number) });
});
