/** A process that a test connects to sandboxes sends nothing elsewhere, whatever a program configures. */
import { CheckRequest } from "@pulumi/pulumi/proto/provider_pb";
import { Connections } from "../../provider/connection/connections";
import { PluginConfiguration } from "../../plugin/pluginConfiguration";
import { writeStruct } from "../../plugin/values";
import { connectTo } from "../../sandbox";
import { sandboxWith } from "./sandboxes";

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

it("rejects accounts and providers with another base URL, until the sandbox is closed", async () => {
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

it("accepts each connected sandbox, with any path", async () => {
  const [first, second] = [await sandboxWith(), await sandboxWith()];
  for (const sandbox of [first, second]) connectTo(sandbox);
  for (const { url } of [first, second]) {
    expect(connections(accountAt(`${url}/`)).connect("eu").origin.host).toBe(new URL(url).host);
    expect(mistakesOfProvider(url)).toEqual([]);
  }
});

it("doesn't repeat what else is wrong with a base URL", async () => {
  connectTo(await sandboxWith());
  expect(mistakesOfProvider("nowhere")).toEqual(["baseUrl must be a URL, such as https://api.example.com"]);
});
