/** What the lifecycle of `Incident` does: what is sent, and that nothing is opened twice. Every interleaving: test/explore/configurations/opened.js. */
import { stderr } from "node:process";
import { type Sandbox, seedData, startSandbox, wellKnown } from "../../sandbox";
import { fc, runs } from "../propertySeed";
import { temporaryFolder } from "../temporaryFolder";
import "./idleClock";
import { imported, phase, type Properties } from "./phases";
import { catchError } from "./updateProcess";

const page = wellKnown.componentPages.shop;
const args = {
  statusPageId: page,
  name: "Database upgrade",
  impacts: [{ component: "Checkout", status: "UNDER_MAINTENANCE" }],
  status: "MONITORING",
  description: "Orders are slower until 03:00 UTC.",
  notifySubscribers: true,
};
let resource = "upgrade";
const by = () => ({
  __call: { urn: `urn:pulumi:dev::shop::pulumi-nodejs:dynamic/monitoring:Incident::${resource}` },
});

let sandbox: Sandbox;
let notices: string[] = [];
let settings: Record<string, string>;
beforeEach(async () => {
  sandbox = await startSandbox();
  notices = [];
  resource = "upgrade";
  settings = { "monitoring:lockDirectory": temporaryFolder() };
  jest.spyOn(stderr, "write").mockImplementation((text) => notices.push(String(text).trim()) > 0);
});
afterEach(() => sandbox.close());

const listIncidents = ({ accounts }: Pick<Sandbox["data"], "accounts">) =>
  accounts.flatMap(({ componentPages }) => componentPages.flatMap((each) => each.incidents));
const incidents = () => listIncidents(sandbox.data);
/** Changes the incidents that the test has opened, as somebody in the dashboard does. */
const changeByHand = (change: (incident: ReturnType<typeof incidents>[number]) => void) =>
  sandbox.byHand.change((data) => {
    for (const incident of listIncidents(data)) if (incident.name.startsWith("Database")) change(incident);
  });
const opened = () => incidents().filter(({ name }) => name.startsWith("Database"));
const process = (more: Record<string, string> = {}) =>
  phase("Incident", sandbox, { settings: { ...settings, ...more } });

async function up(
  declared: object = {},
  old?: { id: string; outs: Properties },
  more?: Record<string, string>,
) {
  const provider = await process(more);
  const checkDeclared = async () => {
    const { inputs = {}, failures } = await provider.check(old ? { ...args, ...by() } : {}, {
      ...args,
      ...declared,
      ...by(),
    });
    expect(failures).toEqual([]);
    return inputs;
  };
  const inputs = await checkDeclared();
  if (!old) {
    const { id, outs = {} } = await provider.create(inputs);
    return { id, outs };
  }
  const { changes } = await provider.diff(old.id, old.outs, inputs);
  if (!changes) return old;
  const { outs = {} } = await provider.update(old.id, old.outs, inputs);
  return { id: old.id, outs };
}

const resolve = () =>
  sandbox.byHand.change(({ accounts }) => {
    for (const incident of accounts.flatMap(({ componentPages }) =>
      componentPages.flatMap((each) => each.incidents),
    ))
      if (incident.name === args.name) {
        const [first] = incident.incidentUpdates;
        const created_at = new Date(Date.now() + 1_000).toISOString();
        if (first && first.status !== "RESOLVED")
          incident.incidentUpdates.unshift({
            ...first,
            id: `resolved-${incident.id}`,
            created_at,
            status: "RESOLVED",
          });
      }
  });

async function leaveUnconfirmed() {
  const operation = "openComponentPageIncident";
  sandbox.faults.add({ kind: "lateVisibility", operation, reads: 40, times: 1 });
  sandbox.faults.add({ kind: "reset", operation, times: 1, applied: true });
  const { id = "", properties = {} } = await catchError(up());
  sandbox.faults.clear();
  return { id, outs: properties };
}

