/**
 * What the lifecycle of `IncidentUpdate` does on a page with components: where the update goes, what is sent, and what follows when a
 * page with cards is migrated to one with components.
 */
import { historyLimit } from "../../provider/api";
import { type MigratedIds, type Sandbox, wellKnown } from "../../sandbox";
import { by, create, imported, checkInputs } from "./phases";
import { catchError, incidentId, named, Service, words } from "./updateProcess";

const service = new Service();
const [page, incident] = [wellKnown.componentPages.shop, wellKnown.componentPageIncidents.checkoutOutage];
const there = { statusPageId: page, incidentId: incident };

const newest = () => service.sandbox.incident(incident, page).incidentUpdates[0];

// What a preview of another page names: test/connection/incidents.test.ts, and incidentUpdatePreview.test.ts.
describe("a create", () => {
  it("a create posts the four fields that a page with components accepts to its incident, and its ID names both", async () => {
    const dated = {
      notifySubscribers: true,
      publicIncidentUpdateDate: new Date(Date.now() + 1_000).toISOString(),
    };
    const { id, outs } = await service.declare({ ...there, ...dated });
    const { status, description } = words;
    expect(service.posts.map(({ path, body }) => [path, body])).toEqual([
      [`/v3/status-pages/${page}/incidents/${incident}/incident-updates`, { status, description, ...dated }],
    ]);
    expect(id).toBe(`${page}/${incident}/${newest()?.id}`);
    expect(outs).toMatchObject({ ...there, incidentUpdateId: newest()?.id });
    expect(service.notices).toEqual([]);
  });

  it("a create on a page with components is rejected before any request if its date is before the start of the incident", async () => {
    const { created_at } = service.sandbox.incident(incident, page);
    const first =
      service.sandbox.incident(incident, page).incidentUpdates.at(-1)?.publicIncidentUpdateDate ?? "";
    const began = Math.min(Date.parse(created_at), Date.parse(first));
    const publicIncidentUpdateDate = new Date(began - 1_000).toISOString();
    const { message } = await catchError(service.declare({ ...there, publicIncidentUpdateDate }));
    expect(message).toContain("is before the start of the incident");
    expect(service.posts).toEqual([]);
    await service.declare({ ...there, publicIncidentUpdateDate: new Date(began).toISOString() });
    expect(service.posts).toHaveLength(1);
  });
});

describe("a preview", () => {
  const preview = async (process: Awaited<ReturnType<typeof service.process>>, args: object) => {
    await process.check({}, { ...named, ...there, ...args, ...by("update", { previews: true }) });
    return service.notices.join("\n");
  };
  const componentReads = () =>
    service.sandbox.requests.filter(({ operation }) => operation === "listComponents").length;

  it("a preview of a page with components shows the effect of the incident on components, which it reads once", async () => {
    const process = await service.process();
    const said = await preview(process, {});
    expect(said).toContain("major outage of Checkout, degraded performance of Search, ");
    await preview(process, { ...by("second"), description: "Still on it." });
    expect(componentReads()).toBe(1);
  });

  it.each([[[]], [["OPERATIONAL"]]] as const)(
    "a preview of an incident without an effect on components reads none of them: %j",
    async (statuses) => {
      const [impact] = service.sandbox.incident(incident, page).componentImpacts;
      const componentImpacts = statuses.flatMap((status) => (impact ? { ...impact, status } : []));
      service.sandbox.byHand.editIncident(incident, { componentImpacts }, page);
      expect(await preview(await service.process(), {})).toMatch(/\n {2}IDENTIFIED, began /);
      expect(componentReads()).toBe(0);
    },
  );

  it("a preview of a page with components shows the IDs of components that can't be read", async () => {
    service.sandbox.faults.add({ kind: "status", code: 403, operation: "listComponents" });
    const { componentPages } = service.sandbox.data.accounts[0];
    const checkout = componentPages
      .find(({ id }) => id === page)
      ?.components.find(({ name }) => name === "Checkout");
    expect(await preview(await service.process(), {})).toContain(`major outage of ${checkout?.id}, degraded`);
  });
});

it("an update of a page with components is read, imported and refreshed at its location", async () => {
  const { id, outs } = await service.declare(there);
  const get = await (await service.process()).read(id, { ...by("got") });
  expect(get.props).toMatchObject({ ...there, ...words, incidentId: incident, missing: false });
  const { inputs } = await imported("IncidentUpdate", id, service.sandbox);
  expect(inputs).toEqual({ ...there, status: words.status, description: words.description });
  service.sandbox.byHand.editUpdate(incident, newest()?.id ?? "", { description: "Edited." }, page);
  expect(await service.refresh({ id, outs })).toMatchObject({
    id,
    outs: { published: { description: "Edited." }, missing: false },
  });
  service.sandbox.byHand.editIncident(incident, { id: "another" }, page);
  expect(await service.refresh({ id, outs })).toMatchObject({ id, outs: { missing: true } });
});

