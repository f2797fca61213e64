/** Updates that are public, or whose post received no response: everything that isn't a decision of the protocol. */
import { programInput } from "../../provider/engine";
import { lifecycles } from "../../provider/lifecycles";
import { wellKnown } from "../../sandbox";
import { send, serve } from "../client/services";
import { by, create, imported, checkInputs, type Properties } from "./phases";
import { catchError, incidentId, named, Service, words } from "./updateProcess";

const service = new Service();
const twin = /already declares this update/;

/** The result of an earlier run, without its notices. */
async function known(args: object = {}, settings?: Readonly<Record<string, string>>) {
  const declared = await service.declare(args, settings);
  service.notices = [];
  return declared;
}

it("a create posts only the declared fields with its own ID, and records them with the published update", async () => {
  const content = { status: words.status, description: words.description, notifySubscribers: true };
  const dated = { ...content, publicIncidentUpdateDate: "2026-01-31T09:30:00.000Z" };
  const { id, outs } = await service.declare(dated);
  expect(service.posts.map(({ body }) => body)).toMatchObject([dated]);
  const { record, origin, [programInput]: _, ...shown } = outs;
  const { fields, computed } = lifecycles.IncidentUpdate.facts;
  expect([...fields, ...computed]).toEqual(expect.arrayContaining(Object.keys(shown)));
  const [published] = service.published();
  expect(id).toBe(`${incidentId}/${published?.id}`);
  expect({ record, origin, ...shown }).toEqual({
    ...{ ...words, ...dated, published: dated, missing: false },
    ...{ incidentUpdateId: published?.id, createdAt: published?.created_at },
    record: { version: 1, posted: { written: expect.any(String) as string } },
    origin: { host: new URL(service.sandbox.url).host, path: "/", accountId: service.sandbox.accountId },
  });
});

it("a create of an update that another account's name already published in the same run is rejected", async () => {
  const { url: baseUrl, apiKey } = service.sandbox;
  const accounts = JSON.stringify({ eu: { apiKey, baseUrl } });
  const process = await service.process({ "monitoring:accounts": accounts });
  await create(process, words);
  await expect(create(process, { ...words, ...by("other"), account: "eu" })).rejects.toThrow(twin);
  expect(service.posts).toHaveLength(1);
});

it("a code is valid from two minutes after the last attempt, which a pause requested by the service may delay", async () => {
  service.sandbox.faults.add({
    kind: "status",
    code: 429,
    headers: { "retry-after": "11" },
    times: 1,
    operation: "createIncidentUpdate",
  });
  const began = Date.now();
  const { outs } = await service.leaveUnconfirmed();
  expect(outs["record"]).toMatchObject({ version: 1, sent: { at: expect.any(Number) as number } });
  const { sent } = outs["record"] as { sent: { at: number } };
  expect(sent.at).toBeGreaterThanOrEqual(began + 11_000);
});

it("a public update can't change even without a call of `diff` (replacementTrigger)", async () => {
  const replaced = async (args: object) => {
    const process = await service.process();
    await process.check({ ...named }, { ...named, ...args });
    return create(process, { ...named, ...args });
  };
  const { id } = await service.declare(named);
  const { message } = await catchError(replaced({ status: "RESOLVED", description: "It is over." }));
  expect(message).toMatch(/status and description must not change, because the update is public/);
  expect(await replaced({})).toMatchObject({ id });
  expect(service.posts).toHaveLength(1);
});

it.each([
  ["that is public", () => service.declare(), "stays public"],
  ["whose post received no response", () => service.leaveUnconfirmed(), "may be public"],
])("the removal of an update %s is reported", async (_, declare, visibility) => {
  const { id, outs } = await declare();
  await (await service.process()).delete(id, outs);
  await (await service.process()).delete(id, { ...outs, missing: true });
  expect(service.notices.at(-1)).toMatch(
    /: removed from the state\. The update was missing at the last refresh\.$/,
  );
  expect(service.notices.at(-2)).toContain(
    `: removed from the state. The update ${visibility}. To take it off the page, delete it in the dashboard.`,
  );
});

