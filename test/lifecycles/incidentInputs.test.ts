/**
 * Tests the inputs of an incident: what `check` rejects before any request, and which changes `diff` reports. incident.test.ts tests
 * previews.
 */
import { temporaryFolder } from "../temporaryFolder";
import { by, getCheckFailures, nowhere, phase, unknown } from "./phases";

const args = {
  statusPageId: "page_shop",
  name: "Database upgrade 42",
  status: "MONITORING",
  description: "Orders may be slow.",
};

test("a missing value is found within an impact", async () => {
  const provider = await phase("Incident", nowhere);
  const impacts = [{ component: "Checkout" }, { component: "Search", status: 1 }];
  expect(await getCheckFailures(provider, { ...args, impacts })).toEqual({
    "impacts[0].status": expect.stringMatching(/^must be one of .*, but no value was given \(/),
    "impacts[1].status": expect.not.stringContaining("no value"),
  });
});

it.each([
  ["Database upgrade [object Object]", "name contains [object Object] or another value that isn't a string"],
  ["undefined", "name is undefined, null or NaN"],
  ["&nbsp;", "name must not be empty"],
  ["x".repeat(256), "name must have at most 255 characters"],
  ["One\nTwo", "name must be one line without control characters"],
  ["One\u2028Two", "name must be one line without control characters"],
  ["One\u0007Two", "name must not contain control characters"],
  ["Moved to postgres://partner:Winter2026x@db.acme.io/prod", "name contains a password in a URL"],
])("the name %j is rejected for the same reasons as a description", async (name, reason) => {
  const provider = await phase("Incident", nowhere);
  const mistakes = Object.entries(await getCheckFailures(provider, { ...args, name })).map((each) =>
    each.join(" "),
  );
  expect(mistakes).toEqual([expect.stringContaining(reason)]);
});

it.each(["x".repeat(255), "🚨".repeat(255), "👩‍💻 🏳️‍🌈", "نمی‌شود", "\u200f12:00"])(
  "a name may be %j",
  async (name) => {
    const provider = await phase("Incident", nowhere);
    expect(await getCheckFailures(provider, { ...args, name })).toEqual({});
  },
);

it("a text that is clearly an error is accepted if the state contains it, as after an import", async () => {
  const provider = await phase("Incident", nowhere);
  const wrong = { ...args, ...by("maintenance"), name: "undefined", description: "[object Object]" };
  expect((await provider.check(wrong, wrong)).failures).toEqual([]);
  expect((await provider.check({ ...wrong, name: "null" }, wrong)).failures).toHaveLength(1);
});

it("an impact is rejected unless it has either a name or an ID", async () => {
  const provider = await phase("Incident", nowhere);
  const both = { component: "Checkout", componentId: "comp_checkout" };
  const impacts = [{}, both].map((each) => ({ ...each, status: "MAJOR_OUTAGE" }));
  const reason = "must have either component, which is a name, or componentId";
  expect(await getCheckFailures(provider, { ...args, impacts })).toEqual({
    "impacts[0]": reason,
    "impacts[1]": reason,
  });
});

it.each([
  [{ statusPageId: undefined }, "must be the ID of a status page with components, but no value was given"],
  [{ impacts: [{ componentId: 1.5, status: "MAJOR_OUTAGE" }] }, "must be a string or a whole number"],
  [{ impacts: ["checkout"] }, "must be an object"],
  [{ name: 5 }, "must be a string"],
  [{ onChange: "edit" }, "is not known; expected one of statusPageId, name, impacts, status, "],
])("the argument %j is rejected", async (wrong, reason) => {
  const provider = await phase("Incident", nowhere);
  expect(Object.values(await getCheckFailures(provider, { ...args, ...wrong }))).toEqual([
    expect.stringContaining(reason),
  ]);
});

const checkout = { component: "Checkout", status: "MAJOR_OUTAGE" };
/** Compares a declaration with the state of a declared incident. */
async function computeDiff(after: object, before: object = {}) {
  const declared = { ...args, impacts: [checkout], notifySubscribers: false };
  const { name, status, description } = args;
  const published = { name, status, description, ...before };
  const origin = { accountId: nowhere.accountId, host: new URL(nowhere.url).host, path: "/" };
  const writes = { record: { version: 1, posted: { written: "w" } }, impactWrites: { written: "", at: 0 } };
  const state = { ...declared, incidentId: "inc_1", published, missing: false, origin, ...writes };
  const provider = await phase("Incident", nowhere, {
    settings: { "monitoring:lockDirectory": temporaryFolder() },
  });
  return provider.diff("page_shop/inc_1", state, { ...declared, ...by("update"), ...after });
}

it.each<[string, after: object, changes: boolean, before?: object]>([
  ["nothing else", {}, false],
  ["other white space in the name", { name: "Database  upgrade\t42" }, false],
  ["an escape in the name", { name: "Database upgrade &#52;2" }, false],
  ["equal impacts", { impacts: [{ ...checkout }] }, false],
  ["other impacts", { impacts: [{ ...checkout, status: "DEGRADED_PERFORMANCE" }] }, true],
  ["a name that was changed in the dashboard", { name: "Moved" }, true, { name: "Moved" }],
  ["an unknown page", { statusPageId: unknown }, true],
  ["an unknown name", { name: unknown }, true],
  ["unknown impacts", { impacts: unknown }, true],
  ["an unknown status", { status: unknown }, true],
])("an incident whose program declares %s", async (_, after, changes, before = {}) => {
  expect(await computeDiff(after, before)).toEqual({ changes, replaces: [] });
});

it.each<[string, object, string]>([
  ["name", { name: "Database upgrade 43" }, "name must not change"],
  ["page", { statusPageId: "page_b" }, "statusPageId must not change"],
  ["name, while impacts are unknown,", { impacts: unknown, name: "Moved" }, "name must not change"],
])("another %s of a public incident is rejected", async (_, after, reason) => {
  await expect(computeDiff(after)).rejects.toThrow(reason);
});