const puts = () => sandbox.requests.filter(({ method }) => method === "PUT").map(({ body }) => body);
const otherImpacts = "affects other components than `impacts` declares";
const impactsChange = "The impacts on components change.";
const degraded = [{ component: "Checkout", status: "DEGRADED_PERFORMANCE" }];

it("an incident is opened with its name, its first update and the IDs of its components", async () => {
  const { id, outs } = await up();
  const posts = sandbox.requests.filter(({ method }) => method === "POST");
  const { status, description, notifySubscribers, name } = args;
  const [{ id: componentId } = { id: "" }] =
    sandbox.data.accounts[0].componentPages[0]?.components.filter((each) => each.name === "Checkout") ?? [];
  expect(posts.map(({ path, body }) => [path, body])).toEqual([
    [
      `/v3/status-pages/${page}/incidents`,
      {
        name,
        incidentUpdates: [{ status, description, notifySubscribers }],
        componentImpacts: [{ componentId, status: "UNDER_MAINTENANCE" }],
      },
    ],
  ]);
  const [incident] = opened();
  expect(id).toBe(`${page}/${incident?.id}`);
  expect(outs).toMatchObject({ ...args, incidentId: incident?.id, missing: false });
  expect(outs).not.toHaveProperty("account");
  expect(await up({}, { id, outs })).toEqual({ id, outs });
});

it("an incident without impacts is opened without any, in its account", async () => {
  const { url: baseUrl, apiKey, accountId } = sandbox;
  const accounts = JSON.stringify({ shop: { baseUrl, apiKey, accountId } });
  const { outs } = await up({ impacts: [], account: "shop" }, undefined, { "monitoring:accounts": accounts });
  expect(outs).toMatchObject({ impacts: [], account: "shop" });
  const [post] = sandbox.requests.filter(({ method }) => method === "POST");
  expect(post?.body).toMatchObject({ componentImpacts: [] });
});

it("an incident whose response was lost is found, and the next up searches for one that isn't shown", async () => {
  sandbox.faults.add({ kind: "reset", operation: "openComponentPageIncident", times: 1, applied: true });
  await up();
  expect(opened()).toHaveLength(1);
  sandbox.faults.add({ kind: "lateVisibility", operation: "openComponentPageIncident", reads: 40, times: 1 });
  sandbox.faults.add({ kind: "reset", operation: "openComponentPageIncident", times: 1, applied: true });
  const second = { name: "Database moves" };
  resource = "moves";
  const { id = "", properties = {}, message } = await catchError(up(second));
  expect(message).toContain("The incident isn't on the status page so far");
  sandbox.faults.clear();
  const { outs } = await up(second, { id, outs: properties });
  expect(outs).toMatchObject({ incidentId: opened()[1]?.id });
  expect(opened()).toHaveLength(2);
});

it("an identical incident is adopted while it is open, and a resolved one requires a code, which opens another", async () => {
  await up();
  const { outs } = await up();
  expect(outs["incidentId"]).toBe(opened()[0]?.id);
  expect(notices.join()).toContain("adopted the identical incident");
  resolve();
  const { message } = await catchError(up());
  expect(message).toContain("and the same first update. Nothing was opened.");
  expect(opened()).toHaveLength(1);
  const [, code = ""] = /monitoring:resend (\w{8})/.exec(message) ?? [];
  await up({}, undefined, { "monitoring:resend": code });
  expect(opened()).toHaveLength(2);
});

it("an incident isn't opened beside an open incident with the same name and different content", async () => {
  await up();
  resource = "other";
  const { message } = await catchError(up({ description: "Orders are slower until 04:00 UTC." }));
  expect(message).toContain(
    "is open with the declared name and a different first update. Nothing was opened.",
  );
  expect(opened()).toHaveLength(1);
});

