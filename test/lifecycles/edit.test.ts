/**
 * What the lifecycle of `IncidentUpdate` does with `onChange: "edit"`: what is sent, what is refused, and what the state then has. Edits
 * and posts without a response, and what is taken over: test/driver/edits.ts and test/protocol/edit.test.ts.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { normalizeContent } from "../../provider/protocol";
import { wellKnown } from "../../sandbox";
import { by, checkInputs, getCheckFailures, type Properties, unknown } from "./phases";
import { temporaryFolder } from "../temporaryFolder";
import { catchError, incidentId, named, type ResourceState, Service, words } from "./updateProcess";

const service = new Service();
const [page, incident] = [wellKnown.componentPages.shop, wellKnown.componentPageIncidents.checkoutOutage];
const keyed = by("update", { key: "k" });
const editing = { statusPageId: page, incidentId: incident, onChange: "edit", ...keyed };
const description = "Checkout works again. We are sorry.";

/** The inputs of a declaration whose text is no secret, as it wasn't before. */
const openly = (args: Properties): Properties => {
  const all: Properties = { ...named, ...args };
  return { ...all, ...by("update", { key: "k", shown: { description: all["description"] } }) };
};
const olds = { ...words, ...by("update", { key: "k", secrets: [] }) };

const shown = () => service.sandbox.incident(incident, page).incidentUpdates;
const getUpdateId = ({ id }: ResourceState) => id.split("/").at(-1) ?? "";
const shownAs = (declared: ResourceState) => shown().find(({ id }) => id === getUpdateId(declared));
const editByHand = (declared: ResourceState, text: string) =>
  service.sandbox.byHand.editUpdate(incident, getUpdateId(declared), { description: text }, page);

/** What the engine does for a changed declaration. */
async function up({ id, outs }: ResourceState, args: object, settings?: Record<string, string>) {
  const process = await service.process(settings);
  const { inputs = {}, failures } = await process.check(olds, openly({ ...editing, ...args }));
  expect(failures).toEqual([]);
  expect(await process.diff(id, outs, inputs)).toEqual({ changes: true, replaces: [] });
  return { id, outs: (await process.update(id, outs, inputs)).outs ?? {} };
}

/** What a preview of a changed declaration says. */
async function preview({ id, outs }: ResourceState, args: object): Promise<string> {
  const process = await service.process();
  const { inputs = {} } = await process.check(olds, {
    ...{ ...named, ...editing, ...args },
    ...by("update", { key: "k", previews: true, shown: { description: { ...named, ...args }.description } }),
  });
  await process.diff(id, outs, inputs);
  return service.notices.join("\n");
}

/** A public update. The requests until then are forgotten. */
async function published(args: object = {}): Promise<ResourceState> {
  const declared = await service.declare({ ...editing, notifySubscribers: true, ...args });
  service.sandbox.clearRequests();
  service.notices = [];
  return declared;
}

describe("a change", () => {
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
    const inputs = await checkInputs(process, { ...named, ...editing, notifySubscribers: true, description });
    expect(await process.diff(declared.id, outs, inputs)).toEqual({ changes: false, replaces: [] });
  });

  it("a change of only the occurrence is rejected", async () => {
    const { id, outs } = await published();
    const process = await service.process();
    const inputs = await checkInputs(process, { ...named, ...editing, occurrence: 2 });
    const { message } = await catchError(process.diff(id, outs, inputs));
    expect(message).toMatch(
      /: occurrence must not change, because the update is public\. Nothing was posted\. [^;]*$/,
    );
  });
});

it("an update is edited although the result of a second post of its former text is unknown", async () => {
  const one = await published();
  service.sandbox.faults.add({ kind: "reset", operation: "createComponentPageIncidentUpdate", times: 1 });
  const again = { ...editing, ...by("second"), occurrence: 2 };
  const { id = "", properties = {} } = await catchError(service.declare(again));
  const process = await service.process();
  const change = async (recorded: ResourceState, args: object) => {
    const inputs = await checkInputs(process, { ...named, ...editing, ...args });
    expect(await process.diff(recorded.id, recorded.outs, inputs)).toMatchObject({ changes: true });
    return () => process.update(recorded.id, recorded.outs, inputs);
  };
  const edit = await change(one, { notifySubscribers: true, description });
  const settle = await change({ id, outs: properties }, again);
  await Promise.allSettled([edit(), settle()]);
  expect(shownAs(one)).toMatchObject({ description });
});

