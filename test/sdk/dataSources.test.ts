import * as pulumi from "@pulumi/pulumi";
import { connectTo, type Sandbox, startSandbox, wellKnown } from "../../sandbox";
import * as sdk from "../../sdk";
import { readArguments } from "../../provider/lookups/arguments";
import { getRevealedAlertChannel } from "../../provider/lookups/getAlertChannel";

const { alertChannels, incidents, statusPageIncidents } = wellKnown;
let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox();
  sandbox.byHand.change(({ accounts: [{ statusPages }] }) => {
    for (const page of statusPages.slice(-2)) page.name = "Twins";
    for (const page of statusPages.slice(-3, -2)) page.name = statusPages[0]?.id ?? "";
  });
  connectTo(sandbox);
  process.env["MONITORING_ALERT_CHANNELS"] = JSON.stringify({
    "on-call": alertChannels.onCall,
    hook: alertChannels.legacyHook,
  });
});
beforeEach(() => sandbox.clearRequests());
afterAll(async () => {
  await sandbox.close();
});

const valueOf = <T>(output: pulumi.Output<T>): Promise<T> => new Promise((done) => output.apply(done));
const messageOf = async (reading: Promise<unknown>): Promise<string> =>
  reading.then(
    () => "nothing was wrong",
    (error: unknown) => (sdk.isMonitoringError(error) ? `${error.name}: ${error.message}` : String(error)),
  );

describe("alert channels", () => {
  it("are found by their name in the configuration", async () => {
    const channel = await sdk.getAlertChannel({ name: "on-call" });
    expect(channel).toMatchObject({ id: alertChannels.onCall, type: "PAGERDUTY" });
    expect(channel.createdAt).toMatch(/^\d{4}-/);
    expect(channel).not.toHaveProperty("created_at");
  });

  it("show fingerprints and facts instead of credentials", async () => {
    const { config } = await sdk.getAlertChannel({ id: alertChannels.legacyHook });
    expect(config["url"]).toMatchObject({
      fingerprint: expect.stringMatching(/^[0-9a-f]{12}$/),
      scheme: "http",
      isReference: false,
    });
    expect(JSON.stringify(config)).not.toContain("://");
  });

  it("show credentials only on request, as a secret", async () => {
    const channel = sdk.getAlertChannelOutput({ id: alertChannels.legacyHook, revealCredentials: true });
    expect(await pulumi.isSecret(channel)).toBe(true);
    expect(await valueOf(channel)).toMatchObject({ config: { url: expect.stringMatching(/^http:/) } });
    expect(await pulumi.isSecret(sdk.getAlertChannelOutput({ id: alertChannels.legacyHook }))).toBe(false);
  });

  it("don't show credentials for any value but true", () => {
    for (const revealCredentials of ["false", "yes", 1, {}]) {
      expect(() => readArguments(getRevealedAlertChannel, { id: 1, revealCredentials })).toThrow(
        "getAlertChannel: revealCredentials must be true or false.",
      );
    }
  });

  it("default to all named channels", async () => {
    const { alertChannels: read } = await sdk.getAlertChannels();
    expect(read.map(({ id }) => id)).toEqual([alertChannels.onCall, alertChannels.legacyHook]);
  });

  it("with unknown names cause an error that lists unknown and known names", async () => {
    expect(await messageOf(sdk.getAlertChannels({ names: ["on-cal", "hook", "__proto__"] }))).toBe(
      'NoMatchError: getAlertChannels with name "on-cal", "__proto__" in monitoring:alertChannels: not found. Available: on-call, hook.',
    );
  });

  it("that don't exist cause a NotFoundError", async () => {
    expect(await messageOf(sdk.getAlertChannel({ id: 99 }))).toMatch(
      /^NotFoundError: getAlertChannel 99: not found \(HTTP 404\)/,
    );
  });
});

