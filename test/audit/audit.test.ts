import { auditAlertChannels, type AuditedChannel, defineRule, type Rules, type Selection } from "../../audit";
import { sslExpiryThresholdBounds } from "../../provider/api";
import { channel, facts, goodUrl, now } from "./channels";

const failing = (id: number) => channel({ id, sendFailure: false });
const sendFailure: Rules = { rules: { "send-failure": "error" } };

describe("a finding", () => {
  test("names channel, rule, field, actual, expected, fix and where the rule file asks for it", () => {
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
        fingerprint: "send-failure/7/sendFailure",
      },
    ]);
  });

  test("has a fingerprint of its own, which doesn't change with its severity, the other channels or the day", () => {
    const first = auditAlertChannels([failing(1), failing(2)], { extends: "strict" }, { now });
    const later = auditAlertChannels([failing(3), failing(2)], sendFailure, { now: new Date("2027-05-05") });
    const fingerprints = first.findings.map(({ fingerprint }) => fingerprint);
    expect(new Set(fingerprints).size).toBe(fingerprints.length);
    expect(fingerprints).toContain(later.findings.find(({ channel }) => channel?.id === 2)?.fingerprint);
  });

  test("stands where errors come first, then channels as they were given, then rules as they are listed", () => {
    const ids = [30, 10, 20].map((id) =>
      channel({ id, sendFailure: false, sendRecovery: false, sslExpiry: false }),
    );
    const rules: Rules = {
      rules: { "ssl-expiry": "error", "send-recovery": "warning", "send-failure": "error" },
    };
    expect(auditAlertChannels(ids, rules, { now }).findings.map(({ fingerprint }) => fingerprint)).toEqual([
      "send-failure/30/sendFailure",
      "ssl-expiry/30/sslExpiry",
      "send-failure/10/sendFailure",
      "ssl-expiry/10/sslExpiry",
      "send-failure/20/sendFailure",
      "ssl-expiry/20/sslExpiry",
      "send-recovery/30/sendRecovery",
      "send-recovery/10/sendRecovery",
      "send-recovery/20/sendRecovery",
    ]);
  });
});

