/** Data sources return only documented fields. */
import type { z } from "zod";
import { Connections } from "../../provider/connection";
import { type Lookup, lookups, runLookup } from "../../provider/lookups";
import { type Sandbox, seedData, wellKnown } from "../../sandbox";
import type * as sdk from "../../sdk";
import { send, serve, serveJson } from "../client/services";
import { sandboxWith } from "../sandbox/sandboxes";

const isDataSource = (name: string): name is keyof typeof lookups => name in lookups;
const dataSources = Object.keys(lookups).filter(isDataSource);

let sandbox: Sandbox;
beforeEach(async () => (sandbox = await sandboxWith()));

type Results = { [Name in keyof typeof lookups]: Awaited<ReturnType<(typeof lookups)[Name]["read"]>> };

/** What a data source gives in a new run, with the service at this address. */
function read<Name extends keyof Results>(
  name: Name,
  args: object,
  { url }: { readonly url: string } = sandbox,
): Promise<Results[Name]> {
  const all: { readonly [Each in keyof Results]: Lookup<z.ZodRawShape, Results[Each]> } = lookups;
  const environment = { MONITORING_API_KEY: sandbox.apiKey, MONITORING_BASE_URL: url };
  const connections = new Connections(undefined, environment);
  return runLookup(all[name], args, { connections });
}

const canary = "canary-7f3a9c";

/** Adds a field to every object, at every depth. */
function planted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(planted);
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).map(([name, inner]): [string, unknown] => [name, planted(inner)]);
  return Object.fromEntries([...fields, ["undocumented_token", { nested: [canary] }]]);
}

/** The service of the sandbox, where each object of a response has a field that is not documented. */
const plantedService = () =>
  serve((response, { url, headers }) => {
    const { authorization = "" } = headers;
    void fetch(sandbox.url + url, { headers: { authorization } })
      .then((clean) => clean.json())
      .then((body) => send(response, planted(body)));
  });

const { legacyHook: id, onCall } = wellKnown.alertChannels;
const incidentId = wellKnown.statusPageIncidents.cardDeclines;
const { statusPageIncidents, statusPages } = seedData().accounts[0];
const incidentUpdateId =
  statusPageIncidents.find(({ id }) => id === incidentId)?.incidentUpdates[0]?.id ?? "";

/** What each data source is asked for. One that isn't here takes nothing, such as that of a list. */
const argumentsOf: { readonly [Name in keyof typeof lookups]?: Parameters<(typeof sdk)[Name]>[0] } = {
  getAlertChannel: { id: onCall },
  getAlertChannels: { ids: [onCall] },
  getIncident: { id: wellKnown.incidents.paymentErrors, includeAllIncidentUpdates: false },
  getIncidentUpdate: { incidentId, incidentUpdateId },
  getStatusPage: { id: statusPages[0]?.id ?? "" },
  getStatusPageIncident: { incidentId },
};

it.each(dataSources)("%s returns only documented fields", async (name) => {
  const args = argumentsOf[name] ?? {};
  expect(await read(name, args, await plantedService())).toEqual(await read(name, args));
});

it("an alert channel with revealed credentials has a complete config, and else only documented fields", async () => {
  const args = { id, revealCredentials: true };
  const { config, ...fields } = await read("getAlertChannel", args, await plantedService());
  expect(config).toMatchObject({ undocumented_token: { nested: [canary] } });
  expect(JSON.stringify(fields)).not.toContain(canary);
});

it("a status page has only colors that are strings", async () => {
  const light = { linkFontColor: "#06c", borderColor: { token: canary }, token: canary };
  const page = { id: "p", name: "Page", themeColors: { light, dark: null } };
  const { statusPages } = await read("getStatusPages", {}, await serveJson({ entries: [page] }));
  const themeColors = { light: { linkFontColor: "#06c" }, dark: null };
  expect(statusPages).toEqual([{ ...page, themeColors, cards: [], incidents: [] }]);
});

it("an open incident of a new severity, which is the worst, and without services, which affects any", async () => {
  const incident = { id: "inc-1", name: "Payments", severity: "FATAL", lastUpdateStatus: "MONITORING" };
  const incidents = [incident, { ...incident, id: "inc-2", services: [] }];
  const service = await serveJson({ entries: [{ id: "p1", name: "Page", incidents }], length: 1 });
  const args = { services: ["checkout"], atLeast: "CRITICAL" };
  const open = await read("getOpenIncidents", args, service);
  expect(open.incidents).toMatchObject([{ id: "inc-1", services: [] }]);
});

it.each([{}, { incidents: null }])(
  "no open incidents when a status page has no list of them: that is an error (%j)",
  async (more) => {
    const entries = [
      { id: "p1", name: "Shop", incidents: [] },
      { id: "p2", name: "Labs", ...more },
    ];
    const service = await serveJson({ entries });
    await expect(read("getOpenIncidents", {}, service)).rejects.toThrow(
      "listStatusPages: the response has no incidents of status page Labs (id p2), so it is unknown which are open. Try again later, or report it to the service.",
    );
    expect(await read("getOpenIncidents", { statusPage: "Shop" }, service)).toEqual({ incidents: [] });
  },
);
