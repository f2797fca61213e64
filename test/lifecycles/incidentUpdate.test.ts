/** What the lifecycle of `IncidentUpdate` does with an update that is public, beyond the decisions of the protocol. */
import { create, inputsOf } from "./phases";
import { failureOf, incidentId, named, Service, words } from "./updateProcess";

const service = new Service();
const twin = /already declares this update/;

/** The result of an earlier run, without its notices. */
async function known(args: object = {}, settings?: Readonly<Record<string, string>>) {
  const declared = await service.declare(args, settings);
  service.notices = [];
  return declared;
}

describe("a create", () => {
  it("posts the declared fields only, and records them with what was published", async () => {
    const { id, outs } = await service.declare();
    expect(service.posts.map(({ body }) => body)).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        ...{ status: words.status, description: words.description, notifySubscribers: false },
      },
    ]);
    const [published] = service.published();
    expect(id).toBe(`${incidentId}/${published?.id}`);
    expect(outs).toEqual({
      ...words,
      notifySubscribers: false,
      occurrence: 1,
      onChange: "post",
      incidentUpdateId: published?.id,
      createdAt: published?.created_at,
      published: {
        status: words.status,
        description: words.description,
        notifySubscribers: false,
        publicIncidentUpdateDate: published?.publicIncidentUpdateDate,
      },
      missing: false,
      past: [],
      origin: { host: new URL(service.sandbox.url).host, path: "/", accountId: service.sandbox.accountId },
    });
  });

  it("that is rejected leaves nothing, and the message doesn't quote the description", async () => {
    const message = `Bad text: ${words.description}`;
    service.sandbox.faults.add({ kind: "status", code: 403, message, operation: "createIncidentUpdate" });
    const failed = await failureOf(service.declare());
    expect(failed).not.toHaveProperty("id");
    expect(failed.message).toContain("HTTP 403");
    expect(failed.message).not.toContain(words.description);
  });

  it("of what another account's name already published in the same run is refused", async () => {
    const { url: baseUrl, apiKey } = service.sandbox;
    const accounts = JSON.stringify({ eu: { apiKey, baseUrl } });
    const process = await service.process({ "monitoring:accounts": accounts });
    await create(process, words);
    await expect(create(process, { ...words, account: "eu" })).rejects.toThrow(twin);
    expect(service.posts).toHaveLength(1);
  });
});

describe("an update that a resource of the stack has", () => {
  it("isn't another resource's, in either order of the engine's calls", async () => {
    const { id, outs } = await service.declare();
    const process = await service.process();
    const inputs = await inputsOf(process, words);
    await process.diff(id, outs, named);
    await expect(process.create(inputs)).rejects.toThrow(twin);

    const other = await service.process();
    await other.create(inputs);
    await expect(other.diff(id, outs, named)).rejects.toThrow(twin);
    expect(service.posts).toHaveLength(1);
  });

  it("is adopted by a renamed resource after a refresh, which reads the old one and asks about it", async () => {
    const { id, outs } = await service.declare();
    const process = await service.process();
    const { props = {} } = await process.read(id, outs);
    await process.diff(id, props, named);
    expect(await create(process, { ...words, __resource: "renamed" })).toMatchObject({ id });
    expect(service.posts).toHaveLength(1);
  });

  it("may not change without a call of `diff` either (replacementTrigger), unless it may be posted", async () => {
    const replaced = async (kept: object, args: object) => {
      const process = await service.process();
      await process.check({ ...kept }, { ...kept, ...args });
      return create(process, { ...kept, ...args });
    };
    const changed = { status: "RESOLVED", description: "It is over." };
    const refusing = { ...named, onChange: "refuse" };
    const { id } = await service.declare(refusing);
    const { message } = await failureOf(replaced(refusing, changed));
    expect(message).toMatch(/status must not change: .*; description must not change: the update is public/);
    expect(await replaced(refusing, {})).toMatchObject({ id });
    expect(service.posts).toHaveLength(1);
    expect(await replaced(named, changed)).toMatchObject({ outs: changed });
  });

  it("is not posted again when it was edited by hand and is replaced without `diff`", async () => {
    const replaced = async (args: object = {}) => {
      const process = await service.process();
      const { inputs } = await process.check(await inputsOf(process, named), { ...named, ...args });
      return process.create({ ...inputs });
    };
    const declared = await service.declare();
    const edited = { description: "Capacity is enough." };
    service.changeByHand(declared, edited);
    // The machine that posted it knows its id.
    expect(await replaced()).toMatchObject({ id: declared.id });
    jest.setSystemTime(Date.now() + 2 * 86_400_000);
    const refused = await failureOf(replaced());
    expect(refused.message).toContain(
      "Nothing was posted: declare the text that it shows or, to publish once more",
    );
    expect(refused.message).not.toContain("monitoring:resend");
    expect(refused).not.toHaveProperty("id");
    expect(await replaced(edited)).toMatchObject({ id: declared.id });
    expect(service.posts).toHaveLength(1);
    // As after `pulumi state delete`.
    expect((await service.declare()).outs).toMatchObject(words);
    expect(service.posts).toHaveLength(2);
  });
});

