import { inspect } from "node:util";
import fc from "fast-check";
import { isShown } from "../../provider/api/credentials";
import { redactConfig } from "../../provider/client/redact";

const redacted = (config: Record<string, unknown>, type = "WEBHOOK", account = "acc-1") =>
  redactConfig({ type, config }, account);
const credential = { fingerprint: expect.stringMatching(/^[0-9a-f]{12}$/), isReference: false };

test("settings that hold no credential are shown", () => {
  const config = {
    ...{ account: "acme", address: "ops@example.com", channel: "#ops", method: "POST", name: "Hook" },
    ...{
      number: "+4912345",
      priority: "P1",
      region: "EU",
      serviceName: "API",
      webhookType: "WEBHOOK_MSTEAMS",
    },
    slackChannels: ["#a", "#b"],
  };
  expect(redacted(config)).toEqual(config);
  const others = { name: "", number: 49, channel: false, account: null, slackChannels: ["#a", 1, null] };
  expect(redacted(others)).toEqual(others);
});

test("all others are replaced by fingerprints, documented or not", () => {
  const secret = "s3cret-0123456789";
  const config = {
    ...{ url: `https://hooks.example.com/${secret}`, template: `{"key":"${secret}"}`, webhookSecret: secret },
    ...{ headers: [{ key: "authorization", value: secret }], queryParameters: [{ key: "k", value: secret }] },
    ...{ serviceKey: secret, apiKey: secret, fromTheFuture: { nested: [secret] }, flag: true, count: 7 },
  };
  const result = redacted(config);
  expect(Object.keys(result)).toEqual(Object.keys(config));
  expect(inspect(result, { depth: Infinity })).not.toContain("s3cret");
  for (const value of Object.values(result)) expect(value).toMatchObject(credential);
});

test.each([[{ token: "s3cret" }], [["s3cret"]], [[{ token: "s3cret" }]]])(
  "an object or list under a shown key is a credential: %j",
  (value) => {
    expect(redacted({ channel: value, name: value })).toEqual({ channel: credential, name: credential });
  },
);

test.each([[[{ token: "s3cret" }]], [["#ops", ["s3cret"]]], [{ token: "s3cret" }]])(
  "slackChannels of another type are a credential: %j",
  (slackChannels) => expect(redacted({ slackChannels })).toEqual({ slackChannels: credential }),
);

test("null and undefined stay as they are", () => {
  expect(redacted({ webhookSecret: null, url: undefined })).toEqual({ webhookSecret: null, url: undefined });
});

test("no credential of any config is shown", () => {
  const secret = "Zq7-credential";
  const credentials = fc.oneof(
    fc.string().map((text) => text + secret),
    fc.webUrl().map((url) => `${url}/${secret}`),
    fc.array(fc.record({ key: fc.string(), value: fc.constant(secret) }), { minLength: 1 }),
    fc.dictionary(fc.string(), fc.constant({ nested: [secret] }), { minKeys: 1 }),
  );
  const keys = fc.oneof(
    fc.string().filter((key) => !isShown(key)),
    fc.constantFrom("url", "template", "headers", "queryParameters", "webhookSecret", "serviceKey", "apiKey"),
  );
  fc.assert(
    fc.property(fc.dictionary(keys, credentials), fc.string(), (config, account) => {
      const result = redacted(config, "WEBHOOK", account);
      expect(Object.keys(result)).toEqual(Object.keys(config));
      expect(JSON.stringify(result)).not.toContain(secret);
    }),
  );
});

describe("fingerprints", () => {
  const print = (value: unknown, type?: string, account?: string) =>
    JSON.stringify(redacted({ secret: value }, type, account).secret);

  test("are equal for equal credentials, in every run", () => {
    expect(print("a secret")).toBe('{"fingerprint":"2c08b23011df","isReference":false}');
    expect(redactConfig({ type: "WEBHOOK", config: { secret: "a" } })).toEqual(
      redacted({ secret: "a" }, "WEBHOOK", ""),
    );
    const headers = [{ key: "a", value: null }, "b"];
    expect(print(headers)).toBe('{"fingerprint":"fa68c49b44b2","isReference":false}');
  });

  test("don't depend on the order of keys", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        expect(print(Object.fromEntries(Object.entries(value).reverse()))).toBe(print(value));
      }),
    );
  });

  test("differ between credentials, types and accounts", () => {
    const prints = [
      print("a"),
      print("b"),
      print("a", "OPSGENIE"),
      print("a", "WEBHOOK", "acc-2"),
      print(["a"]),
    ];
    expect(new Set(prints).size).toBe(prints.length);
  });
});

