import { redactConfig } from "../../provider/client/redact";

const factsOf = (url: string) => redactConfig({ type: "WEBHOOK", config: { url } }).url;
const classOf = (host: string) => factsOf(`https://${host}/hook`);

test.each([
  ...["localhost", "LOCALHOST", "localhost.", "a.localhost", "a.b.localhost", "127.0.0.1", "127.10.20.30"],
  ...[
    "127.255.255.255",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:127.100.200.3]",
    "2130706433",
    "localhost:8080",
  ],
])("%s is this machine", (host) => {
  expect(classOf(host)).toMatchObject({ scheme: "https", hostClass: "loopback" });
});

test.each([
  ...["10.0.0.1", "10.20.30.40", "192.168.0.1", "169.254.169.254", "0.0.0.0", "0.1.2.3"],
  ...["172.16.0.1", "172.19.0.1", "172.20.0.1", "172.29.0.1", "172.30.0.1", "172.31.255.255"],
  ...["100.64.0.1", "100.69.0.1", "100.70.0.1", "100.99.0.1", "100.100.0.1", "100.119.0.1", "100.120.0.1"],
  ...[
    "100.127.255.255",
    "[::]",
    "[fc00::1]",
    "[fd12:3456::1]",
    "[fe80::1]",
    "[fe90::1]",
    "[fea0::1]",
    "[feb0::1]",
  ],
  ...["[::ffff:10.1.2.3]", "[::ffff:172.31.200.100]", "[::ffff:192.168.0.1]", "[::ffff:0.0.0.0]", "tickets"],
  ...["a.internal", "a.local", "a.lan", "a.intranet", "a.corp", "a.home.arpa", "a.b.internal.", "x.y.corp"],
])("%s is a private network", (host) => {
  expect(classOf(host)).toMatchObject({ scheme: "https", hostClass: "private" });
});

test.each([
  ...[
    "example.com",
    "hooks.example.com.",
    "8.8.8.8",
    "110.0.0.1",
    "1.10.0.1",
    "11.0.0.1",
    "126.0.0.1",
    "128.0.0.1",
  ],
  ...[
    "192.169.0.1",
    "193.168.0.1",
    "1.192.168.1",
    "172.15.0.1",
    "172.32.0.1",
    "172.40.0.1",
    "172.116.0.1",
    "169.253.0.1",
  ],
  ...[
    "100.63.0.1",
    "100.128.0.1",
    "100.130.0.1",
    "100.200.0.1",
    "100.6.0.1",
    "1.100.64.1",
    "1.172.16.1",
    "1.169.254.1",
  ],
  ...[
    "[2001:db8::1]",
    "[::2]",
    "[::1:1]",
    "[1::1]",
    "[ff00::1]",
    "[fec0::1]",
    "[::ffff:8.8.8.8]",
    "[1::ffff:a01:203]",
  ],
  ...["[::ffff:100.63.1.1]", "[::fffe:a01:203]", "[2001:db8::fc00]", "[2001:db8::]", "[::ffff:1:a01:203]"],
  ...["localhost.example.com", "notlocalhost.com", "127.0.0.1.example.com", "a.127.example.com"],
  ...[
    "internal.example.com",
    "a.internal.example.com",
    "a.notinternal",
    "a.home.arpa.example.com",
    "a.homexarpa",
  ],
  ...["x10.example.com", "a.corp.example", "0x.example.com", "a-internal.com", "fc.example.com"],
])("%s is the internet", (host) => {
  expect(classOf(host)).toMatchObject({ scheme: "https", hostClass: "public" });
});

test.each([
  ["http://a.example", "http"],
  ["HTTPS://a.example", "https"],
  ["ws://a.example", "ws"],
  ["git+ssh2.0-x://a.example", "git+ssh2.0-x"],
])("the scheme of %s is %s", (url, scheme) => {
  expect(factsOf(url)).toMatchObject({ scheme });
});

test.each([
  "1https://a.example",
  " https://a.example",
  "see https://a.example",
  "https:/a",
  "+a://b",
  "https://a b",
])("%j is no URL", (url) => {
  expect(factsOf(url)).toEqual({ fingerprint: expect.any(String), isReference: false });
});

test.each([
  ["{{OPS_TOKEN}}", true],
  ["  {{  OPS_TOKEN  }}  ", true],
  ["{{a.b-c_1}}", true],
  ["x{{OPS_TOKEN}}", false],
  ["{{OPS_TOKEN}}x", false],
  ["{{OPS TOKEN}}", false],
  ["{{OPS+TOKEN}}", false],
  ["{{}}", false],
  ["{{ }}", false],
])("%j only names a secret that the service keeps: %p", (secret, isReference) => {
  expect(factsOf(secret)).toMatchObject({ isReference });
});