describe("status pages", () => {
  it("are all read, each once", async () => {
    const { statusPages } = await sdk.getStatusPages({ limit: 10 });
    expect(statusPages).toHaveLength(47);
    expect(new Set(statusPages.map(({ id }) => id)).size).toBe(47);
    expect(sandbox.requests.map(({ query }) => query["limit"])).toEqual(["10", "10", "10", "10", "10"]);
  });

  it("are found by id, name, slug and domain", async () => {
    const { statusPages } = await sdk.getStatusPages();
    const own = statusPages.find(({ customDomain }) => customDomain) ?? statusPages[0];
    const { id, name, url, customDomain } = own ?? { id: "", name: "" };
    for (const selector of [{ id }, { name }, { url: url ?? "" }, { customDomain: customDomain ?? "" }]) {
      expect(await sdk.getStatusPage(selector)).toMatchObject({ id });
    }
  });

  it("that don't exist cause an error with ten candidates in the service's order", async () => {
    const { statusPages } = await sdk.getStatusPages();
    const message = await messageOf(sdk.getStatusPage({ name: "nowhere" }));
    const candidates = statusPages.slice(0, 10).map(({ id, name, url }) => `${name} (id ${id}, url ${url})`);
    expect(message).toBe(
      `NoMatchError: getStatusPage with name "nowhere": not found. Available: ${candidates.join(", ")}, and 37 more.`,
    );
  });

  it("that share a name cause an error that lists them", async () => {
    expect(await messageOf(sdk.getStatusPage({ name: "Twins" }))).toMatch(
      /^AmbiguousMatchError: getStatusPage with name "Twins": 2 match. Select one by id: Twins \(id \S+, url \S+\), Twins/,
    );
  });

  it("are read once for all data sources, and each caller gets a copy", async () => {
    await sdk.getStatusPages({ limit: 99 });
    sandbox.clearRequests();
    const { statusPages } = await sdk.getStatusPages({ limit: 99, account: undefined });
    const last = statusPages.pop();
    statusPages.forEach(({ incidents }) => incidents.splice(0));
    expect((await sdk.getStatusPages({ limit: 99 })).statusPages.at(-1)).toEqual(last);
    expect(sandbox.requests).toEqual([]);
    const { incidents: open } = await sdk.getOpenIncidents();
    expect(open.map(({ id }) => id)).toContain(statusPageIncidents.cardDeclines);
  });

  it("for incidents must match exactly one page", async () => {
    const asked = (statusPage: string): Promise<string> => messageOf(sdk.getOpenIncidents({ statusPage }));
    expect(await asked("nowhere")).toMatch(
      /^NoMatchError: getOpenIncidents with statusPage "nowhere": not found. Available: \S+ /,
    );
    expect(await asked("Twins")).toMatch(
      /^AmbiguousMatchError: getOpenIncidents with statusPage "Twins": 2 match. Select one by id: Twins \(id /,
    );
    const { statusPages } = await sdk.getStatusPages();
    // Another page is called like its id.
    const [page] = statusPages;
    expect(statusPages.filter(({ name }) => name === page?.id)).toHaveLength(1);
    for (const selector of ["id", "url", "name"] as const) {
      expect(await asked(page?.[selector] ?? "")).toBe("nothing was wrong");
    }
  });

  it("list open incidents by severity, service and page", async () => {
    const names = async (args: sdk.GetOpenIncidentsArgs): Promise<string[]> =>
      (await sdk.getOpenIncidents(args)).incidents.map(({ id }) => id);
    const all = await names({});
    expect(all).toContain(statusPageIncidents.cardDeclines);
    expect(all).not.toContain(statusPageIncidents.loginLoopResolved);
    expect(new Set(all).size).toBe(all.length);
    const { incidents: bad } = await sdk.getOpenIncidents({ atLeast: "MAJOR" });
    expect(
      bad.map(({ severity }) => severity).filter((one) => one !== "MAJOR" && one !== "CRITICAL"),
    ).toEqual([]);
    const [first] = bad;
    expect(await names({ services: first?.services.map(({ id }) => id) })).toContain(first?.id);
    expect(await names({ statusPage: first?.statusPages[0]?.name })).toContain(first?.id);
    expect(await names({ services: ["Product pages"] })).toEqual([]);
  });
});

describe("incidents", () => {
  it("of status pages come with their history", async () => {
    const incident = await sdk.getStatusPageIncident({ incidentId: statusPageIncidents.cardDeclines });
    expect(incident).toMatchObject({ severity: "CRITICAL", incidentUpdates: expect.arrayContaining([]) });
    const [update] = incident.incidentUpdates;
    expect(
      await sdk.getIncidentUpdate({ incidentId: incident.id, incidentUpdateId: update?.id ?? "" }),
    ).toEqual(update);
  });

  it("of dashboards come with their first update or with all", async () => {
    const { incidentUpdates: first } = await sdk.getIncident({ id: incidents.paymentErrors });
    const { incidentUpdates: all } = await sdk.getIncident({
      id: incidents.paymentErrors,
      includeAllIncidentUpdates: true,
    });
    expect(first).toHaveLength(1);
    expect(all.length).toBeGreaterThan(1);
  });
});

it("sends one request for equal reads of a program, in either form", async () => {
  const args = { id: incidents.databaseUpgrade };
  await Promise.all([sdk.getIncident(args), sdk.getIncident(args), valueOf(sdk.getIncidentOutput(args))]);
  await sdk.getIncident(args);
  expect(sandbox.requests).toHaveLength(1);
});

it("treats null as an omitted argument", async () => {
  const args = JSON.parse('{"id":null,"name":"on-call","account":null}') as object;
  expect(await sdk.getAlertChannel(args)).toMatchObject({ id: alertChannels.onCall });
});

it.each<[string, () => Promise<unknown>, string]>([
  [
    "no selector",
    () => sdk.getAlertChannel({}),
    "getAlertChannel: id or name must be given: exactly one of them.",
  ],
  [
    "two selectors",
    () => sdk.getStatusPage({ id: "a", name: "b" }),
    "id or name or url or customDomain must be given: exactly one of them.",
  ],
  ["a hostile id", () => sdk.getIncident({ id: "../x" }), "getIncident: id must be an id, without"],
  [
    "a wrong severity",
    () => sdk.getOpenIncidents(JSON.parse('{"atLeast":"BAD"}') as object),
    "atLeast must be one of CRITICAL, MAJOR, MEDIUM, MINOR",
  ],
  ["a page size out of bounds", () => sdk.getStatusPages({ limit: 101 }), "limit must be at most 100"],
  [
    "an unknown argument",
    () => sdk.getIncident(JSON.parse('{"id":"a","key":1}') as { id: string }),
    "key is not known; expected one of id,",
  ],
  [
    "credentials in the promise form",
    () => sdk.getAlertChannel(JSON.parse('{"id":1,"revealCredentials":true}') as object),
    "revealCredentials is not known",
  ],
  [
    "an unknown account",
    () => sdk.getIncident({ id: "a", account: "eu" }),
    "account must be a name in monitoring:accounts, which is not set",
  ],
])("rejects %s before any request", async (_, read, message) => {
  expect(await messageOf(read())).toContain(message);
  expect(sandbox.requests).toEqual([]);
});
