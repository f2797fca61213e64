/** What the lifecycle of `Incident` does: what is sent, and that nothing is opened twice. Every interleaving: test/explore/configurations/opened.js. */
import { stderr } from "node:process";
import { seedData, type Sandbox, startSandbox, wellKnown } from "../../sandbox";
import { fc, runs } from "../propertySeed";
import { temporaryFolder } from "../temporaryFolder";
import "./idleClock";
import { imported, phase, type Properties } from "./phases";
import { failureOf } from "./updateProcess";

const page = wellKnown.componentPages.shop;
const [pageWithCards = { id: "", name: "" }] = seedData().accounts[0].statusPages;
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

const incidents = () =>
  sandbox.data.accounts.flatMap(({ componentPages }) => componentPages.flatMap((each) => each.incidents));
const opened = () => incidents().filter(({ name }) => name.startsWith("Database"));
const process = (more: Record<string, string> = {}) =>
  phase("Incident", sandbox, { settings: { ...settings, ...more } });

async function up(
  declared: object = {},
  old?: { id: string; outs: Properties },
  more?: Record<string, string>,
) {
  const provider = await process(more);
  const inputsOf = async () => {
    const { inputs = {}, failures } = await provider.check(old ? { ...args, ...by() } : {}, {
      ...args,
      ...declared,
      ...by(),
    });
    expect(failures).toEqual([]);
    return inputs;
  };
  const inputs = await inputsOf();
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
      if (incident.name === args.name)
        incident.incidentUpdates.unshift({
          ...incident.incidentUpdates[0]!,
          id: `resolved-${incident.id}`,
          created_at: new Date(Date.now() + 1_000).toISOString(),
          status: "RESOLVED",
        });
  });

it("an incident is opened with its name, its first update and the ids of its components", async () => {
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
  expect(await up({}, { id, outs })).toEqual({ id, outs });
});

it("an incident whose response is lost is found, and one that isn't shown is searched for by the next up", async () => {
  sandbox.faults.add({ kind: "reset", operation: "openComponentPageIncident", times: 1, applied: true });
  await up();
  expect(opened()).toHaveLength(1);
  sandbox.faults.add({ kind: "lateVisibility", operation: "openComponentPageIncident", reads: 40, times: 1 });
  sandbox.faults.add({ kind: "reset", operation: "openComponentPageIncident", times: 1, applied: true });
  const second = { name: "Database moves" };
  resource = "moves";
  const { id = "", properties = {}, message } = await failureOf(up(second));
  expect(message).toContain("It isn't in the status page so far");
  sandbox.faults.clear();
  const { outs } = await up(second, { id, outs: properties });
  expect(outs).toMatchObject({ incidentId: opened()[1]?.id });
  expect(opened()).toHaveLength(2);
});

it("an identical incident is adopted while it is open; one that is resolved is asked about, and its code opens another", async () => {
  await up();
  const { outs } = await up();
  expect(outs["incidentId"]).toBe(opened()[0]?.id);
  expect(notices.join()).toContain("adopted, nothing opened");
  resolve();
  const { message } = await failureOf(up());
  expect(message).toContain("and the same first update is resolved. Nothing was opened.");
  expect(opened()).toHaveLength(1);
  const [, code = ""] = /monitoring:resend (\w{8})/.exec(message) ?? [];
  await up({}, undefined, { "monitoring:resend": code });
  expect(opened()).toHaveLength(2);
});

it("an incident isn't opened beside one that is open under its name and says something else", async () => {
  await up();
  resource = "other";
  const { message } = await failureOf(up({ description: "Orders are slower until 04:00 UTC." }));
  expect(message).toContain(
    'is open with the name "Database upgrade" and a different first update. Nothing was opened.',
  );
  expect(opened()).toHaveLength(1);
});

it.each([
  [{ impacts: [{ component: "Chekout", status: "UNDER_MAINTENANCE" }] }, 'Did you mean "Checkout"?'],
  [
    { impacts: [{ componentId: "none", status: "UNDER_MAINTENANCE" }] },
    "isn't a component of the status page",
  ],
  [{ statusPageId: "page_none" }, "not found (HTTP 404)"],
  [{ statusPageId: "page_shpo" }, `Did you mean "${page}"?`],
  [
    { statusPageId: pageWithCards.id },
    `"${pageWithCards.name}" is a page with cards, which the vendor has retired.`,
  ],
  [
    { statusPageId: pageWithCards.id, impacts: [] },
    `"${pageWithCards.name}" is a page with cards, which the vendor has retired.`,
  ],
])("nothing is opened for %j", async (wrong, why) => {
  const { message } = await failureOf(up(wrong));
  expect(message).toContain(why);
  expect(sandbox.requests.filter(({ method }) => method !== "GET")).toEqual([]);
});

it.each([{ name: "Database upgrades" }, { description: "Soon." }, { status: "RESOLVED" }])(
  "a change of an open incident is refused: %j",
  async (change) => {
    const before = await up();
    const { message } = await failureOf(up(change, before));
    expect(message).toContain(
      `${Object.keys(change)[0]} must not change: the incident is public. Nothing was opened.`,
    );
  },
);

const puts = () => sandbox.requests.filter(({ method }) => method === "PUT").map(({ body }) => body);
const degraded = [{ component: "Checkout", status: "DEGRADED_PERFORMANCE" }];

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

it("a name is edited where onChange is edit", async () => {
  const before = await up({ onChange: "edit" });
  const { outs } = await up({ onChange: "edit", name: "Database upgrade 42" }, before);
  expect(opened().map(({ name }) => name)).toEqual(["Database upgrade 42"]);
  expect(outs).toMatchObject({ name: "Database upgrade 42", incidentId: before.outs["incidentId"] });
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
  const { message } = await failureOf(up({ impacts: degraded }, before));
  expect(message).toContain("was changed on the service");
  expect(puts()).toEqual([]);
});

it("an incident is imported with its name, first update and impacts", async () => {
  const { id } = await up();
  const { inputs } = await imported("Incident", id, sandbox);
  expect(inputs).toMatchObject({
    statusPageId: page,
    name: args.name,
    status: args.status,
    description: args.description,
  });
});

const step = fc.record({
  answer: fc.constantFrom("whole" as const, "lost" as const, "not sent" as const),
  reads: fc.constantFrom(0, 3, 30),
  isForgotten: fc.boolean(),
  isResolved: fc.integer({ min: 0, max: 5 }).map((count) => count === 0),
});

it("no sequence of lost answers, late reads, lost states and resolutions opens a second incident without a code", async () => {
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
        state = await up({}, state).catch((error: { id?: string; properties?: Properties }) =>
          error.id === undefined ? state : { id: error.id, outs: error.properties ?? {} },
        );
        if (isForgotten) state = undefined;
        expect(opened().length).toBeLessThanOrEqual(1);
      }
    }),
    { numRuns: runs(25) },
  );
});
