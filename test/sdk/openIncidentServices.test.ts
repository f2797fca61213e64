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

const missingCards = page("labs", { cards: null });
const missingServices = page("labs", { cards: [{ id: "c1", name: "Labs" }] });

it.each<[string, object, object[]]>([
  ["a name", { services: ["Checkout"] }, [shop]],
  ["an id", { services: ["s1"] }, [shop]],
  ["services of several pages", { services: ["Checkout", "API"] }, [shop, labs]],
  ["a service of an incident alone", { services: ["Legacy"] }, [{ ...shop, incidents: [closed] }]],
  ["any, where a page comes without its cards", { services: ["Chekout"] }, [shop, missingCards]],
  ["any, where a card comes without its services", { services: ["Chekout"] }, [shop, missingServices]],
])("a gate passes with %s", async (_, args, pages) => {
  expect(await gate(args, ...pages)).toBe("passes");
});

it.each<[string, object, object[]]>([
  ["no such service", { services: ["Chekout"] }, [shop, labs]],
  ["several", { services: ["A", "API", "B"] }, [labs]],
  ["another page's", { services: ["API"], statusPage: "shop" }, [shop, labs]],
  ["any, of an account without pages", { services: ["API"] }, []],
  ["any, of a page without services", { services: ["API"] }, [page("new", { cards: [] })]],
  ["an empty list", { services: [] }, [shop]],
])("a gate fails with %s", async (_, args, pages) => {
  expect(await gate(args, ...pages)).toMatchSnapshot();
});
