/** Tests the checks and messages of a policy pack. */
import { type Exception } from "../../audit/public";
import { alertChannelPolicies, forbiddenWords, emailOnlyFrom, monitoringPolicyPack } from "../../policy";
import { channel as sound, facts } from "../audit/channels";
import { type Declared, resourceViolations, stackViolations, buildUrn } from "./validation";

describe("the policies of alert channels", () => {
  const { id: _, ...outputs } = sound();
  const observed = (name: string, changes: object = {}) => {
    return { kind: "AlertChannel", name, props: { ...outputs, channelId: "4107", ...changes } } as const;
  };
  const policies = alertChannelPolicies({ rules: { "send-failure": "error", "on-call-type": "warning" } });
  const silence = alertChannelPolicies({ rules: { "send-failure": "error" } });
  const urn = (name: string) => buildUrn("AlertChannel", name, ["shop", "test"]);

  it("the policies of alert channels are one for each rule, with its ID, mandatory for errors and advisory for warnings", () => {
    const levels = policies.map(({ name, enforcementLevel }) => [name, enforcementLevel]);
    expect(Object.fromEntries(levels)).toEqual({
      "send-failure": "mandatory",
      "on-call-type": "advisory",
      "channel-read": "mandatory",
      "exception-expired": "mandatory",
      "exception-unused": "advisory",
      "select-unused": "advisory",
      "not-evaluable": "advisory",
    });
  });

  it("the policies of alert channels report each finding with channel, field, problem and remedy", async () => {
    const channels = [observed("mail", { sendFailure: false }), observed("other", { channelId: "4108" })];
    const fix = "Turn failure alerts on in the channel's settings.";
    const all =
      /^all channels: type: no channel wakes someone; failures go to EMAIL, expected one or more of .*\. Add a channel/;
    expect(await stackViolations(policies, channels)).toEqual([
      {
        policy: "send-failure",
        message: `4107 mail: sendFailure: false, expected true. ${fix}`,
        urn: urn("mail"),
      },
      { policy: "on-call-type", message: expect.stringMatching(all), urn: undefined },
    ]);
  });

  it("the policies of alert channels report a channel that can't be read", async () => {
    const message: unknown = expect.stringContaining("didn't exist on the service at the last refresh");
    expect(await stackViolations(silence, [observed("mail", { missing: true })])).toEqual([
      { policy: "channel-read", message, urn: urn("mail") },
    ]);
  });

  it("the policies of alert channels report a channel that no run has read yet as not evaluable", async () => {
    const unread = { kind: "AlertChannel", name: "new", props: { channelId: "1" } } as const;
    const message = "new: not evaluable yet. `pulumi up` reads and checks the channel.";
    expect(await stackViolations(silence, [unread])).toEqual([
      { policy: "not-evaluable", message, urn: urn("new") },
    ]);
  });

  it("the policies of alert channels are two for a rule with two severities, including one whose findings may be likely", async () => {
    const rules = { "send-failure": "error", "credential-reference": "error" } as const;
    const exceptions: Exception[] = [
      { select: { names: ["test-*"] }, rules: { "send-failure": "warning" }, reason: "Tests" },
    ];
    const both = alertChannelPolicies({ rules, exceptions });
    const levels = both.map(({ name, enforcementLevel }) => `${name}: ${enforcementLevel}`);
    const named = ["send-failure-mandatory: mandatory", "send-failure-advisory: advisory"];
    expect(levels).toEqual(expect.arrayContaining(named));
    const url = facts("a", { scheme: "https", secretPart: "literal", recognizedBy: "random" });
    const hook = observed("hook", { type: "WEBHOOK", config: { url } });
    expect(await stackViolations(both, [hook])).toContainEqual(
      expect.objectContaining({ policy: "credential-reference-advisory" }),
    );
  });

  const account = (host: string) => ({ origin: { host, path: "/", accountId: "a" } });

  it.each<[string, object]>([
    ["of another account", account("eu.example")],
    ["whose state has no account", {}],
  ])("policies report the resource whose channel has the problem, %s", async (_, origin) => {
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

  it("the policies of alert channels report the resource that the message names if two resources observe one channel", async () => {
    const twice = ["first", "second"].map((name) => observed(name, { sendFailure: false }));
    const message: unknown = expect.stringMatching(/^4107 first: /);
    expect(await stackViolations(silence, twice)).toMatchObject([{ message, urn: urn("first") }]);
  });
});

const update = (props: Declared["props"], stack?: string): Declared => ({
  kind: "IncidentUpdate",
  props,
  stack,
});
const incident = (props: Declared["props"], stack?: string): Declared => ({ kind: "Incident", props, stack });
const channel = (props: Declared["props"]): Declared => ({ kind: "AlertChannel", props });
const mail = { notifySubscribers: true };

describe("emails to subscribers", () => {
  const policy = emailOnlyFrom({ stacks: ["production", "shop/staging"] });

  it.each<[string, Declared, number]>([
    ["an update of a listed stack, in any project", update(mail, "blog/production"), 0],
    ["an update of a stack that is listed with its project", update(mail, "shop/staging"), 0],
    ["an update of that stack in another project", update(mail, "blog/staging"), 1],
    ["an update of a stack whose name starts like a listed name", update(mail, "shop/production-2"), 1],
    ["an incident of a listed stack", incident(mail, "blog/production"), 0],
    ["an incident of another stack", incident(mail, "shop/test"), 1],
    ["an incident that sends no emails", incident({ notifySubscribers: false }, "shop/test"), 0],
    ["an update that sends no emails", update({ notifySubscribers: false }), 0],
    ["an update without notifySubscribers", update({}), 0],
    ["another kind of resource", channel(mail), 0],
  ])("the policy on emails to subscribers reports each violation of %s", async (_, declared, count) => {
    expect(await resourceViolations(policy, declared)).toHaveLength(count);
  });

  it.each([
    [["production", "shop/staging"], "only production, shop/staging"],
    [[], "no stack"],
  ])("emails to subscribers are rejected with the allowed stacks if %j are listed", async (stacks, who) => {
    expect(await resourceViolations(emailOnlyFrom({ stacks }), update(mail, "shop/test"))).toEqual([
      `notifySubscribers is true in shop/test, but ${who} may email subscribers. ` +
        "Declare notifySubscribers: false, or declare the resource in a listed stack.",
    ]);
  });
});

it.each([
  ["are found next to punctuation", "c++", "It was (C++).", 1],
  ["are found with another apostrophe or hyphen", "can't roll-back", "We can\u2019t roll\u2011back.", 1],
  ["are found in full case folding", "stra\u00dfe", "The office in STRASSE 1", 1],
  ["are found with a final sigma", "λάθος", "ΛΆΘΟΣ'Ν", 1],
  ["are found in a script that puts no spaces", "障害", "大規模障害が発生", 1],
  ["are not found in a longer word", "eta", "The beta is fine.", 0],
  ["are not found in a word with an ending", "blame", "blameless", 0],
  ["are not found in text that a pattern would match", "a.c", "abc", 0],
])("forbidden words in a description %s", async (_, word, description, count) => {
  expect(await resourceViolations(forbiddenWords([word]), update({ description }))).toHaveLength(count);
});

it("forbidden words are reported only by their positions in the list, because the description may be a secret", async () => {
  const policy = forbiddenWords(["cause", "breach", "leak"]);
  expect(policy).toMatchObject({ name: "forbidden-words", enforcementLevel: "mandatory" });
  expect(await resourceViolations(policy, channel({ description: "A leak." }))).toEqual([]);
  expect(await resourceViolations(policy, update({ description: "A leak after a breach." }))).toEqual([
    "description contains forbidden words of the policy pack (forbiddenWords[1], forbiddenWords[2]). Reword the description.",
  ]);
});

it("forbidden words are found in the name of an incident and in its first update", async () => {
  const policy = forbiddenWords(["breach", "leak"]);
  const found = await resourceViolations(policy, incident({ name: "A leak", description: "A breach." }));
  expect(found).toEqual([
    "name contains forbidden words of the policy pack (forbiddenWords[1]). Reword the name.",
    "description contains forbidden words of the policy pack (forbiddenWords[0]). Reword the description.",
  ]);
});

const inPack = (...mistakes: string[]) => mistakes.map((each) => `policy pack "monitoring": ${each}`);
const nothing = JSON.parse("{}") as never;
const deferPack = (args: object) => () => monitoringPolicyPack("monitoring", args);

const noFile = `${process.cwd()}: absent.yaml can't be read: no such file or directory`;
const [empty, aStack] = ["must not be empty", "must be <stack> or <project>/<stack>"];

it.each<[what: string, make: () => unknown, ...mistakes: string[]]>([
  ["a policy without its list", () => emailOnlyFrom(nothing), "emailOnlyFrom.stacks must be a list"],
  [
    "a policy with empty words",
    () => forbiddenWords(["", " ", "\u200b"]),
    ...[0, 1, 2].map((index) => `forbiddenWords[${index}] ${empty}`),
  ],
  [
    "a pack of nothing",
    deferPack({}),
    ...inPack("rules is missing. Set rules, emailOnlyFrom or forbiddenWords"),
  ],
  [
    "a pack with unknown arguments and stacks",
    deferPack({ rule: "audit.yaml", emailOnlyFrom: { stacks: ["acme/shop/test", 7] } }),
    ...inPack(...[0, 1].map((index) => `emailOnlyFrom.stacks[${index}] ${aStack}`)),
    ...inPack('rule is not known (did you mean "rules"?)'),
  ],
  [
    "a pack with an unknown rule",
    deferPack({ rules: { rules: { "send-failur": "error" } } }),
    'rules.send-failur is not known (did you mean "send-failure"?)',
  ],
  [
    "a pack without its rule file",
    deferPack({ rules: "absent.yaml" }),
    ...inPack(`rules must be the path of a rule file, relative to ${noFile}`),
  ],
])("%s is rejected, with each error in one line", (_, make, ...mistakes) => {
  const told = { message: mistakes.join("\n"), stack: undefined };
  expect(make).toThrow(expect.objectContaining(told) as Error);
});

it("a pack reports that @pulumi/policy isn't installed", () => {
  jest.doMock("@pulumi/policy", () => {
    throw new Error("Cannot find module '@pulumi/policy'");
  });
  expect(deferPack({ forbiddenWords: ["blame"] })).toThrow(
    "A policy pack requires the package @pulumi/policy. Run `npm install @pulumi/policy` in the folder of the policy pack.",
  );
});
