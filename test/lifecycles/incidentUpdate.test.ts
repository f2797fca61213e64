/** Before a post: the history is read, and an existing update is adopted. */
import { failureOf, incidentId, Service, words } from "./updateProcess";

const service = new Service();
const idOf = (id: string | undefined): string => `${incidentId}/${id}`;

it("is posted once, with the declared fields only", async () => {
  const { id, outs } = await service.declare();
  expect(service.posts().map(({ body }) => body)).toEqual([
    {
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      status: words.status,
      description: words.description,
      notifySubscribers: false,
    },
  ]);
  const [published] = service.published();
  expect(id).toBe(idOf(published?.id));
  expect(outs).toEqual({
    ...words,
    notifySubscribers: false,
    occurrence: 1,
    onChange: "post",
    onUnconfirmed: "fail",
    incidentUpdateId: published?.id,
    createdAt: published?.created_at,
    published: {
      status: words.status,
      description: words.description,
      notifySubscribers: false,
      publicIncidentUpdateDate: published?.publicIncidentUpdateDate,
    },
    missing: false,
    past: [],
    origin: { host: new URL(service.sandbox.url).host, path: "/", accountId: service.sandbox.accountId },
  });
});

it("is not posted to an incident that the service doesn't have", async () => {
  const failed = await failureOf(service.declare({ incidentId: "inc_gone" }));
  expect(failed).not.toHaveProperty("id");
  expect(failed.message).toMatch(/^getStatusPageIncident inc_gone: not found \(HTTP 404\)/);
  expect(service.posts()).toEqual([]);
});

it.each([
  ["can't be read", { kind: "status", code: 500 }],
  ["is cut on its way", { kind: "cut" }],
  ["is of another shape", { kind: "wrongJson" }],
] as const)("is not posted when the history %s", async (_, fault) => {
  service.sandbox.faults.add({ ...fault, operation: "getStatusPageIncident" });
  expect(await failureOf(service.declare())).not.toHaveProperty("id");
  expect(service.posts()).toEqual([]);
});

it("is not posted when the response lacks the history", async () => {
  const body = JSON.stringify({ id: incidentId, name: "Checkout" });
  const headers = ["content-type: application/json"];
  service.sandbox.faults.add({ kind: "answer", body, headers, operation: "getStatusPageIncident" });
  const { message } = await failureOf(service.declare());
  expect(message).toContain("the response has no incidentUpdates");
  expect(message).toContain("Nothing was posted.");
  expect(service.posts()).toEqual([]);
});

it("keeps the order of concurrent declarations of one incident", async () => {
  service.sandbox.faults.add({ kind: "latency", ms: 40, operation: "createIncidentUpdate", times: 1 });
  const process = await service.process();
  const turns = Array.from({ length: 12 }, (_, turn) => `Turn ${turn}.`);
  await Promise.all(turns.map((description) => process.create({ ...words, description })));
  expect(
    service
      .published()
      .map(({ description }) => description)
      .reverse(),
  ).toEqual(turns);
});

