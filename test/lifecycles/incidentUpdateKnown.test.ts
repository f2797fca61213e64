/** A published update: refresh, changed options, replacement, removal, and `IncidentUpdate.get`. */
import { existingOutputs } from "../../provider/lifecycles/incidentUpdate/incidentUpdateState";
import { failureOf, incidentId, Service, words } from "./updateProcess";

const service = new Service();
const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** The result of an earlier run, without its notices. */
async function known(args: object = {}) {
  const remembered = await service.declare(args);
  service.notices = [];
  return remembered;
}

describe("a refresh", () => {
  it("shows the published update beside the declared one", async () => {
    const declared = await known();
    service.sandbox.byHand.change(({ accounts }) => {
      for (const { incidentUpdates } of accounts[0].statusPageIncidents)
        for (const update of incidentUpdates)
          if (update.description === words.description) update.description = "Capacity is enough.";
    });
    expect(await service.refresh(declared)).toEqual({
      id: declared.id,
      outs: {
        ...declared.outs,
        published: expect.objectContaining({ description: "Capacity is enough." }) as unknown,
      },
    });
    expect(service.notices).toEqual([]);
  });

  it("keeps a deleted update as missing, and says that it isn't posted again", async () => {
    const declared = await known();
    service.deleteUpdatesByHand();
    expect(await service.refresh(declared)).toEqual({
      id: declared.id,
      outs: { ...declared.outs, missing: true },
    });
    expect(service.notices).toEqual([
      `IncidentUpdate ${declared.id}: not found on the service. It stays in the state and is not posted again.`,
    ]);
    expect(service.posts()).toHaveLength(1);
  });

  it("reads the update individually when its incident has no history", async () => {
    const declared = await known();
    const body = JSON.stringify({ id: incidentId, name: "Checkout" });
    const headers = ["content-type: application/json"];
    service.sandbox.faults.add({ kind: "answer", body, headers, operation: "getStatusPageIncident" });
    expect(await service.refresh(declared)).toEqual(declared);
  });

  it("uses the original account after it was renamed", async () => {
    const { url: baseUrl, accountId, apiKey } = service.sandbox;
    const accounts = (name: string) => ({
      "monitoring:accounts": JSON.stringify({ [name]: { baseUrl, accountId, apiKey } }),
    });
    const { id, outs } = await service.declare({ account: "europe" }, accounts("europe"));
    const renamed = await service.process(accounts("eu"));
    const { props = {} } = await renamed.read(id, outs);
    expect(props).toEqual(outs);
    const inputs = { ...words, account: "europe" };
    expect(await renamed.diff(id, props, inputs)).toEqual({ changes: false, replaces: [] });
    const { inputs: declared = {} } = await renamed.check(inputs, { ...words, account: "eu" });
    expect(await renamed.diff(id, props, declared)).toEqual({ changes: true, replaces: [] });
    expect(service.posts()).toHaveLength(1);
  });

  it("identifies the update by the resource's id alone, as release 0.1.0 stored it", async () => {
    const { id, outs } = await known();
    const { incidentUpdateId, ...older } = outs;
    expect(id).toBe(`${incidentId}/${String(incidentUpdateId)}`);
    expect(await service.refresh({ id, outs: older })).toMatchObject({ id, outs: { missing: false } });
  });
});

describe("changed options", () => {
  it("are stored without a request", async () => {
    const { id, outs } = await known();
    const asked = service.sandbox.requests.length;
    const process = await service.process();
    const changed = { ...words, onChange: "refuse", notifySubscribers: true };
    const { inputs = {} } = await process.check(words, changed);
    expect(await process.diff(id, outs, inputs)).toEqual({ changes: true, replaces: [] });
    expect(await process.update(id, outs, inputs)).toEqual({
      outs: { ...outs, onChange: "refuse", notifySubscribers: true },
    });
    expect(service.notices).toEqual([
      `IncidentUpdate ${id}: already posted, so enabling notifySubscribers sends no email.`,
    ]);
    expect(service.sandbox.requests).toHaveLength(asked);
  });

  it.each([
    [true, false],
    [true, true],
    [false, false],
  ])("emit no notice about emails when notifySubscribers changes from %p to %p", async (before, after) => {
    const { id, outs } = await known({ notifySubscribers: before });
    const process = await service.process();
    const { inputs = {} } = await process.check(words, { ...words, notifySubscribers: after });
    await process.update(id, outs, inputs);
    expect(service.notices).toEqual([]);
  });
});

