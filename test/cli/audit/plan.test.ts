/** Tests `monitoring audit --plan FILE`, which audits the channels in a plan of Terraform or Pulumi before they exist. */
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parse } from "yaml";
import { formatNames } from "../../../audit/formats/names";
import { audit, writeTemporaryFile, listLines, parseReport, silence } from "../running";

const secret = "hunter2-of-the-hook";
const url = `http://hooks.quillmarket.dev/${secret}`;
const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const signature = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };
const flags = { send_failure: true, send_recovery: true, send_degraded: false, ssl_expiry: true };

interface Planned {
  address: string;
  values: object;
  /** Marks in `after_unknown`. */
  unknown?: object;
  sensitive?: object;
}

/** Creates the output of `terraform show -json` for channels in the root module and in nested modules. */
function createPlan(resources: readonly Planned[], modules: readonly (readonly Planned[])[] = []) {
  const type = "checkly_alert_channel";
  const toModule = (all: readonly Planned[], inner: readonly (readonly Planned[])[]): object => ({
    resources: [
      { address: "checkly_check.shop", mode: "managed", type: "checkly_check", values: { name: "shop" } },
      ...all.map(({ address, values, sensitive = {} }) => ({
        ...{ address, mode: "managed", type, sensitive_values: sensitive },
        values: { email: [], slack: [], ssl_expiry_threshold: 30, ...flags, ...values },
      })),
    ],
    ...(inner.length > 0 && { child_modules: [toModule(inner[0] ?? [], inner.slice(1))] }),
  });
  return {
    format_version: "1.2",
    planned_values: { root_module: toModule(resources, modules) },
    resource_changes: [...resources, ...modules.flat()].map((each) => ({
      address: each.address,
      type,
      change: { actions: ["create"], after_unknown: { id: true, email: [], ...each.unknown } },
    })),
  };
}

const buildChannelUrn = (name: string, parent = "") =>
  `urn:pulumi:dev::alerts::${parent}checkly:index/alertChannel:AlertChannel::${name}`;

/** Creates the output of `pulumi preview --json` for channels. */
const createPreview = (
  ...channels: { urn: string; op?: string; id?: string; inputs?: object; outputs?: object }[]
) => ({
  steps: [
    {
      op: "create",
      urn: "urn:pulumi:dev::alerts::pulumi:pulumi:Stack::s",
      newState: { type: "pulumi:pulumi:Stack" },
    },
    ...channels.map(({ urn, op = "create", id, inputs, outputs }) => {
      const type = "checkly:index/alertChannel:AlertChannel";
      const set = {
        __defaults: ["sslExpiry"],
        sendFailure: true,
        sendRecovery: true,
        sslExpiry: true,
        ...inputs,
      };
      const state = { urn, type, custom: true, id, inputs: { ...set, sslExpiryThreshold: 30 }, outputs };
      return { op, urn, ...(inputs ? { newState: state } : { oldState: state }) };
    }),
  ],
});

const run = (content: unknown, ...args: string[]) =>
  audit(["--plan", writeTemporaryFile(JSON.stringify(content), "plan.json"), ...args]);

/** Returns the results of an audit as `rule channel field`, with the reasons of results that aren't evaluable. */
async function listResults(content: unknown, ...args: string[]) {
  const { stdout } = await run(content, "--format", "json", ...args);
  const { findings, notEvaluable, channels } = parseReport(stdout);
  return {
    findings: findings.map(({ rule, channel, field }) => `${rule} ${channel?.id} ${field}`),
    notEvaluable: notEvaluable.map(
      ({ rule, channel, field, reason }) => `${rule} ${channel?.id} ${field}: ${reason}`,
    ),
    channels: channels.map(({ id, type, passed }) => ({ id, type, passed })),
  };
}

const hook = (others: object = {}) => ({
  webhook: [{ name: "tickets", method: "POST", url, template: null, query_parameters: null, ...others }],
});

