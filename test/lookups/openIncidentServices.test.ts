/** The services that an `OpenIncidentGate` names: one that doesn't exist would never close it. */
import { isMonitoringError } from "../../provider/client";
import { getOpenIncidents } from "../../provider/lookups";
import { runLookup } from "../../provider/lookups";
import { serveJson } from "../client/services";
import { connectionsTo } from "./connectionsTo";

const service = (id: string, name: string) => ({ id, name });
const cards = (...services: object[]) => [{ id: "c1", name: "Shop", services }];
const page = (id: string, more: object) => ({ id, name: id, incidents: [], ...more });
const shop = page("shop", { cards: cards(service("s1", "Checkout"), service("s2", "Search")) });
const labs = page("labs", { cards: cards(service("s3", "Search"), service("s4", "API")) });
const legacy = { services: [service("s5", "Legacy")] };
const closed = { id: "i1", name: "Outage", lastUpdateStatus: "RESOLVED", ...legacy };

/** What the gate says, of these status pages. */
async function gate(args: object, ...entries: object[]): Promise<string> {
  const connections = connectionsTo(await serveJson({ entries }));
  return runLookup(getOpenIncidents, args, { connections }).then(
    () => "passes",
    (error: unknown) => (isMonitoringError(error) ? `${error.name}: ${error.message}` : String(error)),
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
