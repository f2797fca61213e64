/** The inputs of an incident: what `check` rejects before any request. */
import { getCheckFailures, nowhere, phase } from "./phases";

const args = {
  statusPageId: "page_shop",
  name: "Database upgrade 42",
  status: "MONITORING",
  description: "Orders may be slow.",
};

test("a value that wasn't given is found within an impact", async () => {
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
  ["Moved to postgres://partner:Winter2026x@db.acme.io/prod", "name contains a password in a URL"],
])("the name %j is rejected for the same reasons as a description", async (name, reason) => {
  const provider = await phase("Incident", nowhere);
  const mistakes = Object.entries(await getCheckFailures(provider, { ...args, name })).map((each) =>
    each.join(" "),
  );
  expect(mistakes).toEqual([expect.stringContaining(reason)]);
});

it("a name may have 255 characters", async () => {
  const provider = await phase("Incident", nowhere);
  expect(await getCheckFailures(provider, { ...args, name: "x".repeat(255) })).toEqual({});
});

it("an impact is rejected unless it has one of a name and an ID", async () => {
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
  [{ onChange: "post" }, "must be one of refuse, edit"],
])("the argument %j is rejected", async (wrong, reason) => {
  const provider = await phase("Incident", nowhere);
  expect(Object.values(await getCheckFailures(provider, { ...args, ...wrong }))).toEqual([
    expect.stringContaining(reason),
  ]);
});