it("continues with the other updates of an incident when one fails", async () => {
  service.sandbox.faults.add({ kind: "status", code: 403, operation: "createIncidentUpdate", times: 1 });
  const process = await service.process();
  const results = await Promise.allSettled(
    ["One.", "Two."].map((description) => process.create({ ...words, description })),
  );
  expect(results.map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
  expect(service.published().map(({ description }) => description)).toEqual(["Two."]);
});

describe("an existing update", () => {
  it.each<[string, string, string]>([
    ["written with other line ends", "Two lines:\r\none more.", "Two lines:\none more."],
    ["in white space that a reader doesn't see", " Two   lines:\n\n one more.\t", "Two lines:\none more."],
    ["composed", "Caf\u00e9 is slow.", "Cafe\u0301 is slow."],
    ["escaped for HTML", "A &lt; B &amp; &quot;C&quot; &#39;D&#x27;&nbsp;E", "A < B & \"C\" 'D' E"],
    ["escaped twice", "A &amp;amp; B", "A & B"],
  ])("is adopted when it is %s", async (_, standing, description) => {
    const id = service.putByHand({ description: standing });
    expect(await service.declare({ description })).toMatchObject({
      id: idOf(id),
      outs: { description, published: { description: standing } },
    });
    expect(service.notices).toContainEqual(
      `IncidentUpdate: an identical update (${id}) has existed in incident ${incidentId} since ${service.published()[0]?.created_at}; adopted, nothing posted.`,
    );
    expect(service.posts()).toEqual([]);
  });

  it("is adopted with a declared date that is equal to the second", async () => {
    const id = service.putByHand({ publicIncidentUpdateDate: "2026-01-31T09:30:00.789Z" });
    const declared = { publicIncidentUpdateDate: "2026-01-31T11:30:00+02:00" };
    expect(await service.declare(declared)).toMatchObject({ id: idOf(id) });
    expect(service.posts()).toEqual([]);
  });

  it.each<[string, object]>([
    ["status", { status: "IDENTIFIED" }],
    ["description", { description: "Capacity was added; we watch it!" }],
    ["letters in another case", { description: words.description.toUpperCase() }],
    ["publicIncidentUpdateDate", { publicIncidentUpdateDate: "2026-01-31T09:30:01.000Z" }],
  ])("is not adopted with another %s", async (_, other) => {
    service.putByHand({ publicIncidentUpdateDate: "2026-01-31T09:30:00.000Z", ...other });
    await service.declare({ publicIncidentUpdateDate: "2026-01-31T09:30:00Z" });
    expect(service.posts()).toHaveLength(1);
  });

  it("is adopted from a service that omits notifySubscribers", async () => {
    const update = { id: "u1", status: words.status, description: words.description };
    const body = JSON.stringify({ id: incidentId, name: "Checkout", incidentUpdates: [update] });
    const headers = ["content-type: application/json"];
    service.sandbox.faults.add({ kind: "answer", body, headers, operation: "getStatusPageIncident" });
    const { id, outs } = await service.declare({ notifySubscribers: true });
    expect(id).toBe(idOf("u1"));
    expect(outs).not.toHaveProperty("createdAt");
    expect(service.notices.join()).toContain(
      "has existed in incident inc_checkout_latency since an unknown time",
    );
    expect(service.posts()).toEqual([]);
  });

  it("is adopted by the next run after a kill", async () => {
    const { id } = await service.declare();
    expect(await service.declare()).toMatchObject({ id });
    expect(service.posts()).toHaveLength(1);
  });

  it("belongs to only one resource", async () => {
    const process = await service.process();
    await process.create(words);
    const failed = await failureOf(process.create(words));
    expect(failed.message).toMatch(
      /^IncidentUpdate on incident inc_checkout_latency: occurrence must differ from that of the other resource that declares an identical update \(/,
    );
    expect(failed).not.toHaveProperty("id");
    expect(service.posts()).toHaveLength(1);
  });
});

it("is unchanged when IncidentUpdate.get also reads it", async () => {
  const { id, outs } = await service.declare();
  const process = await service.process();
  expect(await process.read(id, {})).toMatchObject({ id, props: { description: words.description } });
  expect(await process.diff(id, outs, words)).toEqual({ changes: false, replaces: [] });
});

describe("occurrence", () => {
  it("adopts the update with that index, oldest first, in any order of the history", async () => {
    const ids = ["2026-11-01T10:00:00Z", "2026-11-01T08:00:00Z", "2026-11-01T09:00:00Z"].map((created_at) =>
      service.putByHand({ created_at }),
    );
    for (const [occurrence, index] of [
      [1, 1],
      [2, 2],
      [3, 0],
    ] as const) {
      expect(await service.declare({ occurrence })).toMatchObject({ id: idOf(ids[index]) });
    }
    expect(service.posts()).toEqual([]);
  });

  it("in a timeline whose earlier entry was deleted is rejected with a way out", async () => {
    const { message } = await failureOf(service.declare({ occurrence: 2, followedBy: [] }));
    expect(message).toBe(
      `IncidentUpdate on incident ${incidentId}: occurrence is 2, but 0 identical updates exist in the incident: an earlier ` +
        "entry with the same words was deleted or changed on the service. Nothing was posted. Change the description of this entry.",
    );
  });

  it("posts the next one, and rejects the one after it", async () => {
    service.putByHand();
    const failed = await failureOf(service.declare({ occurrence: 3 }));
    expect(failed.message).toContain(
      "occurrence is 3, but 1 identical updates exist in the incident: declare the earlier ones first, and let this one depend on them",
    );
    expect(service.posts()).toEqual([]);
    await service.declare({ occurrence: 2 });
    expect(service.published()).toHaveLength(2);
  });
});

describe("a history of 100 updates, which may be truncated", () => {
  beforeEach(() => {
    service.putByHand();
    for (let length = service.history().length; length < 100; length++)
      service.putByHand({ description: `Note ${length}.` });
  });

  it("shows what is adopted", async () => {
    await service.declare();
    expect(service.posts()).toEqual([]);
  });

  it("is no proof that another update isn't public, and a consent posts it once", async () => {
    const args = { description: "All is well." };
    const { id = "", message, properties: outs = {} } = await failureOf(service.declare(args));
    expect(message).toBe(
      `IncidentUpdate on incident ${incidentId}: description may already be public: the service shows the latest 100 updates ` +
        "of the incident, and this one isn't among them. Nothing was posted. Check the public page: if the update is " +
        'there, remove its declaration; if it isn\'t, set onUnconfirmed to "resend" for one run.',
    );
    expect(service.posts()).toEqual([]);
    await failureOf(service.nextUp({ id, outs }, args));
    expect(service.posts()).toEqual([]);
    await service.nextUp({ id, outs }, { ...args, onUnconfirmed: "resend" });
    expect(service.posts()).toHaveLength(1);
  });
});