describe("of a URL", () => {
  const factsOf = (url: string) => redacted({ url }).url;

  test.each([
    ["http://a.example", "http"],
    ["HTTPS://a.example", "https"],
    ["ws://a.example", "ws"],
    ["git+ssh2.0-x://a.example", "git+ssh2.0-x"],
  ])("the scheme is shown: %s has %s", (url, scheme) => {
    expect(factsOf(url)).toMatchObject({ scheme, hostClass: "public" });
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
      a.internal a.local a.lan a.intranet a.corp a.home.arpa a.b.internal. x.y.corp`,
    public: `
      example.com hooks.example.com. 8.8.8.8 110.0.0.1 1.10.0.1 11.0.0.1 126.0.0.1 128.0.0.1 192.169.0.1 193.168.0.1
      1.192.168.1 172.15.255.255 172.32.0.1 172.40.0.1 172.116.0.1 169.253.0.1 100.63.255.255 100.128.0.1 100.130.0.1
      100.200.0.1 100.6.0.1 1.100.64.1 1.172.16.1 1.169.254.1 [2001:db8::1] [2606:4700::1111] [::2] [::1:1] [1::1]
      [ff00::1] [fec0::1] [::ffff:8.8.8.8] [1::ffff:a01:203] [::ffff:100.63.1.1] [::fffe:a01:203] [2001:db8::fc00]
      [2001:db8::] [::ffff:1:a01:203] localhost.example.com notlocalhost.com 127.0.0.1.example.com a.127.example.com
      internal.example.com a.internal.example.com a.notinternal a.home.arpa.example.com a.homexarpa x10.example.com
      a.corp.example 0x.example.com a-internal.com fc.example.com`,
  };
  const classified = Object.entries(hosts).flatMap(([hostClass, names]) =>
    names
      .trim()
      .split(/\s+/)
      .map((host) => [host, hostClass]),
  );
  test.each(classified)("the class of the host is shown: %s is %s", (host, hostClass) => {
    expect(factsOf(`https://${host}/hook`)).toMatchObject({ scheme: "https", hostClass });
  });

  test.each([
    ...["not a url", "mailto:ops@example.com", "https://", "//example.com", "data:,https://example.com"],
    ...[
      "1https://a.example",
      " https://a.example",
      "see https://a.example",
      "https:/a",
      "+a://b",
      "https://a b",
    ],
  ])("nothing is shown of %j, which is not one", (url) => {
    expect(factsOf(url)).toEqual(credential);
  });
});

describe("a reference within a setting", () => {
  const factsOf = (value: unknown) => redacted({ value }).value;
  const facts = (others: object) => ({ fingerprint: expect.any(String), isReference: false, ...others });
  const url = (secretPart: string, hostClass?: string) =>
    facts({ scheme: "https", ...(hostClass && { hostClass }), secretPart });

  test.each([
    ["{{JIRA_URL}}/rest/api/3/issue", facts({ secretPart: "reference" })],
    ["{{SCHEME}}://hooks.example/x", facts({ secretPart: "reference" })],
    ["Bearer {{{TOKEN}}}", facts({ secretPart: "reference" })],
    ["https://{{ALERT_HOST}}/hook", url("literal")],
    ["https://alerts.{{ DOMAIN }}:8443/hook", url("literal")],
    ["https://{{{ALERT_HOST}}}/{{TOKEN}}", url("reference")],
    ["https://hooks.example/services/{{PATH}}", url("reference", "public")],
    ["https://hooks.example/services?key={{{KEY}}}", url("reference", "public")],
    ["https://ops:{{PASSWORD}}@10.0.0.1/hook", url("reference", "private")],
    ["https://hooks.example/{not}/{{}", facts({ scheme: "https", hostClass: "public" })],
  ])("%s", (value, expected) => expect(factsOf(value)).toEqual(expected));

  test.each([
    [{ Authorization: "Bearer {{TOKEN}}" }, "reference"],
    [{ Authorization: "Bearer s3cret" }, "literal"],
    [{ "X-Api-Key": "{{KEY}}", "Private-Token": "s3cret" }, "literal"],
    [{ "X-Api-Key": "{{KEY}}", accept: "text/plain" }, "reference"],
    [{ "Content-Type": "application/json", "X-Author": "ops", team: "db" }, "none"],
    [{ token: "" }, "none"],
  ])("in headers or query parameters: %j", (values, secretPart) => {
    const pairs = Object.entries(values).map(([key, value]) => ({ key, value }));
    expect(factsOf(pairs)).toEqual(facts({ secretPart }));
  });
});

test("empty values stand for none, and stay as they are", () => {
  expect(redacted({ webhookSecret: "", headers: [] })).toEqual({ webhookSecret: "", headers: [] });
});

test.each([
  ...[
    "{{OPS_TOKEN}}",
    "{{{OPS_TOKEN}}}",
    "{{{ OPS_TOKEN }}} ",
    " {{ OPS-TOKEN.v2 }} ",
    "  {{  a.b-c_1  }}  ",
  ].map((text) => [text, true] as const),
  ...[
    "{{OPS_TOKEN}}{{MORE}}",
    "Bearer {{OPS_TOKEN}}",
    "{{OPS_TOKEN}}x",
    "{{}}",
    "{{ }}",
    "{{a b}}",
    "{{a+b}}",
    "{OPS_TOKEN}",
    "{{{OPS_TOKEN}}",
    "{{OPS_TOKEN}}}",
  ].map((text) => [text, false] as const),
])("%j is a reference to a secret of the service: %s", (apiKey, isReference) => {
  expect(redacted({ apiKey }).apiKey).toMatchObject({ isReference });
});
