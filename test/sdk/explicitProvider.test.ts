/** An explicit provider in a program: what it takes from the stack, and what reads with it. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { credentials } from "@grpc/grpc-js";
import * as pulumi from "@pulumi/pulumi";
import { ResourceMonitorClient } from "@pulumi/pulumi/proto/resource_grpc_pb";
import { connectTo } from "../../sandbox";
import { AlertChannel } from "../../sdk";
import * as native from "../../sdk/native";
import { AlertChannelAudit, OpenIncidentGate, Provider, type ProviderArgs } from "../../sdk/native";
import { assertPluginDeclared } from "../../sdk/registration";
import { nobodyListens } from "../client/services";
import { sandboxWith } from "../sandbox/sandboxes";
import { temporaryFolder } from "../temporaryFolder";
import { startMocks, valueOf } from "./connected";

let inputs: Record<string, unknown>;
const variables = ["MONITORING_READ_ONLY", "MONITORING_LOCK_DIRECTORY", "MONITORING_RESEND"];

beforeEach(async () => {
  for (const name of variables) Reflect.deleteProperty(process.env, name);
  inputs = {};
  connectTo(await sandboxWith());
  await startMocks((resource) => (inputs = resource.inputs as Record<string, unknown>));
});
afterEach(() => pulumi.runtime.disconnect());

it("an explicit provider takes only read-only mode, locks and answers from the stack, below arguments and the environment", async () => {
  async function inputsOf(args: ProviderArgs): Promise<object> {
    await valueOf(new Provider("shop", args).urn);
    return inputs;
  }
  const ofStack = { readOnly: "true", lockDirectory: "/locks", resend: "7f3a1c20" };
  const settings = Object.entries({ ...ofStack, apiKey: "key", timeoutMs: "9000" });
  pulumi.runtime.setAllConfig(
    Object.fromEntries(settings.map(([name, value]) => [`monitoring:${name}`, value])),
  );
  const absent = { readOnly: undefined, lockDirectory: pulumi.output(undefined) };
  expect(await inputsOf({ accountId: "a", ...absent })).toEqual({ accountId: "a", ...ofStack });
  const args = { readOnly: false, lockDirectory: "/given", resend: "0badcafe" };
  expect(await inputsOf(args)).toEqual({ ...args, readOnly: "false" });
  for (const name of variables) process.env[name] = "0badcafe";
  expect(await inputsOf({})).toEqual({});
});

describe("what a program reads", () => {
  const newProvider = () => new Provider("shop", { apiKey: "key", baseUrl: "https://api.example.com" });
  const componentWith = (options: pulumi.ComponentResourceOptions) =>
    new pulumi.ComponentResource("test:index:Component", "component", {}, options);

  const ways: [string, () => pulumi.ComponentResourceOptions][] = [
    ["the option provider", () => ({ provider: newProvider() })],
    ["a list of providers", () => ({ providers: [newProvider()] })],
    ["providers by package", () => ({ providers: { monitoring: newProvider() } })],
    ["a parent with providers", () => ({ parent: componentWith({ providers: [newProvider()] }) })],
  ];
  it.each(ways)("what a program reads by what would ignore it is refused with %s", (_, options) => {
    const reason = (wayOut: string) =>
      ' "a": uses the stack\'s configuration, and would ignore the explicit provider of its options or of its ' +
      `parent. ${wayOut} without them, and name the account by the argument \`account\`.`;
    expect(() => new OpenIncidentGate("a", {}, options())).toThrow(`OpenIncidentGate${reason("Declare it")}`);
    expect(() => new AlertChannelAudit("a", {}, options())).toThrow(
      `AlertChannelAudit${reason("Declare it")}`,
    );
    const native = 'Import the class from "pulumi-monitoring-service/native", or declare it';
    expect(() => new AlertChannel("a", { channelId: 1 }, options())).toThrow(`AlertChannel${reason(native)}`);
  });

  it("what a program reads by a gate is not refused with the provider of another package", async () => {
    class Cloud extends pulumi.ProviderResource {}
    const providers = [new Cloud("cloud", "cloud", {})];
    const gate = new OpenIncidentGate("a", { services: ["Product pages"] }, { providers });
    await expect(gate["getData"]()).resolves.toBeUndefined();
  });

  it.each([
    ["provider", () => ({ provider: newProvider() })],
    ["parent", () => ({ parent: componentWith({ providers: [newProvider()] }) })],
  ])("what a program reads by a data source comes from the provider of the option %s", async (_, options) => {
    const called = { token: "monitoring:index:getIncident", id: "8ab1" };
    expect(await native.getIncident({ id: "8ab1" }, options())).toEqual(called);
    expect(await valueOf(native.getIncidentOutput({ id: "8ab1" }, options()))).toEqual(called);
  });
});

it.each([
  ["config:\n  monitoring:baseUrl: https://api.example.com", false],
  ["plugins:\n  providers:\n    - name: monitoring-of-others", false],
  ["plugins:\n  providers:\n  - path: plugin\n    name: 'monitoring'", true],
  ["plugins: {providers: [{path: plugin, name: monitoring}]}", true],
  ["packages: {monitoring: plugin}", true],
])("a Pulumi.yaml with %j names the plugin: %s", (text, isNamed) => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "Pulumi.yaml"), text);
  jest.replaceProperty(process, "env", { PULUMI_HOME: folder });
  jest.spyOn(process, "cwd").mockReturnValue(folder);
  // The result is kept for the run, which is one of its own and isn't a unit test's.
  const monitor = new ResourceMonitorClient(nobodyListens, credentials.createInsecure());
  const ofRun = jest.spyOn(pulumi.runtime, "getMonitor").mockReturnValue(monitor);
  if (isNamed) expect(assertPluginDeclared).not.toThrow();
  else expect(assertPluginDeclared).toThrow("is not declared. Add this to Pulumi.yaml");
  expect(ofRun).toHaveBeenCalled();
  jest.restoreAllMocks();
});
