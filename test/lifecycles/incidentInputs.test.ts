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
