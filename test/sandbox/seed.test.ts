import { alertChannelTypes, sslExpiryThresholdBounds } from "../../provider/api";
import { seedData, wellKnown } from "../../sandbox";
import { sandboxData } from "../../sandbox/data";

const now = new Date("2026-11-20T12:00:00Z");

test("the seed keeps to the contract, whatever its number", () => {
  for (const seed of [0, 1, -5, 123_456]) sandboxData.parse(seedData({ seed }));
});

test("is the same each time for the same number and moment, and another for another number", () => {
  expect(seedData({ now })).toEqual(seedData({ now }));
  const [one, other] = [seedData({ now }), seedData({ now, seed: 1 })];
  expect(other.accounts[0].statusPages[0]?.id).not.toBe(one.accounts[0].statusPages[0]?.id);
  expect(other.accounts[0].subscribers).not.toEqual(one.accounts[0].subscribers);
});

test("only times depend on the moment", () => {
  const ids = (data: unknown) =>
    JSON.stringify(data).replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d{3}Z)?/g, "");
  expect(ids(seedData({ now }))).toBe(ids(seedData({ now: new Date("2031-01-01T00:00:00Z") })));
});

test("what is well known is there with every number", () => {
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

describe("a company with work to do", () => {
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
    expect(new Set(channels.map(({ type }) => type))).toEqual(new Set(alertChannelTypes));
  });

  const config = ({ config }: { config: unknown }) => JSON.stringify(config);
  test.each<[string, (channel: (typeof channels)[number]) => boolean]>([
    ["a plain http hook", (channel) => config(channel).includes('"http://')],
    ["a literal credential", (channel) => config(channel).includes("not-a-secret")],
    ["a reference to a credential", (channel) => config(channel).includes("{{PAGERDUTY_SERVICE_KEY}}")],
    ["failures off", ({ sendFailure }) => !sendFailure],
    [
      "a threshold out of bounds",
      ({ sslExpiryThreshold }) => sslExpiryThreshold < sslExpiryThresholdBounds.least,
    ],
    ["no subscription", ({ subscriptions }) => subscriptions.length === 0],
    [
      "only paused subscriptions",
      ({ subscriptions }) => subscriptions.length > 0 && subscriptions.every(({ activated }) => !activated),
    ],
    ["no change for years", ({ updated_at }) => updated_at < "2024"],
    [
      "a webhook without a secret",
      ({ type, config }) => type === "WEBHOOK" && config.webhookSecret === undefined,
    ],
  ])("has a channel with %s", (_, is) => {
    expect(channels.filter(is)).not.toEqual([]);
  });

  test("has two channels with one target, and some channels that are sound", () => {
    const addresses = channels.filter(({ type }) => type === "EMAIL").map(({ config }) => config.address);
    expect(addresses).toEqual(["operations@quillmarket.example", "operations@quillmarket.example"]);
  });
});
