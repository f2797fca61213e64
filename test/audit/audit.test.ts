import {
  type AlertChannel,
  type AuditReport,
  formatNames,
  formats,
  observedChannel,
  type Rules,
} from "../../audit/public";
import type * as client from "../../provider/api/objects";
import type * as sdk from "../../sdk/returnedObjects";
import { audit, channel, facts, silence, silent } from "./channels";

const fingerprints = ({ findings }: AuditReport) => findings.map(({ fingerprint }) => fingerprint);

test("findings are sorted by severity, then by channel ID, then by rule", () => {
  const off = { sendFailure: false, subscriptions: [], sslExpiryThreshold: 0 };
  const channels = [30, "9", 20].map((id) => channel({ id, ...off }));
  const rules = { "documented-bounds": "error", subscribed: "warning", "send-failure": "error" } as const;
  expect(fingerprints(audit(channels, { rules }))).toEqual([
    "send-failure/9/sendFailure",
    "documented-bounds/9/sslExpiryThreshold",
    "send-failure/20/sendFailure",
    "documented-bounds/20/sslExpiryThreshold",
    "send-failure/30/sendFailure",
    "documented-bounds/30/sslExpiryThreshold",
    "subscribed/9/subscriptions",
    "subscribed/20/subscriptions",
    "subscribed/30/subscriptions",
  ]);
});

describe("channels", () => {
  test("the audit accepts channels of the client and of a program, as the compiler sees", () => {
    const proofs: [
      client.AlertChannel extends AlertChannel ? true : false,
      sdk.AlertChannel extends AlertChannel ? true : false,
    ] = [true, true];
    expect(proofs).toHaveLength(2);
  });

  test("channels that couldn't be read aren't evaluable and block, and rules on all channels aren't evaluable", () => {
    const rules: Rules = { channels: { db: 9 }, rules: { "on-call-type": "error", "send-failure": "error" } };
    const unread = { id: 9, reason: "the service is down (HTTP 503)." };
    const { findings, notEvaluable, counts } = audit([silent(1), unread], rules);
    expect(findings.map(({ rule }) => rule)).toEqual(["send-failure"]);
    const down = { field: "channel", reason: "the service is down (HTTP 503)", blocks: true };
    const reason = "1 channel can't be evaluated. See channel-read";
    expect(notEvaluable).toEqual([
      { rule: "channel-read", channel: { id: 9, name: "db" }, ...down },
      { rule: "on-call-type", field: "type", reason, blocks: false },
    ]);
    expect(counts).toMatchObject({ channels: 1, errors: 1, notEvaluable: 2, blocking: 1 });
  });

  test("a channel that another rule reports as silent causes only one finding", () => {
    const config = { serviceKey: facts("a") };
    const pager = channel({ id: 2, type: "PAGERDUTY", config, subscriptions: [] });
    const rules: Rules = { rules: { subscribed: "error", "on-call-type": "error" } };
    const { findings } = audit([channel(), pager], rules);
    expect(findings.map(({ rule, channel }) => [rule, channel?.id])).toEqual([["subscribed", 2]]);
  });

  test("a part of all channels makes rules on all channels not evaluable", () => {
    const channels = [channel({ sslExpiry: false })];
    const partial = audit(channels, { rules: { "on-call-type": "error" } }, { partial: true });
    const reason = "only some of the channels were audited. Audit all channels";
    expect(partial).toMatchObject({ findings: [], notEvaluable: [{ reason }] });
  });
});

