/** The data: its seed, its file, and changes of it. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SandboxError, seedData, startSandbox, wellKnown } from "../../sandbox";
import { incidentsOf, sandboxData } from "../../sandbox/data";
import { temporaryFolder } from "../temporaryFolder";
import { created, incidentId, latestId, news, post, sandboxWith, updatesOf } from "./sandboxes";

const newFile = (content?: string) => {
  const file = join(temporaryFolder(), "sandbox.json");
  if (content !== undefined) writeFileSync(file, content);
  return file;
};
const contentOf = (file: string) => sandboxData.parse(JSON.parse(readFileSync(file, "utf8")));

test.each([0, -5])("the data of the seed %i is valid, reproducible, and has the well-known ids", (seed) => {
  const now = new Date("2026-11-20T12:00:00Z");
  const data = sandboxData.parse(seedData({ seed, now }));
  const others = seedData({ seed: seed + 1, now });
  expect(seedData({ seed, now })).toEqual(data);
  expect(others.accounts[0].subscribers).not.toEqual(data.accounts[0].subscribers);
  const ids = data.accounts.flatMap((account) => {
    const { alertChannels, componentPages, incidents } = account;
    const rows = [account, ...componentPages, ...incidentsOf(account), ...incidents, ...alertChannels];
    return rows.map(({ id }) => id);
  });
  const { apiKeys, ...named } = wellKnown;
  const expected = Object.values(named).flatMap((group) => Object.values<string | number>(group));
  expect(ids).toEqual(expect.arrayContaining(expected));
  expect(data.access.map(({ apiKey }) => apiKey)).toEqual(Object.values(apiKeys));
});

test("any valid change can be made by hand, and another has no effect", async () => {
  const sandbox = await sandboxWith();
  const { byHand, data } = sandbox;
  const breaking = () =>
    byHand.change(({ accounts: [{ statusPageIncidents, statusPages }] }) => {
      for (const incident of statusPageIncidents) incident.name = "x".repeat(256);
      statusPages.length = 0;
    });
  expect(breaking).toThrow(/accounts\[0\]\.statusPageIncidents\[0\]\.name: /);
  for (const mistake of [
    breaking,
    () => sandbox.incident("none"),
    () => byHand.deleteIncident("none"),
    () => byHand.deleteUpdate(incidentId, "none"),
  ])
    expect(mistake).toThrow(SandboxError);
  expect(sandbox.data).toBe(data);
  byHand.change(({ accounts: [account] }) => (account.name = "Other"));
  expect(sandbox.data.accounts[0].name).toBe("Other");
});

test("a missing file is seeded, has each update when its response arrives, and is continued later", async () => {
  const data = newFile();
  const first = await startSandbox({ data, seed: 3, apiKey: "mon_test_canary" });
  expect(contentOf(data)).toEqual(first.data);
  const descriptions = Array.from({ length: 20 }, (_, index) => `Update ${index}`);
  const loud = { ...news, notifySubscribers: true };
  await Promise.all(descriptions.map((description) => post(first, { ...loud, description })));
  expect(contentOf(data)).toEqual(first.data);
  await first.close();
  expect(readFileSync(data, "utf8")).not.toContain("canary");

  const second = await sandboxWith({ data, seed: 9 });
  expect(second.data).toEqual(first.data);
  expect(second.mailed(latestId(second))).toBeGreaterThan(0);
  expect(created(second)).toBe(20);
  const kept = updatesOf(second).map(({ description }) => description);
  expect(kept).toEqual(expect.arrayContaining(descriptions));
});

test("a write that can't be stored is rejected and has no effect", async () => {
  const folder = join(temporaryFolder(), "folder");
  mkdirSync(folder);
  const sandbox = await sandboxWith({ data: join(folder, "sandbox.json") });
  renameSync(folder, `${folder}-gone`);
  const response = await post(sandbox, { ...news, notifySubscribers: true });
  const message: unknown = expect.stringContaining("can't be written: no such file or directory");
  expect(await response.json()).toMatchObject({ statusCode: 500, message });
  expect(created(sandbox)).toBe(0);
  expect(sandbox.requests).toMatchObject([{ status: 500, applied: false }]);
  renameSync(`${folder}-gone`, folder);
  expect((await post(sandbox)).status).toBe(201);
});

/** A file with data in which this was replaced. */
const spoilt = (text: string, replacement: string) => () => {
  const content = JSON.stringify(seedData(), null, 1);
  expect(content).toContain(text);
  return newFile(content.replace(text, replacement));
};
const inNoFolder = () => join(temporaryFolder(), "none", "sandbox.json");

test.each<[what: string, file: () => string, complaint: RegExp]>([
  ["a type", spoilt('"sendFailure": true', '"sendFailure": "yes"'), /alertChannels\[0\]\.sendFailure: /],
  ["an id twice", spoilt('"id": 4102', '"id": 4101'), /alertChannels\[1\]\.id: 4101 is a duplicate/],
  ["an unknown id", spoilt('"statusPageIds": [', '"statusPageIds": ["x",'), /there is no status page x/],
  ["no JSON", () => newFile("not json"), /can't be read; fix or delete it: .*not valid JSON/],
  ["an empty object", () => newFile("{}"), /delete it:\n {2}access: is missing\n {2}accounts: is missing\n/],
  ["a directory", temporaryFolder, /can't be read; fix or delete it: illegal operation on a directory/],
  ["a directory that doesn't exist", inNoFolder, /can't be written: no such file or directory$/],
])("a file with %s is refused", async (_, file, complaint) => {
  const data = file();
  const refused = startSandbox({ data });
  await expect(refused).rejects.toThrow(SandboxError);
  await expect(refused).rejects.toThrow(data);
  await expect(refused).rejects.toThrow(complaint);
});
