import { auditAlertChannels, type AuditedChannel, defineRule, type Rules } from "../../audit";
import { rulePage } from "../../audit/rulePage";
import { channel, facts, goodUrl, now } from "./channels";

const failing = (id: number) => channel({ id, sendFailure: false });
const sendFailure: Rules = { rules: { "send-failure": "error" } };

describe("a finding", () => {
  test("has channel, rule, field, actual, expected and fix", () => {
    const { findings } = auditAlertChannels([failing(7)], { ...sendFailure, channels: { ops: 7 } }, { now });
    expect(findings).toEqual([
      {
        rule: "send-failure",
        severity: "error",
        channel: { id: 7, name: "ops", type: "EMAIL" },
        field: "sendFailure",
        actual: "false",
        expected: "true",
        fix: "Turn failure alerts on in the channel's settings.",
        docs: rulePage("send-failure"),
        fingerprint: "send-failure/7/sendFailure",
      },
    ]);
  });

  test("has a unique fingerprint that doesn't depend on severity, other channels or time", () => {
    const first = auditAlertChannels([failing(1), failing(2)], { extends: "strict" }, { now });
    const later = auditAlertChannels([failing(3), failing(2)], sendFailure, { now: new Date("2027-05-05") });
    const fingerprints = first.findings.map(({ fingerprint }) => fingerprint);
    expect(new Set(fingerprints).size).toBe(fingerprints.length);
    expect(fingerprints).toContain(later.findings.find(({ channel }) => channel?.id === 2)?.fingerprint);
  });

  test("is sorted by severity, then by channel id, then by rule", () => {
    const ids = [30, "9", 20].map((id) =>
      channel({ id, sendFailure: false, sendRecovery: false, sslExpiry: false }),
    );
    const rules: Rules = {
      rules: { "ssl-expiry": "error", "send-recovery": "warning", "send-failure": "error" },
    };
    expect(auditAlertChannels(ids, rules, { now }).findings.map(({ fingerprint }) => fingerprint)).toEqual([
      "send-failure/9/sendFailure",
      "ssl-expiry/9/sslExpiry",
      "send-failure/20/sendFailure",
      "ssl-expiry/20/sslExpiry",
      "send-failure/30/sendFailure",
      "ssl-expiry/30/sslExpiry",
      "send-recovery/9/sendRecovery",
      "send-recovery/20/sendRecovery",
      "send-recovery/30/sendRecovery",
    ]);
  });
});

describe("channels", () => {
  test("may come from the API, from data sources, and from any iterable", () => {
    const { createdAt, updatedAt, ...rest } = channel();
    const fromApi = { ...rest, created_at: createdAt, updated_at: "2020-01-01", id: 2 };
    const report = auditAlertChannels(
      new Set([channel({ updatedAt }), fromApi]),
      { rules: { stale: "error" } },
      { now },
    );
    expect(report.findings.map(({ channel }) => channel?.id)).toEqual([2]);
  });

  test("that are duplicates count once", () => {
    const { counts } = auditAlertChannels([failing(1), { ...failing(1), id: "1" }], sendFailure, { now });
    expect(counts).toMatchObject({ channels: 1, errors: 1 });
  });

  test("that pass all rules of the strict preset have no findings", () => {
    const onCall = channel({
      id: 2,
      type: "PAGERDUTY",
      config: { serviceKey: facts("a", { isReference: true }) },
      autoSubscribe: true,
    });
    const { counts, channels } = auditAlertChannels([channel(), onCall], { extends: "strict" }, { now });
    expect(counts).toMatchObject({ channels: 2, errors: 0, warnings: 0, notEvaluable: 0 });
    expect(channels[0]?.passed).toContain("duplicate-target");
  });

  test("that couldn't be read are findings, and make rules on all channels not evaluable", () => {
    const rules: Rules = { channels: { db: 9 }, rules: { "on-call-type": "error", "send-failure": "error" } };
    const { findings, notEvaluable, counts } = auditAlertChannels(
      [failing(1), { id: 9, reason: "the service is down (HTTP 503)." }],
      rules,
      { now },
    );
    expect(findings.map(({ rule, channel, actual }) => [rule, channel, actual])).toEqual([
      ["send-failure", { id: 1, type: "EMAIL" }, "false"],
      ["channel-read", { id: 9, name: "db" }, "not read: the service is down (HTTP 503)"],
    ]);
    expect(notEvaluable).toEqual([
      { rule: "on-call-type", field: "type", reason: "1 of the channels couldn't be read" },
    ]);
    expect(counts).toMatchObject({ channels: 1, unreadable: 1, errors: 2 });
  });

  test("that are only some of all make rules on all channels not evaluable", () => {
    const rules: Rules = { rules: { "on-call-type": "error" } };
    expect(auditAlertChannels([channel()], rules, { now }).counts).toMatchObject({
      errors: 1,
      notEvaluable: 0,
    });
    const partial = auditAlertChannels([channel()], rules, { now, partial: true });
    expect(partial.findings).toEqual([]);
    expect(partial.notEvaluable).toMatchObject([{ reason: "only some of the channels were audited" }]);
  });
});