describe("an update that a user has changed", () => {
  const theirs = "Checkout is back for most customers.";
  const parseCode = (message: string) => /monitoring:resend (\S+)`/.exec(message)?.[1] ?? "";

  it.each(["at once", "after a refresh"])(
    "a code, without any other change, overwrites a user's text, %s",
    async (when) => {
      let declared = await published();
      editByHand(declared, theirs);
      if (when !== "at once") declared = await service.refresh(declared);
      service.sandbox.clearRequests();
      const { message } = await catchError(up(declared, { description }));
      expect(message).toContain(`was changed on the service to MONITORING: "${theirs}", dated `);
      expect(message).toContain(`would overwrite that with MONITORING: "${description}"`);
      expect(message).toContain("To keep the change, declare it");
      expect((await catchError(preview(declared, { description }))).message).toContain("Nothing was edited");
      expect(service.posts).toEqual([]);
      service.notices = [];
      await up(declared, { description }, { "monitoring:resend": parseCode(message) });
      expect(service.notices.join()).toContain(
        "that this resource didn't write, as allowed by monitoring:resend",
      );
      expect(shownAs(declared)).toMatchObject({ description });
      expect(service.posts).toHaveLength(1);
    },
  );

  it("an update that a user has changed needs another code for each text on either side, and after it was overwritten", async () => {
    const declared = await published();
    editByHand(declared, theirs);
    const code = parseCode((await catchError(up(declared, { description }))).message);
    const settings = { "monitoring:resend": code };
    await catchError(up(declared, { description: `${description} Really.` }, settings));
    editByHand(declared, `${theirs} Nearly.`);
    await catchError(up(declared, { description }, settings));
    expect(service.posts).toEqual([]);
    editByHand(declared, theirs);
    const edited = await up(declared, { description }, settings);
    const again = await up(edited, { description: "It works." });
    editByHand(declared, theirs);
    const { message } = await catchError(up(again, { description }, settings));
    expect(parseCode(message)).not.toBe(code);
  });

  it("an update that a user has changed is rejected without a quotation if the declared text may be a secret", async () => {
    const declared = await published();
    editByHand(declared, theirs);
    const process = await service.process();
    const { inputs = {} } = await process.check(named, { ...named, ...editing, description });
    const { message } = await catchError(process.update(declared.id, declared.outs, inputs));
    expect(message).toContain("would overwrite that with MONITORING, a secret text");
    expect(message).not.toContain(description);
  });
});

it("an edit that a killed run has only noted is verified, even if the program declares the content in the state", async () => {
  const declared = await published();
  service.sandbox.faults.add({ kind: "reset", operation: "editComponentPageIncidentUpdate", times: 1 });
  await catchError(up(declared, { description }));
  service.sandbox.clearRequests();
  await up(declared, {});
  expect(service.sandbox.requests.map(({ method }) => method)).toEqual(["GET", "PUT"]);
});

it("a rejected edit gives the reason", async () => {
  const declared = await published();
  service.sandbox.faults.add({ kind: "status", code: 422, operation: "editComponentPageIncidentUpdate" });
  const { message } = await catchError(up(declared, { description }));
  expect(message).toMatch(/the service rejected the request [(]HTTP 422[)].* Request ID: [-0-9a-f]+[.]$/);
});

it.each([{}, { statusPageId: page }])("a change is rejected by default: %j", async (args) => {
  const { inputs = {} } = await (
    await service.process()
  ).check({}, { ...named, incidentId: incident, ...args });
  expect(inputs["onChange"]).toBe("refuse");
});

const keyOf = (text: string) => normalizeContent({ status: "MONITORING", description: text }).contentKey;
it("entries in a different order than on the page are reported, by the preview's report if there is one", async () => {
  const entry = (index: number, texts: readonly string[]): Properties => {
    const keys = texts.map(
      (text) => normalizeContent({ status: "MONITORING", description: text }).contentKey,
    );
    const content = { ...words, ...editing, notifySubscribers: true, description: texts[index] };
    return { ...content, ...by(`story-${index}`, { place: { keys, index }, key: ["one", "two"][index] }) };
  };
  const texts = ["Payments fail.", "Payments are back."];
  const [older, newer] = [await published(entry(0, texts)), await published(entry(1, texts))];
  const at = new Date(Date.now() + 3_600_000).toISOString();
  const later = { ...(newer.outs["published"] as object), publicIncidentUpdateDate: at };
  const states = [{ ...newer, outs: { ...newer.outs, createdAt: at, published: later } }, older];
  const compare = async () => {
    const provider = await service.process();
    for (const [index, { id, outs }] of states.entries())
      await provider.diff(id, outs, await checkInputs(provider, entry(index, texts.toReversed())));
  };
  const warning =
    'IncidentUpdate "story-1" (2 of 2): declared after "story-0", although "story-0" is newer on the page. The order on the page doesn\'t change.';
  service.notices = [];
  await compare();
  expect(service.notices).toEqual([`warning: ${warning}`]);
  const file = join(temporaryFolder(), "facts");
  writeFileSync(file, "");
  process.env["MONITORING_PREVIEW_FACTS"] = file;
  await compare();
  expect(service.notices).toHaveLength(1);
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ format: 3, is: "warning", text: warning });
});

const anotherTimeline =
  "the state under this name contains an entry of another timeline. Nothing was edited. Give this timeline a name that doesn't begin with the " +
  "name of the other one.";
it.each<[string, old: object, index: number, expected?: string, key?: string, timeline?: string]>([
  ["which had no key before, has it at its position", { key: "1" }, 0, anotherTimeline],
  ["has it at another position", { key: "1" }, 1, undefined],
  ["has it with another key", { key: "b" }, 0, undefined],
  ["has it with the same key", { key: "1" }, 0, undefined, "1"],
  ["whose name is shorter has it at its position", { key: "b-1" }, 0, anotherTimeline, "a", "story-b"],
])("an entry isn't edited if a state of another timeline %s", async (...row) => {
  const [, old, index, expected, key = "a", timeline = "update"] = row;
  const { id, outs } = await published();
  const keys = [keyOf(description), keyOf("Else.")];
  const program = { place: { keys: index === 0 ? keys : keys.toReversed(), index }, key };
  const process = await service.process();
  const inputs = await checkInputs(process, {
    ...{ ...named, ...editing, notifySubscribers: true, description },
    ...by(`${timeline}-${key}`, program),
  });
  const diff = process.diff(id, { ...outs, ...old }, inputs);
  if (expected === undefined) expect(await diff).toEqual({ changes: true, replaces: [] });
  else expect((await catchError(diff)).message).toContain(expected);
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
  const place = { keys: [keyOf(description), keyOf(later.description)], index: 0 };
  const program = by("update", { place: { ...place, later: [{ ...later, key: "b" }] }, key: "a" });
  const process = await service.process();
  const args = { ...named, ...editing, notifySubscribers: true, description, ...program };
  const { inputs = {} } = await process.check(olds, args);
  const error = await catchError(process.update(id, { ...outs, key: "a" }, inputs));
  expect(error.message).toContain(message);
  expect(service.posts).toHaveLength(sent);
});

it("a state with the former default posts nothing", async () => {
  const { id, outs } = await published({ onChange: "post" });
  const process = await service.process();
  const args = { ...named, statusPageId: page, incidentId: incident, notifySubscribers: true };
  const inputs = await checkInputs(process, args);
  expect(await process.diff(id, outs, inputs)).toEqual({ changes: true, replaces: [] });
  expect((await process.update(id, outs, inputs)).outs).toMatchObject({ onChange: "refuse" });
  expect(service.sandbox.requests).toEqual([]);
});

it("the check rejects an edit without a page with components", async () => {
  const process = await service.process();
  expect(await getCheckFailures(process, { ...named, incidentId, onChange: "edit" })).toEqual({
    onChange: expect.stringContaining(
      '"edit" requires statusPageId, because only status pages with components',
    ) as unknown,
  });
});

describe("a preview", () => {
  it("a preview of an edit shows the change and the public text, and says that no email is sent", async () => {
    const declared = await published({ notifySubscribers: false });
    const said = await preview(declared, { description: `${words.description} Sorry.` });
    expect(said.replace(getUpdateId(declared), "<id>")).toMatchSnapshot();
    expect(service.posts).toEqual([]);
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
