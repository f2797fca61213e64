/**
 * Edits of a timeline's entry on a page with components: the requests that are sent, the changes that are rejected, and the state after
 * an edit. Lost responses and killed runs are tested in test/protocol/edit.test.ts and in test/explore.
 */
import { computeKeys } from "../../provider/lifecycles/timeline";
import { wellKnown } from "../../sandbox";
import { by, checkInputs, type Properties, unknown } from "./phases";
import { catchError, named, type ResourceState, Service, words } from "./updateProcess";

const service = new Service();
const [page, incident] = [wellKnown.componentPages.shop, wellKnown.componentPageIncidents.checkoutOutage];
const address = { statusPageId: page, incidentId: incident };
const description = "Checkout works again. We are sorry.";

/** Declares the only entry of a timeline. While a value is unknown, so is the place of the entry. */
function asEntry(args: object = {}, more: object = {}): Properties {
  const content: Properties = { ...words, ...address, ...args };
  const place = Object.values(content).includes(unknown)
    ? unknown
    : { keys: computeKeys([content]), index: 0 };
  return { ...content, ...by("update", { key: "k", place, ...more }) };
}
/** Declares the entry with a text that isn't a secret and wasn't one before. */
const asPublicEntry = (args: object, more: object = {}): Properties =>
  asEntry(args, { shown: { ...words, ...args }, ...more });
const olds = { ...words, ...by("update", { key: "k", secrets: [] }) };

const shown = () => service.sandbox.incident(incident, page).incidentUpdates;
const getUpdateId = ({ id }: ResourceState) => id.split("/").at(-1) ?? "";
const shownAs = (declared: ResourceState) => shown().find(({ id }) => id === getUpdateId(declared));
const editByHand = (declared: ResourceState, text: string) =>
  service.sandbox.byHand.editUpdate(incident, getUpdateId(declared), { description: text }, page);

/** Runs the engine's calls for a changed declaration. */
async function up({ id, outs }: ResourceState, args: object) {
  const process = await service.process();
  const { inputs = {}, failures } = await process.check(olds, asPublicEntry(args));
  expect(failures).toEqual([]);
  expect(await process.diff(id, outs, inputs)).toEqual({ changes: true, replaces: [] });
  return { id, outs: (await process.update(id, outs, inputs)).outs ?? {} };
}

/** Returns the report of a preview of a changed declaration. */
async function preview({ id, outs }: ResourceState, args: object, more: object = {}): Promise<string> {
  const process = await service.process();
  const { inputs = {} } = await process.check(olds, asPublicEntry(args, { previews: true, ...more }));
  await process.diff(id, outs, inputs);
  return service.notices.join("\n");
}

/** Declares an update, and clears the requests that published it. */
async function published(args: object = {}): Promise<ResourceState> {
  const declared = await service.declare(asEntry({ notifySubscribers: true, ...args }));
  service.sandbox.clearRequests();
  service.notices = [];
  return declared;
}

it("a change of the text edits the whole update, keeps its date, and sends no email", async () => {
  const declared = await published();
  const [before, mails] = [shownAs(declared), service.sandbox.mailed()];
  const { outs } = await up(declared, { notifySubscribers: true, description });
  const path = `/v3/status-pages/${page}/incidents/${incident}/incident-updates/${getUpdateId(declared)}`;
  const { publicIncidentUpdateDate } = before ?? {};
  expect(service.posts.map(({ method, path: sentTo, body }) => [method, sentTo, body])).toEqual([
    ["PUT", path, { status: words.status, description, publicIncidentUpdateDate }],
  ]);
  expect(shownAs(declared)).toMatchObject({ description, publicIncidentUpdateDate });
  expect(service.sandbox.mailed()).toBe(mails);
  expect(outs).toMatchObject({ description, incidentUpdateId: getUpdateId(declared) });
  const process = await service.process();
  const inputs = await checkInputs(process, asEntry({ notifySubscribers: true, description }));
  expect(await process.diff(declared.id, outs, inputs)).toEqual({ changes: false, replaces: [] });
});