it("a note in the lock directory doesn't prove that an open incident with the declared name is a different one", async () => {
  // The state of the first resource is lost, and its note records the incident with the first text.
  await up();
  resource = "renamed";
  const { message } = await catchError(up({ description: "Orders are slower until 05:00 UTC." }));
  expect(message).toContain("a different first update. Nothing was opened.");
  const [, code = ""] = /monitoring:resend "?(\w{8})/.exec(message) ?? [];
  await up({ description: "Orders are slower until 05:00 UTC." }, undefined, { "monitoring:resend": code });
  expect(opened()).toHaveLength(2);
});

it("two stacks that declare the same incident share one, even without a shared lock directory", async () => {
  const { outs } = await up();
  resource = "of another stack";
  settings = { "monitoring:lockDirectory": temporaryFolder() };
  const other = await up();
  expect(other.outs["incidentId"]).toBe(outs["incidentId"]);
  expect(opened()).toHaveLength(1);
});

it("an incident whose first read is late isn't opened again after the state is lost", async () => {
  sandbox.faults.add({ kind: "lateVisibility", operation: "openComponentPageIncident", reads: 6, times: 1 });
  const { outs } = await up();
  const again = await up();
  expect(again.outs["incidentId"]).toBe(outs["incidentId"]);
  expect(opened()).toHaveLength(1);
});

it("the impacts of an adopted incident become the declared ones, with a code if a user chose others", async () => {
  await up();
  const { message } = await catchError(up({ impacts: degraded }));
  expect(message).toContain(otherImpacts);
  expect(message).not.toContain("was changed");
  expect(puts()).toEqual([]);
  const [, code = ""] = /monitoring:resend "?(\w{8})/.exec(message) ?? [];
  const { outs } = await up({ impacts: degraded }, undefined, { "monitoring:resend": code });
  expect(outs).toMatchObject({ impacts: degraded, incidentId: opened()[0]?.id });
  const [{ componentImpacts } = { componentImpacts: [] }, ...others] = opened();
  expect(others).toEqual([]);
  const lasting = componentImpacts.filter(({ endedAt }) => endedAt === null);
  expect(lasting.map(({ status }) => status)).toEqual(["DEGRADED_PERFORMANCE"]);
});

it("impacts that change after a lost response are edited once the incident is found", async () => {
  const { outs } = await up({ impacts: degraded }, await leaveUnconfirmed());
  expect(outs).toMatchObject({ impacts: degraded, incidentId: opened()[0]?.id });
  expect(puts()).toHaveLength(1);
  expect(opened()).toHaveLength(1);
});

it("opening sends three reads, one for each open incident, and one post, and an unchanged incident sends nothing", async () => {
  const isOpen = ({ incidentUpdates }: ReturnType<typeof incidents>[number]) =>
    incidentUpdates[0]?.status !== "RESOLVED";
  const shop = sandbox.data.accounts[0].componentPages.find(({ id }) => id === page);
  const candidates = shop?.incidents.filter(isOpen).length ?? 0;
  expect(candidates).toBeGreaterThan(0);
  const before = await up();
  const methods = sandbox.requests.map(({ method }) => method);
  expect(methods.filter((method) => method === "GET")).toHaveLength(3 + candidates);
  expect(methods.filter((method) => method !== "GET")).toEqual(["POST"]);
  sandbox.clearRequests();
  expect(await up({}, before)).toEqual(before);
  expect(sandbox.requests).toEqual([]);
});

const maintain = (component: string) => ({ component, status: "UNDER_MAINTENANCE" });
const maintained = (component: object) => ({ impacts: [{ ...component, status: "UNDER_MAINTENANCE" }] });
const {
  statusPages: [{ id: cards, name: cardsName } = { id: "", name: "" }],
  componentPages: seededPages,
} = seedData().accounts[0];
const findComponent = (name: string) =>
  seededPages.find(({ id }) => id === page)?.components.find((each) => each.name === name);
const checkoutId = findComponent("Checkout")?.id;

