/** How a declaration identifies its update: by content, without notifySubscribers, never an update of another resource. */
import type { DynamicProvider } from "../../provider/dynamic/provider";
import { contentKey } from "../../provider/protocol";
import { create, inputsOf, type Properties } from "./phases";
import { failureOf, incidentId, named, Service, words } from "./updateProcess";

const service = new Service();
const idOf = (id: string | undefined): string => `${incidentId}/${id}`;

describe("notifySubscribers does not identify an update", () => {
  it.each([
    [true, false],
    [false, true],
  ])(
    "an update with the flag %p is adopted by a declaration with %p, and no email is sent",
    async (shown, flag) => {
      const id = service.putByHand({ notifySubscribers: shown });
      expect(await service.declare({ notifySubscribers: flag })).toMatchObject({
        id: idOf(id),
        outs: { notifySubscribers: flag, published: { notifySubscribers: shown } },
      });
      expect(service.posts()).toEqual([]);
      expect(service.notices.at(-1)).toContain(
        `adopted, nothing posted. It shows notifySubscribers ${shown}, not ${flag} as declared; no email is sent.`,
      );
    },
  );

  it("an update whose flag was enabled later is adopted by a renamed, replaced or recreated resource", async () => {
    const { id, outs } = await service.declare();
    const process = await service.process();
    const flagged = { ...words, notifySubscribers: true };
    await process.update(id, outs, await inputsOf(process, flagged));
    expect(await service.declare({ notifySubscribers: true })).toMatchObject({ id });
    expect(service.posts()).toHaveLength(1);
  });

  it("a post without a response is found although the service shows another flag", async () => {
    const remembered = await service.leaveUnconfirmed({ notifySubscribers: true });
    const id = service.putByHand({ notifySubscribers: false });
    const outs = await service.nextUp(remembered, { notifySubscribers: true });
    expect(outs).toMatchObject({ incidentUpdateId: id });
    expect(service.posts()).toHaveLength(1);
  });

  it("two resources that differ only in the flag are duplicates", async () => {
    const process = await service.process();
    await create(process, words);
    const twin = create(process, { ...words, notifySubscribers: true });
    expect((await failureOf(twin)).message).toContain(
      "occurrence must differ from that of the other resource",
    );
    expect(service.posts()).toHaveLength(1);
  });

  it("a timeline of an older release that counted by the flag continues without a post", async () => {
    const { id, outs } = await service.declare({ onChange: "refuse" });
    const process = await service.process();
    const inputs = await inputsOf(process, { ...words, onChange: "refuse", occurrence: 2, followedBy: [] });
    expect(await process.diff(id, outs, inputs)).toEqual({ changes: true, replaces: [] });
    expect(await process.update(id, outs, inputs)).toMatchObject({ outs: { occurrence: 2 } });
    expect(service.posts()).toHaveLength(1);
  });
});

/** What an `up` does to a resource whose content changes: the engine asks `diff`, then creates the replacement. */
async function replace(process: DynamicProvider, id: string, outs: Properties, args: Properties) {
  const inputs = await inputsOf(process, { ...named, ...args });
  const { replaces = [] } = await process.diff(id, outs, inputs);
  expect(replaces).not.toEqual([]);
  const created = await process.create(inputs);
  return { id: created.id, outs: created.outs ?? {} };
}

