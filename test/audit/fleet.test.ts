/** The audit of channels in the shapes that a real service stores. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import fc from "fast-check";
import type { AlertChannel } from "../../provider/api";
import { fingerprintOf } from "../../provider/api/fingerprint";
import { redactConfig } from "../../provider/client/redact";
import { alertChannel } from "../../provider/lifecycles/alertChannel";
import { runLookup } from "../../provider/lookups/lookup";
import { dynamicToken } from "../../provider/resourceTypes";
import { alertChannelPolicies } from "../../policy";
import { fleet, fleetNames } from "../../sandbox/seed/fleet";
import { allConnections } from "../../sdk/stackConnections";
import { auditAlertChannels, type AuditReport, formats, observedChannel, type Rules } from "../../audit";
import { alertChannelAudit } from "../../audit/sources/alertChannelAudit";
import { channelLabel, findingText, unevaluatedText } from "../../audit/formats/reportText";
import { audit, fileWith } from "../cli/auditing";
import { create, phase } from "../lifecycles/phases";
import { stackViolations } from "../policy/validation";
import { runs } from "../propertySeed";
import { now } from "./channels";

const all = fleet(now);
const named: Rules = { channels: fleetNames };

/** As read from the service, without HTTP. */
const redacted = (channels: readonly AlertChannel[]) =>
  channels.map((channel) => ({ ...channel, config: redactConfig(channel, "acme") }));
const auditAll = (rules: Rules) => auditAlertChannels(redacted(all), { ...named, ...rules }, { now });

test.each(["recommended", "strict"] as const)("reads true to the person on call: %s", (preset) => {
  expect(formats.text(auditAll({ extends: preset }))).toMatchSnapshot();
});

describe("the same fleet has the same findings live, from a stack's state, in the policy pack and in AlertChannelAudit", () => {
  const accountId = "acme";
  let channels: readonly AlertChannel[] = [];
  const server = createServer(({ url = "" }, response) => {
    const found = channels.find(({ id }) => url.endsWith(`/${id}`));
    response.setHeader("content-type", "application/json").end(JSON.stringify(found));
  });
  let url = "";
  beforeAll(async () => {
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    Object.assign(process.env, environment());
  });
  afterAll(() => server.close());

  const environment = () => ({
    MONITORING_BASE_URL: url,
    MONITORING_API_KEY: "key-of-the-fleet",
    MONITORING_ACCOUNT_ID: accountId,
    MONITORING_MAX_REQUESTS_PER_MINUTE: "60000",
  });

  /** What each observed resource has in the stack. */
  const stack = async () => {
    const provider = await phase(alertChannel, { url, accountId, apiKey: "key-of-the-fleet" });
    return Promise.all(
      channels.map(async ({ id }) => ({
        name: `channel-${id}`,
        props: (await create(provider, { channelId: id })).outs,
      })),
    );
  };

  const linesOf = ({ findings, notEvaluable }: Pick<AuditReport, "findings" | "notEvaluable">) =>
    [
      ...findings.map((one) => `${channelLabel(one.channel)}: ${findingText(one)}. ${one.fix}`),
      ...notEvaluable.map((one) => `${channelLabel(one.channel)}: ${one.rule}: ${unevaluatedText(one)}.`),
    ].sort();

  const component = async (rules: Rules) => {
    const context = { connections: await allConnections(), progress: () => undefined };
    const { report } = await runLookup(
      alertChannelAudit("fleet"),
      { rules, enforcement: "advisory" },
      context,
    );
    return report;
  };

  const verdicts = async (rules: Rules) => {
    const rulesFile = fileWith(JSON.stringify(rules), "audit.json");
    const run = async (args: readonly string[]) => {
      const { stdout } = await audit(["--rules", rulesFile, "--format", "json", ...args], environment());
      return linesOf(JSON.parse(stdout) as AuditReport);
    };
    const resources = await stack();
    const type = dynamicToken("AlertChannel");
    const exported = resources.map(({ name, props }) => ({
      ...{ urn: `urn:pulumi:prod::shop::${type}::${name}`, type, id: "0", outputs: props },
    }));
    const state = JSON.stringify({ version: 3, deployment: { resources: exported } });
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

  const rulesFor = (extend: Rules["extends"]): Rules => ({
    extends: extend,
    channels: Object.fromEntries(channels.map(({ id }) => [`channel-${id}`, id])),
    // The policy pack and the component know the present time, not that of the test.
    rules: { stale: "off", "recovery-matches-failure": "warning" },
  });
  const expectAgreement = async (extend: Rules["extends"]) => {
    const { live, ...others } = await verdicts(rulesFor(extend));
    expect(others).toEqual({ state: live, policy: live, component: live });
    return live;
  };

  test("that of the fixture", async () => {
    channels = all;
    expect(await expectAgreement("strict")).toContainEqual(
      expect.stringMatching(/^218712 \S+: config.webhookSecret: none/),
    );
  });

  test("any other", async () => {
    await fc.assert(
      fc.asyncProperty(fleets, async (generated) => {
        channels = generated.map(({ base, config, flags }, index) => ({
          ...base,
          ...flags,
          id: index + 1,
          config: { ...base.config, ...config },
        }));
        await expectAgreement("strict");
      }),
      { numRuns: runs(12) },
    );
  });
});

test("a state of version 0.1, with facts about empty values, has the findings of the service", () => {
  const oldFact = (text: string, type: string) => ({
    fingerprint: fingerprintOf(text, type, "acme"),
    isReference: false,
  });
  const old = redacted(all).map(({ id, config, ...channel }) => {
    const values = Object.entries(config).map(([key, value]): [string, unknown] => {
      const isEmptyList = Array.isArray(value) && value.length === 0;
      return [key, value === "" || isEmptyList ? oldFact(isEmptyList ? "[]" : "", channel.type) : value];
    });
    const outputs = { ...channel, channelId: id, origin: { host: "eu.example", accountId: "acme" } };
    return observedChannel("old", { ...outputs, config: Object.fromEntries(values) });
  });
  const report = auditAlertChannels(
    old.flatMap((one) => one ?? []),
    { ...named, extends: "strict", rules: { stale: "off" } },
    { now },
  );
  expect(report.findings).toEqual(auditAll({ extends: "strict", rules: { stale: "off" } }).findings);
});

test("every integration and every future one can be allowed by its name", () => {
  const findingsWith = (types: string[]) =>
    auditAll({ rules: { "allowed-types": { options: { types } } } }).findings.map(({ actual }) => actual);
  const actual = findingsWith(["EMAIL"]);
  expect(actual).toEqual(expect.arrayContaining(["WEBHOOK_MSTEAMS", "WEBHOOK_ZENDUTY", "ZULIP", "WEBHOOK"]));
  expect(findingsWith(["EMAIL", ...new Set(actual)])).toEqual([]);
  expect(findingsWith(["WEBHOOK"]).filter((type) => type.startsWith("WEBHOOK"))).toEqual([]);
});
