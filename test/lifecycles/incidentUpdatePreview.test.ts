/**
 * Previews: the requests that they send, the `up` that they predict, and warnings that equal those of the `up`. The text of the report is
 * tested in test/wording/report.test.ts.
 */
import { computeKeys } from "../../provider/lifecycles/timeline";
import { wellKnown } from "../../sandbox";
import type { DynamicProvider, Properties } from "./phases";
import { temporaryFolder } from "../temporaryFolder";
import { by, create, checkInputs } from "./phases";
import { catchError, incidentId, named, type ResourceState, Service, words } from "./updateProcess";

const service = new Service();
/** Another machine than the one on which the service's processes run. */
const machine = {
  folder: "",
  process: (settings: object = {}) =>
    service.process({ "monitoring:lockDirectory": machine.folder, ...settings }),
};
/** A preview that may show the given text. */
const isPreview = (name = "update", shown: string | undefined = named.description, more: object = {}) =>
  by(name, { previews: true, shown: { description: shown }, ...more });
const over = "It is over.";
const other = (name = "update", more: object = {}) => ({ description: over, ...isPreview(name, over, more) });
/** The next entry of a timeline. */
const keys = computeKeys([words, { ...words, description: over }]);
const next = { ...other("next", { place: { keys, index: 1 } }) };
const quoteName = (id: string = incidentId): string => JSON.stringify(service.sandbox.incident(id).name);
const noneEmailed = "no subscriber is emailed";

beforeEach(() => {
  machine.folder = temporaryFolder();
  // A variable that is set would win, and without one, notes would be in the user's home.
  Reflect.deleteProperty(process.env, "MONITORING_LOCK_DIRECTORY");
  process.env["PULUMI_HOME"] = temporaryFolder();
});

/** The preview of a new resource. */
async function preview(args: object = {}, process?: DynamicProvider): Promise<void> {
  await checkInputs(process ?? (await machine.process()), { ...words, ...isPreview(), ...args });
}

/** The preview of a resource of the stack. */
async function previewResource(
  { id, outs }: ResourceState,
  args: object = {},
  given?: DynamicProvider,
  olds: Properties = { ...words, ...by("update", { secrets: [] }) },
) {
  const process = given ?? (await machine.process());
  const { inputs = {} } = await process.check(olds, { ...words, ...isPreview(), ...args });
  service.sandbox.clearRequests();
  service.notices = [];
  const { replaces = [] } = await process.diff(id, { ...outs }, inputs);
  // The engine checks a replacement a second time.
  if (replaces.length > 0) await process.check({}, { ...words, ...isPreview(), ...args });
}

const requests = () => service.sandbox.requests.map(({ method }) => method);

it("a preview reads each incident once, and includes the updates that it expects to post", async () => {
  const process = await machine.process();
  const id = service.putByHand();
  for (const [resource, args] of Object.entries({
    one: {},
    two: { status: "IDENTIFIED" },
    three: { description: over },
    elsewhere: { incidentId: "inc_card_declines" },
  }))
    await preview({ ...args, ...isPreview(resource, "description" in args ? over : undefined) }, process);
  expect(service.notices).toEqual([
    expect.stringContaining(`"one" adopts update ${id} on ${quoteName()} (${incidentId}), public since `),
    expect.stringMatching(
      /^IncidentUpdate "two" posts to .*\n {2}MAJOR, .*\n {2}Newest update, .*\n {2}IDENTIFIED, no /,
    ),
    expect.stringContaining(`posts to ${quoteName()} (${incidentId})`),
    expect.stringContaining(`posts to ${quoteName("inc_card_declines")} (inc_card_declines)`),
  ]);
  expect(requests()).toEqual(["GET", "GET"]);
  const twin = await catchError(preview(isPreview("twin"), process));
  expect(twin.message).toContain('"one" already declares this update');
});

