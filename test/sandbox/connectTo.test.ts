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

it("changes nothing when a sandbox is closed that was not connected", async () => {
  const sandbox = await sandboxWith();
  await sandbox.close();
  expect(environment()).toEqual(ofService);
});