describe("a refresh", () => {
  it("a refresh shows an edit by hand, which is recorded without a post when it is declared", async () => {
    const declared = await known();
    const edited = { description: "Capacity is enough." };
    service.changeByHand(declared, edited);
    service.sandbox.clearRequests();
    const { id, outs } = await service.refresh(declared);
    expect(service.sandbox.requests.map(({ operation }) => operation)).toEqual(["getStatusPageIncident"]);
    expect({ id, outs }).toEqual({
      id: declared.id,
      outs: { ...declared.outs, published: { ...Object(declared.outs["published"]), ...edited } },
    });
    const process = await service.process();
    const inputs = await checkInputs(process, { ...named, ...edited });
    expect(await process.diff(id, outs, inputs)).toEqual({ changes: true, replaces: [] });
    const { outs: updated = {} } = await process.update(id, outs, inputs);
    expect(updated).toMatchObject({ ...edited, missing: false });
    expect(await process.diff(id, updated, inputs)).toEqual({ changes: false, replaces: [] });

    service.changeByHand(declared, { description: "Edited once more." });
    const next = await service.process();
    await checkInputs(next, { ...named, ...edited });
    const { message } = await catchError(next.update(id, outs, inputs));
    expect(message).toContain("the update was changed or deleted on the service after the last refresh");
    expect([service.notices, service.posts.length]).toEqual([[], 0]);
  });

  it("a refresh reads an update that the history lacks, and no update of a deleted incident", async () => {
    const { id, outs } = await known();
    const body = JSON.stringify({ id: incidentId, name: "Checkout" });
    const headers = ["content-type: application/json"];
    service.sandbox.faults.add({ kind: "answer", body, headers, operation: "getStatusPageIncident" });
    service.sandbox.clearRequests();
    const process = await service.process();
    expect(await process.read(id, outs)).toEqual({ id, props: outs });
    const [gone, other] = ["upd_gone", "inc_gone"];
    const missing = (await process.read(id, { ...outs, incidentUpdateId: gone })).props;
    expect(missing).toMatchObject({ missing: true });
    service.sandbox.faults.clear();
    expect((await process.read(id, { ...outs, incidentId: other })).props).toMatchObject({ missing: true });
    expect(service.sandbox.requests.map(({ operation }) => operation)).toEqual([
      "getStatusPageIncident",
      "getIncidentUpdate",
      "getIncidentUpdate",
      "getStatusPageIncident",
    ]);
  });
});

describe("an in-place update", () => {
  it.each([
    [false, true, 1],
    [true, true, 0],
    [true, false, 0],
  ])(
    "an in-place update of notifySubscribers from %p to %p and of account is recorded without a request",
    async (before, after, notices) => {
      const { id, outs: all } = await known({ notifySubscribers: before });
      const outs = { ...all, notifySubscribers: before };
      service.sandbox.clearRequests();
      const { url: baseUrl, accountId, apiKey } = service.sandbox;
      const accounts = JSON.stringify({ shop: { baseUrl, accountId, apiKey } });
      const process = await service.process({ "monitoring:accounts": accounts });
      const changed = { account: "shop", notifySubscribers: after };
      const inputs = await checkInputs(process, { ...named, ...changed });
      expect(await process.diff(id, outs, inputs)).toEqual({ changes: true, replaces: [] });
      expect(await process.update(id, outs, inputs)).toEqual({ outs: { ...outs, ...changed } });
      const said: unknown = expect.stringContaining("Nothing is posted or emailed");
      expect(service.notices).toEqual([said].slice(0, notices));
      expect(service.sandbox.requests).toEqual([]);
    },
  );
});

