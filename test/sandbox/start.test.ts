/**
 * Tests how a sandbox starts and ends, its page, its journal, the requests to `/_sandbox`, its data, and programs that are connected to
 * it.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import {
  connectTo,
  type Sandbox,
  SandboxError,
  type SandboxOptions,
  seedData,
  startSandbox,
  wellKnown,
} from "../../sandbox";
import { listIncidents, sandboxData } from "../../sandbox/data";
import { Journal } from "../../sandbox/journal";
import { temporaryFolder } from "../temporaryFolder";
import {
  ask,
  created,
  failure,
  incidentId,
  incidentPath,
  latestId,
  news,
  post,
  read,
  startTestSandbox,
  getUpdates,
  updatesPath,
} from "./sandboxes";

test("a sandbox has an API key and an account, and is not reachable from other machines", async () => {
  const { url, apiKey, accountId } = await startTestSandbox();
  expect([apiKey, accountId]).toEqual([wellKnown.apiKeys.quillmarket, wellKnown.accounts.quillmarket]);
  const addresses = Object.values(networkInterfaces()).flatMap((all = []) => all);
  for (const { internal, family, address } of addresses) {
    if (internal || family !== "IPv4") continue;
    expect(await failure(fetch(url.replace("127.0.0.1", address)))).toBe("ECONNREFUSED");
  }
});

const seed = seedData();
const invalid = structuredClone(seed);
invalid.accounts[0].id = "another";

// test/cli/monitoring.test.ts tests a port that is in use.
test.each<[SandboxOptions, RegExp]>([
  [{ port: 70_000, data: "", apiKey: "with space" }, /:\n {2}port: .*\n {2}data: .*\n {2}apiKey: .*$/],
  [{ accountHeader: "a b" }, /:\n {2}accountHeader: .*$/],
  [{ seed: invalid }, /seed.*:\n.*accountIds: there is no /],
])("invalid options are reported together", async (options, problems) => {
  const refused = startSandbox(options);
  await expect(refused).rejects.toThrow(SandboxError);
  await expect(refused).rejects.toThrow(problems);
});

test("closing aborts requests, releases the port, and prevents later writes", async () => {
  const sandbox = await startSandbox({ faults: [{ kind: "latency", ms: 60_000 }] });
  const rejected = expect(read(sandbox)).rejects.toThrow("fetch failed");
  await (await ask(sandbox, "/")).text();
  await sandbox.close();
  await rejected;
  await startTestSandbox({ port: Number(new URL(sandbox.url).port) });
  expect(sandbox.requests).toMatchObject([{ ended: "client left", applied: false }]);
});

async function load(sandbox: Sandbox) {
  const response = await ask(sandbox, "/", { apiKey: null });
  const html = await response.text();
  return { headers: response.headers, html, main: /<main[^]*<\/main>/.exec(html)?.[0] ?? "" };
}

// test/browser/statusPage.test.ts tests the page's content and how it follows changes.
test("the sandbox's page escapes text, loads nothing from other hosts, and runs only its own script and style", async () => {
  const sandbox = await startTestSandbox();
  const attack = `</p><script>alert("x")</script><img src=x onerror='y'>&amp;`;
  await post(sandbox, { ...news, description: attack });
  sandbox.dashboard.editIncident(incidentId, { name: `"><b>${attack}` });
  const { headers, html, main } = await load(sandbox);
  expect(main).not.toMatch(/<script|<img|<b>/);
  const entities: Record<string, string> = { lt: "<", gt: ">", quot: '"', "#39": "'", amp: "&" };
  expect(main.replaceAll(/&([\w#]+);/g, (_, name: string) => entities[name] ?? "")).toContain(attack);

  const links = html.match(/(?:href|src|action)="[^"]*"/g);
  expect(links?.filter((link) => !/="(\/|#|data:image)/.test(link))).toEqual([]);
  expect(html).not.toMatch(/@import|url\(|<[^>]*\s(on\w+|style)="/);
  const policy = headers.get("content-security-policy") ?? "";
  expect(policy).toContain("default-src 'none'");
  const nonce = /script-src 'nonce-([^']+)'/.exec(policy)?.[1];
  const own = [`<style nonce="${nonce}">`, `<script nonce="${nonce}">`];
  expect(html.match(/<(script|style)[^>]*>/g)).toEqual(own);
});

test("a status page has the status of its worst open incident", async () => {
  const sandbox = await startTestSandbox();
  const [{ id, name } = { id: "", name: "" }] = sandbox.data.accounts[0].statusPages;
  const { checkoutLatency, cardDeclines, searchLag } = wellKnown.statusPageIncidents;
  for (const incident of [checkoutLatency, searchLag])
    sandbox.dashboard.editIncident(incident, { severity: "MINOR", statusPageIds: [id] });
  sandbox.dashboard.editIncident(cardDeclines, { severity: "CRITICAL", statusPageIds: [id] });
  expect((await load(sandbox)).main).toMatch(new RegExp(`<li class="critical">\\s*<span>${name}<`));
});

const control = (sandbox: Sandbox, path: string, asked: Parameters<typeof ask>[2] = {}) =>
  ask(sandbox, `/_sandbox/${path}`, { apiKey: null, ...asked });

test("the journal records each request with a key of the sandbox, and its result", async () => {
  const apiKey = "mon_test_canary-3f9d-77aa";
  const sandbox = await startTestSandbox({ apiKey });
  for (const wrong of ["mon_sandbox_wrong", "short", null])
    await ask(sandbox, incidentPath, { apiKey: wrong });
  const traced = { json: news, headers: { "x-trace": "abc" } };
  const response = await ask(sandbox, `${updatesPath}?x=1%202`, traced);
  await ask(sandbox, "/v1/status-pages", { account: wellKnown.accounts.labs });
  await ask(sandbox, incidentPath, { account: "nobody" });
  await ask(sandbox, updatesPath, { body: "{broken" });
  await ask(sandbox, "/v1/else%77here");
  const authorization = "Bearer ****77aa";
  const requests = [
    {
      requestId: response.headers.get("x-request-id"),
      method: "POST",
      path: updatesPath,
      query: { x: "1 2" },
      headers: { "content-type": "application/json", "x-trace": "abc", authorization },
      account: sandbox.accountId,
      operation: "createIncidentUpdate",
      body: news,
      ...{ status: 400, ended: "answered", applied: false, faults: [] },
    },
    { operation: "listStatusPages", account: wellKnown.accounts.labs, body: null, status: 200 },
    { account: null, status: 403 },
    { body: "{broken", status: 415 },
    { path: "/v1/else%77here", operation: null, status: 404 },
  ];
  expect(sandbox.requests).toMatchObject(requests);
  const shown = await (await control(sandbox, "requests")).text();
  expect(shown).toBe(JSON.stringify({ requests: sandbox.requests }));
  expect(shown).not.toContain("canary");
  expect((await control(sandbox, "requests", { method: "DELETE" })).status).toBe(204);
  expect(sandbox.requests).toEqual([]);
});

test("the journal keeps the latest 10,000 requests", () => {
  const journal = new Journal();
  for (let index = 0; index <= 10_002; index++)
    journal.begin("id", { headers: {} }, `/${index}`, new URLSearchParams());
  expect([journal.entries.length, journal.entries[0]?.path]).toEqual([10_000, "/3"]);
});

test("one or several faults can be added, listed and removed, and invalid faults are rejected", async () => {
  const sandbox = await startTestSandbox();
  const one = await control(sandbox, "faults", { json: { kind: "status", code: 503, times: 1 } });
  await control(sandbox, "faults", { json: [{ kind: "answer" }, { kind: "hang" }] });
  const wrong = await control(sandbox, "faults", {
    json: [{ kind: "hang" }, { kind: "reset", times: 0 }],
  });
  expect([one.status, wrong.status, (await read(sandbox)).status]).toEqual([201, 400, 503]);
  expect(await wrong.text()).toContain("[1].times");
  const struck = { kind: "status", code: 503, times: 1, skip: 0, applied: false };
  const others = [
    { fault: { kind: "answer", code: 200 }, matched: 0, struck: 0 },
    { fault: { kind: "hang" } },
  ];
  expect(await (await control(sandbox, "faults")).json()).toMatchObject({
    faults: [{ fault: struck, matched: 1, struck: 1 }, ...others],
  });
  expect((await control(sandbox, "faults", { method: "DELETE" })).status).toBe(204);
  expect((await read(sandbox)).status).toBe(200);
});

const newFile = (content?: string) => {
  const file = join(temporaryFolder(), "sandbox.json");
  if (content !== undefined) writeFileSync(file, content);
  return file;
};
const readContent = (file: string) => sandboxData.parse(JSON.parse(readFileSync(file, "utf8")));

test("the sample data is valid and reproducible, and contains the well-known IDs", () => {
  const now = new Date("2026-11-20T12:00:00Z");
  const data = sandboxData.parse(seedData({ now }));
  expect(seedData({ now })).toEqual(data);
  const ids = data.accounts.flatMap((account) => {
    const { alertChannels, componentPages, incidents } = account;
    const rows = [account, ...componentPages, ...listIncidents(account), ...incidents, ...alertChannels];
    return rows.map(({ id }) => id);
  });
  const { apiKeys, ...named } = wellKnown;
  const expected = Object.values(named).flatMap((group) => Object.values<string | number>(group));
  expect(ids).toEqual(expect.arrayContaining(expected));
  expect(data.access.map(({ apiKey }) => apiKey)).toEqual(Object.values(apiKeys));
});

test("a missing file is created with the sample data, records each update before its response, and is used again later", async () => {
  const data = newFile();
  const first = await startSandbox({ data, apiKey: "mon_test_canary" });
  expect(readContent(data)).toEqual(first.data);
  const descriptions = Array.from({ length: 20 }, (_, index) => `Update ${index}`);
  const loud = { ...news, notifySubscribers: true };
  await Promise.all(descriptions.map((description) => post(first, { ...loud, description })));
  expect(readContent(data)).toEqual(first.data);
  await first.close();
  expect(readFileSync(data, "utf8")).not.toContain("canary");

  const second = await startTestSandbox({ data, seed: seedData() });
  expect(second.data).toEqual(first.data);
  expect(second.emailsSent(latestId(second))).toBeGreaterThan(0);
  expect(created(second)).toBe(20);
  const kept = getUpdates(second).map(({ description }) => description);
  expect(kept).toEqual(expect.arrayContaining(descriptions));
});

test("a write that can't be stored is rejected and has no effect", async () => {
  const folder = join(temporaryFolder(), "folder");
  mkdirSync(folder);
  const sandbox = await startTestSandbox({ data: join(folder, "sandbox.json") });
  renameSync(folder, `${folder}-gone`);
  const response = await post(sandbox, { ...news, notifySubscribers: true });
  const message: unknown = expect.stringContaining("can't be written: no such file or directory");
  expect(await response.json()).toMatchObject({ statusCode: 500, message });
  expect(created(sandbox)).toBe(0);
  expect(sandbox.requests).toMatchObject([{ status: 500, applied: false }]);
  renameSync(`${folder}-gone`, folder);
  expect((await post(sandbox)).status).toBe(201);
});

/** Returns a file with data in which this text was replaced. */
const spoilt = (text: string, replacement: string) => () => {
  const content = JSON.stringify(seedData(), null, 1);
  expect(content).toContain(text);
  return newFile(content.replace(text, replacement));
};
const inNoFolder = () => join(temporaryFolder(), "none", "sandbox.json");

