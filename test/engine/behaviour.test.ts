/** What a user does to a declared update, and what happens: one test each, by the real command line. */
import { type Sandbox, startSandbox, wellKnown } from "../../sandbox";
import { nobodyListens } from "../client/services";
import { type Run, Stack } from "./stack";

const incidentId = wellKnown.statusPageIncidents.checkoutLatency;

let sandbox: Sandbox;
let stack: Stack;
let before: string[];

const words = { incidentId, status: "MONITORING", description: "We are watching it." };

const programOf = (...declarations: object[]): string =>
  `const { IncidentUpdate } = require("pulumi-monitoring-service");
   ${declarations.map((args, index) => `new IncidentUpdate("update-${index}", ${JSON.stringify(args)});`).join("\n")}`;

async function declare(...declarations: object[]): Promise<Run> {
  stack.write("index.js", programOf(...declarations));
  return stack.up();
}

beforeEach(async () => {
  sandbox = await startSandbox();
  before = sandbox.incident(incidentId).incidentUpdates.map(({ id }) => id);
  stack = await Stack.create({ program: programOf(words), sandbox });
});
afterEach(async () => {
  stack.remove();
  await sandbox.close();
});

const published = (): Sandbox["data"]["accounts"][number]["statusPageIncidents"][number]["incidentUpdates"] =>
  sandbox.incident(incidentId).incidentUpdates.filter(({ id }) => !before.includes(id));