it.each([
  ["a component that doesn't exist", maintained({ component: "Chekout" }), '(did you mean "Checkout"?).'],
  [
    "an ID of no component",
    maintained({ componentId: "none" }),
    `impacts[0].componentId isn't a component of the status page ${page}; its components are ${checkoutId} (Checkout), `,
  ],
  ["a misspelled ID", maintained({ componentId: `${checkoutId}_` }), `(did you mean "${checkoutId}"?).`],
  [
    "two unknown components",
    { impacts: ["One", "Two"].map(maintain) },
    "its components are Checkout, Cart, Search, Images.\n  - impacts[1].component isn't a",
  ],
  ["a group", maintained({ component: "Orders" }), "is a group. Name its components"],
  [
    "two components of one name",
    maintained({ component: "Search" }),
    `is the name of 2 components. Set componentId (${findComponent("Search")?.id}, comp_search_2)`,
  ],
  [
    "an impact twice",
    { impacts: [...args.impacts, ...args.impacts] },
    "impacts[1] must not name a component twice",
  ],
  [
    "a component that is named and given by its ID",
    { impacts: [...args.impacts, { componentId: checkoutId, status: "MAJOR_OUTAGE" }] },
    "must not name a component twice",
  ],
  ["a page that isn't found", { statusPageId: "page_none" }, "not found (HTTP 404)"],
  ["a misspelled page", { statusPageId: "page_shpo" }, `Did you mean "${page}"?`],
  [
    "a page with cards",
    { statusPageId: cards },
    `"${cardsName}" is a page with cards, which the vendor has retired.`,
  ],
  [
    "a page with cards, without impacts",
    { statusPageId: cards, impacts: [] },
    `"${cardsName}" is a page with cards, which the vendor has retired.`,
  ],
])("no incident is opened for %s", async (_, wrong, why) => {
  const copy = findComponent("Search");
  sandbox.byHand.change(({ accounts: [{ componentPages }] }) => {
    const shop = componentPages.find(({ id }) => id === page);
    if (copy && why.includes("2 components")) shop?.components.push({ ...copy, id: "comp_search_2" });
  });
  const { message } = await catchError(up(wrong));
  expect(message).toContain(why);
  expect(message.match(/undefined|twice/g)).toEqual(why.match(/twice/g));
  expect(sandbox.requests.filter(({ method }) => method !== "GET")).toEqual([]);
});

it("no incident is opened on a page of another account", async () => {
  const { message } = await catchError(
    up({}, undefined, { "monitoring:accountId": wellKnown.accounts.labs }),
  );
  expect(message).toContain("not found (HTTP 404)");
  expect(sandbox.requests.filter(({ method }) => method !== "GET")).toEqual([]);
});

it.each([
  ["an empty name", { name: "  " }, "name", "must not be empty"],
  ["a name of 256 characters", { name: "x".repeat(256) }, "name", "must have at most 255 characters"],
  ["a name of two lines", { name: "One\nTwo" }, "name", "must be one line without control characters"],
  [
    "a status that no component can have",
    { impacts: [{ component: "Checkout", status: "MONITORING" }] },
    "impacts[0].status",
    "must be one of",
  ],
  ["an impact without a component", maintained({}), "impacts[0]", "must have either component"],
])("a check rejects %s without a request", async (_, wrong, property, reason) => {
  const provider = await process();
  const { failures = [] } = await provider.check({}, { ...args, ...wrong, ...by() });
  const [failure] = failures;
  expect(failures).toHaveLength(1);
  expect([failure?.property, failure?.reason].join(" ")).toContain(property);
  expect(failure?.reason).toContain(reason);
  expect(sandbox.requests).toEqual([]);
});

it.each([{ name: "Database upgrades" }, { description: "Soon." }, { status: "RESOLVED" }])(
  "a change of an open incident is rejected: %j",
  async (change) => {
    const before = await up();
    const { message } = await catchError(up(change, before));
    expect(message).toContain(
      `${Object.keys(change)[0]} must not change, because the incident is public. Nothing was edited.`,
    );
  },
);