describe("credentials", () => {
  let seen: AuditedChannel[];
  const spy = defineRule({
    ...{ id: "spy", title: "Spy", why: "To record.", fix: "None." },
    check: () => (channel) => {
      seen.push(channel);
      return [];
    },
  });
  beforeEach(() => {
    seen = [];
  });

  test("in plain text are discarded before rules run", () => {
    const config = {
      url: "https://canary",
      apiKey: "canary",
      name: { deep: "canary" },
      future: ["canary"],
      address: "a@b.c",
    };
    auditAlertChannels([channel({ type: "WEBHOOK", config })], { customRules: [spy] }, { now });
    expect(JSON.stringify(seen)).not.toContain("canary");
    expect(seen).toMatchObject([
      { config: { address: "a@b.c" }, credentials: { url: {}, apiKey: {}, future: {} } },
    ]);
  });

  test.each<[string, unknown, object]>([
    ["all facts", goodUrl, goodUrl],
    ["the least", facts("b"), { fingerprint: "b", isReference: false }],
    ["more than facts", { ...goodUrl, token: "canary" }, goodUrl],
    ["a scheme of another kind", facts("b", { scheme: { token: "canary" } }), {}],
    ["a secret part of another kind", facts("b", { secretPart: "canary" }), {}],
    ["a host of another class", facts("b", { hostClass: "canary" }), {}],
    ["no fingerprint", { isReference: true, token: "canary" }, {}],
    ["a fingerprint of another kind", { fingerprint: ["canary"], isReference: true }, {}],
    ["nothing said of a reference", { fingerprint: "canary" }, {}],
    ["something else said of a reference", { fingerprint: "b", isReference: "canary" }, {}],
    ["a list", ["canary"], {}],
    ["a number", 7, {}],
  ])("are reduced to their facts: %s", (_, url, known) => {
    auditAlertChannels([channel({ type: "WEBHOOK", config: { url } })], { customRules: [spy] }, { now });
    expect(seen.map(({ credentials }) => credentials)).toEqual([{ url: known }]);
  });

  test("include objects and lists under keys that may be shown", () => {
    const config = {
      name: { token: "canary" },
      channel: ["canary"],
      slackChannels: [["canary"]],
      number: goodUrl,
    };
    auditAlertChannels([channel({ config })], { customRules: [spy] }, { now });
    expect(seen.map(({ config }) => config)).toEqual([{}]);
    expect(seen.map(({ credentials }) => credentials)).toEqual([
      { name: {}, channel: {}, slackChannels: {}, number: goodUrl },
    ]);
  });

  test("and other settings that are empty are omitted", () => {
    const config = {
      url: null,
      apiKey: undefined,
      webhookSecret: "",
      headers: [],
      name: "",
      slackChannels: [],
    };
    auditAlertChannels([channel({ type: "WEBHOOK", config })], { customRules: [spy] }, { now });
    expect(seen.map(({ credentials, config }) => [credentials, config])).toEqual([[{}, {}]]);
  });
});

describe("severity", () => {
  const severity = (rules: Rules) =>
    auditAlertChannels([channel({ sendRecovery: false })], rules, { now }).findings[0]?.severity;

  const off = {
    "on-call-type": "off",
    "independent-types": "off",
    "single-recipient": "off",
    "on-call-auto-subscribe": "off",
  } as const;
  test.each<[Pick<Rules, "extends">, NonNullable<Rules["rules"]>[string], string | undefined]>([
    [{ extends: "recommended" }, undefined, "warning"],
    [{ extends: "strict" }, undefined, "error"],
    [{ extends: "strict" }, "warning", "warning"],
    [{ extends: "strict" }, { options: { value: true } }, "error"],
    [{}, { options: { value: true } }, "warning"],
    [{ extends: "recommended" }, "off", undefined],
    [{ extends: "recommended" }, { severity: "off" }, undefined],
  ])("of %j and the setting %j is %s", (preset, setting, expected) => {
    expect(severity({ ...preset, rules: { ...off, "send-recovery": setting } })).toBe(expected);
  });
});
