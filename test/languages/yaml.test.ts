/** Programs in YAML, by Pulumi's own language host. */
import { join } from "node:path";
import { wellKnown } from "../../sandbox";
import { nastyTexts, showNastyTexts } from "../cli/nastyTexts";
import { run } from "../cli/running";
import { Service } from "../engine/service";
import { environmentOf, expectFailure, expectSuccess, repository } from "../engine/stack";
import { createStackOf } from "./stacks";

const { checkoutLatency, labsPreview } = wellKnown.statusPageIncidents;
const apiKeys = Object.values(wellKnown.apiKeys);

const service = new Service();
const published = (incidentId: string) => service.published(incidentId).map(({ description }) => description);

/** An update of an incident, by the provider of an account. */
function update(incidentId: string, provider: string): object {
  return {
    type: "monitoring:IncidentUpdate",
    properties: { incidentId, status: "MONITORING", description: `Of ${provider}.` },
    options: { provider: `\${${provider}}` },
  };
}

it("publishes, reads and audits in two accounts, each by a provider of its own", async () => {
  const [shop, labs] = apiKeys.map((apiKey) => ({
    type: "pulumi:providers:monitoring",
    properties: { baseUrl: service.sandbox.url, apiKey },
  }));
  const stack = await createStackOf("yaml", service.sandbox, {
    variables: {
      preview: {
        "fn::invoke": {
          function: "monitoring:getStatusPageIncident",
          arguments: { incidentId: labsPreview },
          options: { provider: "${labs}" },
          return: "name",
        },
      },
      channels: {
        "fn::invoke": {
          function: "monitoring:getAlertChannels",
          arguments: { all: true },
          options: { provider: "${shop}" },
          return: "alertChannels",
        },
      },
    },
    resources: {
      ...{ shop, labs, inShop: update(checkoutLatency, "shop"), inLabs: update(labsPreview, "labs") },
      audit: {
        type: "monitoring:AlertChannelAudit",
        properties: { allChannels: true, rules: { rules: { "https-hook": "warning" } } },
        options: { provider: "${shop}" },
      },
    },
    outputs: {
      preview: "${preview}",
      channel: "${channels[0].id}",
      audited: "${audit.counts.channels}",
    },
  });

  // The account of each is that of its key.
  delete stack.env["MONITORING_ACCOUNT_ID"];
  expectSuccess(await stack.up());
  expect(await stack.outputs()).toEqual({
    preview: service.sandbox.incident(labsPreview).name,
    channel: wellKnown.alertChannels.onCall,
    audited: 12,
  });
  expect(expectSuccess(await stack.up())).toContain("6 unchanged");

  expect(published(checkoutLatency)).toEqual(["Of shop."]);
  expect(published(labsPreview)).toEqual(["Of labs."]);
  expect(service.posts).toHaveLength(2);
  const state = await stack.mustRun("stack", "export");
  for (const apiKey of apiKeys) expect(state).not.toContain(apiKey);
});

it("names every mistake of type in the preview, and sends nothing", async () => {
  const stack = await createStackOf("yaml", service.sandbox, {
    resources: {
      misspelt: {
        type: "monitoring:IncidentUpdate",
        properties: { incidntId: checkoutLatency, status: "MONITORING", description: "Orders go through." },
      },
      mistyped: {
        type: "monitoring:AlertChannel",
        properties: { channelId: 4101, expect: { sslExpiryThreshold: { atLeast: "two weeks" } } },
      },
    },
  });

  expectFailure(
    await stack.preview(),
    "incidentId: Missing required property 'incidentId'",
    "incidntId: ",
    /atLeast: Cannot assign type 'string' to type 'number'/,
  );
  expect(service.sandbox.requests).toEqual([]);
});

it("adopts what is public by the program of `monitoring adopt`, and posts nothing", async () => {
  const { sandbox } = service;
  showNastyTexts(sandbox, checkoutLatency, nastyTexts.length + 1);
  const { stdout } = await run("adopt", [checkoutLatency, "--format", "yaml"], environmentOf(sandbox));
  const stack = await createStackOf("yaml", sandbox);
  const plugin = join(repository, "plugin");
  const program = stdout.replace("node_modules/pulumi-monitoring-service/plugin", plugin);
  stack.write("Pulumi.yaml", program.replace(/^name: .*/, "name: test"));
  expectSuccess(await stack.up());
  expect(expectSuccess(await stack.up())).toContain(`${nastyTexts.length + 3} unchanged`);
  expect(service.posts).toEqual([]);
});
