/** What a preview says: what the `up` would do, from one read of each incident, without a post. */
import type { DynamicProvider } from "../../provider/dynamic/provider";
import { Machine } from "../publishing/machine";
import { create, inputsOf } from "./phases";
import { failureOf, incidentId, named, Service, words } from "./updateProcess";

const service = new Service();
const machine = new Machine(service);
const isPreview = { __preview: true };
const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const nameOf = (id: string = incidentId): string => JSON.stringify(service.sandbox.incident(id).name);
const noneEmailed = "no subscriber is emailed";

/** The preview of a new resource. */
async function preview(args: object = {}, process?: DynamicProvider): Promise<void> {
  await inputsOf(process ?? (await machine.process()), { ...named, ...isPreview, ...args });
}

/** The preview of a resource of the stack. */
async function previewOf({ id, outs }: { id: string; outs: object }, args: object = {}) {
  const process = await machine.process();
  const { inputs = {} } = await process.check(named, { ...named, ...isPreview, ...args });
  service.sandbox.clearRequests();
  service.notices = [];
  const { replaces = [] } = await process.diff(id, { ...outs }, inputs);
  // The engine checks a replacement a second time.
  if (replaces.length > 0) await process.check({}, { ...named, ...isPreview, ...args });
}

const requests = () => service.sandbox.requests.map(({ method }) => method);

it.each([
  [false, noneEmailed],
  [true, "every subscriber is emailed"],
])("says what is posted where, with notifySubscribers %p", async (notifySubscribers, emails) => {
  await preview({ notifySubscribers });
  expect(service.notices).toEqual([`IncidentUpdate: posts to ${nameOf()} (${incidentId}); ${emails}.`]);
  expect(requests()).toEqual(["GET"]);
});

it("says what is adopted, since when", async () => {
  const id = service.putByHand();
  await preview();
  expect(service.notices).toEqual([
    `IncidentUpdate: adopts ${id} in ${nameOf()} (${incidentId}), since ${service.history()[0]?.created_at}; nothing is posted.`,
  ]);
});

it("reads each incident once, and counts what it says on the way", async () => {
  const process = await machine.process();
  for (const [resource, args] of Object.entries({
    one: {},
    two: { occurrence: 2 },
    three: { description: "It is over." },
    elsewhere: { incidentId: "inc_card_declines" },
  }))
    await preview({ ...args, __resource: resource }, process);
  expect(service.notices).toHaveLength(4);
  expect(service.notices.at(-1)).toContain(`posts to ${nameOf("inc_card_declines")} (inc_card_declines)`);
  expect(requests()).toEqual(["GET", "GET"]);
});

it.each<[string, () => unknown, object, RegExp]>([
  ["an unknown incident", () => undefined, { incidentId: "inc_gone" }, /inc_gone: not found \(HTTP 404\)/],
  ["a rejected key", () => service.sandbox.faults.add({ kind: "status", code: 401 }), {}, /HTTP 401/],
  [
    "an earlier occurrence that is missing",
    () => undefined,
    { occurrence: 3 },
    /declare the earlier ones first/,
  ],
])("fails as the up would for %s", async (_, happens, args, message) => {
  happens();
  expect((await failureOf(preview(args))).message).toMatch(message);
  const up = service.declare(args);
  expect((await failureOf(up)).message).toMatch(message);
});

it("fails for two resources that declare the same", async () => {
  const process = await machine.process();
  await preview({}, process);
  const { message } = await failureOf(preview({ __resource: "twin" }, process));
  expect(message).toContain('the other resource that declares an identical update ("update"');
});

it("of a service that doesn't respond says so once, and what happens on the condition", async () => {
  service.sandbox.faults.add({ kind: "status", code: 503 });
  const process = await machine.process();
  await preview({}, process);
  service.sandbox.clearRequests();
  await preview({ __resource: "other", description: "It is over." }, process);
  const conditional = `IncidentUpdate: posts to incident ${incidentId}, unless an identical update exists there; ${noneEmailed}.`;
  expect(service.notices).toEqual([
    expect.stringMatching(/^IncidentUpdate: the preview could not read the service\. .*HTTP 503/),
    conditional,
    conditional,
  ]);
  expect(requests()).toEqual([]);
});