test("the channels of a Terraform plan are audited with their addresses, including modules, and no secret is printed", async () => {
  const inner = [{ address: 'module.eu.module.chat["a"].checkly_alert_channel.hook', values: hook() }];
  const root = [{ address: "checkly_alert_channel.mail", values: { email: [{ address: "root" }] } }];
  const plan = createPlan(root, [[], inner]);
  const { code, stdout, stderr } = await run(plan);
  expect([code, stderr]).toEqual([1, ""]);
  expect(listLines(stdout)).toEqual(
    expect.arrayContaining([
      expect.stringMatching(
        /^warning checkly_alert_channel\.mail EMAIL valid-settings config\.address: root/,
      ),
      expect.stringMatching(
        /^error module\.eu\.module\.chat\["a"\]\.checkly_alert_channel\.hook WEBHOOK https-hook/,
      ),
    ]),
  );
  expect(stdout).toContain("(2 channels");
  const sarif = await run(plan, "--format", "sarif");
  expect(sarif.stdout).toMatch(/"fullyQualifiedName": ?"alert-channels\/checkly_alert_channel\.mail"/);
  expect(stdout + sarif.stdout).not.toContain(secret);
});

test("headers and query parameters, which are maps, are evaluated with their names as written", async () => {
  const token = "Zk4bT9qLw2Xc7Vn1";
  const headers = { X_Api_Key: token, "X-Team": "shop" };
  const values = hook({
    url: "https://hooks.quillmarket.dev/in",
    headers,
    query_parameters: { kind: "alert" },
  });
  const terraform = await run(createPlan([{ address: "checkly_alert_channel.hook", values }]));
  const [webhook] = values.webhook;
  const inputs = { webhook: { ...webhook, __defaults: [], headers: { __defaults: [], ...headers } } };
  const pulumi = await run(createPreview({ urn: buildChannelUrn("hook"), inputs }));
  for (const { stdout } of [terraform, pulumi]) {
    expect(stdout).toContain("config.headers: a secret in plain text, as its name indicates");
    expect(stdout).not.toContain("config.queryParameters");
    expect(stdout).not.toContain(token);
  }
});

test("a preview's channels are audited with their URNs and names, including components and excluding deleted channels", async () => {
  const inComponent = buildChannelUrn("tickets", "acme:index:Team$");
  const inputs = { webhook: { __defaults: ["method"], name: "hook", method: "POST", url } };
  const { stdout } = await run(
    createPreview(
      { urn: inComponent, op: "create-replacement", inputs },
      { urn: inComponent, op: "replace", inputs },
      { urn: inComponent, op: "delete-replaced" },
      { urn: buildChannelUrn("old"), op: "delete" },
      { urn: buildChannelUrn("mail"), op: "update", id: "4107", inputs: { email: { address: "root" } } },
    ),
  );
  expect(listLines(stdout)).toEqual(
    expect.arrayContaining([
      expect.stringMatching(
        /^warning 4107 mail \(urn:pulumi:dev::alerts::checkly:\S+::mail\) EMAIL valid-settings/,
      ),
      expect.stringContaining(`error ${inComponent} tickets WEBHOOK https-hook`),
    ]),
  );
  expect(stdout).toContain("(2 channels");
  expect(stdout).not.toContain(secret);
});

const mail = { email: [{ address: "ops@quillmarket.dev" }] };
const after = "known after apply";

test.each<[what: string, values: object, unknown: object, rules: string[], passes: string[]]>([
  [
    "url",
    hook({ url: undefined }),
    { webhook: [{ url: true }] },
    [
      "placeholder",
      "empty-target",
      "https-hook",
      "public-hook",
      "unread-target",
      "webhook-secret",
      "credential-reference",
      "duplicate-target",
    ],
    ["known-type", "send-failure"],
  ],
  ["block", { webhook: undefined }, { webhook: true }, ["https-hook", "placeholder"], ["send-failure"]],
  [
    "header",
    hook({ url: "https://hooks.quillmarket.dev/in", headers: { "X-A": "b" } }),
    { webhook: [{ headers: { Authorization: true } }] },
    ["placeholder", "credential-reference"],
    ["https-hook", "empty-target"],
  ],
  [
    "address",
    { email: [{}] },
    { email: [{ address: true }] },
    ["placeholder", "empty-target", "unread-target", "valid-settings", "duplicate-target"],
    ["send-failure", "known-type"],
  ],
  [
    "flag",
    { ...mail, send_failure: undefined },
    { send_failure: true },
    ["send-failure"],
    ["valid-settings", "ssl-expiry-threshold"],
  ],
])(
  "an unknown %s makes the rules that need it not evaluable, and no others",
  async (_, values, unknown, rules, passes) => {
    const address = "checkly_alert_channel.new";
    const { findings, notEvaluable, channels } = await listResults(
      createPlan([{ address, values, unknown }]),
    );
    expect(findings).toEqual([]);
    for (const rule of rules)
      expect(notEvaluable).toContainEqual(
        expect.stringMatching(new RegExp(`^${rule} ${address} \\S+: ${after}$`)),
      );
    expect(channels).toEqual([
      { id: address, type: expect.any(String), passed: expect.arrayContaining(passes) },
    ]);
    expect(notEvaluable.join("\n")).not.toMatch(/service|Check the value/);
  },
);

