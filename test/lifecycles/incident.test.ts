/**
 * Tests incidents on pages with components: the requests that open them and change their impacts, the messages, and the state.
 * test/explore/configurations/opened.js tests that no incident is opened twice, and test/driver/incidents.test.ts tests lost responses
 * and killed runs.
 */
import { type Sandbox, seedData, wellKnown } from "../../sandbox";
import { unknownValue } from "../../provider/engine";
import { secret } from "../driver/adapters";
import { opening, type Scenario } from "../driver/expecting";
import { playEach } from "../driver/inProcess";

const page = wellKnown.componentPages.shop;
const operation = "editComponentPageIncident";
const [maintenance, migration] = [opening("Database upgrade 42"), opening("Search migration 7")];
const { statusPages, componentPages } = seedData().accounts[0];
const [cards] = statusPages;
const shop = componentPages.find(({ id }) => id === page);
const findId = (name: string) => shop?.components.find((each) => each.name === name)?.id ?? "";
const [checkoutId, searchId] = [findId("Checkout"), findId("Search")];

type Incident = Sandbox["data"]["accounts"][0]["componentPages"][0]["incidents"][0];
type Impact = Incident["componentImpacts"][0];

/** Changes the incidents whose names start with this text, as a user does in the dashboard. */
const change = (made: (incident: Incident) => unknown, name: string) => (service: Sandbox) =>
  service.dashboard.change(({ accounts }) => {
    const pages = accounts.flatMap((account) => account.componentPages);
    for (const incident of pages.flatMap(({ incidents }) => incidents))
      if (incident.name.startsWith(name)) made(incident);
  });
const changeByHand = (made: (incident: Incident) => unknown) => change(made, "Database");
const resolveEach = ({ id, incidentUpdates }: Incident) => {
  const [first] = incidentUpdates;
  const created_at = new Date(Date.now() + 1_000).toISOString();
  if (first) incidentUpdates.unshift({ ...first, id: `resolved-${id}`, created_at, status: "RESOLVED" });
};
const resolve = changeByHand(resolveEach);
/** Replaces the impacts, as a user does in the dashboard. */
const choose = (componentId: string, status: Impact["status"]) =>
  changeByHand((incident) => {
    incident.componentImpacts = [{ componentId, status, startedAt: incident.created_at, endedAt: null }];
  });
const removeByHand = (service: Sandbox) =>
  service.dashboard.change(({ accounts }) => {
    for (const each of accounts.flatMap((account) => account.componentPages))
      each.incidents = each.incidents.filter(({ name }) => !name.startsWith("Database"));
  });
type Happens = NonNullable<Scenario[number]["happens"]>;
/** Deletes the state, and then causes this event. */
const losing =
  (happens: Happens = () => undefined): Happens =>
  (service, resources) => {
    resources.clear();
    happens(service, resources);
  };

const degraded = { ...maintenance, impacts: [{ component: "Checkout", status: "DEGRADED_PERFORMANCE" }] };
const toDegraded = { componentImpacts: [{ componentId: checkoutId, status: "DEGRADED_PERFORMANCE" }] };
const toMaintenance = { componentImpacts: [{ componentId: checkoutId, status: "UNDER_MAINTENANCE" }] };
const without = { ...maintenance, impacts: [] };
const theirs = { ...maintenance, impacts: [{ component: "Cart", status: "PARTIAL_OUTAGE" }] };
const chooseTheirs = choose(findId("Cart"), "PARTIAL_OUTAGE");

const affecting = (...impacts: object[]) => ({
  ...maintenance,
  impacts: impacts.map((each) => ({ status: "UNDER_MAINTENANCE", ...each })),
});
const retired = `"${cards?.name}" is a page with cards, which the vendor has retired.`;
/** Incidents that can't be opened, with the reasons. */
const mistakes: readonly [object, string][] = [
  [affecting({ component: "Chekout" }), '(did you mean "Checkout"?).'],
  [
    affecting({ componentId: "none" }),
    `impacts[0].componentId isn't a component of the status page ${page}; its components are ${checkoutId} (Checkout), `,
  ],
  [affecting({ componentId: `${checkoutId}_` }), `(did you mean "${checkoutId}"?).`],
  [
    affecting({ component: "One" }, { component: "Two" }),
    "its components are Checkout, Cart, Search, Images.\n  - impacts[1].component isn't a",
  ],
  [affecting({ component: "Orders" }), "is a group. Name its components"],
  [
    affecting({ component: "Checkout" }, { component: "Checkout" }),
    "impacts[1] must not name a component twice",
  ],
  [
    affecting({ component: "Cart" }, { componentId: checkoutId }, { component: "Checkout" }),
    "impacts[2] must not name a component twice",
  ],
  [{ ...maintenance, statusPageId: "page_none" }, "not found (HTTP 404)"],
  [{ ...maintenance, statusPageId: "page_shpo" }, `Did you mean "${page}"?`],
  [{ ...maintenance, statusPageId: cards?.id }, retired],
  [{ ...without, statusPageId: cards?.id }, retired],
];