it("a text that someone else wrote is quoted without the declared text if that may be a secret", async () => {
  const declared = await published();
  editByHand(declared, "Checkout is back for most customers.");
  const process = await service.process();
  const { inputs = {} } = await process.check(named, asEntry({ description }));
  const { message } = await catchError(process.update(declared.id, declared.outs, inputs));
  expect(message).toContain("would overwrite that with MONITORING, a secret text");
  expect(message).not.toContain(description);
});

it("an edit that a killed run has only noted is verified, even if the program declares the content in the state", async () => {
  const declared = await published();
  service.sandbox.faults.add({ kind: "reset", operation: "editComponentPageIncidentUpdate", times: 1 });
  await catchError(up(declared, { description }));
  service.sandbox.clearRequests();
  await up(declared, {});
  expect(service.sandbox.requests.map(({ method }) => method)).toEqual(["GET", "PUT"]);
});

const later = { status: "MONITORING" as const, description: "Calling [object Object]" };
const refusedLater = ": updates[1].description contains [object Object]";
it.each([
  ["isn't on the page", [], refusedLater, 0],
  ["is on the page with another status", [{ ...later, status: "RESOLVED" as const }], refusedLater, 0],
  ["is on the page, so the service decides", [later], "the service rejected the request (HTTP 422)", 1],
])("an entry is edited unless a later one can't be published: one that %s", async (...row) => {
  const [, onPage, message, sent] = row;
  const { id, outs } = await published();
  const [first] = shown();
  const more = onPage.flatMap((each) => (first ? { ...first, ...each, id: "later" } : []));
  service.sandbox.byHand.editIncident(incident, { incidentUpdates: [...more, ...shown()] }, page);
  service.sandbox.faults.add({ kind: "status", code: 422, operation: "editComponentPageIncidentUpdate" });
  const keys = computeKeys([{ ...words, description }, later]);
  const place = { keys, index: 0, later: [{ ...later, key: "b" }] };
  const process = await service.process();
  const args = asEntry({ notifySubscribers: true, description }, { place });
  const { inputs = {} } = await process.check(olds, args);
  const error = await catchError(process.update(id, outs, inputs));
  expect(error.message).toContain(message);
  expect(service.posts).toHaveLength(sent);
});

describe("a preview", () => {
  it("a preview of an edit shows the change and the public text, and says that no email is sent", async () => {
    const declared = await published({ notifySubscribers: false });
    const said = await preview(declared, { description: `${words.description} Sorry.` });
    expect(said.replace(getUpdateId(declared), "<id>")).toMatchSnapshot();
    expect(service.posts).toEqual([]);
  });

  it("a preview shows an edit although a text of another entry is unknown", async () => {
    const declared = await published({ notifySubscribers: false });
    const said = await preview(declared, { description }, { place: unknown });
    expect(said).toContain(
      "edits a public update on incident inc_checkout_outage, unless it already matches",
    );
    expect(said).toContain(`\n  | ${description}`);
  });

  it("a preview of an unknown value or without a response reports that it may edit", async () => {
    const declared = await published({ notifySubscribers: false });
    const lines = (await preview(declared, { status: unknown })).split("\n");
    expect(lines).toEqual([
      'IncidentUpdate "update" edits a public update on incident inc_checkout_outage, unless it already matches the declaration',
      "  Unknown until `pulumi up`: status.",
      "  a status that is not known yet, no subscriber is emailed:",
      "  | We are watching it.",
      'IncidentUpdate "update": the public text, as recorded in the state',
      "  MONITORING:",
      "  | We are watching it.",
    ]);
    service.notices = [];
    const refused = await preview(declared, { incidentId: unknown });
    expect(refused).toContain(
      "Unknown until `pulumi up`: incidentId. If it turns out to be different, `pulumi up` rejects the change.",
    );
    service.notices = [];
    service.sandbox.faults.add({ kind: "status", code: 503 });
    expect(await preview(declared, { description })).toContain("edits a public update on incident");
    expect(service.posts).toEqual([]);
  });
});