describe("a change back to earlier content", () => {
  const fixedContent = { status: "RESOLVED", description: "Fixed." } as const;
  const backContent = { status: "INVESTIGATING", description: "It is back." } as const;
  const fixed = { incidentId, ...fixedContent };
  const back = { incidentId, ...backContent };

  async function fixedAndBack() {
    const first = await service.declare(fixed);
    const second = await replace(await service.process(), first.id, first.outs, back);
    return { first, second };
  }

  it("fails before any post, and explains how to publish it again", async () => {
    const { first, second } = await fixedAndBack();
    const failed = await failureOf(replace(await service.process(), second.id, second.outs, fixed));
    expect(failed).not.toHaveProperty("id");
    expect(failed.message).toBe(
      `IncidentUpdate on incident ${incidentId}: occurrence is 1, but an identical update (${first.id.split("/")[1]}) ` +
        `has existed since ${String(first.outs["createdAt"])}: this resource published it before. Nothing was posted. To publish it again, set \`occurrence: 2\`; to keep the existing update without a new post, ` +
        "rename the resource.",
    );
    expect(service.posts()).toHaveLength(2);
  });

  it("is published again once with the occurrence from the message", async () => {
    const { second } = await fixedAndBack();
    const again = { ...fixed, occurrence: 2 };
    const third = await replace(await service.process(), second.id, second.outs, again);
    expect(service.published().map(({ description }) => description)).toEqual([
      "Fixed.",
      "It is back.",
      "Fixed.",
    ]);
    const process = await service.process();
    const inputs = await inputsOf(process, again);
    expect(await process.diff(third.id, third.outs, inputs)).toEqual({ changes: false, replaces: [] });
  });

  it("is adopted when the replaced update is older or was deleted", async () => {
    const { id, outs } = await service.declare(back);
    const newer = service.putByHand(fixedContent);
    expect(await replace(await service.process(), id, outs, fixed)).toMatchObject({ id: idOf(newer) });
    service.sandbox.byHand.change(({ accounts }) => {
      for (const incident of accounts[0].statusPageIncidents)
        incident.incidentUpdates = incident.incidentUpdates.filter((update) => update.id === newer);
    });
    expect(await replace(await service.process(), id, outs, fixed)).toMatchObject({ id: idOf(newer) });
    expect(service.posts()).toHaveLength(1);
  });

  it("is rejected also when the replaced update was unconfirmed", async () => {
    const { id, outs } = await service.declare(fixed);
    service.sandbox.faults.add({ kind: "reset", operation: "createIncidentUpdate", times: 1 });
    const lost = await failureOf(replace(await service.process(), id, outs, back));
    const remembered = { id: lost.id ?? "", outs: lost.properties ?? {} };
    service.putByHand(backContent);
    const failed = await failureOf(service.nextUp(remembered, fixed));
    expect(failed.message).toContain("To publish it again, set `occurrence: 2`");
    expect(service.posts()).toHaveLength(2);
  });
});

describe("an update that another resource of the stack owns", () => {
  const twin = /occurrence must differ from that of the other resource that declares an identical update/;

  it("is not adopted by a new resource, in either order of the engine's calls", async () => {
    const { id, outs } = await service.declare();
    const process = await service.process();
    const inputs = await inputsOf(process, words);
    await process.diff(id, outs, inputs);
    await expect(process.create(inputs)).rejects.toThrow(twin);

    const other = await service.process();
    await other.create(inputs);
    await expect(other.diff(id, outs, inputs)).rejects.toThrow(twin);
    expect(service.posts()).toHaveLength(1);
  });

  it("is rejected when two resources have it in their state", async () => {
    const { id, outs } = await service.declare();
    const process = await service.process();
    const inputs = await inputsOf(process, words);
    await process.diff(id, outs, inputs);
    await expect(process.diff(id, outs, inputs)).rejects.toThrow(twin);
  });

  it("is adopted by its replacement: after a rename without an alias, after a refresh, and with --replace", async () => {
    const { id, outs } = await service.declare();
    const process = await service.process();
    const inputs = await inputsOf(process, words);
    // The refresh reads the old resource, and asks about what it read.
    const { props = {} } = await process.read(id, outs);
    await process.diff(id, props, inputs);
    expect(await process.create(inputs)).toMatchObject({ id });
    expect(service.posts()).toHaveLength(1);
  });

  it("is adopted by another resource when its owner changes content in the same run", async () => {
    const { id, outs } = await service.declare();
    const process = await service.process();
    await replace(process, id, outs, { ...words, description: "It is over." });
    expect(await create(process, words)).toMatchObject({ id });
    expect(service.posts()).toHaveLength(2);
  });

  it("is adopted by its own resource in `up --refresh --replace` after the refresh confirmed it", async () => {
    const remembered = await service.leaveUnconfirmed();
    const id = service.putByHand();
    const process = await service.process();
    const inputs = await inputsOf(process, words);
    expect(await process.read(remembered.id, remembered.outs)).toMatchObject({ id: idOf(id) });
    expect(await process.create(inputs)).toMatchObject({ id: idOf(id) });
    expect(service.posts()).toHaveLength(1);
  });

  it("is recorded for only one of two when it may be the lost post of the other", async () => {
    const remembered = await service.leaveUnconfirmed();
    service.putByHand();
    const process = await service.process();
    const inputs = await inputsOf(process, named);
    await process.diff(remembered.id, remembered.outs, inputs);
    await process.create({ ...inputs, __resource: "twin" });
    const { message } = await failureOf(process.update(remembered.id, remembered.outs, inputs));
    expect(message).toContain("Declare the update once");
    expect(service.posts()).toHaveLength(1);
  });
});

