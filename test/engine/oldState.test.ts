/** What stacks hold that were made by earlier releases goes on working: recorded by test/fixtures/record.js. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Sandbox, type SandboxData, startSandbox } from "../../sandbox";
import {
  createStack,
  environmentOf,
  expectSuccess,
  repository,
  type Resource,
  resourcesOf,
  type Stack,
} from "./stack";

const fixtures = join(repository, "test", "fixtures");
const releases = readdirSync(fixtures).filter((name) => name.startsWith("release-"));
/** Stands in the recordings for the sandbox. */
const host = "127.0.0.1:4010";

/** What each recorded program declares, last of all. */
const unconfirmed = { status: "RESOLVED", description: "Unconfirmed: no answer came." } as const;

/**
 * What the stack remembers of its resources, in whatever order. What an update that is only read has published is a
 * secret after an up, and is none in the recording, which was refreshed: the value is the same.
 */
/** Without the resource's name, an input that release 0.1.0 did not store. */
const remembered = (resources: readonly Resource[]) =>
  new Map(
    resources.map(({ urn, id, inputs: { __resource, ...inputs }, outputs }) => [
      urn,
      { id, inputs, outputs: plain(outputs) },
    ]),
  );

function plain(outputs: Resource["outputs"]): unknown {
  return JSON.parse(JSON.stringify(outputs), (_, value: unknown): unknown =>
    typeof value === "object" && value !== null && "plaintext" in value
      ? JSON.parse(String(value.plaintext))
      : value,
  );
}

const isUnconfirmed = ({ outputs }: Resource): boolean => outputs["unconfirmed"] !== undefined;

describe.each(releases)("%s", (release) => {
  const recorded = (file: string): string => readFileSync(join(fixtures, release, file), "utf8");
  let sandbox: Sandbox;
  let stack: Stack;
  let before: Resource[];

  beforeAll(async () => {
    sandbox = await startSandbox({ seed: JSON.parse(recorded("service.json")) as SandboxData });
    stack = await createStack({ program: recorded("index.js"), env: environmentOf(sandbox) });
    const state = recorded("state.json").replaceAll(host, new URL(sandbox.url).host);
    stack.write("state.json", state);
    await stack.mustRun("stack", "import", "--file", "state.json");
    const { deployment } = JSON.parse(state) as { deployment: { resources: Resource[] } };
    before = deployment.resources.filter(({ type }) => type.includes("dynamic/monitoring:"));
  });
  afterAll(() => sandbox.close());

  it("holds one of each kind, an update that is missing, and one that is unconfirmed", () => {
    expect(before).toHaveLength(9);
    expect(new Set(before.map(({ type }) => type)).size).toBe(5);
    expect(before.filter(({ outputs }) => outputs["missing"] === true)).toHaveLength(1);
    expect(before.filter(isUnconfirmed)).toEqual([
      expect.objectContaining({ outputs: expect.objectContaining(unconfirmed) }),
    ]);
  });

  it("has nothing to do but for the unconfirmed update, which is searched for, and found once it turns up; is refreshed and destroyed", async () => {
    const preview = await stack.preview();
    expect(preview).toMatchObject({ ok: true });
    expect(preview.output).toMatch(/^Resources:\s+~ 1 to update\s+8 unchanged$/m);
    expect(preview.output).toMatch(/unconfirmed-\w+: it is unknown whether it was published/);

    // Less than this only shortens how long it looks in vain.
    stack.env["MONITORING_DEADLINE_MS"] = "2500";
    const { ok, output } = await stack.up();
    stack.env["MONITORING_DEADLINE_MS"] = "";
    expect(ok).toBe(false);
    expect(output).toContain("a previous run sent this update and received no response");
    expect(output).toContain("This run posted nothing.");
    expect(remembered(await resourcesOf(stack))).toEqual(remembered(before));
    expectSuccess(await stack.refresh());
    expect(remembered(await resourcesOf(stack))).toEqual(remembered(before));

    const id = "upd_shown_late";
    const created_at = "2026-11-20T12:00:00.000Z";
    sandbox.byHand.change(({ accounts: [{ statusPageIncidents }] }) =>
      statusPageIncidents[0]?.incidentUpdates.unshift({
        ...unconfirmed,
        id,
        notifySubscribers: false,
        created_at,
        publicIncidentUpdateDate: created_at,
      }),
    );
    const up = expectSuccess(await stack.up());
    expect(up).toContain("was published on incident");
    expect(up).toMatch(/^Resources:\s+~ 1 updated\s+8 unchanged$/m);

    const after = await resourcesOf(stack);
    const [found] = after.filter(({ outputs }) => outputs["incidentUpdateId"] === id);
    expect(found?.outputs).toMatchObject({ ...unconfirmed, missing: false, published: unconfirmed });
    expect(after.filter(isUnconfirmed)).toEqual([]);
    const otherUpdates = (resources: Resource[]) =>
      resources.filter(({ type, urn }) => type.endsWith(":IncidentUpdate") && urn !== found?.urn);
    expect(otherUpdates(after)).toHaveLength(4);
    expect(remembered(otherUpdates(after))).toEqual(remembered(otherUpdates(before)));
    expectSuccess(await stack.up("--expect-no-changes"));
    expectSuccess(await stack.destroy());
    expect(await resourcesOf(stack)).toEqual([]);
    expect(sandbox.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  });
});
