/**
 * Tests which settings of a channel are checked: documented settings, and other settings that may contain its target. Also tests its
 * title.
 */
import {
  collectCredentials,
  pickDocumentedConfig,
  readConfig,
  redactedCredential,
  maskSettings,
} from "../../provider/credentials";

type Config = Record<string, unknown>;
const hook = "https://hooks.acme.io/x";

test.each([
  ["EMAIL", "address"],
  ["SLACK", "url"],
  ["SLACK_APP", "slackChannels"],
  ["WEBHOOK", "url"],
  ["SMS", "number"],
  ["CALL", "number"],
  ["PAGERDUTY", "serviceKey"],
  ["OPSGENIE", "apiKey"],
])("a channel of the type %s has a target in another setting only if %s is empty", (type, key) => {
  expect(pickDocumentedConfig({ type, config: { future: "x" } })).toEqual({ [key]: { isMalformed: true } });
  expect(pickDocumentedConfig({ type, config: { [key]: "y", future: "x" } })).toEqual({ [key]: "y" });
});

test.each<[others: string[], future: unknown]>([
  [["future"], hook],
  [["future"], ` HTTP:${hook}`],
  [["future"], { scheme: "https" }],
  [[], { fingerprint: "2c08b23011df" }],
  [[], `see ${hook}`],
  [[], `xhttps:${hook}`],
  [[], ""],
  [[], []],
])("the settings %j may also contain the target, if another setting is %j", (others, future) => {
  const config = { address: "a@b.io", future };
  expect(collectCredentials({ type: "EMAIL", config }, () => ({})).others).toEqual(others);
});

test("an unknown setting that may be the target becomes the target, with its facts, and is malformed", () => {
  const facts = { scheme: "https" };
  const config = { url: { scheme: "http" }, name: "Ops", future: facts, later: facts };
  const expected = { name: "Ops", url: { ...facts, isMalformed: true } };
  expect(pickDocumentedConfig({ type: "WEBHOOK", config })).toEqual(expected);
  const { url: _, ...others } = config;
  expect(pickDocumentedConfig({ type: "WEBHOOK", config: others })).toEqual(expected);
});

test("a channel of any other type has no target in another setting", () => {
  expect(pickDocumentedConfig({ type: "PIGEON", config: { name: "Ops", future: hook } })).toEqual({
    name: "Ops",
  });
  expect(collectCredentials({ type: "PIGEON", config: { future: hook } }, () => ({})).others).toEqual([]);
});

const facts = { isReference: false };
test.each<[what: string, config: Config, split: object, shows?: boolean]>([
  ["a visible setting", { name: "Ops" }, {}, true],
  ["a list of channels", { slackChannels: ["#a", "#b"] }, {}, true],
  ["a credential", { apiKey: "s3cret" }, { credentials: { apiKey: facts } }],
  ["an undocumented credential", { future: "s3cret" }, {}],
  ["empty settings", { name: "", url: null, headers: [], slackChannels: [] }, {}],
  ["a number as a visible setting", { name: 7 }, { wrong: ["name"] }, true],
  ["a string as a list of channels", { slackChannels: "#a" }, { wrong: ["slackChannels"] }, true],
  ["a list with a number", { slackChannels: ["#a", 7] }, { wrong: ["slackChannels"] }, true],
  ["a list with an object", { slackChannels: ["#a", {}] }, { wrong: ["slackChannels"] }],
  ["a list as a visible setting", { name: ["Ops"] }, { wrong: ["name"] }],
  ["a credential of another type", { apiKey: 7 }, { wrong: ["apiKey"] }],
])("%s is divided into visible settings, facts and errors: %j", (_, config, split, shows = false) => {
  const getFacts = (__: string, value: unknown) => (typeof value === "string" ? facts : undefined);
  const channel = { type: "PIGEON", config };
  expect(collectCredentials(channel, getFacts)).toStrictEqual({
    credentials: {},
    wrong: [],
    others: [],
    ...split,
  });
  expect(maskSettings(channel).settings).toEqual(shows ? config : {});
});

test("the host is the host of the URL, whichever other settings are credentials", () => {
  const getHostname = (config: Config) => readConfig({ type: "WEBHOOK", config }).hostname;
  expect(getHostname({ template: "https://other.io", url: hook, apiKey: "s3cret" })).toBe("hooks.acme.io");
  expect(getHostname({ template: "https://other.io" })).toBeUndefined();
  expect(getHostname({ url: [hook] })).toBeUndefined();
});

test("invalid facts about a credential are rejected by field, without their value", () => {
  const wrong = { fingerprint: "s3cret", scheme: "S3CRET:", isPlaceholder: false, isMalformed: "s3cret" };
  const { error } = redactedCredential.safeParse({ ...wrong, isReference: false });
  expect(error?.issues.map(({ path, message }) => `${path.join()} ${message}`)).toEqual([
    "fingerprint must be the 12 hex digits in the output `config`",
    "scheme must be the scheme of a URL, such as https",
    "isPlaceholder must be true or unset",
    "isMalformed must be true or unset",
  ]);
  const flags = { isReference: true, isPlaceholder: true, isInvalidJson: true, isMalformed: true } as const;
  const right = { fingerprint: "2c08b23011df", scheme: "git+ssh", ...flags };
  expect(redactedCredential.parse(right)).toEqual(right);
  const isTaken = (scheme: string) => redactedCredential.safeParse({ ...right, scheme }).success;
  expect(["Git", "git:"].filter(isTaken)).toEqual([]);
  expect(redactedCredential.safeParse("s3cret").error?.message).toContain(
    "is a credential, whose value is never stored",
  );
});

test.each<[title: string | undefined, config: Config]>([
  ["👩‍🚒 Duty (EU/US)", { name: "👩‍🚒 Duty (EU/US)", number: "+34600145981" }],
  ["KubernetesClusterEurope1", { name: "", serviceName: "KubernetesClusterEurope1", channel: "#ops" }],
  ["hooks.slack.com/services/checkout", { channel: "hooks.slack.com/services/checkout" }],
  ["ops@acme.io", { address: "ops@acme.io" }],
  ["+34600145981", { number: "+34600145981", account: "acme" }],
  ["acme", { account: "acme" }],
  [undefined, { name: 7, account: "acme" }],
  [undefined, { name: ["Ops"] }],
  [undefined, { name: "hidden-2c08b23011df" }],
  [undefined, { name: "Ops (hidden-2c08b23011df)" }],
  ["unhidden-2c08b23011df", { name: "unhidden-2c08b23011df" }],
  ["hidden-2c08b23011df-ops", { name: "hidden-2c08b23011df-ops" }],
  [undefined, { url: hook }],
])("a channel is called %j by its settings %j", (title, config) => {
  expect(maskSettings({ type: "WEBHOOK", config }).title).toBe(title);
});

test("an address or a known secret isn't used as a name, even next to words", () => {
  const names = [
    "https://hooks.acme.io/T1/B1",
    "ops https://hooks.slack.com/services/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",
    "ops ghp_aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA3bC6",
  ];
  expect(names.flatMap((name) => maskSettings({ type: "WEBHOOK", config: { name } }).title ?? [])).toEqual(
    [],
  );
});
