import { auditAlertChannels, parseRules, type Rules, type Waiver } from "../../audit";
import { channel, facts, now } from "./channels";

const silent = (id: number) => channel({ id, sendFailure: false });
const waiver = (changes: Partial<Waiver> = {}): Waiver => ({
  rule: "send-failure",
  channel: 1,
  reason: "moving to the ticket system",
  owner: "Ana",
  expires: "2026-12-31",
  ...changes,
});
const rulesWith = (...waivers: Waiver[]): Rules => ({
  rules: { "send-failure": "error" },
  channels: { ops: 1 },
  waivers,
});
const outcome = (rules: Rules, channels = [silent(1)], options = {}) => {
  const { findings, waived } = auditAlertChannels(channels, rules, { now, ...options });
  return { findings: findings.map(({ rule }) => rule), waived: waived.map(({ rule }) => rule) };
};

test.each(["mail", "post"])("a channel with two names matches either, also in selections: %s", (name) => {
  const names = { mail: 1, post: 1 };
  const select = { names: [name] };
  const selecting: Rules = { rules: { "send-failure": { severity: "error", select } }, channels: names };
  expect(outcome(selecting).findings).toEqual(["send-failure"]);
  const waiving = { ...rulesWith(waiver({ channel: name })), channels: names };
  expect(outcome(waiving)).toEqual({ findings: [], waived: ["send-failure"] });
});

