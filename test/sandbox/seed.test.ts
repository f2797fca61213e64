import { alertChannelTypes, sslExpiryThresholdBounds } from "../../provider/api";
import { seedData, wellKnown } from "../../sandbox";
import { sandboxData } from "../../sandbox/data";

const now = new Date("2026-11-20T12:00:00Z");

test("the data is valid with every seed", () => {
  for (const seed of [0, 1, -5, 123_456]) sandboxData.parse(seedData({ seed }));
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

test("the well-known ids and keys exist with every seed", () => {
  for (const seed of [0, 9]) {
    const { access, accounts } = seedData({ seed });
    const ids = accounts.flatMap(({ id, statusPageIncidents, incidents, alertChannels }) =>
      [{ id }, ...statusPageIncidents, ...incidents, ...alertChannels].map((row) => row.id),
    );
    const { apiKeys, ...named } = wellKnown;
    const expected = Object.values(named).flatMap((group) => Object.values<string | number>(group));
    expect(expected.filter((id) => !ids.includes(id))).toEqual([]);
    expect(access.map(({ apiKey }) => apiKey)).toEqual(Object.values(apiKeys));
  }
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
    const kinds = company.incidents.map(({ startedAt, stoppedAt }) => [
      startedAt !== null,
      stoppedAt !== null,
    ]);
    expect(kinds).toEqual(
      expect.arrayContaining([
        [true, false],
        [true, true],
        [false, false],
      ]),
    );
  });

  test("has alert channels of every type", () => {
    const all = [...channels, ...(labs?.alertChannels ?? [])];
    expect(new Set(all.map(({ type }) => type))).toEqual(new Set(alertChannelTypes));
  });

  test("has a channel for each finding of an audit, and some without findings", () => {
    const config = ({ config }: (typeof channels)[number]) => JSON.stringify(config);
    const kinds: ((channel: (typeof channels)[number]) => boolean)[] = [
      (channel) => config(channel).includes('"http://'),
      (channel) => config(channel).includes("not-a-secret"),
      (channel) => config(channel).includes("{{PAGERDUTY_SERVICE_KEY}}"),
      ({ sendFailure }) => !sendFailure,
      ({ sslExpiryThreshold }) => sslExpiryThreshold < sslExpiryThresholdBounds.least,
      ({ subscriptions }) => subscriptions.length === 0,
      ({ subscriptions: all }) => all.length > 0 && all.every(({ activated }) => !activated),
      ({ updated_at }) => updated_at !== null && updated_at < "2024",
      ({ type, config: { webhookSecret } }) => type === "WEBHOOK" && webhookSecret === undefined,
    ];
    expect(kinds.map((is) => channels.some(is))).toEqual(kinds.map(() => true));
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
  const statuses = company.incidents.flatMap(({ incidentUpdates }) =>
    incidentUpdates.map(({ status }) => status),
  );
  expect(statuses).toContain("MAINTENANCE");
});