describe("IncidentUpdate.get", () => {
  /** Reads an update that is shown like this, once. */
  async function got(shown: object) {
    const body = JSON.stringify({ id: "u1", status: words.status, description: words.description, ...shown });
    const headers = ["content-type: application/json"];
    service.sandbox.faults.add({ kind: "answer", body, headers, operation: "getIncidentUpdate", times: 1 });
    const id = `${incidentId}/u1`;
    const { props = {} } = await (await service.process()).read(id, {});
    return { id, outs: props };
  }

  it("IncidentUpdate.get reads an update that was published elsewhere", async () => {
    const { url, accountId } = service.sandbox;
    const origin = { host: new URL(url).host, path: "/", accountId };
    const updateId = service.putByHand({ notifySubscribers: true });
    const process = await service.process();
    expect(await process.read(`${incidentId}/${updateId}`, {})).toMatchObject({
      id: `${incidentId}/${updateId}`,
      props: { ...words, notifySubscribers: true, incidentUpdateId: updateId, missing: false, origin },
    });
  });

  it.each<[string, object]>([
    ["without a flag and a public date", { publicIncidentUpdateDate: null }],
    ["without a status", { status: undefined }],
  ])("IncidentUpdate.get keeps an update %s as missing when it was deleted", async (_, shown) => {
    const { id, outs } = await got(shown);
    expect(outs).toMatchObject({ notifySubscribers: false });
    expect(await service.refresh({ id, outs })).toEqual({ id, outs: { ...outs, missing: true } });
    const other = await service.process({ "monitoring:accountId": "another" });
    await expect(other.read(id, outs)).rejects.toThrow(
      /account points to account another on .*, but the update was posted to account /,
    );
  });

  it.each(["inc_checkout_latency", "/u1", "inc_checkout_latency/", "page//u1", "page/inc/u1/more"])(
    "IncidentUpdate.get and an import explain the format of an ID for %p, and send no request",
    async (id) => {
      const reason =
        "id must be <incidentId>/<incidentUpdateId> or, on a page with components, " +
        "<statusPageId>/<incidentId>/<incidentUpdateId>.";
      const { message } = await catchError((await service.process()).read(id, {}));
      expect(message).toBe(`IncidentUpdate.get: ${reason}`);
      const ofImport = await catchError(imported("IncidentUpdate", id, service.sandbox));
      expect(ofImport.message).toBe(`IncidentUpdate import: ${reason}`);
      expect(service.sandbox.requests).toEqual([]);
    },
  );
});

describe("an import", () => {
  const { cardDeclines: incidentId } = wellKnown.statusPageIncidents;
  const edit = (changes: object): void =>
    service.sandbox.byHand.change(({ accounts: [{ statusPageIncidents }] }) => {
      const [first] = statusPageIncidents.find(({ id }) => id === incidentId)?.incidentUpdates ?? [];
      Object.assign(first ?? {}, { status: "MONITORING", notifySubscribers: false, ...changes });
    });
  const newest = () => service.sandbox.incident(incidentId).incidentUpdates[0];
  const createId = (updateId = newest()?.id) => `${incidentId}/${updateId}`;

  it("an import declares incident, status, description and notifySubscribers, without the date", async () => {
    edit({
      description: "The only one.",
      publicIncidentUpdateDate: "2026-01-31T09:30:00.000Z",
      notifySubscribers: true,
    });
    const content = { status: "MONITORING", description: "The only one." };
    const inputs = { incidentId, ...content, notifySubscribers: true };
    const { id, inputs: declared, outputs } = await imported("IncidentUpdate", createId(), service.sandbox);
    expect([id, declared]).toStrictEqual([createId(), inputs]);
    expect(outputs).toMatchObject({
      ...inputs,
      ...{ incidentUpdateId: newest()?.id, missing: false },
      published: content,
      record: { version: 1, posted: {} },
    });
  });

  it("a refresh fails if a proxy reports that an incident doesn't exist, and the update doesn't become missing", async () => {
    const declared = await known();
    service.sandbox.faults.add({
      kind: "status",
      code: 404,
      body: "html",
      operation: "getStatusPageIncident",
    });
    await expect(service.refresh(declared)).rejects.toThrow(
      "the response didn't come from the API (HTTP 404)",
    );
  });

  it("an import whose update is deleted from the history meanwhile is declared as the first", async () => {
    service.sandbox.faults.add({ kind: "status", code: 404, operation: "getStatusPageIncident" });
    const { inputs } = await imported("IncidentUpdate", createId(), service.sandbox);
    expect(inputs).toEqual({ incidentId, status: newest()?.status, description: newest()?.description });
  });

  it.each([
    ["the status POSTMORTEM", { status: "POSTMORTEM", description: "It is over." }],
    ["an empty description", { status: "RESOLVED", description: "" }],
  ])("an import with %s, which no program can declare, has no inputs to declare", async (_, update) => {
    const { url } = await serve((response) => send(response, { id: "u1", ...update }));
    const { inputs, outputs } = await imported("IncidentUpdate", "i/u1", { url, apiKey: "key" });
    expect(inputs).toEqual({ incidentId: "i" });
    expect(outputs).toMatchObject({ ...update, incidentId: "i", incidentUpdateId: "u1", missing: false });
  });
});

