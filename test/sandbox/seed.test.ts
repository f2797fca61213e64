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
