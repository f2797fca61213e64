/** Failures as the engine renders them: in plain lines, without a stack trace. Those of a declaration: test/driver/behaviour.test.ts. */
import { run } from "../../tools/setup/run";
import { withoutIdsAndTimes } from "../docs/markdown";
import { nobodyListens } from "../client/services";
import { Service } from "./service";
import { createStack, expectFailure, repository } from "./stack";

const service = new Service();

it("mistakes in settings and of data sources are lines, each once", async () => {
  const { url, apiKey, accountId } = service.sandbox;
  const unreachable = { apiKey, accountId, baseUrl: nobodyListens };
  const stack = await createStack({
    settings: {
      "monitoring:baseUrl": url,
      "monitoring:accountId": accountId,
      "monitoring:apiKey": apiKey,
      "monitoring:timeoutms": "1",
      "monitoring:accounts!": JSON.stringify({ away: unreachable }),
    },
    program: `
      const { interpolate } = require("@pulumi/pulumi");
      const m = require("pulumi-monitoring-service");
      const channel = m.getAlertChannelOutput({ name: "on-call" });
      const incident = m.getStatusPageIncidentOutput({ incidentId: "inc_checkout_latencyy" });
      const page = m.getStatusPageOutput({ name: "Shop", account: "away" });
      new m.IncidentUpdate("update", { incidentId: incident.id, status: "MONITORING", description: "Slow." });
      exports.reach = interpolate\`\${channel.type} channel \${channel.id}\`;
      exports.page = page;`,
  });
  const ended = await stack.run("preview");
  expectFailure(
    ended,
    'monitoring:timeoutms is not a known setting and has no effect (did you mean "timeoutMs"?). Known settings: apiKey,',
    "monitoring:apiKey is stored in plain text. Run `pulumi config set --secret monitoring:apiKey`",
  );
  expect(ended.output).not.toContain(apiKey);
  const { stdout } = ended;
  const diagnostics = withoutIdsAndTimes(/Diagnostics:\n(.*?)\n\n/s.exec(stdout)?.[1] ?? stdout);
  // An error that isn't made for logs would never end, and take all memory.
  expect(diagnostics.split("\n").filter((line) => !line.includes("warning: "))).toEqual([
    "  pulumi:pulumi:Stack (test-test):",
    `    error: getAlertChannel: name can't be found, because monitoring:alertChannels is not set: run \`pulumi config set monitoring:alertChannels '{"on-call": 200123}'\`, or set MONITORING_ALERT_CHANNELS.`,
    '    error: getStatusPageIncident inc_checkout_latencyy: not found (HTTP 404): "There is no status-page incident "inc_checkout_latencyy" in this account". The id may belong to another account: check the account id and the base URL. Request id: <id>. Did you mean "inc_checkout_latency"?',
    "    error: listStatusPages: the service could not be reached at http://<here> (ECONNREFUSED). Check monitoring:accounts.away.baseUrl, the network and the proxy, if any.",
  ]);
});

it("a program on a Node that is too old fails by the message alone", async () => {
  const old = '{ value: { ...process.versions, node: "18.20.8" } }';
  const script = `Object.defineProperty(process, "versions", ${old});
    try { require("pulumi-monitoring-service"); } catch (error) { console.log(error); }`;
  const { stdout } = await run(process.execPath, ["--eval", script], { cwd: repository });
  expect(stdout).toBe(
    "[Error: pulumi-monitoring-service needs Node 20 or newer; this is Node 18.20.8. Get one: https://nodejs.org]\n",
  );
});
