/**
 * Pages with components on the real engine, by the plugin: updates are posted there. Edits, by both adapters: edits.test.ts. By the
 * dynamic provider, also a page that is migrated: docs/guides/migrating-a-page.md and correcting-an-update.md.
 */
import { type Sandbox, wellKnown } from "../../sandbox";
import { Service } from "../engine/service";
import { createStack, expectSuccess } from "../engine/stack";

const [page, outage] = [wellKnown.componentPages.shop, wellKnown.componentPageIncidents.checkoutOutage];
const service = new Service();

/** What a program declares on an incident: one update and a timeline, which the service has beside what others posted. */
const createProgram = (address: object, texts: readonly string[]): string => `
const m = require("pulumi-monitoring-service/native");
const address = ${JSON.stringify(address)};
const single = new m.IncidentUpdate("single", { ...address, status: "MONITORING", description: "On it." });
const updates = ${JSON.stringify(texts)}.map((description, index) => ({ key: "part-" + index, status: "MONITORING", description }));
const story = new m.IncidentTimeline("story", { ...address, updates }, { dependsOn: single });
exports.ids = story.incidentUpdateIds;
exports.name = m.getStatusPageIncidentOutput(address).name;
exports.read = m.getIncidentUpdateOutput({ ...address, incidentUpdateId: single.incidentUpdateId }).description;
`;

const posts = ({ requests }: Sandbox) => requests.filter(({ method }) => method === "POST");

const createPluginStack = async (program: string) => {
  const stack = await createStack({ program, sandbox: service.sandbox });
  stack.declarePlugin();
  return stack;
};

it("updates of an incident of a page with components are public there once, and a second run changes nothing", async () => {
  const { sandbox } = service;
  const address = { statusPageId: page, incidentId: outage };
  const stack = await createPluginStack(createProgram(address, ["First.", "Second."]));
  expectSuccess(await stack.up());
  const shown = sandbox.incident(outage, page).incidentUpdates.slice(0, 3).reverse();
  expect(shown.map(({ description }) => description)).toEqual(["On it.", "First.", "Second."]);
  expect(posts(sandbox).map(({ path, body }) => ({ path, body }))).toEqual(
    shown.map(({ status, description }) => ({
      path: `/v3/status-pages/${page}/incidents/${outage}/incident-updates`,
      body: { status, description, notifySubscribers: false },
    })),
  );
  const [single, ...story] = shown.map(({ id }) => id);
  expect(await stack.outputs()).toEqual({
    ...{ ids: story, name: sandbox.incident(outage, page).name, read: "On it." },
  });
  expect(stack.stateText).toContain(`"${page}/${outage}/${single}"`);
  const again = expectSuccess(await stack.up("--refresh"));
  expect(again).toMatch(/5 unchanged/);
  expect(posts(sandbox)).toHaveLength(3);
});
