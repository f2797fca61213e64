/** Data sources return only documented fields. */
import * as pulumi from "@pulumi/pulumi";
import { seedData, wellKnown } from "../../sandbox";
import type { lookups } from "../../provider/lookups";
import * as sdk from "../../sdk";
import { connectedSandbox, valueOf } from "./connected";

const sandbox = connectedSandbox();
beforeAll(() => {
  const { apiKey, accountId } = sandbox();
  const names = ["clean", "planted", "revealed", "no list", "null"];
  const accounts = Object.fromEntries(names.map((name) => [name, { apiKey, accountId }]));
  pulumi.runtime.setAllConfig({ "monitoring:accounts": JSON.stringify(accounts) });
});

const canary = "canary-7f3a9c";

/** Adds a field to every object, at every depth. */
function planted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(planted);
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).map(([name, inner]): [string, unknown] => [name, planted(inner)]);
  return Object.fromEntries([...fields, ["undocumented_token", { nested: [canary] }]]);
}

/** What a data source gives when this is the response. */
async function readFrom<T>(response: unknown, read: () => Promise<T>): Promise<T> {
  const body = JSON.stringify(response);
  const length = `Content-Length: ${Buffer.byteLength(body)}`;
  sandbox().faults.add({ kind: "answer", headers: ["Content-Type: application/json", length], body });
  return read().finally(() => sandbox().faults.clear());
}

/** What a data source gives when each object of the response has a field that is not documented. */
async function readPlanted<T>(path: string, read: () => Promise<T>): Promise<T> {
  const { url, apiKey, accountId } = sandbox();
  const headers = { Authorization: `Bearer ${apiKey}`, "x-service-account": accountId };
  return readFrom(planted(await (await fetch(url + path, { headers })).json()), read);
}

// Equal reads of one account are one request: a second read of an object uses another name of the account.
const account = "clean";

const { legacyHook: id, onCall } = wellKnown.alertChannels;

it("the settings of an alert channel", async () => {
  const { config } = await readPlanted(`/v1/alert-channels/${id}`, () => sdk.getAlertChannel({ id }));
  expect(Object.keys(config)).toEqual(Object.keys((await sdk.getAlertChannel({ id, account })).config));
  expect(JSON.stringify(config)).not.toContain(canary);
});

it("an alert channel with revealed credentials: only its config is complete", async () => {
  const read = () => valueOf(sdk.getAlertChannelOutput({ id, account: "revealed", revealCredentials: true }));
  const { config, ...fields } = await readPlanted(`/v1/alert-channels/${id}`, read);
  expect(config).toMatchObject({ undocumented_token: { nested: [canary] } });
  expect(JSON.stringify(fields)).not.toContain(canary);
});

const incidentId = wellKnown.statusPageIncidents.cardDeclines;
const { statusPageIncidents, statusPages } = seedData().accounts[0];
const incidentUpdateId =
  statusPageIncidents.find(({ id }) => id === incidentId)?.incidentUpdates[0]?.id ?? "";
const dashboard = { id: wellKnown.incidents.paymentErrors, includeAllIncidentUpdates: false };
const page = { id: statusPages[0]?.id ?? "" };
const incidentPath = `/v1/status-pages/incidents/${incidentId}`;

const reads: Record<keyof typeof lookups, [path: string, read: (account: string) => Promise<object>]> = {
  getAlertChannel: [
    `/v1/alert-channels/${onCall}`,
    (account) => sdk.getAlertChannel({ id: onCall, account }),
  ],
  getAlertChannels: [
    `/v1/alert-channels/${onCall}`,
    (account) => sdk.getAlertChannels({ ids: [onCall], account }),
  ],
  getIncident: [
    `/v1/incidents/${dashboard.id}?includeAllIncidentUpdates=false`,
    (account) => sdk.getIncident({ ...dashboard, account }),
  ],
  getIncidentUpdate: [
    `${incidentPath}/incident-updates/${incidentUpdateId}`,
    (account) => sdk.getIncidentUpdate({ incidentId, incidentUpdateId, account }),
  ],
  getOpenIncidents: ["/v1/status-pages?limit=100", (account) => sdk.getOpenIncidents({ account })],
  getStatusPage: ["/v1/status-pages?limit=100", (account) => sdk.getStatusPage({ ...page, account })],
  getStatusPageIncident: [incidentPath, (account) => sdk.getStatusPageIncident({ incidentId, account })],
  getStatusPages: ["/v1/status-pages?limit=98", (account) => sdk.getStatusPages({ limit: 98, account })],
};

it.each(Object.entries(reads))("%s", async (_, [path, read]) => {
  expect(await readPlanted(path, () => read("planted"))).toEqual(await read(account));
});

it("colors of a status page, which are strings", async () => {
  const light = { linkFontColor: "#06c", borderColor: { token: canary }, token: canary };
  const page = { id: "p", name: "Page", themeColors: { light, dark: null } };
  const { statusPages } = await readFrom({ entries: [page] }, () => sdk.getStatusPages({ limit: 96 }));
  const themeColors = { light: { linkFontColor: "#06c" }, dark: null };
  expect(statusPages).toEqual([{ ...page, themeColors, cards: [], incidents: [] }]);
});

it("an open incident without a list of services, which counts as affecting any service", async () => {
  const incident = { id: "inc-1", name: "Payments", severity: "CRITICAL", lastUpdateStatus: "MONITORING" };
  const incidents = [incident, { ...incident, id: "inc-2", services: [] }];
  const response = { entries: [{ id: "p1", name: "Page", incidents }], length: 1 };
  const open = await readFrom(response, () => sdk.getOpenIncidents({ services: ["checkout"] }));
  expect(open.incidents).toMatchObject([{ id: "inc-1", services: [] }]);
});

it.each([
  ["no list", {}],
  ["null", { incidents: null }],
])(
  "no open incidents when a status page has no list of them: that is an error (account %s)",
  async (account, more) => {
    const response = {
      entries: [
        { id: "p1", name: "Shop", incidents: [] },
        { id: "p2", name: "Labs", ...more },
      ],
    };
    const open = readFrom(response, () => sdk.getOpenIncidents({ account }));
    await expect(open).rejects.toThrow(
      "listStatusPages: the response has no incidents of status page Labs (id p2), so it is unknown which are open. Try again later, or report it to the service.",
    );
    expect(await sdk.getOpenIncidents({ account, statusPage: "Shop" })).toEqual({ incidents: [] });
  },
);
