/** Where an incident may be that isn't where a program declares it. */
import { wellKnown } from "../../sandbox";
import { Connections, type Incidents } from "../../provider/connection";
import { sandboxForEachTest } from "../lifecycles/phases";

const sandbox = sandboxForEachTest();
const { shop, developers } = wellKnown.componentPages;
const { checkoutOutage } = wellKnown.componentPageIncidents;
const { checkoutLatency } = wellKnown.statusPageIncidents;

function incidentsOf(statusPageId?: string): Incidents {
  const { url, apiKey, accountId } = sandbox();
  const settings = { MONITORING_API_KEY: apiKey, MONITORING_BASE_URL: url, MONITORING_ACCOUNT_ID: accountId };
  return new Connections(undefined, settings).connect().incidentsOn(statusPageId);
}

it.each<[string, string, string | undefined, string]>([
  ["that is on a page with cards", checkoutLatency, shop, "is on a page with cards: remove `statusPageId`."],
  ["that is on another page", checkoutOutage, developers, `set \`statusPageId\` to "${shop}".`],
  ["that is on a page with components", checkoutOutage, undefined, `set \`statusPageId\` to "${shop}".`],
  ["of a page that isn't there", "inc_0", "page_shpo", ` Did you mean "${shop}"?`],
  ["that is misspelled", "inc_checkout_outag", shop, ` Did you mean "${checkoutOutage}"?`],
  ["that is misspelled on cards", "inc_checkout_latenc", undefined, ` Did you mean "${checkoutLatency}"?`],
])("an incident %s is told", async (_, incidentId, statusPageId, hint) => {
  await expect(incidentsOf(statusPageId).get(incidentId)).rejects.toThrow(hint);
});

it.each<[string, string, string | undefined]>([
  ["a page with cards", checkoutLatency, undefined],
  ["a page with components", checkoutOutage, shop],
])("an id on %s that its list has isn't the mistake, although it can't be read", async (_, id, page) => {
  expect(await incidentsOf(page).whereabouts(id)).toBe("");
});

it("where an incident may be is not told by lists that fail", async () => {
  sandbox().faults.add({ kind: "status", code: 500 });
  expect(await incidentsOf(shop).whereabouts("inc_checkout_outag")).toBe("");
});

it("a page's name rewrites no terminal", async () => {
  sandbox().byHand.change(({ accounts: [{ componentPages }] }) => {
    for (const page of componentPages) page.name = "\u001b[31mShop";
  });
  const hint = await incidentsOf().whereabouts(checkoutOutage);
  expect(hint).toMatch(/is on the status page ".*Shop"/);
  expect(hint).not.toContain("\u001b");
});

it("an update is read anew once something was written to its incident", async () => {
  const incidents = incidentsOf(shop);
  const [update] = sandbox().incident(checkoutOutage, shop).incidentUpdates;
  const { id = "", description } = update ?? {};
  const read = async () => (await incidents.update(checkoutOutage, id)).description;
  expect(await read()).toBe(description);
  sandbox().byHand.editUpdate(checkoutOutage, id, { description: "Other." }, shop);
  expect(await read()).toBe(description);
  incidents.forget(checkoutOutage);
  expect(await read()).toBe("Other.");
});
