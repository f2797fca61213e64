import { inspect } from "node:util";
import { reduceToFingerprints, redactConfig } from "../../provider/credentials";
import { fc } from "../propertySeed";

const redacted = (config: Record<string, unknown>, type = "WEBHOOK", account = "acc-1") =>
  redactConfig({ type, config }, account);
const credential = { fingerprint: expect.stringMatching(/^[0-9a-f]{12}$/), isReference: false };

const shown = "account address channel method name number priority region serviceName webhookType";

test.each<[key: string, values: unknown[]]>([
  ...shown.split(" ").map((key): [string, unknown[]] => [key, ["#ops", "", 49, false, null]]),
  ["slackChannels", ["#a", 49, false, null, ["#a", "#b"], ["#a", 1, null]]],
  ["webhookSecret", ["", null, undefined]],
  ["headers", [[]]],
])("%s contains no credential, and is shown as %p", (key, values) => {
  for (const value of values) expect(redacted({ [key]: value })).toEqual({ [key]: value });
});

test.each<[key: string, values: unknown[]]>([
  ["url", ["https://hooks.example.com/s3cret"]],
  ["template", ['{"key":"s3cret"}']],
  ["webhookSecret", ["s3cret"]],
  ["headers", [[{ key: "authorization", value: "s3cret" }]]],
  ["queryParameters", [[{ key: "k", value: "s3cret" }]]],
  ["serviceKey", ["s3cret"]],
  ["apiKey", ["s3cret"]],
  ["fromTheFuture", [{ nested: ["s3cret"] }, true, 7]],
  ["channel", [{ token: "s3cret" }, ["s3cret"], [{ token: "s3cret" }]]],
  ["name", [{ token: "s3cret" }, ["s3cret"], [{ token: "s3cret" }]]],
  ["slackChannels", [[{ token: "s3cret" }], ["#ops", ["s3cret"]], { token: "s3cret" }]],
])("%s contains a credential, and is replaced with a fingerprint, as %j", (key, values) => {
  for (const value of values) {
    const result = redacted({ [key]: value });
    expect(result).toEqual({ [key]: expect.objectContaining(credential) });
    expect(inspect(result, { depth: Infinity })).not.toContain("s3cret");
  }
});

test.each<[key: string, value: unknown, facts: object]>([
  ["serviceKey", "8b3a3663b837d093", {}],
  ["serviceKey", "YOUR_SERVICE_KEY", { isPlaceholder: true }],
  ["headers", [{ key: "authorization", value: "<api-key>" }], { isPlaceholder: true, secretPart: "none" }],
  ["apiKey", ["8b3a3663b837d093"], { isMalformed: true }],
  ["template", '{"text":"{{CHECK_NAME}}",}', { secretPart: "none", isInvalidJson: true }],
  ["template", '{"ms":{{RESPONSE_TIME}},"text":"{{{CHECK_NAME}}}"}', { secretPart: "none" }],
  ["template", '{"text":"x"{{#if GROUP_NAME}},{{/if}}}', { secretPart: "none" }],
  ["template", '{"index":{}}\n{"text":"{{CHECK_NAME}}"}', { secretPart: "none" }],
  ["template", '{"index":{}}\n{"text":"x",}', { secretPart: "none", isInvalidJson: true }],
  ["template", ' [{ "text":"x",}]', { secretPart: "none", isInvalidJson: true }],
  ["template", '{\n"ms":{{{RESPONSE_TIME}}}\n}', { secretPart: "none" }],
  ["template", 'Alert {"text"', { secretPart: "none" }],
  ["webhookSecret", '{"key', {}],
  [
    "template",
    '{"text":"{{ALERT_TITLE}} {{ALERT_OWNER}} {{CHECK_TAGS}} {{REASON}}"}',
    { secretPart: "none" },
  ],
  // A user's variables are neither misspelled nor invalid, however similar they are to the vendor's variables.
  ["template", '{"n":{{CHECK_NAMES}},"text":"{{{ALERT_TITEL}}} {{MY_TEAM}}"}', { secretPart: "none" }],
  ["url", "https://acme.pagerduty.com/", { receiver: "on-call", scheme: "https" }],
  [
    "url",
    "https://{{N8N_HOST}}/webhook-test/alerts",
    { receiver: "inspection", scheme: "https", hostClass: undefined },
  ],
])("%s as %j has exactly these facts: %j", (key, value, facts) => {
  const url = key === "url" ? { hostClass: "public", secretPart: "none" } : {};
  expect(redacted({ [key]: value })).toEqual({ [key]: { ...credential, ...url, ...facts } });
});

