/** Tests incidents that are opened and edited on a status page with components: their impacts, emails and errors. */
import { type FaultInput, type Sandbox, wellKnown } from "../../sandbox";
import { ask, news, startTestSandbox } from "./sandboxes";

const { shop } = wellKnown.componentPages;
const incidentsPath = `/v3/status-pages/${shop}/incidents`;
const getPage = (sandbox: Sandbox) => {
  const page = sandbox.data.accounts[0].componentPages.find(({ id }) => id === shop);
  if (!page) throw new Error("The page is missing.");
  return page;
};
const listServices = (sandbox: Sandbox) =>
  getPage(sandbox).components.filter(({ type }) => type === "SERVICE");

type FaultOperation = NonNullable<FaultInput["operation"]>;

interface Incident {
  id: string;
  created_at: string;
  updated_at: string | null;
  componentImpacts: { componentId: string; status: string; startedAt: string; endedAt: string | null }[];
  incidentUpdates: { id: string }[];
}

/** Sends the incident with these statuses of the first components. */
async function send(sandbox: Sandbox, states: readonly string[], id = "", first: object = news) {
  const services = listServices(sandbox);
  const componentImpacts = states.map((status, index) => ({ componentId: services[index]?.id, status }));
  const impacts = states.length > 0 && { componentImpacts };
  const json = { name: "Outage", ...impacts, ...(id === "" && { incidentUpdates: [first] }) };
  const method = id === "" ? "POST" : "PUT";
  const response = await ask(sandbox, `${incidentsPath}${id && `/${id}`}`, { method, json });
  return { status: response.status, incident: (await response.json()) as Incident };
}

const listImpacts = (sandbox: Sandbox, { componentImpacts }: Incident) =>
  componentImpacts.map(({ componentId, status, endedAt }) => [
    listServices(sandbox).findIndex(({ id }) => id === componentId),
    status,
    endedAt !== null,
  ]);

test.each([[true], [false]])(
  "an incident has the current time, its impacts, and emails if requested: %s",
  async (notifySubscribers) => {
    const sandbox = await startTestSandbox();
    const before = Date.now();
    const states = ["MAJOR_OUTAGE", "OPERATIONAL", "DEGRADED_PERFORMANCE"];
    const { status, incident } = await send(sandbox, states, "", { ...news, notifySubscribers });
    const { id, created_at, incidentUpdates } = incident;
    expect([status, Date.parse(created_at) >= before]).toEqual([201, true]);
    expect(listImpacts(sandbox, incident)).toEqual([
      [0, "MAJOR_OUTAGE", false],
      [2, "DEGRADED_PERFORMANCE", false],
    ]);
    expect(incident.componentImpacts).toMatchObject([{ startedAt: created_at }, { startedAt: created_at }]);
    expect(incidentUpdates).toEqual([
      {
        ...{ id: expect.stringMatching(/^[\w-]{36}$/) as unknown, created_at, ...news },
        ...{ notifySubscribers, publicIncidentUpdateDate: created_at },
      },
    ]);
    const mails = notifySubscribers ? sandbox.data.accounts[0].subscribers[shop] : undefined;
    expect(sandbox.data.mailed[incidentUpdates[0]?.id ?? ""]).toBe(mails);
    expect(await (await ask(sandbox, `${incidentsPath}/${id}`)).json()).toEqual(incident);
    expect(sandbox.incident(id, shop)).toEqual(incident);
  },
);

test("an edit ends omitted impacts, keeps equal impacts, and starts the others", async () => {
  const sandbox = await startTestSandbox();
  const { incident } = await send(sandbox, ["MAJOR_OUTAGE", "MAJOR_OUTAGE", "MAJOR_OUTAGE"]);
  const { status, incident: edited } = await send(
    sandbox,
    ["MAJOR_OUTAGE", "PARTIAL_OUTAGE", "OPERATIONAL"],
    incident.id,
  );
  const kept = [0, "MAJOR_OUTAGE", false];
  const ended = [1, 2].map((index) => [index, "MAJOR_OUTAGE", true]);
  expect([status, listImpacts(sandbox, edited)]).toEqual([
    200,
    [kept, ...ended, [1, "PARTIAL_OUTAGE", false]],
  ]);
  expect(edited).toMatchObject({ name: "Outage", updated_at: edited.componentImpacts[1]?.endedAt });
  // An impact that starts again is a new impact. The old one keeps its end.
  const again = await send(sandbox, ["MAJOR_OUTAGE", "MAJOR_OUTAGE"], incident.id);
  expect(listImpacts(sandbox, again.incident)).toEqual([
    kept,
    ...ended,
    [1, "PARTIAL_OUTAGE", true],
    [1, "MAJOR_OUTAGE", false],
  ]);
  expect(again.incident.componentImpacts[2]).toEqual(edited.componentImpacts[2]);
  expect(sandbox.incident(incident.id, shop)).toEqual(again.incident);
  const none = await ask(sandbox, `${incidentsPath}/${incident.id}`, {
    method: "PUT",
    json: { name: "Over" },
  });
  expect(((await none.json()) as Incident).componentImpacts.every(({ endedAt }) => endedAt !== null)).toBe(
    true,
  );
});

test.each(["POST", "PUT"])("a %s with a component of another page is rejected", async (method) => {
  const sandbox = await startTestSandbox();
  const { incident } = await send(sandbox, []);
  const before = sandbox.data;
  const componentImpacts = [listServices(sandbox)[0]?.id, "none"].map((componentId) => ({
    ...{ componentId, status: "MAJOR_OUTAGE" },
  }));
  const json = { name: "Outage", componentImpacts, ...(method === "POST" && { incidentUpdates: [news] }) };
  const path = method === "POST" ? incidentsPath : `${incidentsPath}/${incident.id}`;
  const response = await ask(sandbox, path, { method, json });
  const key = "componentImpacts[1].componentId";
  expect(await response.json()).toMatchObject({
    ...{ statusCode: 400, message: `${key}: is no component of this status page` },
    validation: { source: "payload", keys: [key] },
  });
  expect(sandbox.data).toBe(before);
});

test.each<[FaultOperation, method: string, path: (incident: Incident) => string, json: object]>([
  ["openComponentPageIncident", "POST", () => "", { name: "Outage", incidentUpdates: [news] }],
  ["editComponentPageIncident", "PUT", ({ id }) => `/${id}`, { name: "Over" }],
  ["createComponentPageIncidentUpdate", "POST", ({ id }) => `/${id}/incident-updates`, news],
  [
    "editComponentPageIncidentUpdate",
    "PUT",
    ({ id, incidentUpdates: [first] }) => `/${id}/incident-updates/${first?.id}`,
    { ...news, description: "Edited." },
  ],
])("a fault that isn't applied leaves the data of %s unchanged", async (operation, method, getPath, json) => {
  const sandbox = await startTestSandbox();
  const { incident } = await send(sandbox, []);
  const before = sandbox.data;
  sandbox.faults.add({ kind: "status", code: 503, operation });
  expect((await ask(sandbox, incidentsPath + getPath(incident), { method, json })).status).toBe(503);
  expect(sandbox.data).toBe(before);
});
