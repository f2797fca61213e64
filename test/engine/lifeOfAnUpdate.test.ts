import { rmSync } from "node:fs";
import { type Sandbox, startSandbox, wellKnown } from "../../sandbox";
import { folderWithPackedPackage } from "./packed";
import { repository, type Run, Stack } from "./stack";

const incidentId = wellKnown.statusPageIncidents.checkoutLatency;

const program = `
import * as pulumi from "@pulumi/pulumi";
import { getStatusPageIncidentOutput, IncidentUpdate } from "pulumi-monitoring-service";

const incidentId = new pulumi.Config().require("incidentId");
const incident = getStatusPageIncidentOutput({ incidentId });
const update = new IncidentUpdate("fixed", { incidentId, status: "RESOLVED", description: "Checkout is fast again." });

export const about = incident.name;
export const updateId = update.incidentUpdateId;
`;

let outside: string;
beforeAll(() => {
  outside = folderWithPackedPackage();
});
afterAll(() => {
  rmSync(outside, { recursive: true, force: true });
});

describe.each([
  ["a program of this repository", () => repository],
  ["a program that installed the packed package elsewhere", () => outside],
])("a declared update, in %s", (_, under) => {
  const runs: Record<string, Run> = {};
  const states: string[] = [];
  let sandbox: Sandbox;
  let stack: Stack;
  let posts: Sandbox["requests"];

  beforeAll(async () => {
    sandbox = await startSandbox();
    stack = await Stack.create({
      program,
      language: "typescript",
      under: under(),
      sandbox,
      config: { "test:incidentId": incidentId },
    });
    for (const [name, run] of [
      ["up", () => stack.up()],
      ["preview", () => stack.preview("--expect-no-changes")],
      ["refresh", () => stack.refresh("--expect-no-changes")],
      ["preview after refresh", () => stack.preview("--expect-no-changes")],
      ["second up", () => stack.up("--expect-no-changes")],
    ] as const) {
      runs[name] = await run();
      states.push(await stack.exported());
    }
    posts = sandbox.requests.filter(({ method }) => method === "POST");
    sandbox.clearRequests();
    runs["destroy"] = await stack.destroy();
    states.push(await stack.exported());
  });

  afterAll(async () => {
    stack.remove();
    await sandbox.close();
  });

  it("is posted by `pulumi up`, once, with the key, the account and the words", () => {
    expect(runs["up"]).toMatchObject({ code: 0 });
    expect(posts).toHaveLength(1);
    expect(posts[0]).toMatchObject({
      path: `/v1/status-pages/incidents/${incidentId}/incident-updates`,
      account: sandbox.accountId,
      headers: {
        authorization: `Bearer ****${sandbox.apiKey.slice(-4)}`,
        "x-service-account": sandbox.accountId,
        "content-type": "application/json",
      },
      body: { status: "RESOLVED", description: "Checkout is fast again.", notifySubscribers: false },
      status: 201,
    });
    expect(Object.keys(posts[0]?.body ?? {})).toHaveLength(3);
  });

  it.each(["preview", "refresh", "preview after refresh", "second up"])("leaves %s nothing to do", (name) => {
    expect(runs[name]).toMatchObject({ code: 0 });
  });

  it("is left alone by `pulumi destroy`, which says that it stays public", () => {
    expect(runs["destroy"]).toMatchObject({ code: 0, output: expect.stringContaining("it stays public") });
    expect(sandbox.requests).toEqual([]);
    expect(sandbox.incident(incidentId).incidentUpdates[0]).toMatchObject({
      description: "Checkout is fast again.",
    });
  });

  it("shows the API key in no output and keeps it in no state", () => {
    for (const { output } of Object.values(runs)) expect(output).not.toContain(sandbox.apiKey);
    // Only the engine's own copy of the configuration, in the provider that it makes by itself, may hold it.
    for (const state of states) {
      expect(withoutDefaultProviders(state)).not.toContain(sandbox.apiKey);
    }
  });

  it("keeps one short constant text of the provider", () => {
    const texts = new Set(
      [...states.join().matchAll(/"__provider": ("(?:[^"\\]|\\.)*")/g)].map(([, text = ""]) => text),
    );
    expect([...texts].map((text) => JSON.parse(text) as unknown)).toEqual([
      'exports.handler=()=>require("pulumi-monitoring-service/provider").IncidentUpdate',
    ]);
  });
});

function withoutDefaultProviders(state: string): string {
  const { deployment } = JSON.parse(state) as { deployment: { resources?: { type: string }[] } };
  return JSON.stringify(
    deployment.resources?.filter(({ type }) => !type.startsWith("pulumi:providers:")) ?? [],
  );
}
