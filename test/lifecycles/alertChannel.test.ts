import { wellKnown } from "../../sandbox";
import { redactConfig } from "../../provider/credentials";
import { create, inputsOf, mistakesIn, phase, sandboxForEachTest } from "./phases";

const sandboxOf = sandboxForEachTest();
const start = () => phase("AlertChannel", sandboxOf());

const { legacyHook, onCall, slackPayments } = wellKnown.alertChannels;
const canary = "canary-credential-7f3a";

function editConfig(channelId: number, changes: object): void {
  sandboxOf().byHand.change(({ accounts: [{ alertChannels }] }) => {
    Object.assign(alertChannels.find(({ id }) => id === channelId)?.config ?? {}, changes);
  });
}

it("has the documented outputs, in camelCase, with facts in place of credentials", async () => {
  const { outs } = await create(await start(), { channelId: legacyHook });
  const [{ alertChannels }] = sandboxOf().data.accounts;
  const found = alertChannels.find((each) => each.id === legacyHook);
  const { id, created_at: createdAt, updated_at: updatedAt, ...alike } = found ?? {};
  const fingerprint: unknown = expect.stringMatching(/^[0-9a-f]{12}$/);
  expect(outs).toEqual({
    ...{ ...alike, createdAt, updatedAt },
    channelId: String(id),
    config: {
      name: "Old ticket system",
      url: {
        ...{ fingerprint, scheme: "http", hostClass: "private", isReference: false },
        ...{ secretPart: "literal", recognizedBy: "name" },
      },
      method: "POST",
      headers: [],
      queryParameters: { fingerprint, isReference: false, secretPart: "none" },
    },
    missing: false,
    origin: { host: new URL(sandboxOf().url).host, path: "/", accountId: sandboxOf().accountId },
  });
});

it("shows that a credential was rotated, without credentials in outputs, errors or problems", async () => {
  const { id, outs } = await create(await start(), { channelId: slackPayments });
  const said = [JSON.stringify(outs)];
  editConfig(slackPayments, { url: `https://hooks.chat.example/${canary}`, newKey: { nested: [canary] } });

  const { props } = await (await start()).read(id, outs);
  said.push(JSON.stringify(props));
  const before = /[0-9a-f]{12}/.exec(JSON.stringify(outs))?.[0] ?? "^";
  const fingerprint: unknown = expect.not.stringMatching(before);
  const url = { fingerprint, scheme: "https", hostClass: "public", isReference: false, secretPart: "none" };
  expect(props).toEqual({ ...outs, config: { channel: "#payments-alerts", url } });

  const expectations = { url: { isReference: true }, newKey: null, channel: { not: "#payments-alerts" } };
  const refused = create(await start(), { channelId: slackPayments, expect: { config: expectations } });
  said.push(await refused.then(String, String));
  expect(said[2]).toContain('config.channel: expected anything but "#payments-alerts"');
  expect(said.join()).not.toContain(canary);
});

const fact = (facts: object) => ({ fingerprint: "0123456789ab", isReference: false, ...facts });
it.each<[string, object, boolean]>([
  ["facts that this release derives otherwise", { url: { receiver: "chat", hostClass: "public" } }, false],
  ["another credential with the same facts", { url: { fingerprint: "0123456789ab" } }, true],
  ["a credential that is gone", { webhookSecret: fact({}) }, true],
])("of %s, a refresh of a state records them; whether it shows drift: %p", async (_, stored, isDrift) => {
  const { outs } = await create(await start(), { channelId: legacyHook });
  const config = outs["config"] as Record<string, object>;
  const merged = Object.entries(stored).map(([key, value]: [string, unknown]) => [
    key,
    typeof value === "object" && key in config ? { ...config[key], ...value } : value,
  ]);
  const olds = { ...outs, config: { ...config, ...Object.fromEntries(merged) } };

  const refresh = await start();
  const news = await inputsOf(refresh, { channelId: legacyHook });
  const { props = {} } = await refresh.read(String(legacyHook), olds);
  expect(props).toEqual(outs);
  expect(await refresh.diff(String(legacyHook), props, news)).toEqual({ changes: isDrift, replaces: [] });
  const up = await start();
  expect(await up.diff(String(legacyHook), olds, news)).toEqual({ changes: false, replaces: [] });
});

it("rejects credentials anywhere in expectations, and never quotes them, and takes the facts of stored ones", async () => {
  const config = {
    url: canary,
    headers: [{ key: "authorization", value: canary }],
    template: { not: canary },
    webhookSecret: { oneOf: [{ isReference: true }, canary] },
    serviceKey: { matches: canary },
    apiKey: { fingerprint: canary },
    pin: { fingerprint: "0123456789ab0", scheme: "https:" },
    token: { hostClass: canary, secretPart: canary, scheme: `${canary}/`, value: canary },
  };
  const mistakes = await mistakesIn(await start(), { channelId: onCall, expect: { config } });
  expect(mistakes).toMatchSnapshot();
  expect(JSON.stringify(mistakes)).not.toContain(canary);
  const url = { fingerprint: "0123456789ab", scheme: "git+ssh", hostClass: "loopback", isReference: false };
  const stored = { channelId: onCall, expect: { config: { url } } };
  expect(await mistakesIn(await start(), stored)).toEqual({});
});

it("has the same fingerprints as data sources and audits of the account", async () => {
  const { outs } = await create(await start(), { channelId: slackPayments });
  const { accountId, data } = sandboxOf();
  const found = data.accounts[0].alertChannels.find(({ id }) => id === slackPayments);
  expect(found && redactConfig(found, accountId)).toEqual(outs["config"]);
});
