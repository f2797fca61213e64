/** No credential of any channel type reaches any report, however the channels were given. */
import { redactConfig } from "../../provider/client/redact";
import {
  type AlertChannel,
  auditAlertChannels,
  type AuditReport,
  formatNames,
  formats,
  type Rules,
} from "../../audit";
import { channel, now } from "./channels";

const canary = "CANARY-7f3a9c";
const hidden = { deep: [{ deeper: canary }] };

/** Each credential of each type, and settings that nobody knows yet. */
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
  PIGEON: { loft: canary, name: { first: canary }, channel: [{ token: canary }] },
};

/** Fields that the types do not have, but a response may. */
const undocumented = {
  subscriptions: [{ checkId: "check-1", activated: true, token: canary }],
  token: hidden,
};

const raw = Object.entries(configs).flatMap(([type, config], index): AlertChannel[] => [
  { ...channel({ id: 100 + index, type, config }), ...undocumented },
  channel({ id: index * 2 + 1, type, config, sendFailure: false, subscriptions: null }),
  channel({ id: index * 2 + 2, type, config, name: `${type} again`, updatedAt: "2019-01-01" }),
]);

const curious: Rules = {
  extends: "strict",
  rules: {
    "allowed-targets": {
      severity: "error",
      options: { emailDomains: ["x.example"], hosts: ["x.example"], phonePrefixes: ["+49"] },
    },
    "forbidden-targets": { severity: "error", options: { hosts: ["10.0.0.1"], phonePrefixes: ["+1"] } },
    "allowed-types": { severity: "error", options: { types: ["EMAIL"] } },
  },
  waivers: [{ rule: "credential-reference", reason: "later", owner: "Ana", expires: "2026-12-31" }],
  customRules: [
    {
      id: "subscriptions-odd",
      title: "Odd",
      schema: { properties: { subscriptions: { items: { const: 7 } } } },
    },
    ...[
      ...["url", "apiKey", "serviceKey", "webhookSecret", "headers", "template"],
      ...["token", "loft", "pin", "oauth", "name", "channel"],
    ].flatMap((key) => [
      { id: `${key.toLowerCase()}-none`, title: "None", path: `config.${key}`, exists: false },
      {
        id: `${key.toLowerCase()}-odd`,
        title: "Odd",
        schema: { properties: { config: { properties: { [key]: { const: 7 } } } } },
      },
    ]),
  ],
};

const ways: [string, () => readonly AlertChannel[]][] = [
  ["in clear text", () => raw],
  ["redacted", () => raw.map((one) => ({ ...one, config: redactConfig(one, "account") }))],
];

const base64 = Buffer.from(canary).toString("base64").slice(0, -4);
const forms = [canary, encodeURIComponent(canary), base64, Buffer.from(canary).toString("hex")];

describe.each(ways)("channels %s", (way, channels) => {
  let report: AuditReport;
  beforeEach(() => {
    report = auditAlertChannels(channels(), curious, { now });
  });

  test.each(formatNames)("%s holds no credential", (format) => {
    const text = format === "text" ? formats.text(report, { colour: true }) : formats[format](report);
    expect(forms.filter((form) => text.includes(form))).toEqual([]);
  });

  test("the curious rules did look at them", () => {
    const looked = [...report.findings, ...report.waived, ...report.notEvaluable].map(({ field }) => field);
    const fields = ["url", "apiKey", "serviceKey", "webhookSecret", "headers", "loft"].map(
      (key) => `config.${key}`,
    );
    expect(looked).toEqual(expect.arrayContaining(fields));
    if (way === "redacted")
      expect(report.findings.map(({ rule }) => rule)).toEqual(
        expect.arrayContaining(["https-hook", "public-hook", "credential-shared"]),
      );
  });
});
