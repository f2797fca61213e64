import type { z } from "zod";
import { seedData, wellKnown } from "../../sandbox";
import * as contract from "../../sandbox/contract";
import { ask, incidentId, incidentPath, news, post, sandboxWith, updatesPath } from "./sandboxes";

const strictly = async <Schema extends z.ZodType>(schema: Schema, answer: Promise<Response>) => {
  const response = await answer;
  expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
  expect(response.headers.get("x-request-id")).toMatch(/^[\w-]{36}$/);
  return { status: response.status, body: schema.parse(await response.json()) };
};

describe("createIncidentUpdate", () => {
  test("puts the update on top of the incident's history, with an id and times of its own", async () => {
    const sandbox = await sandboxWith();
    const before = Date.now();
    const { status, body } = await strictly(contract.statusPageIncidentUpdate, post(sandbox));
    expect(status).toBe(201);
    expect(body).toMatchObject(news);
    expect(Date.parse(body.created_at)).toBeGreaterThanOrEqual(before);
    expect(body.publicIncidentUpdateDate).toBe(body.created_at);
    const incident = sandbox.incident(incidentId);
    expect(incident.incidentUpdates[0]).toEqual(body);
    expect(incident).toMatchObject({ lastUpdateStatus: "MONITORING", updated_at: body.created_at });
    expect(incident.incidentUpdates).toHaveLength(3);
  });

  test("accepts id and created_at, and assigns its own", async () => {
    const sandbox = await sandboxWith();
    const created_at = "2020-01-01T00:00:00.000Z";
    const answer = post(sandbox, { ...news, id: "mine", created_at });
    const { body } = await strictly(contract.statusPageIncidentUpdate, answer);
    expect(body.id).not.toBe("mine");
    expect(body.created_at).not.toBe(created_at);
  });

  test("shows a declared public date, in UTC", async () => {
    const sandbox = await sandboxWith();
    const answer = post(sandbox, { ...news, publicIncidentUpdateDate: "2026-01-31T10:30:00+01:00" });
    const { body } = await strictly(contract.statusPageIncidentUpdate, answer);
    expect(body.publicIncidentUpdateDate).toBe("2026-01-31T09:30:00.000Z");
  });

  test("mails everyone who follows the incident's pages when told to, and nobody otherwise", async () => {
    const seed = seedData();
    const [{ statusPageIncidents, subscribers, statusPages }] = seed.accounts;
    const [incident] = statusPageIncidents;
    const [one, other] = statusPages;
    if (incident === undefined || one === undefined || other === undefined) throw new Error("empty seed");
    incident.statusPageIds = [one.id, other.id];
    subscribers[one.id] = 1000;
    subscribers[other.id] = 284;
    const sandbox = await sandboxWith({ seed });
    const mailedBefore = sandbox.mailed();

    const silent = await strictly(
      contract.statusPageIncidentUpdate,
      post(sandbox, { status: "IDENTIFIED", description: "x" }),
    );
    expect(silent.body.notifySubscribers).toBe(false);
    expect(sandbox.mailed()).toBe(mailedBefore);

    const loud = await strictly(
      contract.statusPageIncidentUpdate,
      post(sandbox, { ...news, notifySubscribers: true }),
    );
    expect(loud.body.notifySubscribers).toBe(true);
    expect(sandbox.mailed(loud.body.id)).toBe(1284);
    expect(sandbox.mailed(silent.body.id)).toBe(0);
    expect(sandbox.mailed()).toBe(mailedBefore + 1284);
  });

  test("the same twice is two updates", async () => {
    const sandbox = await sandboxWith();
    const [one, other] = await Promise.all([post(sandbox), post(sandbox)]);
    expect([one.status, other.status]).toEqual([201, 201]);
    expect(sandbox.incident(incidentId).incidentUpdates).toHaveLength(4);
  });

  test("a resolved incident can be opened again", async () => {
    const sandbox = await sandboxWith();
    await post(sandbox, { ...news, status: "RESOLVED" });
    expect(sandbox.incident(incidentId).lastUpdateStatus).toBe("RESOLVED");
    await post(sandbox, { ...news, status: "INVESTIGATING" });
    expect(sandbox.incident(incidentId).lastUpdateStatus).toBe("INVESTIGATING");
  });
});

