/**
 * Updates on a page with components: the location and the content of a post, previews, imports, and a page with cards that is migrated to a
 * page with components.
 */
import { type MigratedIds, type Sandbox, wellKnown } from "../../sandbox";
import { by, create, imported } from "./phases";
import { catchError, incidentId, named, Service, words } from "./updateProcess";

const service = new Service();
const [page, incident] = [wellKnown.componentPages.shop, wellKnown.componentPageIncidents.checkoutOutage];
const there = { statusPageId: page, incidentId: incident };

const newest = () => service.sandbox.incident(incident, page).incidentUpdates[0];

// What a preview of another page names: test/connection/incidents.test.ts, and incidentUpdatePreview.test.ts.
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

describe("a migrated page", () => {
  const kept = ["kept", "new"] as const;
  const combinations = kept.flatMap((incidentIds) => kept.map((updateIds) => ({ incidentIds, updateIds })));

  /** Migrates the page of the incident. Returns the new location of the incident. */
  function migrate(options: Parameters<Sandbox["byHand"]["migratePage"]>[1]) {
    const { statusPageIncidents } = service.sandbox.data.accounts[0];
    const [statusPageId = ""] = statusPageIncidents.find(({ id }) => id === incidentId)?.statusPageIds ?? [];
    const ids: MigratedIds = service.sandbox.byHand.migratePage(statusPageId, options);
    return { address: { statusPageId, incidentId: ids.incidents[incidentId] ?? incidentId }, ids };
  }

  it.each(combinations)(
    "a migrated update is rejected under its name, and a new name adopts it without a post: %j",
    async (options) => {
      const { id, outs } = await service.declare();
      const { address, ids } = migrate(options);
      service.sandbox.clearRequests();
      const { message } = await catchError(service.nextUp({ id, outs }, address));
      expect(message).toContain("statusPageId must not change, because the update is public (MONITORING, a");
      expect(message).toContain("give the resource a new name. It adopts what is public there");
      service.notices = [];
      const process = await service.process();
      const moved = await create(process, { ...words, ...address, ...by("moved") });
      await process.delete(id, outs);
      const old = String(outs["incidentUpdateId"]);
      const updateId = ids.updates[old] ?? old;
      expect(moved.id).toBe(`${address.statusPageId}/${address.incidentId}/${updateId}`);
      expect(service.notices).toEqual([
        expect.stringContaining('"moved": adopted the identical update'),
        expect.stringMatching(/removed from the state|Only an earlier record of it is removed/),
      ]);
      expect(service.posts).toEqual([]);
    },
  );
});