const changed = { ...maintenance, name: "Database upgrade 43", status: "IDENTIFIED", description: "Soon." };
/** Makes responses to this operation show this state of Search, which the sandbox may not support. */
const answerWith =
  (asked: "getComponentPageIncident" | typeof operation, status: string, times?: number) =>
  ({ faults, data }: Sandbox): void => {
    const incidents = data.accounts.flatMap((account) =>
      account.componentPages.flatMap((each) => each.incidents),
    );
    const shown = incidents.find(({ name }) => name === maintenance.name);
    const componentImpacts = [{ componentId: searchId, status }];
    faults.add({
      ...{ kind: "answer", operation: asked, headers: ["content-type: application/json"], times },
      body: JSON.stringify({ ...shown, lastUpdateStatus: "MONITORING", componentImpacts }),
    });
  };
const showNewState = answerWith("getComponentPageIncident", "ON_FIRE");
const stillOpen =
  " It is still open. To resolve it, post a RESOLVED update in the dashboard, or declare an IncidentUpdate with this statusPageId and incidentId.";
const arrow = { ...maintenance, name: "Database upgrade \u2192 v2" };

const wrongIds = ["page_shop", "/inc_1", "page_shop/", "page_shop/inc_1/upd_1"];
const outageId = wellKnown.componentPageIncidents.checkoutOutage;
const outage = shop?.incidents.find(({ id }) => id === outageId);
const first = outage?.incidentUpdates.at(-1);
const importing = {
  calls: [{ verb: "import" as const, name: "maintenance", id: `${page}/${outageId}` }],
};
const importedInputs = {
  statusPageId: page,
  name: outage?.name,
  status: first?.status,
  description: first?.description,
};
const onOutage = (made: (incident: Incident) => unknown) => change(made, outage?.name ?? "");