it("an unconfirmed update that 100 newer ones hide can be resolved", async () => {
  service.sandbox.faults.add({ kind: "reset", operation: "createComponentPageIncidentUpdate", times: 1 });
  const { id = "", properties = {} } = await catchError(service.declare(there));
  const { incidentUpdates } = service.sandbox.incident(incident, page);
  const [last] = incidentUpdates;
  if (!last) throw new Error("The incident has no update.");
  const newer = Array.from({ length: historyLimit }, (_, index) => ({ ...last, id: `newer-${index}` }));
  service.sandbox.byHand.editIncident(incident, { incidentUpdates: [...newer, ...incidentUpdates] }, page);
  const { message } = await catchError(service.nextUp({ id, outs: properties }, there));
  expect(message).toContain("older than the latest 100 updates, run `pulumi state delete` on this resource");
  expect(service.posts).toHaveLength(1);
});

describe("a migrated page", () => {
  const kept = ["kept", "new"] as const;
  const allNew = { incidentIds: "new", updateIds: "new" } as const;
  const combinations = kept.flatMap((incidentIds) => kept.map((updateIds) => ({ incidentIds, updateIds })));

  /** Migrates the page of the incident, by default with new ids. @returns its address */
  function migrate(options: Parameters<Sandbox["byHand"]["migratePage"]>[1] = allNew) {
    const { statusPageIncidents } = service.sandbox.data.accounts[0];
    const [statusPageId = ""] = statusPageIncidents.find(({ id }) => id === incidentId)?.statusPageIds ?? [];
    const ids: MigratedIds = service.sandbox.byHand.migratePage(statusPageId, options);
    return { address: { statusPageId, incidentId: ids.incidents[incidentId] ?? incidentId }, ids };
  }

  it.each(combinations)(
    "a migrated page is a different location, and nothing is posted to it: %j",
    async (options) => {
      const declared = await service.declare();
      const { address, ids } = migrate(options);
      service.notices = [];
      service.sandbox.clearRequests();
      const outs = await service.nextUp(declared, address);
      const old = String(declared.outs["incidentUpdateId"]);
      const incidentUpdateId = ids.updates[old] ?? old;
      expect(outs).toMatchObject({ ...address, incidentUpdateId, missing: false });
      expect(service.notices).toEqual([expect.stringContaining("on the migrated incident") as unknown]);
      const { id, outs: refreshed } = await service.refresh({ ...declared, outs });
      expect(id).toBe(`${address.statusPageId}/${address.incidentId}/${incidentUpdateId}`);
      const process = await service.process();
      const inputs = await checkInputs(process, { ...named, ...address });
      expect(await process.diff(id, refreshed, inputs)).toEqual({ changes: false, replaces: [] });
      expect(service.posts).toEqual([]);
    },
  );

  it("a migration that changes dates isn't treated as a user's change, so that an edit requires no code", async () => {
    const [publicIncidentUpdateDate, rounded] = [-90_000, -60_000].map((ms) =>
      new Date(Date.now() + ms).toISOString(),
    );
    const declared = await service.declare({ publicIncidentUpdateDate });
    const { address } = migrate();
    const shown = () => service.sandbox.incident(address.incidentId, address.statusPageId).incidentUpdates;
    const [mine] = shown().filter(({ description }) => description === words.description);
    const changed = { publicIncidentUpdateDate: rounded };
    service.sandbox.byHand.editUpdate(address.incidentId, mine?.id ?? "", changed, address.statusPageId);
    const args = { ...address, publicIncidentUpdateDate, onChange: "edit" };
    const outs = await service.nextUp(declared, args);
    service.sandbox.clearRequests();
    const refreshed = await service.refresh({ ...declared, outs });
    await service.nextUp(refreshed, { ...args, description: "We have found the cause." });
    expect(service.posts.map(({ method }) => method)).toEqual(["PUT"]);
    const [edited] = shown().filter(({ id }) => id === mine?.id);
    expect(edited).toMatchObject({ description: "We have found the cause.", publicIncidentUpdateDate });
  });

  it("a migrated page without the update fails the up and the preview, and the state keeps the old location", async () => {
    const declared = await service.declare();
    const { address } = migrate();
    const { incidentUpdates } = service.sandbox.incident(address.incidentId, address.statusPageId);
    const [mine] = incidentUpdates.filter(({ description }) => description === words.description);
    service.sandbox.byHand.deleteUpdate(address.incidentId, mine?.id ?? "", address.statusPageId);
    service.sandbox.clearRequests();
    const failed = await catchError(service.nextUp(declared, address));
    expect(failed).not.toHaveProperty("id");
    expect(failed.message).toContain("isn't on the incident at its new location. Nothing was posted");
    const process = await service.process();
    const { inputs = {} } = await process.check(named, {
      ...named,
      ...address,
      ...by("update", { previews: true }),
    });
    const { message } = await catchError(process.diff(declared.id, declared.outs, inputs));
    expect(message).toBe(failed.message);
    expect(service.posts).toEqual([]);
  });

  it("a migrated page isn't posted to when the engine replaces without a diff, except for changes made with the location", async () => {
    await service.declare();
    const { address } = migrate();
    service.sandbox.clearRequests();
    const replaced = async (args: object) => {
      const process = await service.process();
      await process.check(named, { ...named, ...args });
      return create(process, { ...named, ...args });
    };
    expect((await replaced(address)).outs).toMatchObject(address);
    expect(service.posts).toEqual([]);
    const description = "Checkout works again.";
    expect((await replaced({ ...address, description, onChange: "post" })).outs).toMatchObject({
      ...address,
      description,
    });
    expect(service.posts).toHaveLength(1);
  });
});