test("getIncidentUpdate gives the update as it was created", async () => {
  const sandbox = await sandboxWith();
  const created = await strictly(contract.statusPageIncidentUpdate, post(sandbox));
  const read = await strictly(
    contract.statusPageIncidentUpdate,
    ask(sandbox, `${updatesPath}/${created.body.id}`),
  );
  expect(read).toEqual({ status: 200, body: created.body });
});

test("getStatusPageIncident gives the incident with its history, newest first", async () => {
  const sandbox = await sandboxWith();
  await post(sandbox);
  const { status, body } = await strictly(contract.statusPageIncident, ask(sandbox, incidentPath));
  expect(status).toBe(200);
  expect(body).toMatchObject({ id: incidentId, severity: "MAJOR", lastUpdateStatus: "MONITORING" });
  expect(body.incidentUpdates.map((update) => update.status)).toEqual([
    "MONITORING",
    "IDENTIFIED",
    "INVESTIGATING",
  ]);
  expect(body.services.map(({ name }) => name)).toEqual(["Checkout page", "Order API"]);
});

test("ids in the path may be percent-encoded", async () => {
  const sandbox = await sandboxWith();
  const encoded = incidentPath.replace("inc_", "%69nc%5F");
  expect((await strictly(contract.statusPageIncident, ask(sandbox, encoded))).body.id).toBe(incidentId);
});

describe("getIncident", () => {
  const path = `/v1/incidents/${wellKnown.incidents.paymentErrors}`;
  const statuses = async (answer: Promise<Response>) =>
    (await strictly(contract.incident, answer)).body.incidentUpdates.map(({ status }) => status);

  test("gives the first update alone, or all of them, newest first", async () => {
    const sandbox = await sandboxWith();
    expect(await statuses(ask(sandbox, path))).toEqual(["INVESTIGATING"]);
    expect(await statuses(ask(sandbox, `${path}?includeAllIncidentUpdates=false`))).toEqual([
      "INVESTIGATING",
    ]);
    const all = await statuses(ask(sandbox, `${path}?includeAllIncidentUpdates=true`));
    expect(all).toEqual(["IDENTIFIED", "IDENTIFIED", "INVESTIGATING"]);
  });

  test("writes start and end without a zone, and null where there is none", async () => {
    const sandbox = await sandboxWith();
    const running = await strictly(contract.incident, ask(sandbox, path));
    expect(running.body.startedAt).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    expect(running.body.stoppedAt).toBeNull();
  });
});

test("getAlertChannel gives each channel of the account", async () => {
  const sandbox = await sandboxWith();
  for (const channel of sandbox.data.accounts[0].alertChannels) {
    const { body } = await strictly(contract.alertChannel, ask(sandbox, `/v1/alert-channels/${channel.id}`));
    expect(body).toEqual(channel);
  }
});

