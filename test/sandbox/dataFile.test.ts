import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SandboxError, startSandbox } from "../../sandbox";
import { sandboxData } from "../../sandbox/data";
import { ask, incidentId, incidentPath, news, post, sandboxWith, temporaryFolder } from "./sandboxes";

const newFile = () => join(temporaryFolder(), "sandbox.json");
const contentOf = (file: string) => sandboxData.parse(JSON.parse(readFileSync(file, "utf8")));

/** A data file in which a person has replaced something. */
async function edited(text: string, replacement: string): Promise<string> {
  const file = newFile();
  await sandboxWith({ data: file });
  const content = readFileSync(file, "utf8");
  expect(content).toContain(text);
  writeFileSync(file, content.replace(text, replacement));
  return file;
}

test("a missing file is seeded", async () => {
  const data = newFile();
  const sandbox = await sandboxWith({ data, seed: 3 });
  expect(contentOf(data)).toEqual(sandbox.data);
});

test("the file has an update when its response arrives, and a later sandbox continues with it", async () => {
  const data = newFile();
  const first = await startSandbox({ data });
  const { id } = (await (await post(first, { ...news, notifySubscribers: true })).json()) as { id: string };
  expect(contentOf(data)).toEqual(first.data);
  await first.close();

  const second = await sandboxWith({ data, seed: 9 });
  expect(second.data).toEqual(first.data);
  expect(second.incident(incidentId).incidentUpdates[0]?.id).toBe(id);
  expect(second.mailed(id)).toBeGreaterThan(0);
});

test("changes by hand are stored too", async () => {
  const data = newFile();
  const first = await startSandbox({ data });
  first.byHand.deleteIncident(incidentId);
  await first.close();
  expect((await ask(await sandboxWith({ data }), incidentPath)).status).toBe(404);
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
  const kept = contentOf(data).accounts[0].statusPageIncidents.find(({ id }) => id === incidentId);
  expect(kept?.incidentUpdates).toHaveLength(22);
  expect(kept?.incidentUpdates.map(({ description }) => description)).toEqual(
    expect.arrayContaining(descriptions),
  );
});

test("an incomplete file of a killed process is ignored", async () => {
  const data = newFile();
  await (await startSandbox({ data })).close();
  writeFileSync(`${data}.new`, '{"accounts": [{"id": "half');
  const sandbox = await sandboxWith({ data });
  expect((await post(sandbox)).status).toBe(201);
  expect(contentOf(data)).toEqual(sandbox.data);
  expect(existsSync(`${data}.new`)).toBe(false);
});

test("a write that can't be stored is rejected and has no effect", async () => {
  const folder = join(temporaryFolder(), "folder");
  mkdirSync(folder);
  const sandbox = await sandboxWith({ data: join(folder, "sandbox.json") });
  renameSync(folder, `${folder}-gone`);
  const response = await post(sandbox, { ...news, notifySubscribers: true });
  expect(response.status).toBe(500);
  const { message } = (await response.json()) as { message: string };
  expect(message).toMatch(/^The data file .*sandbox\.json can't be written: no such file or directory$/);
  expect(sandbox.incident(incidentId).incidentUpdates).toHaveLength(2);
  expect(sandbox.requests).toMatchObject([{ status: 500, applied: false }]);

  renameSync(`${folder}-gone`, folder);
  expect((await post(sandbox)).status).toBe(201);
});

describe("an invalid file", () => {
  const refusal = async (data: string): Promise<string> => {
    const error: unknown = await startSandbox({ data }).catch((reason: unknown) => reason);
    if (!(error instanceof SandboxError)) throw new Error("was not rejected");
    expect(error.message).toContain(data);
    return error.message;
  };

  test.each([
    [
      '"severity": "MAJOR"',
      '"severity": "HUGE"',
      /accounts\[0\]\.statusPageIncidents\[0\]\.severity: .*"CRITICAL"/,
    ],
    ['"sendFailure": true', '"sendFailure": "yes"', /accounts\[0\]\.alertChannels\[0\]\.sendFailure: /],
    ['"sendFailure": true,', "", /accounts\[0\]\.alertChannels\[0\]\.sendFailure: /],
    ['"defaultTheme"', '"theme"', /accounts\[0\]\.statusPages\[0\]: .*"theme"/],
    ['"redirectTo": "h', '"redirectTo": 1, "x": "h', /accounts\[0\]\.statusPages\[0\]\.redirectTo: /],
    ['"themeColors": {', '"themeColors": { "sepia": {},', /statusPages\[0\]\.themeColors: .*"sepia"/],
    ['"bodyFontColor"', '"fontColor"', /statusPages\[0\]\.themeColors\.light\.bodyFontColor: /],
    ['"id": 4102', '"id": 4101', /accounts\[0\]\.alertChannels\[1\]\.id: 4101 is a duplicate/],
    ['"statusPageIds": [', '"statusPageIds": ["x",', /statusPageIds: there is no status page x/],
    ['"mailed": {', '"mailed": { "x": -1,', /mailed\.x: /],
    [
      '"access": [',
      '"access": [{ "apiKey": "k", "accountIds": ["a"] },',
      /access\[0\]\.accountIds: there is no account a/,
    ],
  ])("%s replaced by %s", async (text, replacement, complaint) => {
    expect(await refusal(await edited(text, replacement))).toMatch(complaint);
  });

  test("is not JSON", async () => {
    const data = newFile();
    writeFileSync(data, "not json");
    expect(await refusal(data)).toMatch(/can't be read; fix or delete it: .*not valid JSON/);
  });

  test("lists the first ten of many mistakes", async () => {
    const data = newFile();
    const content = JSON.stringify((await sandboxWith()).data);
    writeFileSync(data, content.replaceAll('"activated":true', '"activated":1'));
    const lines = (await refusal(data)).split("\n");
    expect(lines).toHaveLength(12);
    expect(lines.at(-1)).toMatch(/^ {2}and \d+ more$/);
  });

  test("is a directory", async () => {
    expect(await refusal(temporaryFolder())).toMatch(
      /can't be read; fix or delete it: illegal operation on a directory/,
    );
  });

  test("is in a directory that doesn't exist", async () => {
    expect(await refusal(join(temporaryFolder(), "none", "sandbox.json"))).toMatch(
      /can't be written: no such file or directory$/,
    );
  });
});
