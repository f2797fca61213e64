/** A process that is connected to a sandbox sends nothing elsewhere, whatever a program configures. */
import { Connections } from "../../provider/connection";
import { connectTo, type Sandbox } from "../../sandbox";
import { sandboxWith } from "./sandboxes";

const names = ["BASE_URL", "API_KEY", "ACCOUNT_ID", "ACCOUNT_HEADER"].map((name) => `MONITORING_${name}`);
const environment = () => names.map((name) => process.env[name]);
const service = "https://api.example.com";
const ofService = [service, "key", undefined, "x-organization"];

beforeEach(() => {
  for (const name of names) Reflect.deleteProperty(process.env, name);
  for (const index of [0, 1, 3]) process.env[names[index] ?? ""] = ofService[index];
});

it("a program is connected to the last sandbox that is open, in whatever order the others are closed", async () => {
  const first = await sandboxWith({ apiKey: "mon_test", accountHeader: "X-Account" });
  const [second, third] = [await sandboxWith(), await sandboxWith()];
  for (const sandbox of [second, first, third, first]) connectTo(sandbox);
  const urlAfterClosing = async (sandbox: Sandbox) => {
    await sandbox.close();
    return process.env["MONITORING_BASE_URL"];
  };
  const ofFirst = [first.url, "mon_test", first.accountId, "x-account"];
  expect(environment()).toEqual(ofFirst);
  expect(await urlAfterClosing(second)).toBe(first.url);
  expect(await urlAfterClosing(first)).toBe(third.url);
  await third.close();
  expect(environment()).toEqual(ofService);
});

/** What is wrong with an account and with a provider that a program declares for this service. */
function mistakes(baseUrl: string): string[] {
  const eu = { apiKey: "key", baseUrl };
  const connectionsWith = (settings: Readonly<Record<string, string>>, source: "stack" | "provider") =>
    new Connections((key) => settings[key], process.env, { source });
  return [
    () => connectionsWith({ accounts: JSON.stringify({ eu }) }, "stack").connect("eu"),
    () => connectionsWith(eu, "provider").connect(),
  ].flatMap((connect) => {
    try {
      expect(connect().origin.host).toBe(new URL(baseUrl).host);
      return [];
    } catch (error) {
      return String(error);
    }
  });
}

it("accounts and providers with any base URL but a connected sandbox's are rejected, until that is closed", async () => {
  const [first, second] = [await sandboxWith(), await sandboxWith()];
  for (const sandbox of [first, second]) connectTo(sandbox);
  for (const url of [first.url, `${second.url}/`]) expect(mistakes(url)).toEqual([]);
  await first.close();
  const reason = expect.stringContaining(`baseUrl must be the URL of a connected sandbox (${second.url})`);
  expect(mistakes(service)).toEqual([reason, reason]);
  await second.close();
  expect(mistakes(service)).toEqual([]);
});
