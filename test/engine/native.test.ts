/** What only the native plugin can do, on the real engine. */
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { wellKnown } from "../../sandbox";
import { until } from "../client/services";
import { Service, words } from "./service";
import { createStack, environmentOf, expectFailure, expectSuccess, type Stack } from "./stack";

const { cardDeclines } = wellKnown.statusPageIncidents;
const { onCall } = wellKnown.alertChannels;

const service = new Service();
const start = async (program: string, options: Parameters<typeof createStack>[0] = {}): Promise<Stack> => {
  const stack = await createStack({ ...options, program });
  stack.declarePlugin();
  return stack;
};

const hours = [1, 2, 3, 4];
const programOf = (entry: string): string => `
const { IncidentUpdate } = require("pulumi-monitoring-service${entry}");
for (const hour of ${JSON.stringify(hours)}) {
  new IncidentUpdate("hour-" + hour, {
    incidentId: "${cardDeclines}", status: "MONITORING", description: "Hour " + hour, notifySubscribers: true,
  });
}`;

it("Ctrl-C while a POST hangs posts nothing more, the next `up` posts each update once, and the dynamic provider takes the stack over and gives it back", async () => {
  const stack = await start(programOf("/native"), { env: environmentOf(service.sandbox) });
  // The service applies the update, and never responds.
  service.sandbox.faults.add({ kind: "hang", applied: true, operation: "createIncidentUpdate", times: 1 });
  const { ended, kill } = stack.start("up", "--yes", "--skip-preview");
  await until(() => service.posts.length > 0);
  kill("SIGINT");
  const { ok, output } = await ended;
  expect(ok).toBe(false);
  expect(output).toContain("may or may not have been applied");
  expect(service.posts).toHaveLength(1);

  service.sandbox.faults.clear();
  expectSuccess(await stack.up());
  const descriptions = service.published(cardDeclines).map(({ description }) => description);
  expect(descriptions.sort()).toEqual(hours.map((hour) => `Hour ${hour}`));
  expect(service.posts).toHaveLength(hours.length);

  service.sandbox.clearRequests();
  for (const [entry, count] of [
    ["", 4],
    ["/native", 0],
  ] as const) {
    stack.write("index.js", programOf(entry));
    expect(expectSuccess(await stack.up())).toMatch(/~ 4 updated/);
    const holds = (await stack.resources()).filter(({ outputs }) => "__provider" in { ...outputs });
    expect(holds).toHaveLength(count);
  }
  expect(service.sandbox.requests).toEqual([]);
});

it("imports by the option, keeps the keys of explicit providers secret, changes the provider alone with a rotated key, and reports all refusals in one preview", async () => {
  const program = (key: string): string => `
    const { AlertChannel, IncidentUpdate, Provider } = require("pulumi-monitoring-service/native");
    const service = { baseUrl: "${service.sandbox.url}", accountId: "${service.sandbox.accountId}" };
    const eu = new Provider("eu", { ...service, apiKey: "${key}" });
    const us = new Provider("us", { ...service, apiKey: "${service.sandbox.apiKey}" });
    new IncidentUpdate("eu", ${JSON.stringify(words)}, { provider: eu });
    new AlertChannel("channel", { channelId: ${onCall}, expect: { sendFailure: true } }, { provider: us });
    new AlertChannel("existing", { channelId: ${onCall} }, { provider: us, import: "${onCall}" });`;
  const stack = await start(program(service.sandbox.apiKey));
  // An argument wins over the variable of the same setting.
  stack.env["MONITORING_API_KEY"] = "of-another-account";
  expect(expectSuccess(await stack.up())).toMatch(/AlertChannel existing imported/);
  expect(service.posts).toHaveLength(1);
  expect(await stack.mustRun("stack", "export")).not.toContain(service.sandbox.apiKey);

  stack.write("index.js", program("rotated"));
  const { output } = await stack.up();
  expect(output).toMatch(/providers:monitoring eu updated/);
  expect(output).toMatch(/~ 1 updated\s+5 unchanged/);
  expect(service.posts).toHaveLength(1);

  stack.write(
    "index.js",
    `${program(service.sandbox.apiKey).replace("sendFailure: true", "sendFailure: false")}
    for (const incidentId of ["inc_none", "inc_nowhere"])
      new IncidentUpdate(incidentId, { ...${JSON.stringify(words)}, incidentId }, { provider: eu });`,
  );
  // The engine stops at the first failure, but hears what is under way.
  service.sandbox.faults.add({ kind: "latency", ms: 1_000 });
  const { output: refusals } = await stack.preview();
  expect(refusals).toContain("sendFailure: expected false");
  for (const wrong of ["inc_none", "inc_nowhere"])
    expect(refusals).toContain(`error: Preview failed: getStatusPageIncident ${wrong}: not found`);
});

it("an import whose declaration isn't what was published fails, and posts nothing", async () => {
  const [update] = service.sandbox.incident(cardDeclines).incidentUpdates;
  const declared = { incidentId: cardDeclines, status: update?.status, description: "Other words." };
  const stack = await start(
    `const { IncidentUpdate } = require("pulumi-monitoring-service/native");
    new IncidentUpdate("existing", ${JSON.stringify(declared)}, { import: "${cardDeclines}/${update?.id}" });`,
    { env: environmentOf(service.sandbox) },
  );
  expectFailure(await stack.up(), "may not be replaced");
  expect(service.posts).toEqual([]);
});

it("says what to add to Pulumi.yaml when the plugin isn't declared, also where the packages are in a folder above", async () => {
  const stack = await createStack({ program: programOf("/native"), env: environmentOf(service.sandbox) });
  const ended = await stack.preview();
  expectFailure(ended, "path: ../../node_modules/pulumi-monitoring-service/plugin");
  const [lines = ""] = /^plugins:\n(?: +.*\n)+/m.exec(ended.output) ?? [];
  appendFileSync(join(stack.folder, "Pulumi.yaml"), lines);
  expectSuccess(await stack.preview());
});
