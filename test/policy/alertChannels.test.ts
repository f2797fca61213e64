import { parseRules, RulesError } from "../../audit";
import { alertChannelPolicies } from "../../policy";
import { stackViolations } from "./validation";

const observed = (name: string, changes: object = {}) => {
  const props = {
    channelId: "4107",
    type: "EMAIL",
    config: { address: "ops@acme.example" },
    subscriptions: [{ checkId: "check-1", groupId: null, activated: true }],
    sendFailure: true,
    sslExpiryThreshold: 21,
    ...changes,
  };
  return { kind: "AlertChannel", name, props } as const;
};
const policies = alertChannelPolicies({ rules: { "send-failure": "error", "on-call-type": "warning" } });
const silence = alertChannelPolicies({ rules: { "send-failure": "error" } });
const urn = (name: string) => `urn:pulumi:test::shop::pulumi-nodejs:dynamic/monitoring:AlertChannel::${name}`;

it("are one for each rule, with its id, mandatory for errors and advisory for warnings", () => {
  const levels = policies.map(({ name, enforcementLevel }) => [name, enforcementLevel]);
  expect(Object.fromEntries(levels)).toEqual({
    "send-failure": "mandatory",
    "on-call-type": "advisory",
    "channel-read": "mandatory",
    "waiver-expired": "mandatory",
    "waiver-unused": "advisory",
    "select-unused": "advisory",
    "not-evaluable": "advisory",
  });
});

it("report each finding with channel, field, mistake and fix", async () => {
  const channels = [observed("mail", { sendFailure: false }), observed("other", { channelId: "4108" })];
  const fix = "Turn failure alerts on in the channel's settings.";
  const all =
    /^all channels: type: none that wakes someone; failures go to EMAIL, expected one or more of .*\. Add a channel/;
  expect(await stackViolations(policies, channels)).toEqual([
    {
      policy: "send-failure",
      message: `4107 mail: sendFailure: false, expected true. ${fix}`,
      urn: urn("mail"),
    },
    { policy: "on-call-type", message: expect.stringMatching(all), urn: undefined },
  ]);
});

it("take the rules from the text of a rule file, with its waivers and names", async () => {
  const text = `rules: { send-failure: error }
channels: { operations: 4107 }
waivers: [{ rule: send-failure, channel: operations, reason: moving, owner: Ana, expires: 2999-01-01 }]
`;
  const policies = alertChannelPolicies(parseRules(text, "audit.yaml"));
  expect(await stackViolations(policies, [observed("mail", { sendFailure: false })])).toEqual([]);
  const other = observed("mail", { channelId: "1", sendFailure: false });
  const [violation] = await stackViolations(policies, [other]);
  expect(violation).toMatchObject({ policy: "send-failure", urn: urn("mail") });
});

it("report a channel that was deleted from the service", async () => {
  const message: unknown = expect.stringContaining("it didn't exist on the service at the last refresh");
  expect(await stackViolations(silence, [observed("mail", { missing: true })])).toEqual([
    { policy: "channel-read", message, urn: urn("mail") },
  ]);
});

it("report what isn't evaluable: a channel that no run has read, and a rule without its field", async () => {
  const rules = { "ssl-expiry-threshold": "error", "on-call-type": "error" } as const;
  const unread = { kind: "AlertChannel", name: "new", props: { channelId: "1" } } as const;
  const open = observed("mail", { sslExpiry: true, sslExpiryThreshold: null });
  const noThreshold =
    "4107 mail: ssl-expiry-threshold: sslExpiryThreshold: not returned by the service; check it there.";
  expect(await stackViolations(alertChannelPolicies({ rules }), [unread, open])).toEqual([
    {
      policy: "not-evaluable",
      message: "new: not evaluable yet; `pulumi up` reads and checks it.",
      urn: urn("new"),
    },
    { policy: "not-evaluable", message: noThreshold, urn: urn("mail") },
  ]);
});

it("ignore other resources", async () => {
  const { props } = observed("mail", { sendFailure: false });
  expect(await stackViolations(silence, [{ kind: "IncidentUpdate", props }])).toEqual([]);
});

it("reject rules with mistakes", () => {
  expect(() => alertChannelPolicies({ rules: { "send-failur": "error" } })).toThrow(RulesError);
});

const account = (host: string) => ({ origin: { host, path: "/", accountId: "a" } });

it.each<[string, object]>([
  ["of another account", account("eu.example")],
  ["whose state has no account", {}],
])("report the resource whose channel has the mistake, also %s", async (_, origin) => {
  const good = observed("us", account("us.example"));
  const bad = observed("other", { ...origin, sendFailure: false });
  for (const channels of [
    [good, bad],
    [bad, good],
  ]) {
    const violations = await stackViolations(silence, channels);
    expect(violations).toMatchObject([{ policy: "send-failure", urn: urn("other") }]);
  }
});

it("report the resource that the message names when two observe one channel", async () => {
  const twice = ["first", "second"].map((name) => observed(name, { sendFailure: false }));
  const message: unknown = expect.stringMatching(/^4107 first: /);
  expect(await stackViolations(silence, twice)).toMatchObject([{ message, urn: urn("first") }]);
});
