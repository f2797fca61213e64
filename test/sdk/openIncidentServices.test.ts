/** The services that an `OpenIncidentGate` names: one that doesn't exist would never close it. */
import { connectTo } from "../../sandbox";
import * as sdk from "../../sdk";
import { apiKey, serveJson } from "../client/services";

const service = (id: string, name: string) => ({ id, name });
const cards = (...services: object[]) => [{ id: "c1", name: "Shop", services }];
const page = (id: string, more: object) => ({ id, name: id, incidents: [], ...more });
const shop = page("shop", { cards: cards(service("s1", "Checkout"), service("s2", "Search")) });
const labs = page("labs", { cards: cards(service("s3", "Search"), service("s4", "API")) });
const closed = {
  id: "i1",
  name: "Outage",
  lastUpdateStatus: "RESOLVED",
  services: [service("s5", "Legacy")],
};

let count = 0;
/** What the gate says, of these status pages. */
async function gate(args: object, ...entries: object[]): Promise<string> {
  const { url } = await serveJson({ entries });
  connectTo({ url, apiKey, accountId: `account-${++count}`, accountHeader: "x-service-account" });
  return sdk.getOpenIncidents(args).then(
    () => "passes",
    (error: unknown) => (sdk.isMonitoringError(error) ? `${error.name}: ${error.message}` : String(error)),
  );
}

const notFound = (services: string, available: string, near = "") =>
  `NoMatchError: getOpenIncidents with services ${services}: not found${near}. Available: ${available}.`;
const missingCards = page("labs", { cards: null });
const missingServices = page("labs", { cards: [{ id: "c1", name: "Labs" }] });

it.each<[string, object, object[], string]>([
  ["a name", { services: ["Checkout"] }, [shop], "passes"],
  ["an id", { services: ["s1"] }, [shop], "passes"],
  ["services of several pages", { services: ["Checkout", "API"] }, [shop, labs], "passes"],
  ["a service of an incident alone", { services: ["Legacy"] }, [{ ...shop, incidents: [closed] }], "passes"],
  [
    "no such service",
    { services: ["Chekout"] },
    [shop, labs],
    notFound('"Chekout"', "Checkout, Search, API", ' (did you mean "Checkout"?)'),
  ],
  ["several", { services: ["A", "API", "B"] }, [labs], notFound('"A", "B"', "Search, API")],
  [
    "another page's",
    { services: ["API"], statusPage: "shop" },
    [shop, labs],
    notFound('"API"', "Checkout, Search"),
  ],
  ["any, of an account without pages", { services: ["API"] }, [], notFound('"API"', "none")],
  [
    "any, of a page without services",
    { services: ["API"] },
    [page("new", { cards: [] })],
    notFound('"API"', "none"),
  ],
  ["any, where a page comes without its cards", { services: ["Chekout"] }, [shop, missingCards], "passes"],
  [
    "any, where a card comes without its services",
    { services: ["Chekout"] },
    [shop, missingServices],
    "passes",
  ],
])("%s", async (_, args, pages, expected) => {
  expect(await gate(args, ...pages)).toBe(expected);
});

it("an empty list is rejected", async () => {
  expect(await gate({ services: [] }, shop)).toBe(
    "InvalidInputError: getOpenIncidents: services must not be empty. Omit it for all services.",
  );
});