test("a literal beside an unknown header is still found", async () => {
  const headers = { "X-Api-Key": "Zk4bT9qLw2Xc7Vn1" };
  const values = hook({ url: "https://hooks.quillmarket.dev/in", headers });
  const planned = { address: "a", values, unknown: { webhook: [{ headers: { Authorization: true } }] } };
  const { findings } = await listResults(createPlan([planned]));
  expect(findings).toContain("credential-reference a config.headers");
});

test("the outputs of an unchanged channel are evaluated, and the inputs of a changed channel", async () => {
  const inputs = { webhook: { name: "hook", url: unknown, method: unknown } };
  const outputs = { ...inputs, webhook: { ...inputs.webhook, url, method: "POST" }, sendDegraded: false };
  const channelOf = (op: string) => ({ urn: buildChannelUrn(op), op, id: "4107", inputs, outputs });
  const degraded = "customRules: [{ id: degraded, title: Sent, expect: { sendDegraded: true } }]\n";
  const file = writeTemporaryFile(`rules: { https-hook: error, subscribed: error }\n${degraded}`);
  const judge = async (op: string) => listResults(createPreview(channelOf(op)), "--rules", file);
  expect(await judge("same")).toMatchObject({
    findings: ["https-hook 4107 config.url", "degraded 4107 sendDegraded"],
    notEvaluable: [
      "subscribed 4107 subscriptions: not part of the stack's state. Audit the channel on the service",
    ],
  });
  expect(await judge("update")).toMatchObject({
    findings: [],
    notEvaluable: [
      `subscribed 4107 subscriptions: ${after}`,
      `https-hook 4107 config.url: ${after}`,
      `degraded 4107 sendDegraded: ${after}`,
    ],
  });
});

test.each<[what: string, url: unknown, reason: string | RegExp]>([
  ["an unknown value", unknown, after],
  ["a hidden secret", "[secret]", /^a secret that the preview hides/],
  ["an encrypted secret", { ...signature, ciphertext: "v1:abc" }, /^a secret that the preview hides/],
])("%s of a preview isn't evaluated", async (_, value, reason) => {
  const inputs = { webhook: { name: "hook", url: value, headers: value } };
  const whole = await listResults(createPreview({ urn: buildChannelUrn("a"), inputs: { webhook: value } }));
  expect([whole.findings, whole.channels[0]?.type]).toEqual([[], "WEBHOOK"]);
  const { notEvaluable, findings } = await listResults(createPreview({ urn: buildChannelUrn("a"), inputs }));
  expect(findings).toEqual([]);
  const [, found = ""] =
    /config\.url: (.*)/.exec(notEvaluable.find((each) => each.startsWith("https-hook")) ?? "") ?? [];
  expect(found).toMatch(reason);
});

test("a channel without settings of a known type doesn't pass", async () => {
  const { code, stdout } = await run(createPlan([{ address: "checkly_alert_channel.new", values: {} }]));
  expect(code).toBe(3);
  expect(stdout).toMatch(
    /not evaluable +checkly_alert_channel\.new .*these fields don't match the API: type/,
  );
});

test("a channel of Terraform has its address as its name, whether it exists or not", async () => {
  const plan = createPlan([
    {
      address: "checkly_alert_channel.mail",
      values: { ...mail, id: "4107", send_failure: false },
      unknown: { id: false },
    },
    { address: "checkly_alert_channel.empty", values: { ...mail, id: "", send_failure: false } },
  ]);
  const { stdout } = await run(plan, "--rules", writeTemporaryFile(silence));
  expect(listLines(stdout).slice(0, 2)).toEqual([
    expect.stringMatching(/^error 4107 checkly_alert_channel\.mail EMAIL send-failure/),
    expect.stringMatching(/^error checkly_alert_channel\.empty EMAIL send-failure/),
  ]);
  const byRule = `${silence}channels: { mail: 4107, gone: 1 }\nexceptions: [{ channel: mail, rules: { send-failure: off }, reason: x }]\n`;
  expect((await run(plan, "--rules", writeTemporaryFile(byRule))).stdout).toContain("1 waived");
});