describe("a waiver", () => {
  test("moves the finding to the waived ones, with reason, owner and expiry", () => {
    const { waived, findings, counts } = auditAlertChannels([silent(1)], rulesWith(waiver()), { now });
    expect(waived).toMatchObject([
      {
        rule: "send-failure",
        fingerprint: "send-failure/1/sendFailure",
        waiver: { reason: "moving to the ticket system", owner: "Ana", expires: "2026-12-31" },
      },
    ]);
    expect(findings).toEqual([]);
    expect(counts).toMatchObject({ errors: 0, warnings: 0, waived: 1 });
  });

  test.each([
    ["by id", 1],
    ["by id as a text", "1"],
    ["by name", "ops"],
    ["for every channel", undefined],
  ])("is %s", (_, channel) => {
    expect(outcome(rulesWith(waiver({ channel })))).toEqual({ findings: [], waived: ["send-failure"] });
  });

  test("applies only to its channel and its rule", () => {
    expect(outcome(rulesWith(waiver()), [silent(1), silent(2)])).toEqual({
      findings: ["send-failure"],
      waived: ["send-failure"],
    });
    const other = outcome({ ...rulesWith(waiver({ rule: "ssl-expiry" })) });
    expect(other).toEqual({ findings: ["send-failure", "waiver-unused"], waived: [] });
  });

  test("is valid on its last day, and a finding from the next day", () => {
    const rules = rulesWith(waiver({ expires: "2026-11-20" }));
    const lastMoment = { now: new Date("2026-11-20T23:59:59.999Z") };
    expect(outcome(rules, [silent(1)], lastMoment)).toEqual({ findings: [], waived: ["send-failure"] });

    const { findings } = auditAlertChannels([silent(1)], rules, { now: new Date("2026-11-21T00:00:00Z") });
    expect(findings).toMatchObject([
      { rule: "send-failure", severity: "error" },
      {
        rule: "waiver-expired",
        severity: "error",
        channel: { id: 1, name: "ops" },
        field: "waivers[0].expires",
        actual: "2026-11-20, for send-failure by Ana",
        expected: "2026-11-21 or later",
        fingerprint: "waiver-expired/1/send-failure/1",
      },
    ]);
  });

  test("that has expired is a finding even when there is no finding", () => {
    expect(outcome(rulesWith(waiver({ expires: "2020-01-01" })), [channel()]).findings).toEqual([
      "waiver-expired",
    ]);
  });

  test("that is unused is a warning, at its position in the file", () => {
    const text =
      "extends: recommended\nwaivers:\n  - { rule: stale, channel: 1, reason: x, owner: y, expires: 2026-12-31 }\n";
    const onCall = channel({ id: 2, type: "CALL", config: { number: "+1" } });
    const { findings } = auditAlertChannels([channel(), onCall], parseRules(text, "audit.yaml"), { now });
    expect(findings).toMatchObject([
      { rule: "waiver-unused", severity: "warning", location: { file: "audit.yaml", line: 3, column: 5 } },
    ]);
  });

  test.each([
    ["one channel", "ops", "a finding of send-failure on ops", { id: 1, name: "ops", type: "EMAIL" }],
    ["a channel that isn't there", 9, "a finding of send-failure on 9", undefined],
    ["every channel", undefined, "a finding of send-failure", undefined],
  ])("that is unused says what it is for: %s", (_, wanted, expected, about) => {
    const { findings } = auditAlertChannels([channel()], rulesWith(waiver({ channel: wanted })), { now });
    expect(findings).toMatchObject([{ field: "waivers[0]", actual: "no finding", expected }]);
    expect(findings[0]?.channel).toEqual(about);
  });

  test.each<[string, Waiver, object, string[]]>([
    ["is for a channel that isn't there", waiver({ channel: 9 }), {}, ["waiver-unused"]],
    ["is for a channel that isn't there, of some", waiver({ channel: 9 }), { partial: true }, []],
    ["is for no channel in particular, of some", waiver({ channel: undefined }), { partial: true }, []],
    ["is for a channel that is there, of some", waiver({ channel: 1 }), { partial: true }, ["waiver-unused"]],
  ])("that finds nothing and %s", (_, waiver, options, expected) => {
    expect(outcome(rulesWith(waiver), [channel()], options).findings).toEqual(expected);
  });

  test("is not unused when its channel couldn't be read, or its rule isn't evaluable", () => {
    const unread = auditAlertChannels([{ id: 1, reason: "gone" }], rulesWith(waiver({ channel: "ops" })), {
      now,
    });
    expect(unread.findings.map(({ rule }) => rule)).toEqual(["channel-read"]);
    const hook = channel({ type: "SLACK", config: { url: facts("a", { isReference: true }) } });
    const rules: Rules = { rules: { "https-hook": "error" }, waivers: [waiver({ rule: "https-hook" })] };
    expect(outcome(rules, [hook]).findings).toEqual([]);
  });

  test("is unused when another rule, or its rule on another channel, isn't evaluable", () => {
    const hook = (id: number, isReference: boolean) =>
      channel({
        id,
        type: "SLACK",
        config: { url: facts(`${id}`, { isReference, scheme: "https", hostClass: "public" }) },
      });
    const both = { rules: { "https-hook": "error", "send-failure": "error" } } as const;
    const ofAnotherRule = { ...both, waivers: [waiver()] };
    expect(outcome(ofAnotherRule, [hook(1, true)]).findings).toEqual(["waiver-unused"]);
    const ofAnotherChannel = { ...both, waivers: [waiver({ rule: "https-hook", channel: 2 })] };
    expect(outcome(ofAnotherChannel, [hook(1, true), hook(2, false)]).findings).toEqual(["waiver-unused"]);
    expect(outcome(ofAnotherChannel, [hook(1, false), hook(2, true)]).findings).toEqual([]);
  });

  test("is unused when its channel is among a part of the channels", () => {
    const { findings } = outcome(rulesWith(waiver()), [channel(), channel({ id: 2 })], { partial: true });
    expect(findings).toEqual(["waiver-unused"]);
  });

  test("for one channel doesn't apply to rules on all channels", () => {
    const rules: Rules = {
      rules: { "on-call-type": "error" },
      waivers: [waiver({ rule: "on-call-type", channel: 1 })],
    };
    expect(outcome(rules, [channel()])).toEqual({ findings: ["on-call-type", "waiver-unused"], waived: [] });
  });

  test.each(["waiver-expired", "waiver-unused"])("rule %s can be turned off", (id) => {
    const expires = id === "waiver-expired" ? "2020-01-01" : "2026-12-31";
    const rules = rulesWith(waiver({ expires }));
    expect(outcome({ ...rules, rules: { ...rules.rules, [id]: "off" } }, [channel()]).findings).toEqual([]);
  });

  test("without a channel applies to rules on all channels", () => {
    const rules: Rules = {
      rules: { "on-call-type": "error" },
      waivers: [waiver({ rule: "on-call-type", channel: undefined })],
    };
    expect(outcome(rules, [channel()])).toEqual({ findings: [], waived: ["on-call-type"] });
  });
});
