/** No report contains a credential, of any channel type and from any source. */
import { isShown, redactConfig } from "../../provider/credentials";
import { type AlertChannel, formatNames, formats, observedChannel, type Rules } from "../../audit/public";
import { audit, channel } from "./channels";

const canary = "CANARY-7f3a9c";
const hidden = { deep: [{ deeper: canary }] };

/** All credentials of all types, and undocumented settings. */
const configs: Readonly<Record<string, Record<string, unknown>>> = {
  EMAIL: { address: "ops@acme.example", token: canary },
  SLACK: { url: `https://hooks.example/${canary}`, channel: "#ops" },
  SLACK_APP: { slackChannels: ["#ops"], oauth: hidden },
  WEBHOOK: {
    name: "Hook",
    url: `http://user:${canary}@10.0.0.1/${canary}?token=${canary}`,
    method: "POST",
    template: `{"token": "${canary}"}`,
    headers: [{ key: "Authorization", value: `Bearer ${canary}` }],
    queryParameters: [{ key: "token", value: canary }],
    webhookSecret: canary,
  },
  SMS: { number: "+12025550143", pin: canary },
  CALL: { number: "+12025550143", pin: hidden },
  PAGERDUTY: { serviceKey: canary, account: "acme", serviceName: "Ops" },
  OPSGENIE: { apiKey: canary, name: "Ops", region: "EU", priority: "P1" },
  PIGEON: { loft: canary },
  RAVEN: { loft: canary, name: { first: canary }, channel: [{ token: canary }], slackChannels: [hidden] },
};

/** Fields that the types don't have, but a response may. */
const undocumented = {
  subscriptions: [{ checkId: "check-1", activated: true, token: canary, more: hidden }],
  webhookSecret: canary,
  token: hidden,
};

const raw = Object.entries(configs).flatMap(([type, config], index): AlertChannel[] => [
  { ...channel({ id: 100 + index, type, config }), ...undocumented },
  channel({ id: index * 2 + 1, type, config, sendFailure: false, subscriptions: null }),
  channel({ id: index * 2 + 2, type, config, name: `${type} again`, updatedAt: "2019-01-01" }),
]);

const settings = "url apiKey serviceKey webhookSecret headers template token loft pin oauth name channel";
const keys = settings.split(" ");
const own = (id: string, expect: object) => ({ id: id.toLowerCase(), title: id, expect: { ...expect } });
const others = ["x.example"];
const curious: Rules = {
  extends: "strict",
  rules: {
    "allowed-targets": { options: { emailDomains: others, hosts: others, phonePrefixes: ["+49"] } },
    "forbidden-targets": { options: { hosts: ["10.0.0.1"], phonePrefixes: ["+1"] } },
    "allowed-types": { options: { types: ["EMAIL"] } },
    "credential-shared": "error",
  },
  waivers: [{ rule: "credential-reference", reason: "later", owner: "Ana", expires: "2026-12-31" }],
  customRules: [
    own("odd-subscriptions", { subscriptions: { contains: { checkId: "7" } } }),
    own("other", { not: { type: { not: null } } }),
    own("no-config", { config: null }),
    own("no-subscriptions", { subscriptions: null }),
    ...keys.map((key) => own(`no-${key}`, { config: { [key]: null } })),
    ...keys
      .filter((key) => !isShown(key))
      .map((key) => own(`odd-${key}`, { config: { [key]: { fingerprint: "777777777777" } } })),
  ],
};

const redacted = raw.map((one) => ({ ...one, config: redactConfig(one, "account") }));
const observed = (channels: AlertChannel[]) =>
  channels.map((one) => observedChannel("hook", { ...one, channelId: one.id }));
const stacks = { "a stack": observed(redacted), "a stack with plain text": observed(raw) };
const sources = { "plain text": raw, redacted, ...stacks };

const base64 = Buffer.from(canary).toString("base64").slice(0, -4);
const forms = [canary, encodeURIComponent(canary), base64, Buffer.from(canary).toString("hex")];

test.each(Object.entries(sources))(
  "no format contains a credential of channels from %s, which the rules evaluated",
  (source, channels) => {
    const report = audit(channels, curious);
    const texts = formatNames.map((format) => formats[format](report));
    expect(forms.filter((form) => texts.join().includes(form))).toEqual([]);
    // Plain text isn't what a stack has.
    if (source === "a stack with plain text") return;
    const fields = [...report.findings, ...report.waived, ...report.notEvaluable].map(({ field }) => field);
    const expected = ["url", "apiKey", "serviceKey", "webhookSecret", "headers"];
    expect(fields).toEqual(expect.arrayContaining(expected.map((key) => `config.${key}`)));
  },
);
