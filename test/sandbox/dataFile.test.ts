import fs, { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SandboxError, startSandbox } from "../../sandbox";
import { sandboxData } from "../../sandbox/data";
import { created, latestId, news, post, sandboxWith, updatesOf } from "./sandboxes";
import { temporaryFolder } from "../temporaryFolder";

const newFile = () => join(temporaryFolder(), "sandbox.json");
const contentOf = (file: string) => sandboxData.parse(JSON.parse(readFileSync(file, "utf8")));

test("a missing file is seeded", async () => {
  const data = newFile();
  const sandbox = await sandboxWith({ data, seed: 3 });
  expect(contentOf(data)).toEqual(sandbox.data);
});

test("the file has an update when its response arrives, and a later sandbox continues with it", async () => {
  const data = newFile();
  const first = await startSandbox({ data });
  await post(first, { ...news, notifySubscribers: true });
  const id = latestId(first);
  expect(contentOf(data)).toEqual(first.data);
  await first.close();

  const second = await sandboxWith({ data, seed: 9 });
  expect(second.data).toEqual(first.data);
  expect(latestId(second)).toBe(id);
  expect(second.mailed(id)).toBeGreaterThan(0);
});

test("another API key is not written to the file", async () => {
  const data = newFile();
  const sandbox = await sandboxWith({ data, apiKey: "mon_test_canary" });
  await post(sandbox);
  expect(readFileSync(data, "utf8")).not.toContain("canary");
});

test("concurrent writes are all stored", async () => {
  const data = newFile();
  const sandbox = await sandboxWith({ data });
  const descriptions = Array.from({ length: 20 }, (_, index) => `Update ${index}`);
  await Promise.all(descriptions.map((description) => post(sandbox, { ...news, description })));
  expect(contentOf(data)).toEqual(sandbox.data);
  expect(updatesOf(sandbox)).toHaveLength(22);
  expect(updatesOf(sandbox).map(({ description }) => description)).toEqual(
    expect.arrayContaining(descriptions),
  );
});

test("a write that can't be stored is rejected and has no effect", async () => {
  const folder = join(temporaryFolder(), "folder");
  mkdirSync(folder);
  const sandbox = await sandboxWith({ data: join(folder, "sandbox.json") });
  renameSync(folder, `${folder}-gone`);
  const response = await post(sandbox, { ...news, notifySubscribers: true });
  expect(response.status).toBe(500);
  const message = /^The data file .*sandbox\.json can't be written: no such file or directory$/;
  expect(await response.json()).toMatchObject({ message: expect.stringMatching(message) });
  expect(created(sandbox)).toBe(0);
  expect(sandbox.requests).toMatchObject([{ status: 500, applied: false }]);

  renameSync(`${folder}-gone`, folder);
  expect((await post(sandbox)).status).toBe(201);
});

test.each([
  ["for a moment is stored", 3, 201],
  ["for long is rejected", Infinity, 500],
])("a write to a file that another process holds %s", async (_, times, status) => {
  const data = newFile();
  const sandbox = await sandboxWith({ data });
  let tried = 0;
  // As on Windows.
  const held = jest.spyOn(fs, "renameSync").mockImplementation((from, to) => {
    if (tried++ < times) throw Object.assign(new Error("EPERM"), { code: "EPERM", errno: -1 });
    held.mockRestore();
    renameSync(from, to);
  });
  expect((await post(sandbox)).status).toBe(status);
  held.mockRestore();
  expect(contentOf(data)).toEqual(sandbox.data);
  expect(created(sandbox)).toBe(status === 201 ? 1 : 0);
});

describe("an invalid file", () => {
  const fileWith = (content: string) => {
    const file = newFile();
    writeFileSync(file, content);
    return file;
  };
  const refusal = async (data: string): Promise<string> => {
    const error: unknown = await startSandbox({ data }).catch((reason: unknown) => reason);
    if (!(error instanceof SandboxError)) throw new Error("was not rejected");
    expect(error.message).toContain(data);
    return error.message;
  };

  test.each([
    ['"sendFailure": true', '"sendFailure": "yes"', /accounts\[0\]\.alertChannels\[0\]\.sendFailure: /],
    ['"themeColors": {', '"themeColors": { "sepia": {},', /statusPages\[0\]\.themeColors: .*"sepia"/],
    ['"id": 4102', '"id": 4101', /accounts\[0\]\.alertChannels\[1\]\.id: 4101 is a duplicate/],
    ['"statusPageIds": [', '"statusPageIds": ["x",', /statusPageIds: there is no status page x/],
  ])("%s replaced by %s", async (text, replacement, complaint) => {
    const data = newFile();
    await sandboxWith({ data });
    const content = readFileSync(data, "utf8");
    expect(content).toContain(text);
    expect(await refusal(fileWith(content.replace(text, replacement)))).toMatch(complaint);
  });

  const inNoFolder = () => join(temporaryFolder(), "none", "sandbox.json");
  test.each<[string, () => string, RegExp]>([
    ["is not JSON", () => fileWith("not json"), /can't be read; fix or delete it: .*not valid JSON/],
    ["is a directory", temporaryFolder, /can't be read; fix or delete it: illegal operation on a directory/],
    ["is in a directory that doesn't exist", inNoFolder, /can't be written: no such file or directory$/],
  ])("%s", async (_, file, complaint) => {
    expect(await refusal(file())).toMatch(complaint);
  });
});
