/** What only the native plugin can do, on the real engine. */
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { wellKnown } from "../../sandbox";
import { until } from "../client/services";
import { Service, words } from "./service";
import { createStack, environmentOf, expectFailure, expectSuccess } from "./stack";

const { cardDeclines } = wellKnown.statusPageIncidents;
const { onCall } = wellKnown.alertChannels;

const service = new Service();
const hours = [1, 2, 3, 4];
const programOf = (entry: string): string => `
const { IncidentUpdate } = require("pulumi-monitoring-service${entry}");
for (const hour of ${JSON.stringify(hours)}) {
  new IncidentUpdate("hour-" + hour, {
    incidentId: "${cardDeclines}", status: "MONITORING", description: "Hour " + hour, notifySubscribers: true,
  });
}`;

it("says what to add to Pulumi.yaml; Ctrl-C while a POST hangs posts nothing more, and the next `up` posts each update once, also of the dynamic provider, which takes the stack over and gives it back", async () => {
  const stack = await createStack({ program: programOf("/native"), env: environmentOf(service.sandbox) });
  // Also where the packages are in a folder above.
  const undeclared = await stack.preview();
  expectFailure(undeclared, "path: ../../node_modules/pulumi-monitoring-service/plugin");
  const [lines = ""] = /^plugins:\n(?: +.*\n)+/m.exec(undeclared.output) ?? [];
  appendFileSync(join(stack.folder, "Pulumi.yaml"), lines);

  // The service applies the second update, and never responds.
  const faults = { applied: true, operation: "createIncidentUpdate", skip: 1, times: 1 } as const;
  service.sandbox.faults.add({ kind: "hang", ...faults });
  const { ended, kill } = stack.start("up", "--yes", "--skip-preview");
  await until(() => service.posts.length > 1);
  kill("SIGINT");
  const { ok, output } = await ended;
  expect(ok).toBe(false);
  expect(output).toContain("may or may not have been applied");
  expect(service.posts).toHaveLength(2);

  service.sandbox.faults.clear();
  const takeOver = async (entry: string): Promise<string> => {
    stack.write("index.js", programOf(entry));
    const said = expectSuccess(await stack.up());
    const holds = (await stack.resources()).filter(({ outputs }) => "__provider" in { ...outputs });
    expect(holds).toHaveLength(entry === "" ? hours.length : 0);
    return said;
  };
  expect(await takeOver("")).toMatch(/\+ 2 created\s+~ 2 updated/);
  const descriptions = service.published(cardDeclines).map(({ description }) => description);
  expect(descriptions).toEqual(hours.map((hour) => `Hour ${hour}`));
  expect(service.posts).toHaveLength(hours.length);
  service.sandbox.clearRequests();
  expect(await takeOver("/native")).toMatch(/~ 4 updated/);
  expect(service.sandbox.requests).toEqual([]);
});

it("imports by the option, keeps the keys of explicit providers secret, changes the provider alone with a rotated key, reports all refusals in one preview, and refuses an import that isn't what was published", async () => {
  const program = (key: string): string => `
    const { AlertChannel, IncidentUpdate, Provider } = require("pulumi-monitoring-service/native");
    const service = { baseUrl: "${service.sandbox.url}", accountId: "${service.sandbox.accountId}" };
    const eu = new Provider("eu", { ...service, apiKey: "${key}" });
    const us = new Provider("us", { ...service, apiKey: "${service.sandbox.apiKey}" });
    new IncidentUpdate("eu", ${JSON.stringify(words)}, { provider: eu });
    new AlertChannel("channel", { channelId: ${onCall}, expect: { sendFailure: true } }, { provider: us });
    new AlertChannel("existing", { channelId: ${onCall} }, { provider: us, import: "${onCall}" });`;
  const stack = await createStack({ program: program(service.sandbox.apiKey) });
  stack.declarePlugin();
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

  service.sandbox.faults.clear();
  const [update] = service.sandbox.incident(cardDeclines).incidentUpdates;
  const other = { incidentId: cardDeclines, status: update?.status, description: "Other words." };
  const imported = `{ provider: us, import: "${cardDeclines}/${update?.id}" }`;
  stack.write(
    "index.js",
    `${program(service.sandbox.apiKey)}
    new IncidentUpdate("other", ${JSON.stringify(other)}, ${imported});`,
  );
  expectFailure(await stack.up(), "may not be replaced");
  expect(service.posts).toHaveLength(1);
});
