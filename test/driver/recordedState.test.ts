/** What a release has left in a stack goes on working: recorded by test/fixtures/record.js. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ResourceType } from "../../provider/resourceTypes";
import { root } from "../../scripts/setup";
import { type Sandbox, type SandboxData, startSandbox } from "../../sandbox";
import { type Adapter, adapters } from "./adapters";
import { configOf } from "./drivenProject";
import { newMachine } from "./machines";
import { type Properties, ProviderProcess } from "./provider";
import { Stack } from "./stack";

interface Recorded {
  readonly service: SandboxData;
  readonly resources: readonly {
    readonly name: string;
    readonly type: ResourceType;
    readonly id: string;
    readonly inputs: Properties;
    readonly outputs: Properties;
  }[];
}

const fixtures = join(root, "test", "fixtures");
const releases = readdirSync(fixtures).filter((name) => name.startsWith("release-"));

/** A stack as the release left it, on a service that has its objects. */
async function restore(release: string, adapter: Adapter) {
  const text = readFileSync(join(fixtures, release, `${adapter.name}.json`), "utf8");
  const { service } = JSON.parse(text) as Recorded;
  const sandbox = await startSandbox({ seed: service });
  const { resources } = JSON.parse(text.replaceAll("127.0.0.1:4010", new URL(sandbox.url).host)) as Recorded;
  const stack = new Stack((each) => resources.find(({ name }) => name === each)?.type ?? "IncidentUpdate");
  for (const { name, id, inputs, outputs } of resources) {
    const unfinished = "unconfirmed" in outputs;
    stack.resources.set(name, { id, inputs, outputs, unfinished });
  }
  const program = Object.fromEntries(
    resources.map(({ name, inputs: { __provider, __resource, ...args } }) => [name, args]),
  );
  return { sandbox, stack, program };
}

describe.each(
  releases.flatMap((release) => adapters.map((adapter) => [release, adapter.name, adapter] as const)),
)("%s, by the adapter %s,", (release, _, adapter) => {
  let sandbox: Sandbox;
  let stack: Stack;
  let program: Record<string, Properties>;

  beforeEach(async () => ({ sandbox, stack, program } = await restore(release, adapter)));
  afterEach(async () => {
    await sandbox.close();
    expect(sandbox.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  });

  const run = async (command: (provider: ProviderProcess) => Promise<string[]>): Promise<string[]> => {
    // Less than this only shortens how long it looks in vain.
    const env = { MONITORING_DEADLINE_MS: "2500" };
    const provider = await ProviderProcess.start(configOf(sandbox), { adapter, machine: newMachine(), env });
    return command(provider).finally(() => provider.end());
  };
  const state = () => [...stack.resources].map(([name, { id, outputs }]) => ({ name, id, outputs }));

  it("is unchanged but for the unconfirmed update, which is found once it is shown", async () => {
    const before = state();
    expect(await run((provider) => stack.preview(provider, program))).toEqual(["update"]);
    expect(await run((provider) => stack.refresh(provider))).toEqual([]);
    expect(state()).toEqual(before);
    expect(await run((provider) => stack.up(provider, program))).toEqual([
      expect.stringMatching(/a previous run sent this update at \S+, and received no response\./),
    ]);
    expect(state()).toEqual(before);

    const created_at = new Date().toISOString();
    const { status, description } = program["unconfirmed"] as { status: "RESOLVED"; description: string };
    const shown = { id: "upd_shown_late", status, description, created_at };
    sandbox.byHand.change(({ accounts: [{ statusPageIncidents }] }) =>
      statusPageIncidents[0]?.incidentUpdates.unshift({
        ...{ ...shown, notifySubscribers: false, publicIncidentUpdateDate: created_at },
      }),
    );
    expect(await run((provider) => stack.up(provider, program))).toEqual([]);
    expect(await run((provider) => stack.preview(provider, program))).toEqual([]);
    const found = stack.resources.get("unconfirmed")?.outputs;
    expect(found).toMatchObject({ status, description, incidentUpdateId: "upd_shown_late" });
    expect(state().filter(({ name }) => name !== "unconfirmed")).toEqual(
      before.filter(({ name }) => name !== "unconfirmed"),
    );
    expect(await run((provider) => stack.destroy(provider))).toEqual([]);
  });

  it("knows what an update was before: a change back is refused", async () => {
    const posted = { ...program["posted"], status: "IDENTIFIED", description: "We know the cause." };
    const failures = await run((provider) => stack.up(provider, { posted }));
    expect(failures).toEqual([expect.stringContaining("To publish it again, set `occurrence: 2`")]);
  });
});