it("changed impacts are edited without an email, and a second up does nothing", async () => {
  const before = await up();
  const after = await up({ impacts: degraded }, before);
  expect(puts()).toEqual([
    {
      name: args.name,
      componentImpacts: [{ componentId: expect.any(String), status: "DEGRADED_PERFORMANCE" }],
    },
  ]);
  expect(opened()).toHaveLength(1);
  const { length } = sandbox.requests;
  await up({ impacts: degraded }, after);
  expect(sandbox.requests).toHaveLength(length);
});

it("changed impacts of a resolved incident are recorded, and nothing is sent", async () => {
  const before = await up();
  resolve();
  const after = await up({ impacts: degraded }, before);
  expect(puts()).toEqual([]);
  expect(after.outs).toMatchObject({ impacts: degraded });
  const { length } = sandbox.requests;
  await up({ impacts: degraded }, after);
  expect(sandbox.requests).toHaveLength(length);
});

it("a name is edited if onChange is edit", async () => {
  const before = await up({ onChange: "edit" });
  const { outs } = await up({ onChange: "edit", name: "Database upgrade 42" }, before);
  expect(opened().map(({ name }) => name)).toEqual(["Database upgrade 42"]);
  expect(outs).toMatchObject({ name: "Database upgrade 42", incidentId: before.outs["incidentId"] });
});

it.each([
  [{ name: "Moved" }, 'The name changes from "Database upgrade".', '"Moved", maintenance of Checkout'],
  [{ impacts: degraded }, impactsChange, '"Database upgrade", degraded performance of Checkout'],
  [{ impacts: [] }, impactsChange, '"Database upgrade"'],
])("a preview of an incident shows changes other than those of the text: %j", async (change, line, now) => {
  const { id, outs } = await up({ onChange: "edit" });
  const provider = await process();
  const declared = { ...args, onChange: "edit", ...change };
  const { inputs = {} } = await provider.check(
    { ...args, __call: { ...by().__call, secrets: [] } },
    { ...declared, __call: { ...by().__call, previews: true, shown: declared } },
  );
  notices = [];
  await provider.diff(id, outs, inputs);
  expect(notices.join("\n").split("\n")).toEqual([
    `Incident "upgrade" edits a public incident on "Shop" (${page})`,
    `  ${line}`,
    `  ${now}`,
    "  MONITORING, no subscriber is emailed:",
    `  | ${args.description}`,
  ]);
});

const wasChanged = "was changed on the service";
it.each<[string, Parameters<typeof sandbox.faults.add>[0], nameByHand?: string, why?: string]>([
  ["arrived is completed by the next up", { kind: "reset" }],
  ["was accepted is completed by the next up", { kind: "status", code: 422 }],
  ["arrived requires a code if the name was changed since", { kind: "reset" }, "Database moves", wasChanged],
])("an edit of which only the first request %s", async (_, fault, nameByHand = args.name, why) => {
  const before = await up({ onChange: "edit" });
  const change = {
    onChange: "edit",
    name: "Database upgrade 42",
    description: "Orders are slower until 04:00 UTC.",
  };
  sandbox.faults.add({ ...fault, operation: "editComponentPageIncident", times: 1 });
  const { properties = {} } = await catchError(up(change, before));
  expect(opened().map(({ name, incidentUpdates: [first] }) => [name, first?.description])).toEqual([
    [args.name, change.description],
  ]);
  changeByHand((incident) => (incident.name = nameByHand));
  const next = up(change, { id: before.id, outs: properties });
  if (why === undefined) expect((await next).outs).toMatchObject({ name: change.name });
  else expect((await catchError(next)).message).toContain(why);
  expect(opened().map(({ name }) => name)).toEqual([why === undefined ? change.name : nameByHand]);
});