describe("a refresh", () => {
  it("shows an edit by hand, which is recorded without a post when it is declared", async () => {
    const declared = await known();
    const edited = { description: "Capacity is enough." };
    service.changeByHand(declared, edited);
    const { id, outs } = await service.refresh(declared);
    expect({ id, outs }).toEqual({
      id: declared.id,
      outs: { ...declared.outs, published: { ...Object(declared.outs["published"]), ...edited } },
    });
    const process = await service.process();
    const inputs = await inputsOf(process, { ...named, ...edited });
    expect(await process.diff(id, outs, inputs)).toEqual({ changes: true, replaces: [] });
    const { outs: updated = {} } = await process.update(id, outs, inputs);
    expect(updated).toMatchObject({ ...edited, missing: false });
    expect(await process.diff(id, updated, inputs)).toEqual({ changes: false, replaces: [] });

    service.changeByHand(declared, { description: "Edited once more." });
    const { message } = await failureOf((await service.process()).update(id, outs, inputs));
    expect(message).toContain("the update was changed on the service after the last refresh");
    expect([service.notices, service.posts.length]).toEqual([[], 1]);
  });

  it("keeps a deleted update as missing, and says that it isn't posted again", async () => {
    const declared = await known();
    service.changeByHand(declared);
    const outs = { ...declared.outs, missing: true };
    expect(await service.refresh(declared)).toEqual({ id: declared.id, outs });
    expect(service.notices).toEqual([expect.stringContaining("is not posted again")]);
  });

  it("uses the original account after it was renamed", async () => {
    const { url: baseUrl, accountId, apiKey } = service.sandbox;
    const accounts = (name: string) => ({
      "monitoring:accounts": JSON.stringify({ [name]: { baseUrl, accountId, apiKey } }),
    });
    const { id, outs } = await service.declare({ account: "europe" }, accounts("europe"));
    const renamed = await service.process(accounts("eu"));
    const { props = {} } = await renamed.read(id, outs);
    expect(props).toEqual(outs);
    const inputs = { ...named, account: "europe" };
    expect(await renamed.diff(id, props, inputs)).toEqual({ changes: false, replaces: [] });
    const { inputs: declared = {} } = await renamed.check(inputs, { ...named, account: "eu" });
    expect(await renamed.diff(id, props, declared)).toEqual({ changes: true, replaces: [] });
  });

  it("is rejected with another account, without a request", async () => {
    const { id, outs } = await known();
    service.sandbox.clearRequests();
    const elsewhere = await service.process({ "monitoring:accountId": "another" });
    const refusal = /^IncidentUpdate \S+: account points to account another on /;
    await expect(elsewhere.read(id, outs)).rejects.toThrow(refusal);
    await expect(elsewhere.diff(id, outs, named)).rejects.toThrow(refusal);
    expect(service.sandbox.requests).toEqual([]);
  });
});

