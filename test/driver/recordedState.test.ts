/** What this build leaves in a stack, and what each tagged release has left (test/fixtures/record.js), goes on working. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../tools/setup";
import { type Sandbox, startSandbox } from "../../sandbox";
import { type Adapter, adapters } from "./adapters";
import { configOf } from "./drivenProject";
import { type Properties, ProviderProcess } from "./provider";
import { type Recorded, record } from "./recording";
import { Stack } from "./stack";

const fixtures = join(root, "test", "fixtures");
const releases = readdirSync(fixtures).filter((name) => name.startsWith("release-"));

const thisBuild = "this build";
const recordings: Record<string, Promise<Recorded>> = {};

/** What the release left; of this build, what it leaves now. */
function recordingOf(release: string, adapter: Adapter): Promise<Recorded> {
  if (release === thisBuild) return (recordings[adapter.name] ??= record(adapter));
  const text = readFileSync(join(fixtures, release, `${adapter.name}.json`), "utf8");
  return Promise.resolve(JSON.parse(text) as Recorded);
}

/** The stack, on a service that has its objects. */
async function restore(recorded: Recorded) {
  const sandbox = await startSandbox({ seed: recorded.service });
  const moved = JSON.stringify(recorded.resources).replaceAll(recorded.host, new URL(sandbox.url).host);
  const resources = JSON.parse(moved) as Recorded["resources"];
  const stack = new Stack((each) => resources.find(({ name }) => name === each)?.type ?? "IncidentUpdate");
  for (const { name, id, inputs, outputs } of resources) {
    const unfinished = "unconfirmed" in outputs;
    stack.resources.set(name, { id, inputs, outputs, unfinished });
  }
  const program = Object.fromEntries(
    resources.map(({ name, inputs: { __provider, __resource, __secrets, ...args } }) => [name, args]),
  );
  return { sandbox, stack, program };
}

describe.each(
  [thisBuild, ...releases].flatMap((release) =>
    adapters.map((adapter) => [release, adapter.name, adapter] as const),
  ),
)("%s, by the adapter %s,", (release, _, adapter) => {
  let sandbox: Sandbox;
  let stack: Stack;
  let program: Record<string, Properties>;

  beforeEach(async () => {
    ({ sandbox, stack, program } = await restore(await recordingOf(release, adapter)));
  });
  afterEach(async () => {
    await sandbox.close();
    expect(sandbox.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  });

  const run = async (commands: (provider: ProviderProcess) => Promise<void>): Promise<void> => {
    const provider = await ProviderProcess.start(configOf(sandbox), { adapter });
    try {
      await commands(provider);
    } finally {
      await provider.end();
    }
  };
  const state = () => [...stack.resources].map(([name, { id, outputs }]) => ({ name, id, outputs }));

  it("is unchanged but for the unconfirmed update, and known for what it was before", async () => {
    const before = state();
    await run(async (provider) => {
      expect(await stack.preview(provider, program)).toEqual(["update"]);
      expect(await stack.refresh(provider)).toEqual([]);
      expect(state()).toEqual(before);
      const posted = { ...program["posted"], status: "IDENTIFIED", description: "We know the cause." };
      expect(await stack.up(provider, { posted })).toEqual([
        expect.stringContaining("To publish it again, set `occurrence: 2`"),
      ]);
    });
  });

  it("has an unconfirmed update, which is found once it is shown", async () => {
    const before = state().filter(({ name }) => name !== "unconfirmed");
    const created_at = new Date().toISOString();
    const { status, description } = program["unconfirmed"] as { status: "RESOLVED"; description: string };
    const shown = { id: "upd_shown_late", status, description, created_at };
    sandbox.byHand.change(({ accounts: [{ statusPageIncidents }] }) =>
      statusPageIncidents[0]?.incidentUpdates.unshift({
        ...{ ...shown, notifySubscribers: false, publicIncidentUpdateDate: created_at },
      }),
    );
    await run(async (provider) => {
      expect(await stack.up(provider, program)).toEqual([]);
      expect(await stack.preview(provider, program)).toEqual([]);
      const found = stack.resources.get("unconfirmed")?.outputs;
      expect(found).toMatchObject({ status, description, incidentUpdateId: "upd_shown_late" });
      expect(state().filter(({ name }) => name !== "unconfirmed")).toEqual(before);
      expect(await stack.destroy(provider)).toEqual([]);
    });
  });
});
