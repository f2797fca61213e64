import { CheckRequest } from "@pulumi/pulumi/proto/provider_pb";
import { PluginConfiguration } from "../../plugin/pluginConfiguration";
import { writeStruct } from "../../plugin/values";
import { Connections } from "../../provider/connection/connections";
import { connectTo } from "../../sandbox";
import { sandboxWith } from "./sandboxes";

const names = [
  "MONITORING_BASE_URL",
  "MONITORING_API_KEY",
  "MONITORING_ACCOUNT_ID",
  "MONITORING_ACCOUNT_HEADER",
];
const environment = () => names.map((name) => process.env[name]);
const ofService = ["https://api.example.com", "key", undefined, "x-organization"];

beforeEach(() => {
  for (const [index, name] of names.entries()) {
    const value = ofService[index];
    if (value === undefined) Reflect.deleteProperty(process.env, name);
    else process.env[name] = value;
  }
});

it("connects this process until the sandbox is closed", async () => {
  const sandbox = await sandboxWith({ apiKey: "mon_test", accountHeader: "X-Account" });
  connectTo(sandbox);
  expect(environment()).toEqual([sandbox.url, "mon_test", sandbox.accountId, "x-account"]);
  await sandbox.close();
  expect(environment()).toEqual(ofService);
});

it("connects to the last one that is open, in whatever order the others are closed", async () => {
  const [first, second, third] = [await sandboxWith(), await sandboxWith(), await sandboxWith()];
  for (const sandbox of [first, second, third, first]) connectTo(sandbox);
  const urlAfterClosing = async (sandbox: typeof first) => {
    await sandbox.close();
    return process.env["MONITORING_BASE_URL"];
  };
  expect(process.env["MONITORING_BASE_URL"]).toBe(first.url);
  expect(await urlAfterClosing(second)).toBe(first.url);
  expect(await urlAfterClosing(first)).toBe(third.url);
  expect(await urlAfterClosing(third)).toBe(ofService[0]);
});

describe("a process that is connected sends nothing elsewhere, whatever a program configures:", () => {
  const service = "https://api.example.com";
  const connections = (config: Record<string, string>) => new Connections((key) => config[key], process.env);
  const accountAt = (baseUrl: string) => ({ accounts: JSON.stringify({ eu: { apiKey: "key", baseUrl } }) });

  /** What is wrong with a provider that a program declares. */
  function mistakesOfProvider(baseUrl: string): string[] {
    const news = writeStruct({ baseUrl, apiKey: "key" });
    const urn = "urn:pulumi:test::shop::pulumi:providers:monitoring::eu";
    const response = new PluginConfiguration({}).check(new CheckRequest().setUrn(urn).setNews(news));
    return response.getFailuresList().map((failure) => failure.getReason());
  }

  it("it rejects accounts and providers with another base URL, until the sandbox is closed", async () => {
    const sandbox = await sandboxWith();
    connectTo(sandbox);
    const reason =
      `must be the URL of a connected sandbox (${sandbox.url}) while connectTo is in effect. ` +
      "For this account, start another sandbox, and call connectTo for it first";
    expect(() => connections(accountAt(service))).toThrow(`monitoring:accounts.eu.baseUrl ${reason}`);
    expect(mistakesOfProvider(service)).toEqual([`baseUrl ${reason}`]);
    await sandbox.close();
    expect(connections(accountAt(service)).connect("eu").origin.host).toBe("api.example.com");
    expect(mistakesOfProvider(service)).toEqual([]);
  });

  it("it accepts each connected sandbox, with any path", async () => {
    const [first, second] = [await sandboxWith(), await sandboxWith()];
    for (const sandbox of [first, second]) connectTo(sandbox);
    for (const { url } of [first, second]) {
      expect(connections(accountAt(`${url}/`)).connect("eu").origin.host).toBe(new URL(url).host);
      expect(mistakesOfProvider(url)).toEqual([]);
    }
  });
});
