/** The audit of channels in the shapes that a real service stores. */
import fc from "fast-check";
import type { AlertChannel } from "../../provider/api";
import { fingerprintOf } from "../../provider/api/fingerprint";
import { redactConfig } from "../../provider/client/redact";
import { alertChannel } from "../../provider/lifecycles/observed/alertChannel";
import { runLookup } from "../../provider/lookups/lookup";
import { alertChannelPolicies } from "../../policy";
import { fleet, fleetNames } from "../../sandbox/seed/fleet";
import { allConnections } from "../../sdk/stackConnections";
import { type AuditReport, formats, observedChannel, type Rules } from "../../audit";
import { alertChannelAudit } from "../../audit/sources/alertChannelAudit";
import { channelLabel, findingText, unevaluatedText } from "../../audit/formats/reportText";
import { send, serve } from "../client/services";
import { audit as auditCommand, environmentOf, exported, fileWith, observed } from "../cli/auditing";
import { create, phase } from "../lifecycles/phases";
import { stackViolations } from "../policy/validation";
import { runs } from "../propertySeed";
import { audit, now } from "./channels";

const all = fleet(now);
const named: Rules = { channels: fleetNames };

/** As read from the service, without HTTP. */
const redacted = (channels: readonly AlertChannel[]) =>
  channels.map((channel) => ({ ...channel, config: redactConfig(channel, "acme") }));
const auditAll = (rules: Rules) => audit(redacted(all), { ...named, ...rules });

test.each(["recommended", "strict"] as const)("reads true to the person on call: %s", (preset) => {
  expect(formats.text(auditAll({ extends: preset }))).toMatchSnapshot();
});

describe("the same fleet has the same findings live, from a stack's state, in the policy pack and in AlertChannelAudit", () => {
  let channels: readonly AlertChannel[] = [];
  const service = { url: "", accountId: "acme", apiKey: "key-of-the-fleet" };
  const environment = () => ({ ...environmentOf(service), MONITORING_MAX_REQUESTS_PER_MINUTE: "60000" });
  beforeEach(async () => {
    const { url } = await serve((response, request) =>
      send(
        response,
        channels.find(({ id }) => request.url.endsWith(`/${id}`)),
      ),
    );
    Object.assign(service, { url });
    Object.assign(process.env, environment());
  });

  /** What each observed resource has in the stack. */
  const stack = async () => {
    const provider = await phase(alertChannel, service);
    const propsOf = async (channelId: unknown) => (await create(provider, { channelId })).outs;
    return Promise.all(channels.map(async ({ id }) => ({ name: `channel-${id}`, props: await propsOf(id) })));
  };

  const linesOf = ({ findings, notEvaluable }: AuditReport) =>
    [
      ...findings.map((one) => `${channelLabel(one.channel)}: ${findingText(one)}. ${one.fix}`),
      ...notEvaluable.map((one) => `${channelLabel(one.channel)}: ${one.rule}: ${unevaluatedText(one)}.`),
    ].sort();

  const component = async (rules: Rules) => {
    const context = { connections: await allConnections() };
    const args = { rules, enforcement: "advisory" } as const;
    return (await runLookup(alertChannelAudit("fleet", true), args, context)).report;
  };

  const verdicts = async (rules: Rules) => {
    const rulesFile = fileWith(JSON.stringify(rules), "audit.json");
    const run = async (args: readonly string[]) => {
      const { stdout } = await auditCommand(
        ["--rules", rulesFile, "--format", "json", ...args],
        environment(),
      );
      return linesOf(JSON.parse(stdout) as AuditReport);
    };
    const resources = await stack();
    const state = exported(...resources.map(({ name, props }) => observed(name, props)));
    const violations = await stackViolations(
      alertChannelPolicies(rules),
      resources.map((one) => ({ kind: "AlertChannel", ...one })),
    );
    return {
      live: await run([]),
      state: await run(["--state", fileWith(state, "stack.json")]),
      policy: violations.map(({ message }) => message).sort(),
      component: linesOf(await component(rules)),
    };
  };

  /** Values that services store where a credential, a reference or nothing is expected. */
  const values = fc.constantFrom<unknown[]>(
    ...["", null, [], "{{KEY}}", "{{{KEY}}}", "key-{{KEY}}", "not-a-secret", "{{BASE}}/path", "{}"],
    ...["https://{{HOST}}/hook", "https://hooks.example/{{PATH}}", "http://u:{{PASSWORD}}@10.0.0.1:80/"],
    ...[[{ key: "authorization", value: "" }], [{ key: "authorization", value: "Bearer {{KEY}}" }]],
    ...[[{ key: "token", value: "not-a-secret" }], [{ key: "accept", value: "text/plain" }], ["odd"], [""]],
  );
  const keys = fc.constantFrom(
    ...["url", "webhookSecret", "serviceKey", "apiKey", "headers", "queryParameters", "template"],
    ...["webhookType", "address", "number", "channel", "slackChannels"],
  );
  const flags = fc.constantFrom<Partial<AlertChannel>[]>({}, { sendFailure: null }, { subscriptions: [] });
  const fleets = fc.array(
    fc.record({ base: fc.constantFrom(...all), config: fc.dictionary(keys, values), flags }),
    { minLength: 1, maxLength: 8 },
  );

  const strictRules = (): Rules => ({
    extends: "strict",
    channels: Object.fromEntries(channels.map(({ id }) => [`channel-${id}`, id])),
    // The policy pack and the component know the present time, not that of the test.
    rules: { stale: "off" },
  });
  const expectAgreement = async () => {
    const { live, ...others } = await verdicts(strictRules());
    expect(others).toEqual({ state: live, policy: live, component: live });
    return live;
  };

  test("that of the fixture", async () => {
    channels = all;
    expect(await expectAgreement()).toContainEqual(
      expect.stringMatching(/^218714 \S+: config.url: http, expected https/),
    );
  });

  test("any other", async () => {
    await fc.assert(
      fc.asyncProperty(fleets, async (generated) => {
        channels = generated.map(({ base, config, flags }, index) => {
          return { ...base, ...flags, id: index + 1, config: { ...base.config, ...config } };
        });
        await expectAgreement();
      }),
      { numRuns: runs(12) },
    );
  });
});

test("a state of version 0.1, with facts about empty values, has the findings of the service", () => {
  const oldValue = (value: unknown, type: string) => {
    const isEmptyList = Array.isArray(value) && value.length === 0;
    if (value !== "" && !isEmptyList) return value;
    return { fingerprint: fingerprintOf(isEmptyList ? "[]" : "", type, "acme"), isReference: false };
  };
  const old = redacted(all).flatMap(({ id, config, ...channel }) => {
    const values = Object.entries(config).map(([key, value]) => [key, oldValue(value, channel.type)]);
    const outputs = { ...channel, channelId: id, origin: { host: "eu.example", accountId: "acme" } };
    return observedChannel("old", { ...outputs, config: Object.fromEntries(values) });
  });
  const rules: Rules = { ...named, extends: "strict", rules: { stale: "off" } };
  expect(audit(old, rules).findings).toEqual(auditAll(rules).findings);
});