it("a preview fails in the same way as the up, and suggests the incident for a misspelled ID", async () => {
  const args = { incidentId: "inc_checkout_latencyy" };
  const { message } = await catchError(preview(args));
  expect(message).toMatch(/not found \(HTTP 404\).* Did you mean "inc_checkout_latency"\? If /);
  expect((await catchError(service.declare(args))).message).toContain("not found (HTTP 404)");
  service.sandbox.faults.add({ kind: "status", code: 401 });
  expect((await catchError(preview())).message).toContain("HTTP 401");
});

it("a preview of a service that doesn't respond reports that once, and sends no more requests", async () => {
  service.sandbox.faults.add({ kind: "status", code: 503 });
  const process = await machine.process();
  const elsewhere = ["inc_card_declines", "inc_search_lag"].map((id) => ({
    ...isPreview(id),
    incidentId: id,
  }));
  await Promise.all([preview({}, process), preview(elsewhere[0], process)]);
  service.sandbox.clearRequests();
  await preview(elsewhere[1], process);
  const said = service.notices.join("\n");
  expect(
    said.match(/^warning: .*: not verified\. The preview could not read the service\. .*503/gm),
  ).toHaveLength(1);
  expect(said.match(/posts to incident \S+, unless/g)).toHaveLength(3);
  expect(requests()).toEqual([]);
});

it.each<[string, object]>([
  ["that the program doesn't show", by("update", { previews: true, shown: {} })],
  ["that a transformation has replaced", { description: "Set by a transformation." }],
])("a preview quotes no text %s", async (_, args) => {
  await preview(args);
  const secret: unknown = expect.stringContaining(`\n  ${named.status}, ${noneEmailed}: (secret text)`);
  expect(service.notices).toEqual([secret]);
});

it("a preview hides the text of a state without a mark of secrets, such as one of the native plugin", async () => {
  const { message } = await catchError(previewResource(await service.declare(), other(), undefined, words));
  expect(message).toContain("because the update is public (MONITORING, a secret text)");
  expect(message).not.toContain(words.description);
});

it("a preview reports that the up waits for an update that this machine sent a moment ago", async () => {
  const { id } = await create(await machine.process(), named);
  service.changeByHand({ id });
  service.notices = [];
  const process = await machine.process();
  const began = Date.now();
  await preview(isPreview("renamed"), process);
  await preview(next, process);
  await preview({ ...other("second"), status: "IDENTIFIED" }, process);
  // The preview waits for one second, in which the engine calls the provider for other resources that may explain a rejection.
  expect(Date.now()).toBe(began + 1_000);
  expect(service.notices).toEqual([
    expect.stringMatching(
      /may post to .*, after `pulumi up` has searched again\n.* fails: .*another run sent an identical update \(.*\), which isn't on the incident/,
    ),
    expect.stringContaining("after the result of the previous one is known"),
    expect.stringContaining("after the result of the previous one is known"),
  ]);
});

const warned = () => service.notices.filter((text) => text.startsWith("warning: "));

it.each([
  ["of the newest update, which opens the incident again", 1, -60_000],
  ["of an older update, which opens nothing", 0, 60_000],
])("a preview shows the same warnings for an edit as the up after it: %s", async (_, count, later) => {
  const { componentPages, componentPageIncidents } = wellKnown;
  const address = { statusPageId: componentPages.shop, incidentId: componentPageIncidents.checkoutOutage };
  const place = { keys: computeKeys([words]), index: 0 };
  const editing = { ...address, ...isPreview("update", words.description, { key: "k", place }) };
  const declared = await service.declare({ ...address, status: "RESOLVED" });
  const dated = { publicIncidentUpdateDate: new Date(Date.now() + later).toISOString() };
  await service.declare({ ...address, ...dated, status: "RESOLVED", description: over, ...by("other") });
  await previewResource(declared, editing);
  const previewed = warned();
  expect(previewed).toHaveLength(count);
  service.notices = [];
  const process = await service.process();
  const { inputs = {} } = await process.check(words, {
    ...{ ...words, ...editing },
    ...by("update", { key: "k", place }),
  });
  await process.update(declared.id, declared.outs, inputs);
  expect(warned()).toEqual(previewed);
});