const pair = { key: "accept", value: "text/plain" };
test.each<[isMalformed: boolean, values: unknown[]]>([
  [false, [[pair], [pair, { key: "accept" }]]],
  [true, ["accept: any", { accept: "any" }, ["accept"], [pair, null], [pair, {}], [{ key: 1 }]]],
])("headers and parameters are malformed (%s): %j", (isMalformed, values) => {
  for (const key of ["headers", "queryParameters"])
    for (const value of values) {
      const { [key]: facts } = redacted({ [key]: value });
      expect(Object.hasOwn(Object(facts) as object, "isMalformed")).toBe(isMalformed);
    }
});

test.each([
  ["https://acme.slack.com/archives/C0AB12CD3", true],
  ["https://hooks.slack.com/services/alerts", true],
  ["https://hooks.slack-gov.com/services/T0AB12CD3/B0EF45GH6", true],
  ["https://hooks.slack.com/services/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", false],
  ["https://hooks.slack.com/services/{{PATH}}", false],
  ["https://proxy.acme.io/slack", false],
  ["https://acme.slack.com/archives/kq3Zr8vKp1LwT5xBk3vQ", false],
  ["https://hooks.slack.com/services/T0AB12/B0EF45/checkouthook", false],
  ["https://hooks.slack.com/services/T0AB12/B0EF45/checkouthook/", false],
  ["https://hooks.slack.com/services/T0AB12/B0EF45/checkouthoo", true],
  ["https://hooks.slack.com/x/services/T0AB12/B0EF45/checkouthook", true],
  ["https://xhooks.slack.com/services/T0AB12/B0EF45/checkouthook", true],
  ["https://hooks.slack.com.acme.io/x", false],
  ["https://slack.com.acme.io/x", false],
  ["https://slack.com/x", true],
])("the URL %s is a placeholder in a Slack channel: %s; in a webhook, it isn't", (url, isPlaceholder) => {
  const ofSlack = redacted({ url }, "SLACK").url;
  expect(ofSlack).toHaveProperty("secretPart");
  expect(Object.hasOwn(Object(ofSlack) as object, "isPlaceholder")).toBe(isPlaceholder);
  expect(redacted({ url }, "WEBHOOK").url).not.toHaveProperty("isPlaceholder");
  expect(redacted({ other: url }, "SLACK").other).not.toHaveProperty("isPlaceholder");
});

test("only the fingerprints of credentials and values without credentials are left for comparisons", () => {
  const config = redacted({ url: "https://a.example", name: "Ops", headers: [], webhookSecret: null });
  expect(reduceToFingerprints(config)).toEqual({
    url: expect.stringMatching(/^[0-9a-f]{12}$/),
    name: "Ops",
    headers: [],
    webhookSecret: null,
  });
  expect(reduceToFingerprints(undefined)).toBeUndefined();
});

const print = (value: unknown, type?: string, account?: string) =>
  JSON.stringify(redacted({ secret: value }, type, account).secret);

test("fingerprints are equal for equal credentials, in every run", () => {
  expect(print("a secret")).toBe('{"fingerprint":"2c08b23011df","isReference":false}');
  expect(print([{ key: "a", value: null }, "b"])).toContain("fa68c49b44b2");
  const withoutAccount = redactConfig({ type: "WEBHOOK", config: { secret: "a" } });
  expect(withoutAccount).toEqual(redacted({ secret: "a" }, "WEBHOOK", ""));
});

test("fingerprints don't depend on the order of keys", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
      expect(print(Object.fromEntries(Object.entries(value).reverse()))).toBe(print(value));
    }),
  );
});

test("fingerprints differ between credentials, types and accounts", () => {
  const others = [print("b"), print("a", "OPSGENIE"), print("a", "WEBHOOK", "acc-2"), print(["a"])];
  expect(new Set([print("a"), ...others]).size).toBe(5);
});

