/** Failures as the engine renders them: in plain lines, without a stack trace, and nothing is posted. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { wellKnown } from "../../sandbox";
import { withoutIdsAndTimes } from "../docs/markdown";
import { nobodyListens } from "../client/services";
import { Service } from "./service";
import { createStack, environmentOf, expectFailure, repository } from "./stack";

const service = new Service();
afterEach(() => expect(service.sandbox.requests).toEqual([]));

it("every mistake in a declaration is a line with its property; a key in plain text and a misspelt setting are warnings", async () => {
  const { url, apiKey } = service.sandbox;
  const stack = await createStack({
    settings: {
      "monitoring:baseUrl": url,
      "monitoring:apiKey": apiKey,
      "monitoring:timeoutms": "1",
    },
    program: `
      const { secret } = require("@pulumi/pulumi");
      const { IncidentUpdate } = require("pulumi-monitoring-service");
      const args = { incidentId: "a/b", status: "FINE", account: "eu", descripton: "typo" };
      new IncidentUpdate("update", { ...args, description: secret("Canary \\ud83d") });`,
  });
  const run = await stack.run("up", "--yes");
  expectFailure(
    run,
    /property incidentId .* must be an id, without/,
    /property status .* must be one of INVESTIGATING, IDENTIFIED, MONITORING, RESOLVED/,
    // Without the value, which the engine would show.
    /'update' has a problem: description must be well-formed Unicode/,
    /property account .* must be a name in monitoring:accounts, which is not set/,
    /descripton is not known; expected one of incidentId, .* \(did you mean "description"\?\)/,
    'monitoring:timeoutms is not a known setting and has no effect (did you mean "timeoutMs"?). Known settings: apiKey,',
    "monitoring:apiKey is stored in plain text. Run `pulumi config set --secret monitoring:apiKey`",
  );
  expect(run.output).not.toContain("Canary");
  expect(run.output).not.toContain(apiKey);
});

it("a preview names an error once, by the message alone", async () => {
  const stack = await createStack({
    env: environmentOf(service.sandbox),
    program: `
      const { interpolate } = require("@pulumi/pulumi");
      const m = require("pulumi-monitoring-service");
      const channel = m.getAlertChannelOutput({ name: "on-call" });
      const incident = m.getStatusPageIncidentOutput({ incidentId: "inc_checkout_latencyy" });
      new m.IncidentUpdate("update", { incidentId: incident.id, status: "MONITORING", description: "Slow." });
      exports.reach = interpolate\`\${channel.type} channel \${channel.id}\`;`,
  });
  const diagnostics = async (): Promise<string> => {
    const { stdout } = await stack.run("preview");
    return withoutIdsAndTimes(/Diagnostics:\n(.*?)\n\n/s.exec(stdout)?.[1] ?? stdout);
  };
  expect(await diagnostics()).toBe(
    [
      "  pulumi:pulumi:Stack (test-test):",
      `    error: getAlertChannel: name can't be found, because monitoring:alertChannels is not set: run \`pulumi config set monitoring:alertChannels '{"on-call": 200123}'\`, or set MONITORING_ALERT_CHANNELS.`,
      '    error: getStatusPageIncident inc_checkout_latencyy: not found (HTTP 404): "There is no status-page incident "inc_checkout_latencyy" in this account". The id may belong to another account: check the account id and the base URL. Request id: <id>. Did you mean "inc_checkout_latency"?',
    ].join("\n"),
  );

  stack.write(
    "index.js",
    `const m = require("pulumi-monitoring-service");
     new m.IncidentUpdate("update", { incidentId: "inc_search_lagg", status: "MONITORING", description: "Slow." });`,
  );
  expect(await diagnostics()).toBe(
    [
      "  pulumi-nodejs:dynamic/monitoring:IncidentUpdate (update):",
      '    error: getStatusPageIncident inc_search_lagg: not found (HTTP 404): "There is no status-page incident "inc_search_lagg" in this account". The id may belong to another account: check the account id and the base URL. Request id: <id>. Did you mean "inc_search_lag"?',
    ].join("\n"),
  );
  service.sandbox.clearRequests();
});

it("the quick start ends when the service can't be reached, and on a Node that is too old", async () => {
  const stack = await createStack({
    language: "typescript",
    program: readFileSync(join(repository, "examples/quickstart/index.ts"), "utf8"),
    settings: {
      "monitoring:baseUrl": nobodyListens,
      "monitoring:apiKey!": "some-key",
      "monitoring:alertChannels": JSON.stringify({ "on-call": wellKnown.alertChannels.onCall }),
      incidentId: "some-incident",
    },
  });
  // Without an error that is made for logs it would never end, and take all memory.
  expectFailure(
    await stack.run("preview"),
    `error: listStatusPages: the service could not be reached at ${nobodyListens} (ECONNREFUSED). Check monitoring:baseUrl, the network and the proxy, if any.`,
  );
  stack.write(
    "old.js",
    'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "18.20.8" } });',
  );
  stack.env["NODE_OPTIONS"] = `--require ${JSON.stringify(join(stack.folder, "old.js"))}`;
  expectFailure(
    await stack.run("preview"),
    "error: pulumi-monitoring-service needs Node 20 or newer; this is Node 18.20.8. Get one: https://nodejs.org",
  );
});