describe("a declaration that matches a manual edit", () => {
  const edited = { ...words, description: "Capacity is enough now." };

  async function editedByHand(onChange: string) {
    const { id, outs } = await service.declare({ onChange });
    service.sandbox.byHand.editUpdate(incidentId, id.split("/")[1] ?? "", {
      description: edited.description,
    });
    return service.refresh({ id, outs });
  }

  it.each(["post", "refuse"])("is recorded without a post, with onChange %s", async (onChange) => {
    const { id, outs } = await editedByHand(onChange);
    const process = await service.process();
    const inputs = await inputsOf(process, { ...edited, onChange });
    expect(await process.diff(id, outs, inputs)).toEqual({ changes: true, replaces: [] });
    const updated = (await process.update(id, outs, inputs)).outs ?? {};
    expect(updated).toMatchObject({ ...edited, missing: false });
    expect(await (await service.process()).diff(id, updated, inputs)).toEqual({
      changes: false,
      replaces: [],
    });
    expect(service.posts()).toHaveLength(1);
  });

  it("is rejected when the update changed again", async () => {
    const { id, outs } = await editedByHand("post");
    service.sandbox.byHand.editUpdate(incidentId, id.split("/")[1] ?? "", { description: words.description });
    const process = await service.process();
    const failed = await failureOf(process.update(id, outs, await inputsOf(process, edited)));
    expect(failed.message).toBe(
      `IncidentUpdate ${id}: description or another declared field no longer matches: the update was changed on the ` +
        "service after the last refresh. Nothing was posted. Run `pulumi refresh`, then `pulumi up`.",
    );
    expect(service.posts()).toHaveLength(1);
  });
});

it("an entry of a timeline is unchanged when entries are added after it, known or unknown", async () => {
  const { id, outs } = await service.declare({ followedBy: [] });
  expect(outs).not.toHaveProperty("followedBy");
  const process = await service.process();
  const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
  for (const followedBy of [["0123456789abcdef"], unknown]) {
    const inputs = { ...(await inputsOf(process, words)), followedBy };
    const fresh = await service.process();
    expect(await fresh.diff(id, outs, inputs)).toEqual({ changes: false, replaces: [] });
  }
});

it("an early entry of a timeline is not posted after a later one", async () => {
  const later = { status: "RESOLVED" as const, description: "It is over." };
  const id = service.putByHand(later);
  const first = { ...words, followedBy: [contentKey(later)] };
  const failed = await failureOf(create(await service.process(), first));
  expect(failed.message).toBe(
    `IncidentUpdate on incident ${incidentId}: description would be published after a later entry of this timeline (${id}). ` +
      "Nothing was posted. If this entry is public already, restore the state of the stack; otherwise append it as the last entry.",
  );
  expect(service.posts()).toEqual([]);
});