describe("changed content", () => {
  const differ = async (args: object) => {
    const { id, outs } = await known();
    const process = await service.process();
    const { inputs = {} } = await process.check(words, { ...words, ...args });
    return { id, diff: process.diff(id, outs, inputs) };
  };

  it("replaces the update, and the old one stays public", async () => {
    const { id, diff } = await differ({ status: "RESOLVED", description: "All is well." });
    expect(await diff).toEqual({ changes: true, replaces: ["status", "description"] });
    expect(service.published().map((update) => `${incidentId}/${update.id}`)).toEqual([id]);
  });

  it("replaces the update when it is only the occurrence", async () => {
    const { diff } = await differ({ occurrence: 2 });
    expect(await diff).toEqual({ changes: true, replaces: ["occurrence"] });
  });

  it.each<[string, object, object]>([
    ["white space", {}, { description: words.description.replaceAll(" ", " \n ") }],
    ["escapes", { description: "Fish & chips." }, { description: "Fish &amp; chips." }],
    [
      "milliseconds",
      { publicIncidentUpdateDate: "2026-01-31T09:30:00Z" },
      { publicIncidentUpdateDate: "2026-01-31T09:30:00.400Z" },
    ],
  ])("is the same when only %s differ", async (_, before, after) => {
    const { id, outs } = await known(before);
    const process = await service.process();
    const { inputs = {} } = await process.check({}, { ...words, ...before, ...after });
    expect(await process.diff(id, outs, inputs)).toEqual({ changes: false, replaces: [] });
  });

  it("replaces the update when a date is declared", async () => {
    const { diff } = await differ({ publicIncidentUpdateDate: "2026-01-31T09:30:00Z" });
    expect(await diff).toEqual({ changes: true, replaces: ["publicIncidentUpdateDate"] });
  });

  it("is recorded without a post when the date is no longer declared", async () => {
    const { id, outs } = await known({ publicIncidentUpdateDate: "2026-01-31T09:30:00Z" });
    const process = await service.process();
    expect(await process.diff(id, outs, words)).toEqual({ changes: true, replaces: [] });
    const { outs: updated } = await process.update(id, outs, words);
    expect(updated).not.toHaveProperty("publicIncidentUpdateDate");
    expect(service.posts()).toHaveLength(1);
  });

  it.each<[string, object]>([
    ["status description", { status: "RESOLVED", description: "All is well." }],
    ["occurrence", { occurrence: 2 }],
  ])('of %s is rejected for each field with onChange "refuse"', async (names, args) => {
    const { id, diff } = await differ({ onChange: "refuse", ...args });
    const { message } = await failureOf(diff);
    const reason =
      'must not change: the update is public and onChange is "refuse". Restore the value, and declare the change as a new update';
    const problems = names.split(" ").map((name) => `${name} ${reason}`);
    expect(message).toBe(`IncidentUpdate ${id}: ${problems.join("; ")}.`);
    expect(service.notices).toEqual([]);
  });
});

it("a refusal of a timeline doesn't speak of onChange, which its user didn't write", async () => {
  const entry = { ...words, onChange: "refuse", followedBy: [] };
  const { id, outs } = await service.declare(entry);
  const process = await service.process();
  for (const followedBy of [[], unknown]) {
    const { message } = await failureOf(process.diff(id, outs, { ...entry, status: "RESOLVED", followedBy }));
    expect(message).toMatch(
      /status must not change: the update is public. Restore the value, and declare the change as a/,
    );
    expect(message).not.toContain("onChange");
  }
});

it("says that a removed update stays public", async () => {
  const { id, outs } = await known();
  await (await service.process()).delete(id, outs);
  expect(service.notices).toEqual([
    `IncidentUpdate ${id}: removed from the state. The update stays public: the API has no operation to delete it.`,
  ]);
  expect(service.published()).toHaveLength(1);
});

