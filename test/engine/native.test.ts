/** What only the native plugin can do, on the real engine. */
import { wellKnown } from "../../sandbox";
import { until } from "../client/services";
import { Service, words } from "./service";
import { createStack, type Stack } from "./stack";

const { cardDeclines } = wellKnown.statusPageIncidents;
const { onCall } = wellKnown.alertChannels;

const service = new Service();
let stack: Stack;
const start = async (program: string): Promise<void> => {
  stack = await createStack({ program, sandbox: service.sandbox });
  stack.declarePlugin();
};

const hours = [1, 2, 3, 4];
const fourUpdates = `
const { IncidentUpdate } = require("pulumi-monitoring-service/native");
for (const hour of ${JSON.stringify(hours)}) {
  new IncidentUpdate("hour-" + hour, {
    incidentId: "${cardDeclines}", status: "MONITORING", description: "Hour " + hour, notifySubscribers: true,
  });
}`;

it.each([
  ["Ctrl-C", "SIGINT"],
  ["SIGTERM", "SIGTERM"],
] as const)(
  "%s while a POST hangs ends the run and posts nothing more; the next `up` posts each update once",
  async (_, signal) => {
    await start(fourUpdates);
    // The service applies the update, and never responds.
    service.sandbox.faults.add({ kind: "hang", applied: true, operation: "createIncidentUpdate", times: 1 });
    const { ended, kill } = stack.start("up", "--yes", "--skip-preview");
    await until(() => service.posts.length > 0);
    kill(signal);
    const { ok, output } = await ended;
    expect(ok).toBe(false);
    expect(output).toContain("may or may not have been applied");
    expect(service.posts).toHaveLength(1);

    service.sandbox.faults.clear();
    expect(await stack.up()).toMatchObject({ ok: true });
    const descriptions = service.published(cardDeclines).map(({ description }) => description);
    expect(descriptions.sort()).toEqual(hours.map((hour) => `Hour ${hour}`));
    expect(service.posts).toHaveLength(hours.length);
  },
);

it("imports what exists by the command and by the option, and then has nothing to do", async () => {
  await start("");
  const [update] = service.sandbox.incident(cardDeclines).incidentUpdates;
  const id = `${cardDeclines}/${update?.id}`;
  const imported = await stack.run(
    ...["import", "monitoring:index:IncidentUpdate", "update", id],
    ...["--yes", "--skip-preview", "--protect=false", "--generate-code=false"],
  );
  expect(imported).toMatchObject({ ok: true });
  const declared = { status: update?.status, description: update?.description };
  stack.write(
    "index.js",
    `const { AlertChannel, IncidentUpdate } = require("pulumi-monitoring-service/native");
    new IncidentUpdate("update", ${JSON.stringify({ ...declared, incidentId: cardDeclines })});
    new AlertChannel("channel", { channelId: ${onCall} }, { import: "${onCall}" });`,
  );
  const up = await stack.up();
  expect(up.output).toMatch(/AlertChannel channel imported/);
  expect(up.output).not.toMatch(/IncidentUpdate update (created|updated|replaced)/);
  expect(await stack.preview("--expect-no-changes")).toMatchObject({ ok: true });
  expect(service.posts).toEqual([]);

  const absent = await stack.run("import", "monitoring:index:AlertChannel", "absent", "99", "--yes");
  expect(absent).toMatchObject({
    ok: false,
    output: expect.stringContaining("AlertChannel 99: not found in"),
  });
});

it("keeps the keys of explicit providers secret, and a rotated key changes the provider alone", async () => {
  const program = (key: string): string => `
    const { AlertChannel, IncidentUpdate, Provider } = require("pulumi-monitoring-service/native");
    const service = { baseUrl: "${service.sandbox.url}", accountId: "${service.sandbox.accountId}" };
    const eu = new Provider("eu", { ...service, apiKey: "${key}" });
    const us = new Provider("us", { ...service, apiKey: "${service.sandbox.apiKey}" });
    new IncidentUpdate("eu", ${JSON.stringify(words)}, { provider: eu });
    new AlertChannel("channel", { channelId: ${onCall}, expect: { sendFailure: true } }, { provider: us });`;
  await start(program(service.sandbox.apiKey));
  // An argument wins over the variable of the same setting.
  stack.env["MONITORING_API_KEY"] = "of-another-account";
  expect(await stack.up()).toMatchObject({ ok: true });
  expect(service.posts).toHaveLength(1);
  expect(await stack.mustRun("stack", "export")).not.toContain(service.sandbox.apiKey);

  stack.write("index.js", program("rotated"));
  const { output } = await stack.up();
  expect(output).toMatch(/providers:monitoring eu updated/);
  expect(output).toMatch(/~ 1 updated\s+4 unchanged/);
  expect(service.posts).toHaveLength(1);

  stack.write("index.js", program(service.sandbox.apiKey).replace("sendFailure: true", "sendFailure: false"));
  const preview = await stack.preview();
  expect(preview).toMatchObject({
    ok: false,
    output: expect.stringContaining("sendFailure: expected false"),
  });
});

it("reports every resource that the service refuses in one preview", async () => {
  await start(`
    const { AlertChannel, IncidentUpdate } = require("pulumi-monitoring-service/native");
    const content = { status: "MONITORING", description: "We watch it." };
    new IncidentUpdate("one", { incidentId: "inc_none", ...content });
    new IncidentUpdate("two", { incidentId: "inc_nowhere", ...content });
    new AlertChannel("three", { channelId: 9999999 });`);
  // The engine stops at the first failure, but hears what is under way.
  service.sandbox.faults.add({ kind: "latency", ms: 1_000 });
  const { output } = await stack.preview();
  for (const wrong of [
    "getStatusPageIncident inc_none",
    "getStatusPageIncident inc_nowhere",
    "AlertChannel 9999999",
  ])
    expect(output).toContain(`error: Preview failed: ${wrong}: not found`);
});

it("takes a stack over from the dynamic provider and gives it back, without a request", async () => {
  const program = (entry: string): string => `
    const { AlertChannel, IncidentTimeline } = require("pulumi-monitoring-service${entry}");
    new IncidentTimeline("timeline", { incidentId: "${cardDeclines}", updates: [
      { status: "IDENTIFIED", description: "One." }, { status: "RESOLVED", description: "Two." } ] });
    new AlertChannel("channel", { channelId: ${onCall} });`;
  await start(program(""));
  expect(await stack.up()).toMatchObject({ ok: true });
  service.sandbox.clearRequests();
  for (const entry of ["/native", ""]) {
    stack.write("index.js", program(entry));
    expect(await stack.up()).toMatchObject({ ok: true, output: expect.stringMatching(/~ 3 updated/) });
    const holds = (await stack.resources()).map(({ outputs }) => "__provider" in { ...outputs });
    expect(holds.filter(Boolean)).toHaveLength(entry === "" ? 3 : 0);
  }
  expect(service.sandbox.requests).toEqual([]);
  expect(await stack.refresh()).toMatchObject({ ok: true });
  expect(await stack.destroy()).toMatchObject({ ok: true });
  expect(service.posts).toEqual([]);
});

it("says what to add to Pulumi.yaml when the plugin isn't declared", async () => {
  stack = await createStack({ program: fourUpdates, sandbox: service.sandbox });
  const { ok, output } = await stack.preview();
  expect(ok).toBe(false);
  expect(output).toContain("path: node_modules/pulumi-monitoring-service/plugin");
  expect(output).not.toMatch(/^\s+at .*:\d+:\d+/m);
});