const setUp = { inputs: { email: { address: "a@quillmarket.dev" }, sendFailure: false } };

test.each<[what: string, name: string, planOf: (id: string | undefined, isSent: boolean) => object]>([
  [
    "a resource of Terraform",
    'checkly_alert_channel.mail["1"]',
    (id, isSent) =>
      createPlan([
        {
          address: 'checkly_alert_channel.mail["1"]',
          values: { ...mail, id, send_failure: isSent },
          unknown: { id: id === undefined },
        },
      ]),
  ],
  ...["mail", "4107"].map((name): [string, string, (id: string | undefined, isSent: boolean) => object] => [
    `a resource of Pulumi with the name ${name}`,
    name === "mail" ? name : buildChannelUrn(name),
    (id, isSent) => {
      const inputs = { ...setUp.inputs, sendFailure: isSent };
      return createPreview({ urn: buildChannelUrn(name), id, op: id ? "update" : "create", inputs });
    },
  ]),
])("an exception of --accept for %s applies before and after the channel exists", async (_, name, planOf) => {
  const { stdout } = await run(
    planOf(undefined, false),
    ...["--rules", writeTemporaryFile(silence), "--accept", "2120-01-31"],
  );
  const [, channel = ""] = /channel: (.*)\n/.exec(stdout) ?? [];
  expect(parse(channel)).toBe(name);
  const file = writeTemporaryFile(silence + stdout);
  for (const id of [undefined, "4108"])
    expect((await run(planOf(id, false), "--rules", file)).stdout).toContain("1 waived");
  const fixed = await run(planOf("4108", true), "--rules", file);
  expect(fixed.stdout).toMatch(/warning .* exception-unused/);
});

test("an exception for a name of two channels is rejected, and --accept writes their URNs", async () => {
  const urns = [buildChannelUrn("mail"), buildChannelUrn("mail", "acme:index:Team$")];
  const plan = createPreview(...urns.map((urn) => ({ urn, ...setUp })));
  const { stdout } = await run(plan, "--rules", writeTemporaryFile(silence), "--accept", "2120-01-31");
  expect([...stdout.matchAll(/channel: (.*)/g)].map(([, channel]) => channel).sort()).toEqual(urns.sort());
  expect((await run(plan, "--rules", writeTemporaryFile(silence + stdout))).stdout).toContain("2 waived");
  const byName = `${silence}exceptions: [{ channel: mail, rules: { send-failure: off }, reason: x }]\n`;
  const { code, stderr } = await run(plan, "--rules", writeTemporaryFile(byName));
  expect(code).toBe(2);
  expect(stderr).toContain("exceptions[0].channel is the name of 2 channels. Use an ID instead: urn:");
});

/** Reads a plan of Terraform 1.11.4 and a provider with the vendor's schema (terraform-provider-checkly, commit 00fc58f), without `prior_state` and `configuration`. */
const readPlan = (name: string) => readFileSync(join(__dirname, `../../fixtures/plans/${name}.json`), "utf8");

const runText = (text: string | Buffer, ...args: string[]) =>
  audit(["--plan", writeTemporaryFile(text, "plan.json"), ...args]);

test.each(formatNames)("a sensitive value isn't in a %s report, and rules evaluate it", async (format) => {
  const { stdout } = await runText(readPlan("sensitive"), "--format", format);
  expect(stdout).not.toMatch(/owner-of-the-shop|491700000000/);
  expect(stdout).toContain("config.address");
  expect(stdout).toContain("a sensitive value");
});

test("a sensitive value isn't in exceptions, in messages, and in findings on the settings around it", async () => {
  const rule = { id: "own", title: "Own", expect: { config: { not: { address: { matches: "^owner" } } } } };
  const rules = writeTemporaryFile(JSON.stringify({ customRules: [rule] }));
  const results = [
    await runText(readPlan("sensitive"), "--accept", "2120-01-31"),
    await runText(readPlan("sensitive"), "--rules", rules),
  ];
  expect(results.map(({ stdout }) => stdout).join("")).toMatch(
    /channel: checkly_alert_channel\.mail\n[^]* own +config: a sensitive value, expected/,
  );
  for (const { stdout, stderr } of results) expect(stdout + stderr).not.toContain("owner-of-the-shop");
});

