/** What stacks hold that were made by earlier releases goes on working: recorded by test/fixtures/record.js. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Sandbox, type SandboxData, startSandbox } from "../../sandbox";
import { repository, Stack } from "./stack";

const fixtures = join(repository, "test", "fixtures");
const releases = readdirSync(fixtures).filter((name) => name.startsWith("release-"));
/** Stands in the recordings for the sandbox. */
const host = "127.0.0.1:4010";

describe.each(releases)("%s", (release) => {
  const recorded = (file: string): string => readFileSync(join(fixtures, release, file), "utf8");
  let sandbox: Sandbox;
  let stack: Stack;

  beforeAll(async () => {
    sandbox = await startSandbox({ seed: JSON.parse(recorded("service.json")) as SandboxData });
    stack = await Stack.create({ program: recorded("index.js"), sandbox });
    stack.write("state.json", recorded("state.json").replaceAll(host, new URL(sandbox.url).host));
    await stack.mustRun("stack", "import", "--file", "state.json");
  });
  afterAll(async () => {
    stack.remove();
    await sandbox.close();
  });
  afterEach(() => {
    expect(sandbox.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  });

  it("has nothing to do in a preview, but for the update that is unconfirmed", async () => {
    const before = await stack.resources();
    expect(before).toHaveLength(9);
    expect(before.filter(({ outputs }) => outputs["missing"] === true)).toHaveLength(1);
    const { code, output } = await stack.preview();
    expect({ code, output }).toMatchObject({ code: 0 });
    expect(output).toMatch(/^Resources:\s+~ 1 to update\s+8 unchanged$/m);
    expect(output).toMatch(/unconfirmed-\w+: nothing tells yet whether it was published/);
  });

  it("is refreshed without a change", async () => {
    const before = await stack.resources();
    expect(await stack.refresh()).toMatchObject({ code: 0 });
    const bare = (resources: typeof before) =>
      resources.map(({ id, inputs, outputs }) => ({ id, inputs, outputs }));
    expect(bare(await stack.resources())).toEqual(bare(before));
  });

  it("knows the unconfirmed update by its id once it turns up", async () => {
    const id = "upd_shown_late";
    sandbox.byHand.change(({ accounts: [{ statusPageIncidents }] }) =>
      statusPageIncidents[0]?.incidentUpdates.unshift({
        id,
        status: "RESOLVED",
        description: "Unconfirmed: no answer came.",
        notifySubscribers: false,
        created_at: "2026-11-20T12:00:00.000Z",
        publicIncidentUpdateDate: "2026-11-20T12:00:00.000Z",
      }),
    );
    expect(await stack.refresh()).toMatchObject({ code: 0 });
    expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0 });
    const known = (await stack.resources()).map(({ outputs }) => outputs["incidentUpdateId"]);
    expect(known).toContain(id);
  });

  it("is destroyed, which forgets all and leaves the service as it is", async () => {
    expect(await stack.destroy()).toMatchObject({ code: 0 });
    expect(await stack.resources()).toEqual([]);
  });
});
