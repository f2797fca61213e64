/** The replay of the explorer's traces by `pulumi` commands tells a program apart that does something else than the trace. */
import { walkOf } from "../explore/randomTraces";
import { configurations } from "../explore/configurations";
import { Commands, replay } from "../explore/replay";
import { type Run, type World } from "../explore/world";
import { type Adapter, dynamic, plugin } from "../driver/adapters";

type Trace = ReturnType<typeof walkOf>;
type Step = Extract<Trace[number], { model: unknown }>;

const [oneUpdate] = configurations;
if (!oneUpdate) throw new Error("There is no configuration.");
const undisturbed = walkOf(oneUpdate, 1, ({ label }) => !/KILLED|LOST|fails/.test(label));
/** One `up` that posts one update. */
const trace = undisturbed.slice(0, undisturbed.findIndex(({ label }) => label === "up succeeds") + 1);

/** The trace, with other steps where the label matches. */
function withSteps(label: RegExp, changed: (step: Step) => Trace): Trace {
  return trace.flatMap((step) => ("model" in step && label.test(step.label) ? [...changed(step)] : [step]));
}

function withoutState(world: World): World {
  const stacks = Object.entries(world.stacks).map(([name, stack]) => [name, { ...stack, state: {} }]);
  return { ...world, stacks: Object.fromEntries(stacks) };
}

const refused: Run["refused"] = [{ urn: "a", why: "laterEntry", id: "u", alike: [] }];
const refusing = ({ runs, ...world }: World): World => ({
  ...world,
  runs: runs.map((run) => ({ ...run, refused })),
});

it.each<[string, Adapter, Trace, RegExp]>([
  ["posts", dynamic, withSteps(/^a posts /, () => []), /^up succeeds: expected the end, not post i/],
  [
    "records",
    plugin,
    withSteps(/^up succeeds$/, (step) => [{ ...step, world: withoutState(step.world) }]),
    /^up succeeds: the state records .+, not \[\]$/,
  ],
  [
    "publishes instead of refusing",
    plugin,
    withSteps(/^up succeeds$/, (step) => [{ ...step, before: refusing(step.before) }]),
    /^up succeeds: it succeeded$/,
  ],
])("sees what the program %s", async (_, adapter, wrong, mismatch) => {
  expect((await replay(wrong, adapter, Commands)).mismatch).toMatch(mismatch);
});
