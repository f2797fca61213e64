/** Tests which settings of the native plugin apply to a declared provider, and which to the stack's provider. */
import { CheckRequest, ConfigureRequest, DiffRequest, DiffResponse } from "@pulumi/pulumi/proto/provider_pb";
import { PluginConfiguration } from "../../plugin/pluginConfiguration";
import { readStruct, writeStruct } from "../../plugin/wire";

const service = { apiKey: "key", baseUrl: "https://api.example.com" };
const declared = buildUrn("shop");

function buildUrn(provider: string, project = "project"): string {
  return `urn:pulumi:stack::${project}::pulumi:providers:monitoring::${provider}`;
}

const toStruct = (inputs: object) => writeStruct({ ...service, ...inputs }, new Set(["apiKey"]));

const createRequest = (inputs: object, urn = declared) =>
  new ConfigureRequest().setUrn(urn).setArgs(toStruct(inputs));

function configured(inputs: object, urn = declared): PluginConfiguration {
  const configuration = new PluginConfiguration({});
  configuration.accept(createRequest(inputs, urn));
  return configuration;
}

function checked(inputs: object, urn = declared): { inputs: object; failures: string[] } {
  const request = new CheckRequest().setUrn(urn).setNews(toStruct(inputs));
  const response = new PluginConfiguration({}).check(request);
  const failures = response
    .getFailuresList()
    .map((each) => `${each.getProperty()} ${each.getReason()}`.trim());
  return { inputs: readStruct(response.getInputs()).values, failures };
}

// test/connection/settings.test.ts tests read-only mode, which either setting enables.
describe("a declared provider", () => {
  it("a declared provider reads every other setting from its arguments first", () => {
    process.env["MONITORING_LOCK_DIRECTORY"] = "/of-the-environment";
    const lockDirectory = (inputs: object, urn?: string) =>
      configured(inputs, urn).connections.connect().lockDirectory;
    expect(lockDirectory({})).toBe("/of-the-environment");
    expect(lockDirectory({ lockDirectory: "/given" })).toBe("/given");
    for (const provider of ["default", "default_0_1_0", "default_0_1_0_github_/api.github.com/owner/repo"])
      expect(lockDirectory({ lockDirectory: "/of-the-stack" }, buildUrn(provider))).toBe(
        "/of-the-environment",
      );
  });

  it("a declared provider reads the resend codes from its argument and from the environment", () => {
    process.env["MONITORING_RESEND"] = "abadcafe";
    const codes = (inputs: object, urn?: string) => configured(inputs, urn).connections.connect().resend;
    expect(codes({})).toEqual(["abadcafe"]);
    expect(codes({ resend: "cf3a1c20" })).toEqual(["cf3a1c20", "abadcafe"]);
    expect(codes({ resend: "cf3a1c20" }, buildUrn("default"))).toEqual(["abadcafe", "cf3a1c20"]);
    // YAML parses an unquoted code as a number.
    expect(codes({ resend: 12_345_678 })).toEqual(["b2345678", "abadcafe"]);
  });

  it("a declared provider replaces nothing if a code is set or removed", () => {
    const request = new DiffRequest().setOlds(toStruct({})).setNews(toStruct({ resend: "cf3a1c20" }));
    const response = new PluginConfiguration({}).diff(request);
    expect(response.getChanges()).toBe(DiffResponse.DiffChanges.DIFF_SOME);
    expect(response.getReplacesList()).toEqual([]);
  });
});

describe("an unknown key", () => {
  const { apiKey, baseUrl } = service;
  const wrong = { incidentId: "inc_1" };
  const failures = [expect.stringContaining("incidentId is not known; expected one of apiKey,")];

  it("an unknown key is rejected, because a misspelled readOnly would allow posts", () => {
    for (const urn of [declared, buildUrn("default"), buildUrn("shop", "monitoring")])
      expect(checked(wrong, urn).failures).toEqual(failures);
  });

  it("an unknown key belongs to the program if the project has the name of the namespace, and isn't stored", () => {
    const own = { ...wrong, version: "3.0.0" };
    for (const provider of ["default", "default_3_0_0"])
      expect(checked(own, buildUrn(provider, "monitoring"))).toEqual({
        inputs: { apiKey, baseUrl, version: "3.0.0" },
        failures: [],
      });
  });
});

const otherwise = "is already configured for a different provider";

it("a configured process accepts an equal configuration, and rejects any other and keeps its own", () => {
  const configuration = configured({ accountId: "a", timeoutMs: "5" });
  configuration.accept(createRequest({ timeoutMs: "5", accountId: "a" }));
  const { client } = configuration.connections.connect();
  for (const inputs of [{ baseUrl: "https://elsewhere.example.com" }, { accountId: "other" }])
    expect(() => configuration.accept(createRequest({ accountId: "a", timeoutMs: "5", ...inputs }))).toThrow(
      otherwise,
    );
  const ofAnother = createRequest({ accountId: "a", timeoutMs: "5" }, buildUrn("other"));
  expect(() => configuration.accept(ofAnother)).toThrow(otherwise);
  expect(configuration.connections.connect().client).toBe(client);
});

it("a configured process rejects another configuration even if the first one was invalid", () => {
  const configuration = configured({ baseUrl: "http://api.example.com" });
  expect(() => configuration.accept(createRequest({}))).toThrow(otherwise);
  expect(() => configuration.connections).toThrow("baseUrl");
});
