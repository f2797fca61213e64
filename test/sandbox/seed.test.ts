import { alertChannelTypes, sslExpiryThresholdBounds } from "../../provider/api";
import { seedData, wellKnown } from "../../sandbox";
import { sandboxData } from "../../sandbox/data";

const now = new Date("2026-11-20T12:00:00Z");

test.each([0, 1, -5, 123_456])("the data is valid with the seed %i", (seed) => {
  sandboxData.parse(seedData({ seed }));
});

test("the data is reproducible for a seed and a time", () => {
  expect(seedData({ now })).toEqual(seedData({ now }));
  const [one, other] = [seedData({ now }), seedData({ now, seed: 1 })];
  expect(other.accounts[0].statusPages[0]?.id).not.toBe(one.accounts[0].statusPages[0]?.id);
  expect(other.accounts[0].subscribers).not.toEqual(one.accounts[0].subscribers);
});

test("only timestamps depend on the time", () => {
  const ids = (data: unknown) =>
    JSON.stringify(data).replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d{3}Z)?/g, "");
  expect(ids(seedData({ now }))).toBe(ids(seedData({ now: new Date("2031-01-01T00:00:00Z") })));
});

test.each([0, 9])("the well-known ids and keys exist with the seed %i", (seed) => {
  const { access, accounts } = seedData({ seed });
  const ids = accounts.flatMap(({ id, statusPageIncidents, incidents, alertChannels }) =>
    [{ id }, ...statusPageIncidents, ...incidents, ...alertChannels].map((row) => row.id),
  );
  const { apiKeys, ...named } = wellKnown;
  const expected = Object.values(named).flatMap((group) => Object.values<string | number>(group));
  expect(expected.filter((id) => !ids.includes(id))).toEqual([]);
  expect(access.map(({ apiKey }) => apiKey)).toEqual(Object.values(apiKeys));
});

describe("the sample company", () => {
  const [company, labs] = seedData({ now }).accounts;
  const channels = company.alertChannels;

  test("has two accounts with status pages of its own, enough for paging", () => {
    expect([company.statusPages.length, labs?.statusPages.length]).toEqual([47, 4]);
    expect(new Set(company.statusPages.map(({ url }) => url)).size).toBe(47);
    const withDomain = company.statusPages.filter(({ customDomain }) => customDomain !== "");
    expect(withDomain.length).toBeGreaterThan(10);
    expect(withDomain.length).toBeLessThan(47);
    for (const { cards } of company.statusPages)
      expect(cards.flatMap(({ services }) => services)).not.toEqual([]);
  });

  test("has incidents of every severity, open and resolved, each on a page and with a service", () => {
    const incidents = company.statusPageIncidents;
    const open = incidents.filter(({ incidentUpdates: [latest] }) => latest?.status !== "RESOLVED");
    expect(open.length).toBe(5);
    expect(new Set(open.map(({ severity }) => severity)).size).toBe(4);
    expect(incidents.length - open.length).toBeGreaterThan(4);
    for (const { name, statusPageIds, services, incidentUpdates } of incidents) {
      expect([name, statusPageIds.length > 0, services.length > 0]).toEqual([name, true, true]);
      const times = incidentUpdates.map(({ created_at }) => created_at);
      expect(times).toEqual(times.toSorted().reverse());
    }
  });

  test("has dashboard incidents with and without an end and a start", () => {
    const kinds = company.incidents.map(
      ({ startedAt, stoppedAt }) => `start: ${startedAt !== null}, end: ${stoppedAt !== null}`,
    );
    const expected = ["start: true, end: false", "start: true, end: true", "start: false, end: false"];
    expect(kinds).toEqual(expect.arrayContaining(expected));
  });

  test("has alert channels of every type", () => {
    const all = [...channels, ...(labs?.alertChannels ?? [])];
    expect(new Set(all.map(({ type }) => type))).toEqual(new Set(alertChannelTypes));
  });

  test.each<[string, (channel: (typeof channels)[number]) => boolean]>([
    ["a URL without TLS", ({ config }) => JSON.stringify(config).includes('"http://')],
    ["a credential", ({ config }) => JSON.stringify(config).includes("not-a-secret")],
    ["a placeholder", ({ config }) => JSON.stringify(config).includes("{{PAGERDUTY_SERVICE_KEY}}")],
    ["failures off", ({ sendFailure }) => !sendFailure],
    ["a low threshold", ({ sslExpiryThreshold }) => sslExpiryThreshold < sslExpiryThresholdBounds.least],
    ["no subscriptions", ({ subscriptions }) => subscriptions.length === 0],
    ["paused ones", ({ subscriptions: all }) => all.length > 0 && all.every(({ activated }) => !activated)],
    ["an old change", ({ updated_at }) => updated_at !== null && updated_at < "2024"],
    ["no webhook secret", ({ type, config }) => type === "WEBHOOK" && config["webhookSecret"] === undefined],
  ])("has a channel that an audit finds, with %s", (_, has) => {
    expect(channels.some(has)).toBe(true);
  });

  test("has two channels to one address", () => {
    const addresses = channels.filter(({ type }) => type === "EMAIL").map(({ config }) => config.address);
    expect(addresses).toEqual(["operations@quillmarket.example", "operations@quillmarket.example"]);
  });
});

test("has what real responses have: null for what is not set, times with and without a zone, later enum values", () => {
  const [company, labs] = seedData({ now }).accounts;
  for (const field of ["customDomain", "logo", "favicon", "redirectTo", "themeColors", "updated_at"] as const)
    expect([field, labs?.statusPages.some((page) => page[field] === null)]).toEqual([field, true]);
  const starts = company.incidents.flatMap(({ startedAt }) => startedAt ?? []);
  expect(starts.some((time) => time.endsWith("Z")) && starts.some((time) => !time.endsWith("Z"))).toBe(true);
  const updates = company.incidents.flatMap(({ incidentUpdates }) => incidentUpdates);
  expect(updates.map(({ status }) => status)).toContain("MAINTENANCE");
});