playEach({
  "an incident is opened with its name, its first update and its components, and sends nothing after that": [
    {
      up: { maintenance },
      posts: [
        {
          name: maintenance.name,
          incidentUpdates: [
            { status: "MONITORING", description: maintenance.description, notifySubscribers: true },
          ],
          ...toMaintenance,
        },
      ],
      reads: ["components", "incidents", page].sort(),
      keeps: {
        maintenance: {
          id: expect.stringMatching(/^page_shop\/[-0-9a-f]+$/),
          outputs: { ...maintenance, missing: false },
        },
      },
    },
    { up: { maintenance }, posts: [], reads: [] },
  ],
  "an incident without impacts is opened without any, in its account": ({
    url: baseUrl,
    apiKey,
    accountId,
  }) => [
    {
      config: { "monitoring:accounts": JSON.stringify({ shop: { baseUrl, apiKey, accountId } }) },
      up: { maintenance: { ...without, account: "shop" } },
      posts: [{ componentImpacts: [] }],
      keeps: { maintenance: { outputs: { impacts: [], account: "shop" } } },
    },
  ],
  "an identical open incident is adopted, and for a resolved incident, a resend code opens another incident":
    [
      { up: { maintenance } },
      {
        ...{ happens: losing(), up: { maintenance }, posts: [] },
        says: ["adopted the identical incident"],
      },
      {
        ...{ happens: losing(resolve), up: { maintenance }, fails: 1, posts: [] },
        says: ["and the same first update. Nothing was opened."],
      },
      { answers: true, up: { maintenance }, posts: [{ name: maintenance.name }] },
    ],
  "an ended incident with the declared name requires a code if its history lacks the first update": [
    { up: { maintenance } },
    {
      happens: losing(
        changeByHand((incident) => {
          resolveEach(incident);
          const [last] = incident.incidentUpdates;
          const later = (__: unknown, index: number) => last && { ...last, id: `later-${index}` };
          incident.incidentUpdates = Array.from({ length: 100 }, later).flatMap((each) => each ?? []);
        }),
      ),
      ...{ up: { "maintenance-2": maintenance }, fails: 1, posts: [] },
      says: [/is resolved, .* Nothing was opened\./],
    },
  ],
  "an incident whose name the service shows with other characters isn't opened again": [
    { up: { maintenance: arrow } },
    {
      happens: losing(changeByHand((incident) => (incident.name = arrow.name.replace("\u2192", "?")))),
      ...{ up: { "maintenance-2": arrow }, posts: [] },
    },
  ],
  "no incident is opened on a page or for components that don't exist, can't be used or are named twice": [
    {
      up: Object.fromEntries(mistakes.map(([wrong], index) => [`maintenance-${index}`, { ...wrong }])),
      ...{ isParallel: true, fails: mistakes.length, posts: [], hides: /undefined/ },
      says: mistakes.map(([, why]) => why),
    },
    {
      happens: ({ dashboard }) =>
        dashboard.change(({ accounts: [{ componentPages: pages }] }) => {
          for (const { components } of pages)
            components.push(
              ...components
                .filter(({ id }) => id === searchId)
                .map((each) => ({ ...each, id: "comp_search_2" })),
            );
        }),
      ...{ up: { maintenance: affecting({ component: "Search" }) }, fails: 1, posts: [] },
      says: [`is the name of 2 components. Set componentId (${searchId}, comp_search_2)`],
    },
  ],
  "a change of an open incident is rejected until the dashboard shows it": [
    { up: { maintenance } },
    {
      ...{ up: { maintenance: changed }, fails: 1, posts: [] },
      says: [
        `status, description, and name must not change, because the incident "${maintenance.name}" is public (MONITORING: "${maintenance.description}"). Nothing was opened.`,
        "correct it in the dashboard, declare what the page then shows, and run",
      ],
    },
    {
      happens: changeByHand((incident) => {
        incident.name = changed.name;
        Object.assign(incident.incidentUpdates[0] ?? {}, { status: "IDENTIFIED", description: "Soon." });
      }),
      ...{ up: { maintenance: changed }, posts: [], keeps: { maintenance: { outputs: changed } } },
    },
    { up: { maintenance: changed }, posts: [], reads: [] },
  ],
  "an open incident is imported with its inputs, and a resolved incident without impacts": [
    {
      ...importing,
      keeps: {
        maintenance: {
          inputs: {
            ...importedInputs,
            impacts: outage?.componentImpacts.map(({ componentId, status }) => ({ componentId, status })),
          },
          outputs: { ...importedInputs, incidentId: outageId, missing: false },
        },
      },
    },
    {
      ...{ happens: onOutage(resolveEach), ...importing },
      keeps: { maintenance: { inputs: { ...importedInputs, impacts: [] } } },
    },
  ],
  "an import explains the format of an ID without a request, and why an incident can't be declared": [
    ...wrongIds.map((id) => ({
      calls: [{ verb: "import" as const, name: "maintenance", id }],
      ...{ fails: 1, reads: [], says: ["Incident import: id must be <statusPageId>/<incidentId>."] },
    })),
    {
      happens: onOutage(({ incidentUpdates }) => incidentUpdates.forEach((each) => (each.description = ""))),
      ...{ ...importing, fails: 1 },
      says: ["id is the ID of an incident that can't be declared: description must not be empty."],
    },
  ],
  "a refresh shows an edit in the dashboard and a missing incident, and a removal is reported": [
    { up: { maintenance } },
    {
      happens: changeByHand((incident) => (incident.name = "Database moves")),
      ...{ refresh: true, calls: [], hides: /./ },
      refreshed: { maintenance: { outputs: { missing: false, published: { name: "Database moves" } } } },
    },
    {
      ...{ happens: removeByHand, refresh: true, calls: [] },
      says: [/^Incident page_shop\/\S+: not found on the service\. It stays in the state and is not opened/],
      refreshed: { maintenance: { outputs: { missing: true, name: maintenance.name } } },
    },
    { up: {}, says: ["removed from the state. The incident was missing at the last refresh.\n"] },
  ],
  "a change of the impacts of a deleted incident changes only the state and reports the reason": [
    { up: { maintenance } },
    {
      ...{ happens: removeByHand, up: { maintenance: without }, posts: [] },
      says: ["only the state changes (impacts), because the incident was deleted."],
    },
  ],
  "an impact whose state is newer than this version isn't overwritten": [
    { up: { maintenance } },
    {
      ...{ happens: showNewState, up: { maintenance: degraded }, fails: 1, posts: [] },
      says: [`with states that this version doesn't know, on the components ${searchId}. A change of`],
    },
    { up: { maintenance }, posts: [] },
  ],
  "the removal of an incident reports whether it is still open, if it can be read": [
    { up: { maintenance, migration, "migration-2": opening("Search migration 8") } },
    {
      ...{ happens: resolve, up: { migration, "migration-2": opening("Search migration 8") } },
      says: [/^Incident page_shop\/[^\s/]+: removed from the state\. The incident stays public\.\n/],
    },
    {
      up: { migration },
      says: [`removed from the state. The incident stays public.${stillOpen}\n`],
    },
    {
      ...{ faults: [{ kind: "status", code: 403 }], up: {} },
      says: ["removed from the state. The incident stays public.\n"],
    },
  ],
  "a change of impacts is one request with the public name, without an email, and a second up sends nothing":
    [
      { up: { maintenance } },
      {
        happens: changeByHand((incident) => (incident.name = "Database move")),
        ...{ up: { maintenance: degraded }, posts: [{ name: "Database move", ...toDegraded }], mails: 0 },
        keeps: { maintenance: { outputs: { impacts: degraded.impacts, published: toDegraded } } },
      },
      { up: { maintenance: degraded }, posts: [], reads: [] },
      { up: { maintenance: without }, posts: [{ componentImpacts: [] }] },
      { up: { maintenance }, posts: [toMaintenance] },
    ],
  "the impacts of a resolved incident only change in the state, with a notice": [
    { up: { maintenance } },
    {
      ...{ happens: resolve, up: { maintenance: degraded }, posts: [] },
      says: [/^Incident \S+: only the state changes \(impacts\), because the incident is resolved\.\n/],
      keeps: { maintenance: { outputs: { impacts: degraded.impacts } } },
    },
    { refresh: true, up: { maintenance: degraded }, posts: [], hides: /./ },
  ],
  "impacts that someone else chose are never overwritten unless they were declared first": [
    { up: { maintenance } },
    ...(["preview", "up"] as const).map((command) => ({
      ...{ happens: chooseTheirs, [command]: { maintenance: degraded }, fails: 1, posts: [] },
      says: [
        "that this resource didn't write: Cart shows partial outage, but operational is declared; Checkout shows operational, but degraded " +
          "performance is declared. Nothing was edited. Declare the impacts that the page shows, and run `pulumi up`. To replace them, then declare " +
          "yours.",
      ],
    })),
    { up: { maintenance: theirs }, posts: [] },
    { up: { maintenance: degraded }, posts: [toDegraded] },
  ],
  "a change in the dashboard is drift after a refresh, and the up rejects it although the declaration is unchanged":
    [
      { up: { maintenance } },
      { happens: chooseTheirs, up: { maintenance }, posts: [], reads: [] },
      {
        ...{ refresh: true, up: { maintenance }, fails: 1, posts: [] },
        says: [
          "Cart shows partial outage, but operational is declared; Checkout shows operational, but maintenance is",
        ],
      },
      { up: { maintenance: theirs }, posts: [], keeps: { maintenance: { outputs: theirs } } },
    ],
  ...Object.fromEntries(
    [true, false].map((applied): [string, Scenario] => [
      `a change of impacts without a response fails, and the next up succeeds without an email (applied: ${applied})`,
      [
        { up: { maintenance } },
        {
          faults: [{ kind: "reset", operation, times: 1, applied }],
          ...{ up: { maintenance: degraded }, fails: 1, mails: 0, posts: [toDegraded] },
          says: [
            /Incident "maintenance": .*\. Run `pulumi up` again: it compares the impacts and repeats the request if necessary\. No email is sent\.$/m,
          ],
          keeps: { maintenance: { unfinished: true } },
        },
        { up: { maintenance: degraded }, posts: applied ? [] : [toDegraded], mails: 0 },
        { up: { maintenance: degraded }, posts: [], reads: [] },
      ],
    ]),
  ),
  "a change of impacts whose response shows other impacts fails, and the next up repeats it without an email":
    [
      { up: { maintenance } },
      {
        happens: answerWith(operation, "MAJOR_OUTAGE", 1),
        ...{ up: { maintenance: degraded }, fails: 1, mails: 0, posts: [toDegraded] },
        says: [
          "The service responded to the edit of the impacts with different impacts. Run `pulumi up` again",
        ],
        keeps: { maintenance: { unfinished: true } },
      },
      { up: { maintenance: degraded }, posts: [toDegraded], mails: 0 },
      { up: { maintenance: degraded }, posts: [], reads: [] },
    ],
  "a change of impacts that the service rejects gives the reason and leaves the state as it was": [
    { up: { maintenance } },
    {
      faults: [{ kind: "status", code: 422, operation, times: 1 }],
      ...{ up: { maintenance: degraded }, fails: 1, says: ["the service rejected the request (HTTP 422)"] },
      keeps: { maintenance: { unfinished: false, outputs: { impacts: maintenance.impacts } } },
    },
  ],
  "a preview names each component with its state before and after, including components that become operational":
    [
      { up: { maintenance } },
      {
        preview: {
          maintenance: {
            ...maintenance,
            impacts: ["Checkout", "Search"].map((component) => ({ component, status: "MAJOR_OUTAGE" })),
          },
        },
        says: [
          `Incident "maintenance" edits the impacts of a public incident on status page ${page}; no subscriber is emailed\n` +
            '  "Database upgrade 42"\n' +
            '  "Checkout" changes from maintenance to major outage.\n' +
            '  "Search" changes from operational to major outage.\n',
        ],
      },
      {
        preview: { maintenance: without },
        says: ['  "Checkout" changes from maintenance to operational.\n'],
      },
      {
        preview: { maintenance: { ...maintenance, impacts: unknownValue } },
        says: ["  Unknown until `pulumi up`: impacts.\n"],
      },
      {
        ...{ happens: resolve, preview: { maintenance: without }, posts: [] },
        says: [
          'Incident "maintenance" changes only in the state; nothing is opened or emailed\n  "Database upgrade 42"\n',
        ],
      },
    ],
  "a preview shows an incident, its page and its impacts as far as they are known and aren't secrets": [
    {
      preview: {
        maintenance,
        "maintenance-2": { ...without, name: secret("Canary."), notifySubscribers: unknownValue },
        "maintenance-3": { ...without, name: unknownValue, notifySubscribers: false },
        "maintenance-4": { ...without, statusPageId: unknownValue },
      },
      ...{ posts: [], hides: /Canary/ },
      says: [
        '"maintenance" opens an incident on "Shop" (page_shop)\n  "Database upgrade 42", maintenance of Checkout\n' +
          "  MONITORING, every subscriber is emailed:\n  | Orders may be slow.\n",
        /"maintenance-2" .*page_shop.*\n {2}A secret name\n {2}MONITORING, it is not known yet whether subscribers are emailed:\n/,
        /"maintenance-3" .*page_shop, unless.*\n {2}A name that is not known yet\n {2}MONITORING, no subscriber is emailed:\n/,
        /"maintenance-4" .*on a status page that is not known yet,.*\n {2}"Database upgrade 42"\n/,
      ],
    },
    { preview: { maintenance: without }, reads: ["incidents", page].sort() },
  ],
  "an adopted incident with other impacts is recorded, and the declaration of the public impacts succeeds": [
    { up: { maintenance } },
    {
      ...{ happens: losing(), preview: { maintenance: degraded }, fails: 1, posts: [] },
      says: ["Checkout shows maintenance, but degraded performance is declared. Nothing was edited."],
    },
    {
      ...{ up: { maintenance: degraded }, fails: 1, posts: [] },
      says: ["Checkout shows maintenance, but degraded performance is declared. Nothing was edited."],
      keeps: { maintenance: { unfinished: true, outputs: { incidentId: expect.any(String) as string } } },
    },
    { up: { maintenance }, posts: [] },
    { up: { maintenance: degraded }, posts: [toDegraded] },
  ],
  "impacts that change after a lost opening are rejected until the sent impacts are declared": [
    {
      faults: [
        { kind: "lateVisibility", operation: "openComponentPageIncident", reads: 40, times: 1 },
        { kind: "reset", operation: "openComponentPageIncident", times: 1, applied: true },
      ],
      ...{ up: { maintenance }, fails: 1 },
    },
    {
      ...{ up: { maintenance: degraded }, fails: 1, posts: [] },
      says: ["Checkout shows maintenance, but degraded performance is declared."],
    },
    { up: { maintenance }, posts: [] },
    { up: { maintenance: degraded }, posts: [toDegraded] },
  ],
});