describe("channels", () => {
  test("are taken as the API writes them, as data sources give them, and from any iterable", () => {
    const { createdAt, updatedAt, ...rest } = channel();
    const fromApi = { ...rest, created_at: createdAt, updated_at: "2020-01-01", id: 2 };
    const report = auditAlertChannels(
      new Set([channel({ updatedAt }), fromApi]),
      { rules: { stale: "error" } },
      { now },
    );
    expect(report.findings.map(({ channel }) => channel?.id)).toEqual([2]);
  });

  test("that come twice count once", () => {
    const { counts } = auditAlertChannels([failing(1), { ...failing(1), id: "1" }], sendFailure, { now });
    expect(counts).toMatchObject({ channels: 1, errors: 1 });
  });

  test("that keep every rule of the strict preset are without findings", () => {
    const onCall = channel({
      id: 2,
      type: "PAGERDUTY",
      config: { serviceKey: facts("a", { isReference: true }) },
    });
    const { counts, channels } = auditAlertChannels([channel(), onCall], { extends: "strict" }, { now });
    expect(counts).toMatchObject({ channels: 2, errors: 0, warnings: 0, notEvaluable: 0 });
    expect(channels[0]?.passed).toContain("duplicate-target");
  });

  test("that couldn't be read are findings, and leave open what they could have brought", () => {
    const rules: Rules = { channels: { db: 9 }, rules: { "on-call-type": "error", "send-failure": "error" } };
    const { findings, notEvaluable, counts } = auditAlertChannels(
      [failing(1), { id: 9, reason: "db.example said no (HTTP 503)." }],
      rules,
      { now },
    );
    expect(findings.map(({ rule, channel, actual }) => [rule, channel, actual])).toEqual([
      ["send-failure", { id: 1, type: "EMAIL" }, "false"],
      ["channel-read", { id: 9, name: "db" }, "not read: db.example said no (HTTP 503)"],
    ]);
    expect(notEvaluable).toEqual([
      { rule: "on-call-type", field: "type", reason: "1 of the channels couldn't be read" },
    ]);
    expect(counts).toMatchObject({ channels: 1, unreadable: 1, errors: 2 });
  });

  test("that are only some of those that there are lack nothing together", () => {
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
    id: "spy",
    title: "Sees everything",
    why: "To see.",
    fix: "Look away.",
    check: () => (channel) => {
      seen.push(channel);
      return [];
    },
  });
  beforeEach(() => {
    seen = [];
  });

  test("in clear text are dropped at the door: no rule sees them", () => {
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
    ["a host of another class", facts("b", { hostClass: "canary" }), {}],
    ["no fingerprint", { isReference: true, token: "canary" }, {}],
    ["a fingerprint of another kind", { fingerprint: ["canary"], isReference: true }, {}],
    ["nothing said of a reference", { fingerprint: "canary" }, {}],
    ["something else said of a reference", { fingerprint: "b", isReference: "canary" }, {}],
    ["a list", ["canary"], {}],
    ["a number", 7, {}],
  ])("are known by their facts alone: %s", (_, url, known) => {
    auditAlertChannels([channel({ type: "WEBHOOK", config: { url } })], { customRules: [spy] }, { now });
    expect(seen.map(({ credentials }) => credentials)).toEqual([{ url: known }]);
  });

  test("are also objects and lists under keys that may be shown", () => {
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

  test("that aren't there are none", () => {
    const config = { url: null, apiKey: undefined };
    auditAlertChannels([channel({ type: "WEBHOOK", config })], { customRules: [spy] }, { now });
    expect(seen.map(({ credentials }) => credentials)).toEqual([{}]);
  });
});

test("the documented bounds are those of the API", () => {
  const { least, most } = sslExpiryThresholdBounds;
  const days = [least - 1, least, most, most + 1].map((sslExpiryThreshold, id) =>
    channel({ id, sslExpiryThreshold }),
  );
  const { findings } = auditAlertChannels(days, { rules: { "documented-bounds": "error" } }, { now });
  expect(findings.map(({ channel }) => channel?.id)).toEqual([0, 3]);
});

describe("selection", () => {
  const channels = [
    channel({ id: 1, name: "prod-mail", sendFailure: false }),
    channel({ id: 2, name: "prod-db-mail", sendFailure: false }),
    channel({ id: 3, name: "test-mail", sendFailure: false }),
    channel({ id: 4, type: "SMS", config: { number: "+1" }, sendFailure: false }),
  ];
  test.each<[Selection, number[]]>([
    [{ types: ["SMS"] }, [4]],
    [{ ids: [1, "3"] }, [1, 3]],
    [{ names: ["test-mail"] }, [3]],
    [{ names: ["prod-*"] }, [1, 2]],
    [{ names: ["*-mail"] }, [1, 2, 3]],
    [{ names: ["prod-*-mail"] }, [2]],
    [{ names: ["*d*-*"] }, [1, 2]],
    [{ names: ["prod"] }, []],
    [{ names: ["prod-mail*mail"] }, []],
    [{ names: ["*"] }, [1, 2, 3]],
    [{ types: ["EMAIL"], names: ["prod-*"], ids: [2, 3] }, [2]],
  ])("%j", (select, ids) => {
    const rules: Rules = { rules: { "send-failure": { severity: "error", select } } };
    const { findings } = auditAlertChannels(channels, rules, { now });
    expect(findings.map(({ channel }) => channel?.id)).toEqual(ids);
  });

  test("decides what a rule on all channels sees", () => {
    const rules: Rules = {
      rules: { "on-call-type": { options: { types: ["SMS"] }, select: { ids: [1, 2] } } },
    };
    expect(auditAlertChannels(channels, rules, { now }).counts.warnings).toBe(1);
  });
});

describe("severity", () => {
  const severity = (rules: Rules) =>
    auditAlertChannels([channel({ sendRecovery: false })], rules, { now }).findings[0]?.severity;

  test.each<[string, Rules, string | undefined]>([
    ["is the rule's own in recommended", { extends: "recommended" }, "warning"],
    ["is error in strict", { extends: "strict" }, "error"],
    ["is what the file says", { extends: "strict", rules: { "send-recovery": "warning" } }, "warning"],
    [
      "stays when only options are set",
      { extends: "strict", rules: { "send-recovery": { options: { value: true } } } },
      "error",
    ],
    [
      "is the rule's own when only options turn it on",
      { rules: { "send-recovery": { options: { value: true } } } },
      "warning",
    ],
    ["is none when it is off", { extends: "recommended", rules: { "send-recovery": "off" } }, undefined],
    [
      "is none in a setting that is off",
      { extends: "recommended", rules: { "send-recovery": { severity: "off" } } },
      undefined,
    ],
  ])("%s", (_, rules, expected) => {
    const others = Object.fromEntries(
      ["on-call-type", "independent-types"].map((id) => [id, "off"] as const),
    );
    expect(severity({ ...rules, rules: { ...others, ...rules.rules } })).toBe(expected);
  });
});