describe("an update in place", () => {
  it.each([
    [false, true, 1],
    [true, true, 0],
    [true, false, 0],
  ])(
    "of notifySubscribers from %p to %p, onChange and account is recorded without a request",
    async (before, after, notices) => {
      const { id, outs: all } = await known({ notifySubscribers: before });
      const outs = { ...all, notifySubscribers: before };
      service.sandbox.clearRequests();
      const { url: baseUrl, accountId, apiKey } = service.sandbox;
      const accounts = JSON.stringify({ shop: { baseUrl, accountId, apiKey } });
      const process = await service.process({ "monitoring:accounts": accounts });
      const changed = { onChange: "refuse", account: "shop", notifySubscribers: after };
      const inputs = await inputsOf(process, { ...named, ...changed });
      expect(await process.diff(id, outs, inputs)).toEqual({ changes: true, replaces: [] });
      expect(await process.update(id, outs, inputs)).toEqual({ outs: { ...outs, ...changed } });
      const said: unknown = expect.stringContaining("nothing is posted, and nobody is emailed");
      expect(service.notices).toEqual([said].slice(0, notices));
      expect(service.sandbox.requests).toEqual([]);
    },
  );

  it("of an entry's number is recorded and said, and posts nothing", async () => {
    const { id, outs } = await known({ onChange: "refuse" });
    const process = await service.process();
    const entry = { ...words, onChange: "refuse", occurrence: 2 };
    const inputs = { ...entry, followedBy: [] };
    expect(await process.diff(id, outs, inputs)).toEqual({ changes: true, replaces: [] });
    expect((await process.update(id, outs, inputs)).outs).toMatchObject({ ...entry, missing: false });
    expect(service.notices).toEqual([
      expect.stringContaining("occurrence is recorded as 2: nothing is posted, and nobody is emailed."),
    ]);
    expect(service.posts).toHaveLength(1);
  });
});

it("a removal says that the update stays public", async () => {
  const { id, outs } = await known();
  await (await service.process()).delete(id, outs);
  expect(service.notices).toEqual([expect.stringContaining("The update stays public")]);
  expect(service.published()).toHaveLength(1);
});

describe("IncidentUpdate.get", () => {
  /** Reads an update that is shown like this, once. */
  async function got(shown: object) {
    const body = JSON.stringify({ id: "u1", status: words.status, description: words.description, ...shown });
    const headers = ["content-type: application/json"];
    service.sandbox.faults.add({ kind: "answer", body, headers, operation: "getIncidentUpdate", times: 1 });
    const id = `${incidentId}/u1`;
    const { props = {} } = await (await service.process()).read(id, {});
    return { id, outs: props };
  }

  it("reads an update that was published elsewhere", async () => {
    const { url, accountId } = service.sandbox;
    const origin = { host: new URL(url).host, path: "/", accountId };
    const updateId = service.putByHand({ notifySubscribers: true });
    const process = await service.process();
    expect(await process.read(`${incidentId}/${updateId}`, {})).toMatchObject({
      id: `${incidentId}/${updateId}`,
      props: { ...words, notifySubscribers: true, incidentUpdateId: updateId, missing: false, origin },
    });
  });

  it.each<[string, object]>([
    ["without a flag and a public date", { publicIncidentUpdateDate: null }],
    ["with a status that no program can declare", { status: "MAINTENANCE" }],
    ["without a status", { status: undefined }],
  ])("keeps an update %s as missing when it was deleted", async (_, shown) => {
    const { id, outs } = await got(shown);
    expect(outs).toMatchObject({ notifySubscribers: false });
    expect(await service.refresh({ id, outs })).toEqual({ id, outs: { ...outs, missing: true } });
    const other = await service.process({ "monitoring:accountId": "another" });
    await expect(other.read(id, outs)).rejects.toThrow("account points to account another on");
  });

  it.each(["inc_checkout_latency", "/u1", "inc_checkout_latency/"])(
    "says what an id is, of %p, and asks for nothing",
    async (id) => {
      const { message } = await failureOf((await service.process()).read(id, {}));
      expect(message).toBe("IncidentUpdate.get: id must be <incidentId>/<incidentUpdateId>.");
      expect(service.sandbox.requests).toEqual([]);
    },
  );
});