describe("an update whose post received no response", () => {
  it("a post without a response is found and recorded in the next up, and keeps its ID after a refresh and after deletion", async () => {
    const { id, outs: lost } = await service.leaveUnconfirmed();
    expect(lost).toMatchObject({ ...words, missing: false, record: { version: 1, sent: {} } });
    const shown = service.putByHand();
    const { length } = service.sandbox.requests;
    // Pulumi's server adds the code of the provider to what a refresh returns.
    const read = { ...lost, __provider: undefined };
    expect(await service.refresh({ id, outs: lost })).toEqual({ id, outs: read });
    expect(service.notices.at(-1)).toContain("still unconfirmed. `pulumi up` searches for the update.");
    expect(service.sandbox.requests).toHaveLength(length);
    const outs = await service.nextUp({ id, outs: lost });
    expect(outs).toMatchObject({ ...words, incidentUpdateId: shown, missing: false });
    expect(outs["record"]).toHaveProperty("posted");
    expect(service.notices.at(-1)).toContain(
      `a previous run posted update ${shown} on incident ${incidentId}`,
    );
    // The engine keeps the id until a refresh, which gives the update's own; then there is nothing left to do.
    const refreshed = await service.refresh({ id, outs });
    expect(refreshed.id).toBe(`${incidentId}/${shown}`);
    const process = await service.process();
    expect(await process.diff(refreshed.id, refreshed.outs, named)).toEqual({ changes: false, replaces: [] });

    service.changeByHand(refreshed);
    const gone = { id: `${incidentId}/${shown}`, outs: { ...outs, missing: true } };
    expect(await service.refresh({ id, outs })).toEqual(gone);
    expect(service.notices.at(-1)).toContain(
      `IncidentUpdate "update", ${incidentId}/${shown}: not found on the service.`,
    );
    expect(service.posts).toHaveLength(1);
  });

  it.each<[string, (outs: Properties) => object]>([
    ["has a damaged record", ({ record }) => ({ record: { ...Object(record), sent: { nonce: 1 } } })],
    ["was written by an earlier version", () => ({ record: undefined, made: "m", unconfirmed: {} })],
    ["was written by a later version", ({ record }) => ({ record: { ...Object(record), version: 2 } })],
  ])("a state that %s fails with one sentence, sends nothing, and can be removed", async (_, damage) => {
    const { id, outs } = await service.leaveUnconfirmed();
    // The engine doesn't store a value that is undefined.
    const damaged: Properties = JSON.parse(JSON.stringify({ ...outs, ...damage(outs) }));
    service.sandbox.clearRequests();
    const preview = async () => {
      const process = await service.process();
      const { inputs = {} } = await process.check(named, { ...named, ...by("update", { previews: true }) });
      await process.diff(id, damaged, inputs);
    };
    for (const work of [service.nextUp({ id, outs: damaged }), preview()]) {
      const { message } = await catchError(work);
      expect(message).toBe(
        `IncidentUpdate ${id}: record can't be read from the state. Nothing was posted. If a different version of pulumi-monitoring-service ` +
          "wrote the state, install that version. If the state was edited, restore it with `pulumi stack import`. Otherwise, check the public " +
          "page, then remove the resource from the state with `pulumi state delete`. The next `pulumi up` adopts the update, or posts it if it " +
          "isn't on the incident.",
      );
    }
    const process = await service.process();
    await process.delete(id, damaged);
    expect(service.notices.at(-1)).toContain("The update may be public");
    expect(service.sandbox.requests).toEqual([]);
  });
});