describe("IncidentUpdate.get", () => {
  it("reads an update that was published elsewhere", async () => {
    const updateId = service.putByHand({ notifySubscribers: true });
    const process = await service.process();
    expect(await process.read(`${incidentId}/${updateId}`, {})).toMatchObject({
      id: `${incidentId}/${updateId}`,
      props: { ...words, notifySubscribers: true, incidentUpdateId: updateId, missing: false },
    });
  });

  it.each([
    ["without the path of most services, which release 0.1.0 didn't store", "/", {}],
    ["with any other path", "/tenant", { path: "/tenant" }],
  ])("stores the service %s", (_, path, stored) => {
    const origin = { host: "api.example.com", accountId: "A" };
    const outputs = existingOutputs({}, incidentId, { ...words, id: "u1" }, { ...origin, path });
    expect(outputs["origin"]).toEqual({ ...origin, ...stored });
  });

  it("reports no email when the service omits the flag", async () => {
    const body = JSON.stringify({ id: "u1", status: words.status, description: words.description });
    const headers = ["content-type: application/json"];
    service.sandbox.faults.add({ kind: "answer", body, headers, operation: "getIncidentUpdate" });
    const { props } = await (await service.process()).read(`${incidentId}/u1`, {});
    expect(props).toMatchObject({ notifySubscribers: false });
  });

  it.each(["inc_checkout_latency", "/u1", "inc_checkout_latency/"])(
    "says what an id is, of %p, and asks for nothing",
    async (id) => {
      const { message } = await failureOf((await service.process()).read(id, {}));
      expect(message).toBe("IncidentUpdate.get: id must be <incidentId>/<incidentUpdateId>.");
      expect(service.sandbox.requests).toEqual([]);
    },
  );
});

describe("a change to what a user wrote on the service by hand", () => {
  const description = "Capacity is enough now.";

  /** What the next run says of the declaration, after the text was edited on the service. */
  async function diffOf(args: object, before: object = {}) {
    const { id, outs } = await known(before);
    service.sandbox.byHand.editUpdate(incidentId, id.split("/")[1] ?? "", { description });
    const refreshed = await service.refresh({ id, outs });
    const process = await service.process();
    const { inputs = {} } = await process.check({}, { ...words, ...before, description, ...args });
    return process.diff(id, refreshed.outs, inputs);
  }

  it.each<[string, object, string[]]>([
    ["posts nothing", {}, []],
    ["posts it on another incident", { incidentId: "inc_card_declines" }, ["incidentId", "description"]],
    ["posts it as another occurrence", { occurrence: 2 }, ["description", "occurrence"]],
    ["posts nothing in a timeline that counts it anew", { occurrence: 2, followedBy: [] }, []],
    ["posts other words in a timeline", { description: "It is over.", followedBy: [] }, ["description"]],
    ["posts nothing in a timeline whose end is unknown", { occurrence: 2, followedBy: unknown }, []],
  ])("%s", async (_, args, replaces) => {
    expect(await diffOf(args)).toEqual({ changes: true, replaces });
  });

  it("posts nothing in a timeline that only counts anew what was declared", async () => {
    const counted = { description: words.description, occurrence: 2, followedBy: [] };
    expect(await diffOf(counted)).toEqual({ changes: true, replaces: [] });
  });

  it("and in its status is refused when it may not change, also with another occurrence", async () => {
    const args = { status: "RESOLVED", occurrence: 2 };
    const refused = await failureOf(diffOf(args, { onChange: "refuse" }));
    expect(refused.message).toContain("status must not change: the update is public");
    expect(refused.message).toContain("occurrence must not change");
  });
});

it("another number of an update in a timeline posts nothing, is recorded, and said", async () => {
  const { id, outs } = await known({ onChange: "refuse" });
  const process = await service.process();
  const entry = { ...words, onChange: "refuse", occurrence: 2 };
  const inputs = { ...entry, followedBy: [] };
  expect(await process.diff(id, outs, inputs)).toEqual({ changes: true, replaces: [] });
  expect((await process.update(id, outs, inputs)).outs).toMatchObject({ ...entry, missing: false });
  expect(service.notices).toEqual([
    `IncidentUpdate ${id}: occurrence is now recorded as 2; nothing is posted.`,
  ]);
  expect(service.posts()).toHaveLength(1);
});

it("a change that is only partly known replaces the update", async () => {
  const { id, outs } = await known();
  const process = await service.process();
  const description = unknown;
  const replaces = ["status", "description"];
  const news = { ...words, status: "RESOLVED", description };
  expect(await process.diff(id, outs, news)).toEqual({ changes: true, replaces });
});
