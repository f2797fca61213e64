/** The behaviour of all observed resource types. */
import { type SandboxAccount, wellKnown } from "../../sandbox";
import { alertChannel } from "../../provider/lifecycles/observed/alertChannel";
import { statusPage } from "../../provider/lifecycles/observed/statusPage";
import "./idleClock";
import { create, inputsOf, mistakesIn, noticesDuring, phase, sandboxForEachTest, unknown } from "./phases";

const sandboxOf = sandboxForEachTest();

const kinds = [
  {
    kind: "AlertChannel",
    lifecycle: alertChannel,
    idField: "channelId",
    all: ({ alertChannels }: SandboxAccount) => alertChannels,
    field: "sslExpiryThreshold",
    before: 21,
    after: 7,
  },
  {
    kind: "StatusPage",
    lifecycle: statusPage,
    idField: "statusPageId",
    all: ({ statusPages }: SandboxAccount) => statusPages,
    field: "defaultTheme",
    before: "AUTO",
    after: "DARK",
  },
];

describe.each(kinds)("$kind", ({ kind, lifecycle, idField, all, field, before, after }) => {
  const start = () => phase(lifecycle, sandboxOf());
  let declaredId: string | number | undefined;
  const declared = (more: object = {}) => ({ [idField]: declaredId, ...more });
  const expecting = (value: unknown) => declared({ expect: { [field]: value } });
  const edit = (changes: object): void =>
    sandboxOf().byHand.change(({ accounts }) => Object.assign(all(accounts[0])[0] ?? {}, changes));
  const remove = (): void => sandboxOf().byHand.change(({ accounts }) => void all(accounts[0]).shift());

  beforeEach(() => {
    declaredId = all(sandboxOf().data.accounts[0])[0]?.id;
  });
  afterEach(() => {
    expect(sandboxOf().requests.filter(({ method }) => method !== "GET")).toEqual([]);
  });

  it("is read when it is declared", async () => {
    const { id, outs } = await create(await start(), declared());
    expect(id).toBe(String(declaredId));
    expect(outs).toMatchObject({ [idField]: id, [field]: before, missing: false });
  });

  it("is rejected when the account has no such object, with the account in the message", async () => {
    const { accountId, url } = sandboxOf();
    await expect(create(await start(), { [idField]: "404" })).rejects.toThrow(
      `${kind} 404: not found in account ${accountId} on ${new URL(url).host}. Check the id and the account.`,
    );
  });

  it("is read again after a failed read", async () => {
    const provider = await start();
    sandboxOf().faults.add({ kind: "status", code: 403, times: 1 });
    await expect(create(provider, declared())).rejects.toThrow("not allowed (HTTP 403)");
    await expect(create(provider, declared())).resolves.toMatchObject({ id: String(declaredId) });
  });

  it("is not reported as missing when the service fails", async () => {
    const { id, outs } = await create(await start(), declared());
    sandboxOf().faults.add({ kind: "status", code: 503 });
    await expect((await start()).read(id, outs)).rejects.toThrow("the service failed (HTTP 503)");
  });

  it("shows a manual change on refresh, and has no change in the next up", async () => {
    const { id, outs } = await create(await start(), declared());
    edit({ [field]: after });
    const refresh = await start();
    const news = await inputsOf(refresh, declared());
    const { props = {} } = await refresh.read(id, outs);
    expect(props).toEqual({ ...outs, [field]: after });
    // The engine asks this in a refresh, to know whether there is drift to be shown.
    expect(await refresh.diff(id, props, news)).toEqual({ changes: true, replaces: [] });
    expect(await (await start()).diff(id, props, news)).toEqual({ changes: false, replaces: [] });
  });

  it("shows no drift on refresh without a change", async () => {
    const { id, outs } = await create(await start(), declared());
    const refresh = await start();
    expect(await refresh.read(id, outs)).toEqual({ id, props: outs });
    const news = await inputsOf(refresh, declared());
    expect(await refresh.diff(id, outs, news)).toEqual({ changes: false, replaces: [] });
  });

  it("is replaced when the id changes, with unknown outputs", async () => {
    const { id, outs } = await create(await start(), declared());
    const provider = await start();
    const notices = await noticesDuring(async () => {
      const news = { ...expecting(after), [idField]: "another" };
      expect(await provider.diff(id, outs, news)).toEqual({ changes: true, replaces: [idField] });
    });
    expect(notices).toEqual([]);
  });

  it("is not created when it violates expectations", async () => {
    await expect(create(await start(), expecting(after))).rejects.toThrow(
      `${kind} ${declaredId}: not as expected:\n  ${field}: expected ${JSON.stringify(after)}, but it is ${JSON.stringify(before)}.\n` +
        "Fix it on the service, or change `expect`.",
    );
    await expect(create(await start(), expecting(before))).resolves.toMatchObject({ id: String(declaredId) });
  });

  it("is read again when only the expectation changes, and not updated when it fails", async () => {
    const { id, outs } = await create(await start(), expecting(before));
    edit({ [field]: after });
    const provider = await start();
    const news = await inputsOf(provider, expecting({ oneOf: [before] }));
    expect(await provider.diff(id, outs, news)).toEqual({ changes: true, replaces: [] });
    await expect(provider.update(id, outs, news)).rejects.toThrow(`${field}: expected one of`);
    edit({ [field]: before });
    const { outs: updated } = await (await start()).update(id, outs, news);
    expect(updated).toEqual({ ...outs, ...news });
  });

  it("always has a change in `up` after a refresh that found a violation", async () => {
    const { id, outs } = await create(await start(), expecting(before));
    edit({ [field]: after });
    const refresh = await start();
    let props = outs;
    const told = await noticesDuring(async () => {
      ({ props = {} } = await refresh.read(id, outs));
    });
    const violation = `${kind} ${id}: not as expected: ${field}: expected ${JSON.stringify(before)}, but it is ${JSON.stringify(after)}.`;
    expect(told).toEqual([`${violation} The next \`pulumi up\` reads it again, and fails if this persists.`]);
    expect(props).toEqual({ ...outs, [field]: after });

    const up = await start();
    const news = await inputsOf(up, expecting(before));
    const announced = await noticesDuring(async () => {
      expect(await up.diff(id, props, news)).toEqual({ changes: true, replaces: [] });
    });
    expect(announced).toEqual([
      `${violation} This is the result of the last read; \`pulumi up\` reads it again.`,
    ]);
    await expect(up.update(id, props, news)).rejects.toThrow(`${field}: expected`);
    edit({ [field]: before });
    expect(await (await start()).update(id, props, news)).toEqual({ outs });
  });

  it("stays in the state as missing when it was deleted, and fails `up` until it exists again", async () => {
    const { id, outs } = await create(await start(), declared());
    const backup = structuredClone(sandboxOf().data);
    remove();
    const refresh = await start();
    let props = outs;
    const told = await noticesDuring(async () => {
      ({ props = {} } = await refresh.read(id, outs));
    });
    expect(told).toEqual([expect.stringMatching(`^${kind} ${id}: not found in account .*reads it again`)]);
    expect(props).toEqual({ ...outs, missing: true });

    const up = await start();
    const news = await inputsOf(up, declared());
    const announced = await noticesDuring(async () => {
      expect(await up.diff(id, props, news)).toEqual({ changes: true, replaces: [] });
    });
    expect(announced).toEqual([
      `${kind} ${id}: not found. This is the result of the last read; \`pulumi up\` reads it again.`,
    ]);
    await expect(up.update(id, props, news)).rejects.toThrow(`${kind} ${id}: not found in account`);

    sandboxOf().byHand.change((data) => Object.assign(data, backup));
    expect(await (await start()).read(id, props)).toEqual({ id, props: outs });
    expect(await (await start()).update(id, props, news)).toEqual({ outs });
  });

  it("is neither read nor compared with another account", async () => {
    const { id, outs } = await create(await start(), declared());
    const { labs } = wellKnown.accounts;
    const { accountId, requests } = sandboxOf();
    const { length } = requests;
    const elsewhere = await phase(lifecycle, { ...sandboxOf(), accountId: labs });
    const refusal = new RegExp(
      `^${kind} ${id}: account points to account ${labs} on .*, but it was read from account ${accountId} on .*Nothing was changed`,
    );
    await expect(elsewhere.read(id, outs)).rejects.toThrow(refusal);
    await expect(elsewhere.diff(id, outs, declared())).rejects.toThrow(refusal);
    expect(requests).toHaveLength(length);
  });

  it("is removed from the state without a request", async () => {
    const { id, outs } = await create(await start(), declared());
    const provider = await start();
    sandboxOf().clearRequests();
    expect(await noticesDuring(() => provider.delete(id, outs))).toEqual([
      `${kind} ${id}: removed from the state; nothing changes on the service.`,
    ]);
    expect(sandboxOf().requests).toEqual([]);
  });

  it("is rejected with all problems at once, without a request", async () => {
    const args = { [idField]: "a/b", account: "eu", expect: { [field]: { beyond: 1 }, colour: 1 }, x: 1 };
    const mistakes = await mistakesIn(await start(), args);
    expect(mistakes).toEqual({
      x: expect.stringContaining(`is not known; expected one of ${idField},`),
      [idField]: expect.stringMatching(/^must be an id, without white space/),
      [`expect.${field}.beyond`]: expect.stringMatching(/^is not known; expected one of .*oneOf, not$/),
      "expect.colour": expect.stringMatching(/^is not known; expected one of .*createdAt, updatedAt$/),
      account: expect.stringContaining("must be a name in monitoring:accounts"),
    });
    expect(await mistakesIn(await start(), { expect: "all good" })).toEqual({
      [idField]: expect.stringContaining("must be the id of"),
      expect: "must be an object of expectations by field",
    });
    expect(sandboxOf().requests).toEqual([]);
  });

  it("passes a preview with unknown values", async () => {
    const provider = await start();
    const news = { [idField]: unknown, expect: { [field]: { oneOf: [unknown] } }, account: unknown };
    expect(await provider.check({}, news)).toMatchObject({ inputs: news, failures: [] });
    const { id, outs } = await create(provider, declared());
    const partly = await inputsOf(provider, declared({ expect: { [field]: unknown } }));
    expect(await provider.diff(id, outs, partly)).toEqual({ changes: true, replaces: [] });
  });
});
