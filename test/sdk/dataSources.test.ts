import * as pulumi from "@pulumi/pulumi";
import { connectTo, wellKnown } from "../../sandbox";
import * as sdk from "../../sdk";
import { validateArguments, lookups } from "../../provider/lookups";
import { sharedSandbox } from "../sandbox/sandboxes";
import { readOutput } from "./connected";

const { statusPageIncidents } = wellKnown;
const { legacyHook, onCall, opsgenie } = wellKnown.alertChannels;

const sandbox = sharedSandbox();
beforeAll(() => {
  connectTo(sandbox());
  sandbox().dashboard.change(({ accounts: [{ statusPages }] }) => {
    for (const page of statusPages.slice(-2)) page.name = "Twins";
    for (const page of statusPages.slice(-3, -2)) page.name = statusPages[0]?.id ?? "";
    for (const page of statusPages.slice(0, 1))
      statusPages.push({ ...page, id: "7", name: "Seven", url: "seven", customDomain: "seven.example" });
  });
  process.env["MONITORING_ALERT_CHANNELS"] = JSON.stringify({ "on-call": onCall, hook: legacyHook });
});
beforeEach(() => sandbox().clearRequests());

const getErrorText = (reading: Promise<unknown>) => reading.then(() => "nothing was wrong", String);

it("alert channels are found in one list by the names in their settings if no name is configured", async () => {
  const named = await Promise.all([
    sdk.getAlertChannel({ name: "On call" }),
    sdk.getAlertChannel({ channelId: onCall }),
  ]);
  expect(named.map(({ id }) => id)).toEqual([onCall, onCall]);
  sandbox().clearRequests();
  const { alertChannels } = await sdk.getAlertChannels({ names: ["hook", "Platform"] });
  expect(alertChannels.map(({ id }) => id)).toEqual([legacyHook, opsgenie]);
  const paths = sandbox().requests.map(({ path }) => path);
  expect(paths.sort()).toEqual([`/v1/alert-channels/${opsgenie}`, `/v1/alert-channels/${legacyHook}`]);
});

it("alert channels show fingerprints and facts instead of credentials, unless the program requests them as a secret", async () => {
  const { config } = await sdk.getAlertChannel(wrong({ id: legacyHook, revealCredentials: true }));
  const fingerprint = expect.stringMatching(/^[0-9a-f]{12}$/);
  expect(config["url"]).toMatchObject({ fingerprint, scheme: "http", isReference: false });
  expect(JSON.stringify(config)).not.toContain("://");
  const channel = sdk.getAlertChannelOutput({ id: legacyHook, revealCredentials: true });
  expect(await pulumi.isSecret(channel)).toBe(true);
  expect(await readOutput(channel)).toMatchObject({ config: { url: expect.stringMatching(/^http:/) } });
  expect(await pulumi.isSecret(sdk.getAlertChannelOutput({ id: legacyHook }))).toBe(false);
});

it("status pages are found by ID, name, slug and domain", async () => {
  const ids = [{ id: "7" }, { statusPageId: "7" }, wrong({ id: 7 })];
  for (const selector of [...ids, { name: "Seven" }, { url: "seven" }, { customDomain: "seven.example" }])
    expect(await sdk.getStatusPage(selector)).toMatchObject({ id: "7" });
});

it.each([
  "SEVEN.Example",
  " seven.example\n",
  "seven.example.",
  "https://seven.example",
  "http://Seven.example:443/history?x#y",
])("a status page is found with %j, another form of its host name", async (customDomain) => {
  expect(await sdk.getStatusPage({ customDomain })).toMatchObject({ id: "7" });
});

it.each([
  // Pages without a host name must not match an empty host name.
  [{ customDomain: "https://" }, 'customDomain "https://": not found'],
  [{ name: "seven" }, 'name "seven": not found (did you mean "Seven"?)'],
  [{ url: "Seven" }, 'url "Seven": not found (did you mean "seven"?)'],
])("no status page is found with %j", async (selector, message) => {
  expect(await getErrorText(sdk.getStatusPage(selector))).toContain(`getStatusPage with ${message}`);
});