it("says that the up waits for an update that this machine sent a moment ago", async () => {
  await create(await machine.process(), named);
  service.deleteUpdatesByHand();
  service.notices = [];
  await preview({ __resource: "renamed" });
  expect(service.notices).toEqual([
    `IncidentUpdate: this machine sent an identical update to ${nameOf()} (${incidentId}) moments ago, and the service ` +
      `doesn't show it yet. \`pulumi up\` waits for it, and posts only if it doesn't appear; ${noneEmailed}.`,
  ]);
});

it("of what is unknown says what it depends on, and asks for nothing", async () => {
  await preview({ incidentId: unknown, status: unknown, notifySubscribers: unknown });
  await preview({ description: unknown });
  expect([service.notices, requests()]).toEqual([
    [
      "IncidentUpdate: posts to an incident that is not known yet, unless an identical update exists there; it is not known yet whether subscribers are emailed.",
      `IncidentUpdate: posts to incident ${incidentId}, unless an identical update exists there; no subscriber is emailed.`,
    ],
    [],
  ]);
});

describe("of a resource of the stack", () => {
  it("asks for nothing when nothing that is public changes", async () => {
    const declared = await service.declare();
    await previewOf(declared);
    await previewOf(declared, { onChange: "refuse" });
    expect([service.notices, requests()]).toEqual([[], []]);
  });

  it("says that other content is posted", async () => {
    await previewOf(await service.declare(), { description: "It is over." });
    expect(service.notices).toEqual([
      `IncidentUpdate: posts to ${nameOf()} (${incidentId}); ${noneEmailed}.`,
    ]);
    expect(requests()).toEqual(["GET"]);
  });

  it("fails when the edited text that it declares was edited once more", async () => {
    const declared = await service.declare();
    const edit = (description: string): void =>
      service.sandbox.byHand.editUpdate(incidentId, declared.id.split("/")[1] ?? "", { description });
    edit("Edited.");
    const refreshed = await service.refresh(declared);
    await previewOf(refreshed, { description: "Edited." });
    edit("Edited once more.");
    const { message } = await failureOf(previewOf(refreshed, { description: "Edited." }));
    expect(message).toContain(
      "no longer matches: the update was changed on the service after the last refresh",
    );
  });

  it("fails when the content is what it published before", async () => {
    const process = await service.process();
    const first = await create(process, named);
    const over = await inputsOf(process, { ...named, description: "It is over." });
    await process.diff(first.id, first.outs, over);
    const { id, outs = {} } = await process.create(over);
    const { message } = await failureOf(previewOf({ id, outs }));
    expect(message).toContain("To publish it again, set `occurrence: 2`");
  });

  it.each<[string, object, RegExp]>([
    ["the way out when it isn't found", {}, /If it isn't found: .* set onUnconfirmed to "resend"; or run/],
    ["the post", { onUnconfirmed: "resend" }, /: posts to "/],
  ])("that is unconfirmed says %s", async (_, args, text) => {
    const remembered = await service.leaveUnconfirmed();
    await previewOf(remembered, args);
    expect(service.notices.join("\n")).toMatch(text);
    expect(service.posts()).toEqual([]);
  });

  it("that is unconfirmed lets later ones wait for it", async () => {
    const { id, outs } = await service.leaveUnconfirmed();
    const process = await machine.process();
    const { inputs = {} } = await process.check(named, { ...named, ...isPreview });
    service.notices = [];
    await process.diff(id, { ...outs }, inputs);
    await preview({ description: "It is over.", __resource: "later" }, process);
    expect(service.notices.at(-1)).toBe(
      `IncidentUpdate: posts to ${nameOf()} (${incidentId}), once the result of the earlier update is known; ${noneEmailed}.`,
    );
  });

  it("that is unconfirmed, and public by now, says so", async () => {
    const remembered = await service.leaveUnconfirmed();
    const id = service.putByHand();
    await previewOf(remembered);
    expect(service.notices).toEqual([
      `IncidentUpdate: update ${id} was published on incident ${incidentId} by a previous run, whose response was lost. It was not posted again.`,
    ]);
  });
});

it("posts nothing in any of them", async () => {
  await preview(words);
  expect(service.posts()).toEqual([]);
});