describe("of a URL", () => {
  const redactUrl = (url: string) => redacted({ url }).url;

  test.each([
    ["http://a.example", "http"],
    ["HTTPS://a.example", "https"],
    ["git+ssh2.0-x://a.example", "git+ssh2.0-x"],
  ])("the scheme of a URL is shown: %s has %s", (url, scheme) => {
    expect(redactUrl(url)).toMatchObject({ scheme, hostClass: "public" });
  });

  /** Hosts by class, separated by spaces. */
  const hosts = {
    loopback: `
      localhost LOCALHOST localhost. api.localhost. a.localhost a.b.localhost localhost:8080 127.0.0.1 127.10.20.30
      127.255.255.255 2130706433 [::1] [::ffff:127.0.0.1] [::ffff:127.100.200.3]`,
    private: `
      10.0.0.1 10.20.30.40 192.168.0.1 169.254.169.254 0.0.0.0 0.1.2.3 172.16.0.1 172.19.0.1 172.20.0.1 172.29.0.1
      172.30.0.1 172.31.255.255 100.64.0.1 100.69.0.1 100.70.0.1 100.99.0.1 100.100.0.1 100.119.0.1 100.120.0.1
      100.127.255.255 [::] [fc00::1] [fd12:3456::1] [fe80::1] [fe90::1] [fea0::1] [feb0::1] [febf::1]
      [::ffff:10.1.2.3] [::ffff:172.31.200.100] [::ffff:192.168.0.1] [::ffff:0.0.0.0] tickets notlocalhost
      a.internal a.local a.lan a.intranet a.corp a.home.arpa a.b.internal. x.y.corp a.localdomain
      [64:ff9b::808:808] [2002:a00:1::] [ff02::1] 224.0.0.1`,
    public: `
      example.com hooks.example.com. 8.8.8.8 110.0.0.1 1.10.0.1 11.0.0.1 126.0.0.1 128.0.0.1 192.169.0.1 193.168.0.1
      1.192.168.1 172.15.255.255 172.32.0.1 172.40.0.1 172.116.0.1 169.253.0.1 100.63.255.255 100.128.0.1 100.130.0.1
      100.200.0.1 100.6.0.1 1.100.64.1 1.172.16.1 1.169.254.1 [2606:4700::1111] [::2] [::1:1] [1::1]
      [::ffff:8.8.8.8] [1::ffff:a01:203] [::ffff:100.63.1.1] [::fffe:a01:203]
      [::ffff:1:a01:203] localhost.example.com notlocalhost.com 127.0.0.1.example.com a.127.example.com
      internal.example.com a.internal.example.com a.notinternal a.home.arpa.example.com a.homexarpa x10.example.com
      a.corp.example 0x.example.com a-internal.com fc.example.com`,
  };
  const classified = (hostClass: keyof typeof hosts) =>
    hosts[hostClass].split(/\s+/).flatMap((host) => (host === "" ? [] : [[host, hostClass]]));
  test.each([...classified("loopback"), ...classified("private"), ...classified("public")])(
    "the host class of a URL is shown: %s is %s",
    (host, hostClass) => {
      expect(redactUrl(`https://${host}/hook`)).toMatchObject({ scheme: "https", hostClass });
    },
  );

  test.each([
    ...["not a url", "https://a b", "mailto:ops@example.com", "data:,https://example.com", "//example.com"],
    ...["https://", "https:/a", "1https://a.example", "+a://b", " https://a.io", "see https://a.example"],
  ])("no part of %j is shown, because it isn't a URL", (url) => {
    expect(redactUrl(url)).toEqual(credential);
  });
});

test.each([
  ["{{JIRA_URL}}/rest/api/3/issue", { secretPart: "reference" }],
  ["https://alerts.{{ DOMAIN }}:8443/hook", { scheme: "https", secretPart: "none" }],
  ["https://{{{ALERT_HOST}}}/{{TOKEN}}", { scheme: "https", secretPart: "reference" }],
  ["https://ops:{{WORD}}@10.0.0.1", { scheme: "https", hostClass: "private", secretPart: "reference" }],
  ["http://alerts.acme.io:{{PORT}}/x", { scheme: "http", hostClass: "public", secretPart: "none" }],
  ["http://[{{V6}}]/", { scheme: "http", secretPart: "none" }],
  ["https://hooks.example/{0}/{{}", { scheme: "https", hostClass: "public", secretPart: "none" }],
])("a reference within the URL %s doesn't hide the other facts: %j", (value, facts) => {
  expect(redacted({ value }).value).toEqual({ ...credential, ...facts });
});

test.each<[isReference: boolean, texts: string[]]>([
  [true, ["{{OPS_TOKEN}}", "{{{OPS_TOKEN}}}", "{{{ OPS_TOKEN }}} ", "  {{  OPS-TOKEN.v_2  }}  "]],
  [false, ["{{OPS_TOKEN}}{{MORE}}", "Bearer {{OPS_TOKEN}}", "{{OPS_TOKEN}}x", "{OPS_TOKEN}"]],
  [false, ["{{{OPS_TOKEN}}", "{{OPS_TOKEN}}}", "{{}}", "{{ }}", "{{a b}}", "{{a+b}}"]],
])("a value is a reference to a secret of the service (%s): %j", (isReference, texts) => {
  for (const apiKey of texts) expect(redacted({ apiKey }).apiKey).toMatchObject({ isReference });
});