describe("listStatusPages", () => {
  const page = (sandbox: Parameters<typeof ask>[0], query = "") =>
    strictly(contract.statusPageList, ask(sandbox, `/v1/status-pages${query}`));

  test.each([1, 10, 46, 47, 100])(
    "with limit %i, the cursors lead through all pages, each once",
    async (limit) => {
      const sandbox = await sandboxWith();
      const ids: string[] = [];
      let cursor = "";
      do {
        const { body } = await page(sandbox, `?limit=${limit}${cursor}`);
        expect(body.length).toBe(body.entries.length);
        expect(body.length).toBeLessThanOrEqual(limit);
        ids.push(...body.entries.map(({ id }) => id));
        cursor = body.nextId === null ? "" : `&nextId=${encodeURIComponent(body.nextId)}`;
      } while (cursor !== "");
      expect(ids).toEqual(sandbox.data.accounts[0].statusPages.map(({ id }) => id));
      expect(sandbox.requests).toHaveLength(Math.ceil(47 / limit));
    },
  );

  test("gives 20 pages when no limit is asked for", async () => {
    expect((await page(await sandboxWith())).body.length).toBe(20);
  });

  test("shows each incident on the pages that it is on, as it is now", async () => {
    const sandbox = await sandboxWith();
    await post(sandbox, { ...news, status: "RESOLVED" });
    const { entries } = (await page(sandbox, "?limit=100")).body;
    const on = entries.filter(({ incidents }) => incidents.some(({ id }) => id === incidentId));
    expect(on.map(({ name }) => name)).toEqual(["Checkout Europe"]);
    expect(on[0]?.incidents[0]).toEqual(sandbox.incident(incidentId));
    const several = entries.filter(({ incidents }) =>
      incidents.some(({ id }) => id === wellKnown.statusPageIncidents.cardDeclines),
    );
    expect(several.map(({ name }) => name)).toEqual(["Checkout North America", "Payments North America"]);
  });
});

describe("accounts", () => {
  const names = async (answer: Promise<Response>) =>
    (await strictly(contract.statusPageList, answer)).body.entries.map(({ name }) => name);
  const path = "/v1/status-pages?limit=2";

  test("the header chooses the account; without it a key means its first one", async () => {
    const sandbox = await sandboxWith();
    const { quillmarket, labs } = wellKnown.accounts;
    expect(sandbox.accountId).toBe(quillmarket);
    expect(await names(ask(sandbox, path))).toEqual(["Storefront Europe", "Storefront North America"]);
    expect(await names(ask(sandbox, path, { account: labs }))).toEqual(["Labs Preview", "Labs Design Tools"]);
    const labsKey = { apiKey: wellKnown.apiKeys.labs };
    expect(await names(ask(sandbox, path, labsKey))).toEqual(["Labs Preview", "Labs Design Tools"]);
    expect((await ask(sandbox, path, { ...labsKey, account: quillmarket })).status).toBe(403);
  });

  test("what belongs to another account is not found", async () => {
    const sandbox = await sandboxWith();
    const account = wellKnown.accounts.labs;
    expect((await ask(sandbox, incidentPath)).status).toBe(200);
    expect((await ask(sandbox, incidentPath, { account })).status).toBe(404);
    expect((await ask(sandbox, updatesPath, { account, json: news })).status).toBe(404);
    expect(
      (await ask(sandbox, `/v1/alert-channels/${wellKnown.alertChannels.onCall}`, { account })).status,
    ).toBe(404);
    expect((await ask(sandbox, `/v1/incidents/${wellKnown.incidents.imageCache}`, { account })).status).toBe(
      404,
    );
    expect(sandbox.incident(incidentId).incidentUpdates).toHaveLength(2);
  });

  test("a cursor of one account is no cursor of another", async () => {
    const sandbox = await sandboxWith();
    const { nextId } = (await strictly(contract.statusPageList, ask(sandbox, path))).body;
    const answer = await ask(sandbox, `${path}&nextId=${nextId}`, { account: wellKnown.accounts.labs });
    expect(answer.status).toBe(400);
  });

  test("the option apiKey takes the place of the first key", async () => {
    const apiKey = "mon_test_another-key";
    const sandbox = await sandboxWith({ apiKey });
    expect(sandbox.apiKey).toBe(apiKey);
    expect((await ask(sandbox, path)).status).toBe(200);
    expect((await ask(sandbox, path, { apiKey: wellKnown.apiKeys.quillmarket })).status).toBe(401);
    expect((await ask(sandbox, path, { apiKey: wellKnown.apiKeys.labs })).status).toBe(200);
  });
});