it("status pages are read once for all data sources, and each caller receives a copy", async () => {
  await sdk.getStatusPages({ limit: 99 });
  sandbox().clearRequests();
  const { statusPages } = await sdk.getStatusPages({ limit: 99, account: undefined });
  const last = statusPages.pop();
  statusPages.forEach(({ incidents }) => incidents?.splice(0));
  expect((await sdk.getStatusPages({ limit: 99 })).statusPages.at(-1)).toEqual(last);
  expect(sandbox().requests).toEqual([]);
  const { incidents: open } = await sdk.getOpenIncidents();
  expect(open.map(({ id }) => id)).toContain(statusPageIncidents.cardDeclines);
});

it.each([
  ["services", { incidentId: statusPageIncidents.cardDeclines }],
  [
    "componentImpacts",
    {
      incidentId: wellKnown.componentPageIncidents.checkoutOutage,
      statusPageId: wellKnown.componentPages.shop,
    },
  ],
])(
  "an incident of a status page includes its %s and its history, and each update can be read",
  async (field, ids) => {
    const incident = await sdk.getStatusPageIncident(ids);
    expect(incident).toHaveProperty(field);
    const [update] = incident.incidentUpdates;
    expect(await sdk.getIncidentUpdate({ ...ids, incidentUpdateId: update?.id ?? "" })).toEqual(update);
  },
);

it("an incident of the dashboard contains its first update, or all of them on request", async () => {
  const { paymentErrors: id } = wellKnown.incidents;
  const updates = [true, false, undefined].map(async (includeAllIncidentUpdates) => {
    const { incidentUpdates } = await sdk.getIncident({ id, includeAllIncidentUpdates });
    return incidentUpdates.length;
  });
  expect(await Promise.all(updates)).toEqual([3, 1, 1]);
});

/** Returns arguments that the compiler would reject. */
const wrong = (args: object) => args as never;
const revealing = wrong({ id: 1, revealCredentials: "yes" });

it("a channel is found by its configured name, and null is treated as an omitted argument", async () => {
  const args = wrong({ id: null, name: "on-call", account: null });
  const channel = await sdk.getAlertChannel(args);
  expect(channel).toMatchObject({
    id: onCall,
    type: "PAGERDUTY",
    createdAt: expect.stringMatching(/^\d{4}-/),
  });
  expect(channel).not.toHaveProperty("created_at");
  const [none] = JSON.parse("[null]") as [never];
  expect(await readOutput(sdk.getAlertChannelsOutput(none))).toEqual(await sdk.getAlertChannels());
});

it.each<[string, () => Promise<unknown>]>([
  ["an unknown name", () => sdk.getAlertChannels({ names: ["__proto__", "hook", "on-cal"] })],
  ["a name of two channels", () => sdk.getAlertChannel({ name: "operations@quillmarket.example" })],
  ["a status page by an unknown name", () => sdk.getStatusPage({ name: "nowhere" })],
  ["a name of two pages", () => sdk.getStatusPage({ name: "Twins" })],
  ["incidents of one of two pages", () => sdk.getOpenIncidents({ statusPage: "Twins" })],
])("a lookup can't find %s, and lists existing names, up to ten in the service's order", async (_, read) => {
  expect((await getErrorText(read())).replace(/Request ID: \S+/, "Request ID: ID.")).toMatchSnapshot();
});

it.each<[string, () => Promise<unknown>]>([
  ["no selector", () => sdk.getAlertChannel({})],
  ["two selectors", () => sdk.getStatusPage({ id: "a", name: "b" })],
  ["an invalid ID", () => sdk.getIncident({ id: "../x" })],
  ["an invalid incident ID", () => sdk.getStatusPageIncident({ incidentId: "../x" })],
  ["an unknown severity", () => sdk.getOpenIncidents(wrong({ atLeast: "BAD" }))],
  ["a limit that is too high", () => sdk.getStatusPages({ limit: 101 })],
  ["an unknown argument", () => sdk.getIncident(wrong({ id: "a", key: 1 }))],
  [
    "a value other than true to reveal credentials",
    () => Promise.resolve().then(() => validateArguments(lookups.getAlertChannel, revealing)),
  ],
  ["an unknown account", () => sdk.getIncident({ id: "a", account: "eu" })],
])("a data source rejects before any request: %s", async (_, read) => {
  expect(await getErrorText(read())).toMatchSnapshot();
  expect(sandbox().requests).toEqual([]);
});
