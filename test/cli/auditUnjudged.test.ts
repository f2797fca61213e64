/** Hostile and odd data: whoever is audited controls it, and nothing of it may make the audit pass. */
import { documentedConfig, redactConfig } from "../../provider/credentials";
import { send, serve } from "../client/services";
import { audit, auditState, exported, fileWith, observed as observedIn, silence, urnOf } from "./running";

const targets = `rules: { allowed-targets: { severity: error, options:
  { emailDomains: [example.com], hosts: [example.com], phonePrefixes: ["+1"] } } }
channels: { it: 7 }
`;
const good = {
  id: 7,
  type: "EMAIL",
  config: { address: "ops@example.com" },
  subscriptions: [],
  sendFailure: true,
};

/** The audit of a service that responds with this. */
async function live(channel: object, rules = targets, ...args: string[]) {
  const { url } = await serve((response) => send(response, channel));
  const environment = { MONITORING_BASE_URL: url, MONITORING_API_KEY: "mon_0123456789abcdef" };
  return audit(["--rules", fileWith(rules), ...args], environment);
}

const record = (outputs: object, changes: object = {}) => observedIn("it", outputs, { id: "7", ...changes });
const observed = ({ id, ...channel }: typeof good, config: object = channel.config) => ({
  ...channel,
  channelId: id,
  config: documentedConfig({
    type: channel.type,
    config: redactConfig({ type: channel.type, config: { ...config } }),
  }),
});
/** The audit of a stack export with these records. */
const ofState = (...resources: object[]) => ofText(exported(...resources));
const ofText = (state: string) => auditState(state, silence);

test("a good channel passes, live and from a state", async () => {
  expect(await live(good)).toMatchObject({ code: 0 });
  expect(await ofState(record(observed(good)))).toMatchObject({ code: 0 });
});

const nested = (depth: number): unknown => JSON.parse(`${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`);

test.each<[string, object, string]>([
  ["an address that is a list", { config: { address: ["thief@x"] } }, "config.address"],
  ["an address that is an object", { config: { address: { to: "thief@x" } } }, "config.address"],
  ["a number that is a number", { type: "SMS", config: { number: 4930123456 } }, "config.number"],
  [
    "a URL that is a list",
    { type: "WEBHOOK", config: { url: ["https://thief.example"] } },
    "the API: config.url",
  ],
  [
    "a target under another key",
    { type: "WEBHOOK", config: { webhookUrl: "https://thief.example" } },
    "config.webhookUrl",
  ],
  [
    "a second target under another key",
    { type: "WEBHOOK", config: { url: "https://acme.example", webhookUrl: "https://thief.example" } },
    "config.webhookUrl",
  ],
  ["a config that is too deep", { config: nested(3000) }, "config"],
  ["a time that is a number", { updated_at: 5 }, "updated_at"],
  ["another channel", { id: 8 }, 'id must be "8", as in the response'],
])("live, %s isn't evaluable: exit code 3", async (_, changes, reason) => {
  const { code, stdout } = await live({ ...good, ...changes });
  expect({ code, stdout }).toMatchObject({ code: 3, stdout: expect.stringContaining(reason) as unknown });
  expect(stdout).toContain("1 not evaluable, 1 of them blocking");
});

describe("a record of a state", () => {
  const silent = { ...observed(good), sendFailure: false };

  test.each<[string, object[]]>([
    ["without an id", [record(silent, { id: null })]],
    ["with a mark of deletion that isn't one", [record(silent, { delete: "no" })]],
    [
      "with a credential in plain text",
      [record({ ...silent, type: "WEBHOOK", config: { url: "https://x" } })],
    ],
    ["that is recorded twice, and differs", [record(observed(good)), record(silent)]],
  ])("%s isn't evaluable: exit code 3", async (_, resources) => {
    const { code, stdout } = await ofState(...resources);
    expect({ code, stdout }).toMatchObject({
      code: 3,
      stdout: expect.stringContaining("not evaluable") as unknown,
    });
  });

  test.each<[string, object]>([
    ["instead of its own", { webhookUrl: "https://thief.example" }],
    ["besides its own", { url: "https://acme.example", webhookUrl: "https://thief.example" }],
    ["as an object", { target: { host: "thief.example" } }],
  ])("of a channel with an undocumented target %s lacks its name, and isn't evaluable", async (_, config) => {
    const webhook = observed({ ...good, type: "WEBHOOK" }, config);
    expect(Object.keys(webhook.config)).toEqual(["url"]);
    const { code, stdout } = await ofState(record(webhook));
    expect(code).toBe(3);
    expect(stdout).toContain("these fields don't match the API: config.url");
  });

  test("that is recorded twice may be as deep as it likes in what isn't documented", async () => {
    const [subscription, depth] = [{ checkId: "a", x: "DEEP" }, 60_000];
    const twice = [1, 2].map(() => record({ ...silent, subscriptions: [subscription] }));
    const text = exported(...twice);
    const deep = `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
    expect(await ofText(text.replaceAll('"DEEP"', deep))).toMatchObject({ code: 1 });
  });

  test("whose type is written with escapes is audited", async () => {
    const text = exported(record(silent));
    expect(await ofText(text.replaceAll(":AlertChannel", "\\u003aAlertChannel"))).toMatchObject({ code: 1 });
  });
});

describe("names and ids", () => {
  const waived = (channel: string) => `rules: { send-failure: error }
waivers: [{ rule: send-failure, channel: ${channel}, reason: x, owner: y, expires: 2999-01-01 }]
`;
  const state = exported(record({ ...observed(good), sendFailure: false }, { urn: urnOf("4107") }));

  test.each(["4107", '"4107"'])(
    "a waiver for %s isn't one for a resource with that name",
    async (channel) => {
      expect(await auditState(state, waived(channel))).toMatchObject({ code: 1 });
    },
  );

  test("a selection that matches nothing is a warning", async () => {
    const rules = `rules: { send-failure: { severity: error, select: { names: [it, itt] } } }\nchannels: { it: 7 }\n`;
    const { code, stdout } = await live(good, rules);
    expect(code).toBe(0);
    expect(stdout).toContain(
      "select-unused  rules.send-failure.select: 0 channels for itt, expected one or more",
    );
  });
});

test("what isn't evaluable fails only when asked to", async () => {
  const channel = { ...good, type: "WEBHOOK", config: { url: "{{HOOK}}" } };
  const https = "rules: { https-hook: error }\nchannels: { it: 7 }\n";
  expect(await live(channel, https)).toMatchObject({ code: 0 });
  expect(await live(channel, https, "--fail-on", "not-evaluable")).toMatchObject({ code: 1 });
});