test("a value isn't shown if the whole resource is marked, nor in the reasons of other settings", async () => {
  const values = hook({ url: "https://hooks.quillmarket.dev/in", webhook_type: "WEBHOOK_OF_THE_SHOP" });
  const { stdout } = await runText(
    JSON.stringify(createPlan([{ address: "hook", values, sensitive: { webhook: true } }])),
  );
  expect(stdout).toContain("webhook-secret");
  const plan = createPlan([{ address: "mail", values: { email: [{ address: "root" }] } }]);
  const whole = JSON.stringify(plan).replace('"sensitive_values":{}', '"sensitive_values":true');
  const marked = await runText(whole);
  expect(marked.stdout).toContain("config.address: a sensitive value, expected a single address");
  expect(stdout + marked.stdout).not.toMatch(/OF_THE_SHOP|root/);
});

test.each([
  [{ webhook: [{ url: true, headers: { "X-A": true } }] }, "config.url: a sensitive value, expected https"],
  [{ webhook: [{ template: true, url: false }] }, "config.url: http, expected https"],
])("the marks %j hide only the settings that they mark", async (sensitive, expected) => {
  const { stdout } = await run(createPlan([{ address: "hook", values: hook(), sensitive }]));
  expect(stdout).toContain(expected);
});

test.each([
  ["forget", ["4109 checkly_alert_channel.stays"]],
  ["deposed", ["4108 checkly_alert_channel.y", "4109 checkly_alert_channel.x"]],
])("the audit of a plan with the action %s includes only the other channels", async (name, channels) => {
  const { stdout } = await runText(readPlan(name), "--format", "json");
  expect(parseReport(stdout).channels.map(({ id, name }) => `${id} ${name}`)).toEqual(channels);
  expect(parseReport(stdout).findings.map(({ rule }) => rule)).not.toContain("empty-target");
});

test("a preview's channels that are only read, or that are deleted after a refresh, are left out", async () => {
  const steps = (name: string, ...ops: string[]) =>
    ops.map((op) => ({ urn: buildChannelUrn(name), op, id: "1", ...setUp }));
  const { stdout } = await run(
    createPreview(
      ...steps("read", "read"),
      ...steps("gone", "refresh"),
      { urn: buildChannelUrn("gone"), op: "delete" },
      ...steps("kept", "refresh", "same"),
      ...steps("imported", "import"),
    ),
    ...["--format", "json"],
  );
  expect(parseReport(stdout).channels.map(({ name }) => name)).toEqual(["kept", "imported"]);
});

test("an exception for a channel that a plan creates applies after the apply", async () => {
  const accepted = await runText(readPlan("hook-create"), "--accept", "2120-01-31");
  const rules = writeTemporaryFile(`extends: recommended\n${accepted.stdout}`);
  for (const name of ["hook-create", "hook-noop"])
    expect(await runText(readPlan(name), "--rules", rules)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("1 waived"),
    });
});

test.each(formatNames)("a %s report says that a plan is incomplete", async (format) => {
  const { stdout } = await runText(readPlan("target"), "--format", format);
  expect(stdout).toContain("the plan is incomplete, for example because of -target");
});

test("an incomplete plan and a deferred channel fail an audit only if values that aren't evaluable do", async () => {
  const type = "checkly_alert_channel";
  const plan = {
    ...createPlan([{ address: `${type}.mail`, values: { ...mail, ssl_expiry: true } }]),
    complete: false,
    deferred_changes: [
      {
        reason: "provider_config_unknown",
        resource_change: { address: `${type}.later`, mode: "managed", type, change: { actions: ["create"] } },
      },
    ],
  };
  const { code, stdout } = await run(plan);
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /not evaluable +checkly_alert_channel\.later +channel-read +channel: the plan leaves/,
  );
  expect((await run(plan, "--fail-on", "not-evaluable")).code).toBe(1);
});

test.each([
  ["before", (json: string) => `[command]/opt/terraform-bin show -json plan\r\n${json}`],
  ["before and after", (json: string) => `{ x }\n${json}\n::debug::Terraform exited with code 0.\n`],
  ["before an indented", (json: string) => `Note\n${JSON.stringify(JSON.parse(json), null, 2)}`],
])("lines %s JSON are ignored", async (_, wrap) => {
  const { stdout } = await runText(wrap(readPlan("hook-create")));
  expect(stdout).toContain("(1 channel");
});