test("a credential that is neither text nor facts makes its channel not evaluable", () => {
  const url = { fingerprint: "canary" };
  const { notEvaluable } = audit([channel({ type: "WEBHOOK", config: { url } })], silence);
  const reason: unknown = expect.stringMatching(/^these fields don't match the API: config\.url\. Save /);
  expect(notEvaluable).toEqual([
    { rule: "channel-read", channel: { id: 1 }, field: "channel", reason, blocks: true },
  ]);
});

const found = (recognizedBy: string, likely?: "off" | "error") => {
  const config = { url: facts("a", { scheme: "https", secretPart: "literal", recognizedBy }) };
  const rules = { "credential-reference": { severity: "error", options: { likely } } } as const;
  return audit([channel({ type: "WEBHOOK", config })], { rules });
};

test("the rules choose whether a likely secret is an error or no finding, and a certain secret keeps its severity", () => {
  expect(found("random", "off").findings).toEqual([]);
  const known = "credential-reference/1/config.url";
  expect(found("random", "error").findings).toMatchObject([
    { severity: "error", confidence: "likely", fingerprint: `${known}/likely` },
  ]);
  expect(found("name", "off").findings).toMatchObject([
    { severity: "error", confidence: "certain", fingerprint: known },
  ]);
});

test("reports distinguish a likely secret from a certain one, and don't advise rotating it", () => {
  const report = found("random");
  expect(formats.sarif(report)).toMatch(/"level":"warning",.*"rank":50,.*"confidence":"likely"/);
  expect(formats.json(report)).toContain('"confidence":"likely"');
  expect(formats.text(report)).toMatch(
    /^warning .* looks random, expected a reference, if it is a secret\. If the value is a secret, store/,
  );
});

// IDs are unique only within an account, and a stack may observe channels of several accounts and services.
describe("channels of several accounts", () => {
  const [eu, us] = ["account a on eu.example", "account b on us.example"];
  const both = [
    channel({ id: 4101, name: "ops", origin: eu, sendFailure: false }),
    channel({ id: 4101, name: "ops", origin: us, sendFailure: false }),
  ];
  const report = audit(both, silence);

  test("two channels with one ID in several accounts are both audited, and distinguished in each format", () => {
    expect(report.channels).toMatchObject([eu, us].map((origin) => ({ id: 4101, origin })));
    expect(fingerprints(report)).toEqual([eu, us].map((origin) => `send-failure/${origin}/4101/sendFailure`));
    for (const format of formatNames) {
      const shown = formats[format](report);
      expect([format, shown.includes(eu), shown.includes(us)]).toEqual([format, true, true]);
    }
  });

  test("a channel that is declared twice is audited once, without its account", () => {
    const one = channel({ id: 1, origin: eu });
    const twice = [one, { ...one }, channel({ id: 2, origin: us })];
    expect(audit(twice, silence).channels).toEqual([
      { id: 1, type: "EMAIL", passed: ["send-failure"] },
      { id: 2, type: "EMAIL", passed: ["send-failure"] },
    ]);
  });

  test("a channel that is recorded twice with different values isn't evaluable", () => {
    const { notEvaluable, channels } = audit([silent(1), channel()], silence);
    expect(channels).toEqual([]);
    expect(notEvaluable).toMatchObject([
      { reason: "the channel is recorded twice with different values. Run `pulumi refresh`" },
    ]);
  });

  test("two channels with one ID must not have the same target", () => {
    const rules: Rules = { rules: { "duplicate-target": "error" } };
    const { findings } = audit(both, rules);
    expect(findings).toMatchObject([{ channel: { origin: us }, actual: `same as in 4101 ops (${eu})` }]);
  });

  test("a channel without a known sendFailure is named with its account", () => {
    const silent = channel({ id: 4101, origin: eu, sendFailure: false });
    const open = channel({ id: 4101, origin: us, sendFailure: null });
    const rules: Rules = { rules: { "checks-covered": { options: { checks: ["check-1"] } } } };
    const { notEvaluable } = audit([silent, open], rules);
    const reason: unknown = expect.stringContaining(`4101 (${us}): `);
    expect(notEvaluable).toMatchObject([{ reason }]);
  });

  test("a report calls the origin in a state by its host, even if the channel is missing", () => {
    const origin = { host: "eu.example", path: "/" };
    const outputs = { channelId: 1, type: "EMAIL", config: {}, origin, missing: true };
    expect(observedChannel("ops", outputs).origin).toBe("eu.example");
  });

  const url = { url: "https://acme.example" };
  test.each<[what: string, outputs: object, id: number | string, reason: string]>([
    ["empty", {}, "7", "unusable (channelId, type, config)"],
    ["in plain text", { channelId: 1, type: "WEBHOOK", config: url }, 1, "match the API: config.url."],
  ])("a resource whose outputs are %s isn't evaluable", (_, outputs, id, reason) => {
    const expected = { id, name: "ops", reason: expect.stringContaining(reason) as string };
    expect(observedChannel("ops", outputs, "7")).toEqual(expected);
  });

  test("a channel that JavaScript passes instead of a name is rejected without being shown", () => {
    const args = [{ id: 7, config: { url: "https://hooks.example/secret" } }];
    const observe = () => void Reflect.apply(observedChannel, undefined, args);
    expect(observe).toThrow(new TypeError("observedChannel: name must be a string."));
  });
});
