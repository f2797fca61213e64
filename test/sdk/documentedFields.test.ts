/** Data sources return only documented fields. */
import type { z } from "zod";
import { Connections } from "../../provider/connection";
import { lookups } from "../../provider/lookups";
import { type Lookup, runLookup } from "../../provider/lookups";
import { seedData, wellKnown } from "../../sandbox";
import type * as sdk from "../../sdk";
import { connectedSandbox } from "./connectedSandbox";

const isDataSource = (name: string): name is keyof typeof lookups => name in lookups;
const dataSources = Object.keys(lookups).filter(isDataSource);

const sandbox = connectedSandbox();

type Results = { [Name in keyof typeof lookups]: Awaited<ReturnType<(typeof lookups)[Name]["read"]>> };

/** What a data source gives in a new run. */
function read<Name extends keyof Results>(name: Name, args: object): Promise<Results[Name]> {
  const all: { readonly [Each in keyof Results]: Lookup<z.ZodRawShape, Results[Each]> } = lookups;
  return runLookup(all[name], args, { connections: new Connections(undefined, process.env) });
}

const canary = "canary-7f3a9c";

/** Adds a field to every object, at every depth. */
function planted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(planted);
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).map(([name, inner]): [string, unknown] => [name, planted(inner)]);
  return Object.fromEntries([...fields, ["undocumented_token", { nested: [canary] }]]);
}

/** What a data source gives when this is the response. */
async function readFrom<T>(response: unknown, reading: () => Promise<T>): Promise<T> {
  const body = JSON.stringify(response);
  const length = `Content-Length: ${Buffer.byteLength(body)}`;
  sandbox().faults.add({ kind: "answer", headers: ["Content-Type: application/json", length], body });
  return reading().finally(() => sandbox().faults.clear());
}

/** What a data source gives when each object of the response has a field that is not documented. */
async function readPlanted<T>(path: string, reading: () => Promise<T>): Promise<T> {
  const { url, apiKey, accountId } = sandbox();
  const headers = { Authorization: `Bearer ${apiKey}`, "x-service-account": accountId };
  return readFrom(planted(await (await fetch(url + path, { headers })).json()), reading);
}

const { legacyHook: id, onCall } = wellKnown.alertChannels;
const channelPath = `/v1/alert-channels/${id}`;

it("the settings of an alert channel", async () => {
  const { config } = await readPlanted(channelPath, () => read("getAlertChannel", { id }));
  expect(Object.keys(config)).toEqual(Object.keys((await read("getAlertChannel", { id })).config));
  expect(JSON.stringify(config)).not.toContain(canary);
});

it("an alert channel with revealed credentials: only its config is complete", async () => {
  const revealed = () => read("getAlertChannel", { id, revealCredentials: true });
  const { config, ...fields } = await readPlanted(channelPath, revealed);
  expect(config).toMatchObject({ undocumented_token: { nested: [canary] } });
  expect(JSON.stringify(fields)).not.toContain(canary);
});

const incidentId = wellKnown.statusPageIncidents.cardDeclines;
const { statusPageIncidents, statusPages } = seedData().accounts[0];
const incidentUpdateId =
  statusPageIncidents.find(({ id }) => id === incidentId)?.incidentUpdates[0]?.id ?? "";
const dashboard = { id: wellKnown.incidents.paymentErrors, includeAllIncidentUpdates: false };
const page = { id: statusPages[0]?.id ?? "" };

/** What each data source is asked for. One that isn't here takes nothing, such as that of a list. */
const argumentsOf: { readonly [Name in keyof typeof lookups]?: Parameters<(typeof sdk)[Name]>[0] } = {
  getAlertChannel: { id: onCall },
  getAlertChannels: { ids: [onCall] },
  getIncident: dashboard,
  getIncidentUpdate: { incidentId, incidentUpdateId },
  getStatusPage: page,
  getStatusPageIncident: { incidentId },
};

it.each(dataSources)("%s", async (name) => {
  const args = argumentsOf[name] ?? {};
  const clean = await read(name, args);
  const [request] = sandbox().requests;
  if (!request) throw new Error(`${name} sent no request.`);
  const asked = `${request.path}?${new URLSearchParams(request.query).toString()}`;
  expect(await readPlanted(asked, () => read(name, args))).toEqual(clean);
});

it("colors of a status page, which are strings", async () => {
  const light = { linkFontColor: "#06c", borderColor: { token: canary }, token: canary };
  const page = { id: "p", name: "Page", themeColors: { light, dark: null } };
  const { statusPages } = await readFrom({ entries: [page] }, () => read("getStatusPages", {}));
  const themeColors = { light: { linkFontColor: "#06c" }, dark: null };
  expect(statusPages).toEqual([{ ...page, themeColors, cards: [], incidents: [] }]);
});

it("an open incident of a new severity, which is the worst, and without services, which affects any", async () => {
  const incident = { id: "inc-1", name: "Payments", severity: "FATAL", lastUpdateStatus: "MONITORING" };
  const incidents = [incident, { ...incident, id: "inc-2", services: [] }];
  const response = { entries: [{ id: "p1", name: "Page", incidents }], length: 1 };
  const open = await readFrom(response, () =>
    read("getOpenIncidents", { services: ["checkout"], atLeast: "CRITICAL" }),
  );
  expect(open.incidents).toMatchObject([{ id: "inc-1", services: [] }]);
});

it.each([{}, { incidents: null }])(
  "no open incidents when a status page has no list of them: that is an error (%j)",
  async (more) => {
    const entries = [
      { id: "p1", name: "Shop", incidents: [] },
      { id: "p2", name: "Labs", ...more },
    ];
    const open = (args: object) => readFrom({ entries }, () => read("getOpenIncidents", args));
    await expect(open({})).rejects.toThrow(
      "listStatusPages: the response has no incidents of status page Labs (id p2), so it is unknown which are open. Try again later, or report it to the service.",
    );
    expect(await open({ statusPage: "Shop" })).toEqual({ incidents: [] });
  },
);