test("a saved plan is rejected with the command that converts it, and other text with the reason", async () => {
  const zip = Buffer.from("504b030414000800080000000000ff00", "hex");
  expect((await runText(zip)).stderr).toContain(
    "plan.json can't be read: the file is a ZIP archive. Convert a saved plan with `terraform show -json PLAN`",
  );
  const { stderr } = await runText('[command]terraform show\n{"planned_values": {\n');
  expect(stderr).toContain("plan.json can't be used, because there are lines before the JSON.");
});

test("SARIF marks the line of a rule that the rule file sets, and not the line of the preset", async () => {
  const address = "checkly_alert_channel.hook";
  const plan = createPlan([{ address, values: hook({ webhook_secret: "" }) }]);
  const rules = writeTemporaryFile("extends: recommended\nrules:\n  https-hook: error\n");
  const { stdout } = await run(plan, "--rules", rules, "--format", "sarif");
  const located = stdout.matchAll(/"ruleId": ?"([^"]+)"[^]*?"uri": ?"([^"]*)"[^]*?"startLine": ?(\d+)/g);
  expect([...located].map(([, rule, uri, line]) => `${rule} ${basename(uri ?? "")}:${line}`)).toEqual([
    "https-hook audit.yaml:3",
    "webhook-secret Pulumi.yaml:1",
  ]);
});

test.each<[what: string, secret: object, unknown: object, result: object]>([
  ["is set", { webhook_secret: "s3cret" }, {}, { findings: [], notEvaluable: [] }],
  ["isn't set", { webhook_secret: "" }, {}, { findings: ["signed hook config.webhookSecret"] }],
  [
    "is unknown",
    {},
    { webhook: [{ webhook_secret: true }] },
    { findings: [], notEvaluable: [`signed hook config.webhookSecret: ${after}`] },
  ],
])("a custom rule can require a secret, which %s", async (_, secret, unknown, result) => {
  const rule = { id: "signed", title: "Signed", expect: { config: { webhookSecret: { not: null } } } };
  const rules = writeTemporaryFile(JSON.stringify({ customRules: [rule] }));
  const plan = createPlan([{ address: "hook", values: hook(secret), unknown }]);
  expect(await listResults(plan, "--rules", rules)).toMatchObject(result);
});

test("a custom rule neither passes nor fails on values that a plan doesn't contain", async () => {
  const expectations = {
    ...{ method: { not: "GET" }, webhookType: null, headers: { secretPart: { not: "literal" } } },
    ...{ url: { isReference: true }, webhookSecret: { isReference: true } },
  };
  const customRules = Object.entries(expectations).map(([key, expected]) => {
    const id = key.toLowerCase();
    return { id, title: key, expect: { config: { [key]: expected } } };
  });
  const rules = writeTemporaryFile(JSON.stringify({ customRules }));
  const values = Object.fromEntries(Object.keys(expectations).map((key) => [key, "[secret]"]));
  const masked = createPreview({ urn: buildChannelUrn("a"), inputs: { webhook: values } });
  const snakeCase = [{ method: true, webhook_type: true, headers: true, url: true, webhook_secret: true }];
  const later = createPlan([{ address: "a", values: hook(), unknown: { webhook: snakeCase } }]);
  for (const plan of [masked, later]) {
    const { findings, notEvaluable, channels } = await listResults(plan, "--rules", rules);
    expect([findings, channels[0]?.passed]).toEqual([[], []]);
    expect(notEvaluable).toHaveLength(customRules.length);
  }
  const headers = { "X-Api-Key": "Zk4bT9qLw2Xc7Vn1" };
  const partly = {
    address: "a",
    values: hook({ headers }),
    unknown: { webhook: [{ headers: { "X-A": true } }] },
  };
  const { findings } = await listResults(createPlan([partly]), "--rules", rules);
  expect(findings).toContain("headers a config.headers.secretPart");
});

test.each([
  ["an empty preview", { steps: [] }, /plan\.json contains no alert channels/],
  ["an empty plan", createPlan([]), /plan\.json contains no alert channels/],
  [
    "a failed preview",
    { steps: [], diagnostics: [{ severity: "error" }] },
    /plan\.json can't be used, because it isn't the JSON of a complete plan/,
  ],
  ["a failed plan", { ...createPlan([]), errored: true }, /it isn't the JSON of a complete plan/],
  ["a list", [{ type: "EMAIL" }], /it isn't the JSON of a complete plan/],
])("%s is rejected", async (_, content, message) => {
  const { code, stderr } = await run(content);
  expect(code).toBe(2);
  expect(stderr).toMatch(message);
});
