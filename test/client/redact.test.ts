import { inspect } from "node:util";
import { redactConfig } from "../../provider/client/redact";

const redacted = (config: Record<string, unknown>, type = "WEBHOOK", account = "acc-1") =>
  redactConfig({ type, config }, account);

test("what is known to be harmless is shown as it is", () => {
  const config = {
    ...{
      account: "acme",
      address: "ops@example.com",
      channel: "#ops",
      method: "POST",
      name: "Hook",
      number: "+4912345",
    },
    ...{
      priority: "P1",
      region: "EU",
      serviceName: "API",
      slackChannels: ["#a", "#b"],
      webhookType: "WEBHOOK_MSTEAMS",
    },
  };
  expect(redacted(config)).toEqual(config);
});

test("everything else is a credential, known or not, and only its fingerprint is left", () => {
  const secret = "s3cret-0123456789";
  const config = {
    ...{ url: `https://hooks.example.com/${secret}`, template: `{"key":"${secret}"}`, webhookSecret: secret },
    ...{ headers: [{ key: "authorization", value: secret }], queryParameters: [{ key: "k", value: secret }] },
    ...{ serviceKey: secret, apiKey: secret, fromTheFuture: { nested: [secret] }, flag: true, count: 7 },
  };
  const result = redacted(config);
  expect(Object.keys(result)).toEqual(Object.keys(config));
  expect(inspect(result, { depth: Infinity })).not.toContain("s3cret");
  for (const value of Object.values(result)) {
    expect(value).toMatchObject({ fingerprint: expect.stringMatching(/^[0-9a-f]{12}$/), isReference: false });
  }
});

test.each([
  ["an object", { token: "s3cret" }],
  ["a list", ["s3cret"]],
  ["a list of objects", [{ token: "s3cret" }]],
])("%s under a shown key is a credential", (_, value) => {
  const result = redacted({ channel: value, name: value, address: value });
  const credential = { fingerprint: expect.stringMatching(/^[0-9a-f]{12}$/), isReference: false };
  expect(result).toEqual({ channel: credential, name: credential, address: credential });
});

test.each([[[{ token: "s3cret" }]], [["#ops", ["s3cret"]]], [{ token: "s3cret" }]])(
  "slackChannels of another kind are a credential: %j",
  (slackChannels) => {
    const credential = { fingerprint: expect.stringMatching(/^[0-9a-f]{12}$/), isReference: false };
    expect(redacted({ slackChannels })).toEqual({ slackChannels: credential });
  },
);

test("every plain value under a shown key is shown", () => {
  const config = { name: "", number: 49, channel: false, account: null, slackChannels: ["#a", 1, null] };
  expect(redacted(config)).toEqual(config);
});

test("what is not set stays so", () => {
  expect(redacted({ webhookSecret: null, url: undefined })).toEqual({ webhookSecret: null, url: undefined });
});

describe("fingerprints", () => {
  const print = (value: unknown, type?: string, account?: string) =>
    JSON.stringify(redacted({ secret: value }, type, account).secret);

  test("are equal for equal credentials, in every run", () => {
    expect(print("a secret")).toBe(print("a secret"));
    expect(print("a secret")).toBe('{"fingerprint":"2c08b23011df","isReference":false}');
    expect(redactConfig({ type: "WEBHOOK", config: { secret: "a" } })).toEqual(
      redacted({ secret: "a" }, "WEBHOOK", ""),
    );
    const headers = [{ key: "a", value: null }, "b"];
    expect(print(headers)).toBe('{"fingerprint":"fa68c49b44b2","isReference":false}');
    expect(print(headers)).toBe(print([{ value: null, key: "a" }, "b"]));
  });

  test("differ for other credentials, types and accounts", () => {
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
  test.each([
    ["https://hooks.example.com/T0/B0/x", "https", "public"],
    ["HTTP://hooks.example.com", "http", "public"],
    ["https://8.8.8.8/x", "https", "public"],
    ["https://[2606:4700::1111]/x", "https", "public"],
    ["http://localhost:3000/x", "http", "loopback"],
    ["http://api.localhost./x", "http", "loopback"],
    ["http://notlocalhost/x", "http", "private"],
    ["http://127.0.0.1/x", "http", "loopback"],
    ["http://2130706433/x", "http", "loopback"],
    ["http://[::1]/x", "http", "loopback"],
    ["http://[::ffff:127.0.0.1]/x", "http", "loopback"],
    ["http://10.1.2.3/x", "http", "private"],
    ["http://172.15.255.255/x", "http", "public"],
    ["http://172.16.0.1/x", "http", "private"],
    ["http://172.31.255.255/x", "http", "private"],
    ["http://172.32.0.1/x", "http", "public"],
    ["http://192.168.1.1/x", "http", "private"],
    ["http://169.254.169.254/x", "http", "private"],
    ["http://100.63.255.255/x", "http", "public"],
    ["http://100.64.0.1/x", "http", "private"],
    ["http://100.99.0.1/x", "http", "private"],
    ["http://100.119.0.1/x", "http", "private"],
    ["http://100.127.255.255/x", "http", "private"],
    ["http://100.128.0.1/x", "http", "public"],
    ["http://0.0.0.0/x", "http", "private"],
    ["http://[::]/x", "http", "private"],
    ["http://[fc00::1]/x", "http", "private"],
    ["http://[fd00::1]/x", "http", "private"],
    ["http://[fe80::1]/x", "http", "private"],
    ["http://[febf::1]/x", "http", "private"],
    ["http://[::ffff:10.0.0.1]/x", "http", "private"],
    ["http://build-server/x", "http", "private"],
    ["http://hooks.internal/x", "http", "private"],
    ["http://hooks.local/x", "http", "private"],
    ["http://hooks.lan/x", "http", "private"],
    ["http://hooks.intranet/x", "http", "private"],
    ["http://hooks.home.arpa/x", "http", "private"],
    ["http://hooks.corp./x", "http", "private"],
    ["https://internal.example.com/x", "https", "public"],
    ["git+ssh://git.example.com/x", "git+ssh", "public"],
  ])("%s is left: %s, %s", (url, scheme, hostClass) => {
    expect(redacted({ url }).url).toMatchObject({ scheme, hostClass });
  });

  test.each([
    "not a url",
    "mailto:ops@example.com",
    "https://",
    "//example.com",
    "data:,https://example.com",
    "{{WEBHOOK_URL}}",
  ])("that is none, such as %s, nothing", (url) => {
    expect(redacted({ url }).url).not.toHaveProperty("scheme");
    expect(redacted({ url }).url).not.toHaveProperty("hostClass");
  });
});

test.each([
  ["{{OPS_TOKEN}}", true],
  [" {{ OPS-TOKEN.v2 }} ", true],
  ["{{OPS_TOKEN}}{{MORE}}", false],
  ["Bearer {{OPS_TOKEN}}", false],
  ["{{}}", false],
  ["{{a b}}", false],
  ["{OPS_TOKEN}", false],
])("%j names a secret that the service keeps: %s", (apiKey, isReference) => {
  expect(redacted({ apiKey }).apiKey).toMatchObject({ isReference });
});