it("an ended incident with the declared name requires a code if its history lacks the first update", async () => {
  await up();
  resolve();
  changeByHand((incident) => {
    const [last] = incident.incidentUpdates;
    const later = (_: unknown, index: number) => last && { ...last, id: `later-${index}` };
    incident.incidentUpdates = Array.from({ length: 100 }, later).flatMap((each) => each ?? []);
  });
  resource = "another";
  const { message } = await catchError(up());
  expect(message).toMatch(/is resolved, .* Nothing was opened\./);
  expect(opened()).toHaveLength(1);
});

it("an incident whose name the service shows with other characters isn't opened again", async () => {
  const name = "Database upgrade \u2192 v2";
  const { outs } = await up({ name });
  changeByHand((incident) => (incident.name = name.replace("\u2192", "?")));
  resource = "another";
  expect((await up({ name })).outs["incidentId"]).toBe(outs["incidentId"]);
  expect(opened()).toHaveLength(1);
});

it("impacts that were changed on the service are overwritten only with a resend code", async () => {
  const before = await up();
  sandbox.byHand.change(({ accounts }) => {
    for (const incident of accounts.flatMap(({ componentPages }) =>
      componentPages.flatMap((each) => each.incidents),
    ))
      if (incident.name === args.name)
        for (const impact of incident.componentImpacts) impact.status = "MAJOR_OUTAGE";
  });
  const { message } = await catchError(up({ impacts: degraded }, before));
  expect(message).toContain(otherImpacts);
  expect(puts()).toEqual([]);
});

it.each(["open", "resolved"])("an incident that is %s is imported with its inputs", async (state) => {
  const { id, outs } = await up();
  if (state === "resolved") resolve();
  const { inputs, outputs } = await imported("Incident", id, sandbox);
  const { notifySubscribers: _, ...declared } = args;
  const lasting = [{ componentId: checkoutId, status: "UNDER_MAINTENANCE" }];
  const impacts = state === "open" ? lasting : [];
  expect(inputs).toEqual({ ...declared, impacts });
  expect(outputs).toMatchObject({ ...declared, impacts, incidentId: outs["incidentId"], missing: false });
});

it.each(["page_shop", "/inc_1", "page_shop/", "page_shop/inc_1/upd_1"])(
  "an import of an incident explains the format of an ID for %p, and sends no request",
  async (id) => {
    const { message } = await catchError(imported("Incident", id, sandbox));
    expect(message).toBe("Incident import: id must be <statusPageId>/<incidentId>.");
    expect(sandbox.requests).toEqual([]);
  },
);

it("an incident that can't be declared isn't imported, and the reasons are reported", async () => {
  const { id } = await up();
  changeByHand(({ incidentUpdates }) => incidentUpdates.forEach((each) => (each.description = "")));
  const { message } = await catchError(imported("Incident", id, sandbox));
  const reason = "description must not be empty";
  expect(message).toBe(`Incident import: id is the ID of an incident that can't be declared: ${reason}.`);
});

it("a refresh shows an edit by hand, and that an incident is missing", async () => {
  const { id, outs } = await up();
  changeByHand((incident) => (incident.name = "Database moves"));
  const { impacts: _, statusPageId: __, ...content } = { ...args, name: "Database moves" };
  expect(await (await process()).read(id, outs)).toEqual({
    id,
    props: {
      ...outs,
      missing: false,
      published: { ...content, componentImpacts: (outs["published"] as Properties)["componentImpacts"] },
    },
  });
  expect(notices).toEqual([]);
  const gone = { ...outs, incidentId: "inc_gone" };
  const goneId = `${page}/inc_gone`;
  expect(await (await process()).read(id, gone)).toEqual({ id: goneId, props: { ...gone, missing: true } });
  await (await process()).delete(goneId, { ...gone, missing: true });
  expect(notices).toEqual([
    `Incident "upgrade", ${goneId}: not found on the service. It stays in the state and is not opened again.`,
    `Incident "upgrade", ${goneId}: removed from the state. The incident was missing at the last refresh.`,
  ]);
  const labs = { "monitoring:accountId": wellKnown.accounts.labs };
  const { message } = await catchError((await process(labs)).read(id, outs));
  expect(message).toContain(", but the incident was opened on account ");
});