test.each<[what: string, file: () => string, complaint: RegExp]>([
  ["a type", spoilt('"sendFailure": true', '"sendFailure": "yes"'), /alertChannels\[0\]\.sendFailure: /],
  ["a repeated ID", spoilt('"id": 4102', '"id": 4101'), /alertChannels\[1\]\.id: 4101 is a duplicate/],
  [
    "an unknown ID",
    spoilt('"statusPageIds": [', '"statusPageIds": ["x",'),
    /statusPageIds: there is no x here/,
  ],
  ["no JSON", () => newFile("not json"), /can't be read \(fix or delete the file\): .*not valid JSON/],
  [
    "an empty object",
    () => newFile("{}"),
    /delete the file\):\n {2}access: is missing\n {2}accounts: is missing\n/,
  ],
  [
    "a directory",
    temporaryFolder,
    /can't be read \(fix or delete the file\): illegal operation on a directory/,
  ],
  ["a directory that doesn't exist", inNoFolder, /can't be written: no such file or directory$/],
])("a file with %s is rejected", async (_, file, complaint) => {
  const data = file();
  const refused = startSandbox({ data });
  await expect(refused).rejects.toThrow(SandboxError);
  await expect(refused).rejects.toThrow(data);
  await expect(refused).rejects.toThrow(complaint);
});

describe("a process that is connected to a sandbox", () => {
  const names = ["BASE_URL", "API_KEY", "ACCOUNT_ID", "ACCOUNT_HEADER"].map((name) => `MONITORING_${name}`);
  const environment = () => names.map((name) => process.env[name]);
  const service = "https://api.example.com";
  const ofService = [service, "key", undefined, "x-organization"];

  beforeEach(() => {
    for (const name of names) Reflect.deleteProperty(process.env, name);
    for (const index of [0, 1, 3]) process.env[names[index] ?? ""] = ofService[index];
  });

  it("a program is connected to the last sandbox that is still open, regardless of the order in which the others are closed", async () => {
    const first = await startTestSandbox({ apiKey: "mon_test", accountHeader: "X-Account" });
    const [second, third] = [await startTestSandbox(), await startTestSandbox()];
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

  // test/connection/settings.test.ts tests an account or a provider with any other URL.
  it("a program records which sandboxes it is connected to until they are closed", async () => {
    const connected = () => process.env["MONITORING_CONNECTED_SANDBOXES"];
    const [first, second] = [await startTestSandbox(), await startTestSandbox()];
    for (const sandbox of [first, second]) connectTo(sandbox);
    expect(connected()).toBe(`${first.url} ${second.url}`);
    await first.close();
    expect(connected()).toBe(second.url);
    await second.close();
    expect(connected()).toBeUndefined();
  });
});