const newestId = (): string => published()[0]?.id ?? "none";
const outputs = async (): Promise<Record<string, unknown>> => (await stack.resources())[0]?.outputs ?? {};
const expectNothingToDo = async (): Promise<void> => {
  expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0 });
};
const postByHand = async (body: object): Promise<void> => {
  const answer = await fetch(`${sandbox.url}/v1/status-pages/incidents/${incidentId}/incident-updates`, {
    method: "POST",
    headers: { authorization: `Bearer ${sandbox.apiKey}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  expect(answer.status).toBe(201);
};

it("adopts an update that already stands there, and says which, and since when", async () => {
  await postByHand({ status: "MONITORING", description: "  We are\r\nwatching it. " });
  const [standing] = published();
  const up = await stack.up();
  expect(up).toMatchObject({ code: 0 });
  expect(up.output).toContain(
    `an identical update (${standing?.id}) has existed in incident ${incidentId} since ${standing?.created_at}`,
  );
  expect(published()).toHaveLength(1);
  expect((await stack.resources())[0]).toMatchObject({ id: `${incidentId}/${standing?.id}` });
  await expectNothingToDo();
});

it.each([
  ["status", { status: "RESOLVED" }],
  ["description", { description: "All good." }],
  ["publicIncidentUpdateDate", { publicIncidentUpdateDate: "2026-01-31T09:30:00+02:00" }],
])("posts a new update when %s changes, after a preview that says so", async (field, change) => {
  await stack.up();
  const old = newestId();
  stack.write("index.js", programOf({ ...words, ...change, notifySubscribers: true }));
  const preview = await stack.preview();
  expect(preview).toMatchObject({ code: 0 });
  expect(preview.output).toContain(
    `${incidentId}/${old}: ${field} changed, so a new update replaces it; the old one stays public.`,
  );
  expect(preview.output).toMatch(
    /unless an identical update exists on inc_checkout_latency, \w+ will be published there, and every subscriber is emailed/,
  );
  expect(published()).toHaveLength(1);
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(published()).toHaveLength(2);
  expect(published().map(({ id }) => id)).toContain(old);
  expect((await stack.resources()).map(({ id }) => id)).toEqual([`${incidentId}/${newestId()}`]);
  await expectNothingToDo();
});

it("doesn't take other white space, line ends or ways to write a character for a change", async () => {
  await declare({ ...words, description: "Caf\u00e9 tills are slow.\nWe look at it." });
  stack.write(
    "index.js",
    programOf({ ...words, description: "  Cafe\u0301 tills are slow.\r\nWe look  at it. " }),
  );
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(published()).toHaveLength(1);
});

it('refuses changed words when onChange is "refuse"', async () => {
  await declare({ ...words, onChange: "refuse" });
  for (const run of [() => stack.preview(), () => stack.up()]) {
    stack.write("index.js", programOf({ ...words, status: "RESOLVED", onChange: "refuse" }));
    const { code, output } = await run();
    expect(code).not.toBe(0);
    expect(output).toContain('status must not change: the update is public and onChange is "refuse"');
  }
  expect(published()).toHaveLength(1);
});

it("only records a change of notifySubscribers and onChange, and says that nobody is mailed", async () => {
  await stack.up();
  const up = await declare({ ...words, notifySubscribers: true, onChange: "refuse" });
  expect(up).toMatchObject({
    code: 0,
    output: expect.stringContaining("enabling notifySubscribers sends no email"),
  });
  expect(published()).toHaveLength(1);
  expect(sandbox.mailed(newestId())).toBe(0);
  expect(await outputs()).toMatchObject({
    notifySubscribers: true,
    onChange: "refuse",
    incidentUpdateId: newestId(),
  });
  await expectNothingToDo();
});

it("only records another name of the same account", async () => {
  await stack.up();
  const accounts = { shop: { apiKey: sandbox.apiKey, accountId: sandbox.accountId } };
  await stack.configure({ "monitoring:accounts!": JSON.stringify(accounts) });
  expect(await declare({ ...words, account: "shop" })).toMatchObject({ code: 0 });
  expect(await outputs()).toMatchObject({ account: "shop" });
  expect(published()).toHaveLength(1);
  await expectNothingToDo();
});

it("forgets an update that is taken out of the program; it stays public", async () => {
  await stack.up();
  const up = await declare();
  expect(up).toMatchObject({
    code: 0,
    output: expect.stringContaining("The update stays public: the API has no operation to delete it"),
  });
  expect(published()).toHaveLength(1);
  expect(await stack.resources()).toEqual([]);
});

it("shows an edit by hand on refresh, and posts nothing", async () => {
  await stack.up();
  sandbox.byHand.editUpdate(incidentId, newestId(), { description: "Edited by hand.", status: "RESOLVED" });
  expect(await stack.refresh()).toMatchObject({ code: 0 });
  expect(await outputs()).toMatchObject({
    description: words.description,
    published: { description: "Edited by hand.", status: "RESOLVED" },
  });
  await expectNothingToDo();
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(published()).toHaveLength(1);
});

it.each<[string, (id: string) => void]>([
  ["the update", (id) => sandbox.byHand.deleteUpdate(incidentId, id)],
  ["the incident", () => sandbox.byHand.deleteIncident(incidentId)],
])("keeps the resource when %s is gone from the service, and never posts again", async (_, remove) => {
  await stack.up();
  remove(newestId());
  sandbox.clearRequests();
  const refresh = await stack.refresh();
  expect(refresh).toMatchObject({
    code: 0,
    output: expect.stringContaining("not found on the service"),
  });
  expect(await outputs()).toMatchObject({ missing: true });
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(sandbox.requests.filter(({ method }) => method === "POST")).toEqual([]);
});

it("posts the same words again only as another occurrence", async () => {
  await declare(words, { ...words, occurrence: 2 });
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(published().map(({ description }) => description)).toEqual([words.description, words.description]);
  expect(new Set((await stack.resources()).map(({ id }) => id)).size).toBe(2);
  const third = await declare(words, { ...words, occurrence: 2 }, { ...words, occurrence: 4 });
  expect(third.code).not.toBe(0);
  expect(third.output).toContain(
    "occurrence is 4, but 2 identical updates exist in the incident: declare the earlier ones first",
  );
  expect(published()).toHaveLength(2);
});

it.each<[string, () => Promise<Record<string, string>>, RegExp]>([
  [
    "account",
    () => Promise.resolve({ "monitoring:accountId": wellKnown.accounts.labs }),
    /points to account b27d94c0-\S+ on/,
  ],
  [
    "service",
    () => Promise.resolve({ "monitoring:baseUrl": nobodyListens }),
    /points to account \S+ on 127\.0\.0\.1:9,/,
  ],
])("refuses another %s: nothing is posted or marked missing", async (_, settings, message) => {
  await stack.up();
  sandbox.clearRequests();
  await stack.configure(await settings());
  for (const run of [() => stack.preview(), () => stack.up(), () => stack.refresh()]) {
    const { code, output } = await run();
    expect(code).not.toBe(0);
    expect(output).toMatch(message);
  }
  expect(sandbox.requests).toEqual([]);
  expect(await outputs()).toMatchObject({ missing: false });
});

it("posts nothing while MONITORING_READ_ONLY is set, and says so", async () => {
  stack.setEnvironment({ MONITORING_READ_ONLY: "1" });
  const held = await stack.up();
  expect(held.code).not.toBe(0);
  expect(held.output).toContain(
    "readOnly is on, so nothing was sent (a program sets it by monitoring:readOnly or MONITORING_READ_ONLY)",
  );
  expect(published()).toEqual([]);
  stack.setEnvironment({ MONITORING_READ_ONLY: "0" });
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(published()).toHaveLength(1);
});

it("takes a rotated key from the environment on refresh and destroy, where the state's own is old", async () => {
  await stack.up();
  await stack.configure({ "monitoring:apiKey!": "mon_revoked_0123456789" });
  stack.setEnvironment({ MONITORING_API_KEY: sandbox.apiKey });
  expect(await stack.refresh()).toMatchObject({ code: 0 });
  expect(await stack.destroy()).toMatchObject({ code: 0 });
});

it("reads an update that somebody else posted with IncidentUpdate.get, and leaves it alone", async () => {
  await postByHand({ status: "IDENTIFIED", description: "Posted by hand." });
  stack.write(
    "index.js",
    `const { IncidentUpdate } = require("pulumi-monitoring-service");
     const update = IncidentUpdate.get("by-hand", "${incidentId}/${newestId()}");
     exports.said = update.description;`,
  );
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(await stack.outputs()).toEqual({ said: "Posted by hand." });
  expect(await stack.destroy()).toMatchObject({ code: 0 });
  expect(published()).toHaveLength(1);
});

it("keeps a secret description out of the plain state, the messages and the screen", async () => {
  stack.write(
    "index.js",
    `const pulumi = require("@pulumi/pulumi");
     const { IncidentUpdate } = require("pulumi-monitoring-service");
     new IncidentUpdate("update", { incidentId: "${incidentId}", status: "RESOLVED", description: pulumi.secret("Canary words.") });`,
  );
  const { output, code } = await stack.run("up", "--yes", "--diff");
  expect(code).toBe(0);
  expect(published().map(({ description }) => description)).toEqual(["Canary words."]);
  await stack.refresh();
  const { output: state } = await stack.mustRun("stack", "export");
  expect(output + state).not.toContain("Canary");
});