it("a refresh of an incident whose response was lost only reports that it is unconfirmed", async () => {
  const { id, outs } = await leaveUnconfirmed();
  sandbox.clearRequests();
  notices = [];
  expect(await (await process()).read(id, outs)).toEqual({
    id,
    props: { ...outs, __provider: undefined },
  });
  expect(notices).toEqual([
    `Incident "upgrade", ${id}: still unconfirmed. \`pulumi up\` searches for the incident.`,
  ]);
  expect(id).toMatch(/^page_shop\/incident-[0-9a-f]{16}$/);
  expect(sandbox.requests).toEqual([]);
});

it.each<[string, object, string]>([
  ["lacks its version", { made: undefined }, "made can't be read from the state. Nothing was opened."],
  ["has a damaged note", { unconfirmed: { nonce: 1 } }, " can't be read from the state. Nothing was opened."],
])("a refresh of a state that %s is rejected", async (_, damage, reason) => {
  const { id, outs } = await up();
  // The engine doesn't store a value that is undefined.
  const stored: Properties = JSON.parse(JSON.stringify({ ...outs, ...damage }));
  const { message } = await catchError((await process()).read(id, stored));
  expect(message).toMatch(new RegExp(`^Incident ${id}: .*`));
  expect(message).toContain(reason);
});

const stillOpen =
  " It is still open. To resolve it, post a RESOLVED update in the dashboard, or declare an IncidentUpdate with this statusPageId and incidentId.";
it.each<[string, () => ReturnType<typeof leaveUnconfirmed>, string, number]>([
  ["that is open", () => up(), `stays public.${stillOpen}`, 1],
  ["that is resolved", () => up().finally(resolve), "stays public.", 1],
  ["whose response was lost", () => leaveUnconfirmed(), "may be public.", 0],
  [
    "that can't be read",
    () => up().finally(() => sandbox.faults.add({ kind: "status", code: 403 })),
    "stays public.",
    1,
  ],
])("the removal of an incident %s is reported", async (_, declare, text, reads) => {
  const { id, outs } = await declare();
  sandbox.clearRequests();
  notices = [];
  await (await process()).delete(id, outs);
  expect(notices).toEqual([`Incident "upgrade", ${id}: removed from the state. The incident ${text}`]);
  expect(sandbox.requests).toHaveLength(reads);
});

const step = fc.record({
  answer: fc.constantFrom("whole" as const, "lost" as const, "not sent" as const),
  reads: fc.constantFrom(0, 3, 30),
  isForgotten: fc.boolean(),
  isResolved: fc.integer({ min: 0, max: 5 }).map((count) => count === 0),
});

it("no sequence of lost responses, late reads, lost states and resolutions opens a second incident without a code", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 4 }), async (steps) => {
      sandbox.faults.clear();
      sandbox.byHand.change(({ accounts }) => {
        for (const each of accounts.flatMap(({ componentPages }) => componentPages))
          each.incidents = each.incidents.filter(({ name }) => name !== args.name);
      });
      settings = { "monitoring:lockDirectory": temporaryFolder() };
      let state: { id: string; outs: Properties } | undefined;
      for (const { answer, reads, isForgotten, isResolved } of steps) {
        if (isResolved) resolve();
        const [operation, times] = ["openComponentPageIncident" as const, 1];
        if (reads > 0) sandbox.faults.add({ kind: "lateVisibility", operation, reads, times });
        if (answer !== "whole")
          sandbox.faults.add({ kind: "reset", operation, times, applied: answer === "lost" });
        const previous = state;
        state = await up({}, previous).catch((error: unknown) => {
          const { id, properties = {} } = error as { id?: string; properties?: Properties };
          return id === undefined ? previous : { id, outs: properties };
        });
        if (isForgotten) state = undefined;
        expect(opened().length).toBeLessThanOrEqual(1);
      }
    }),
    { numRuns: runs(8) },
  );
});
