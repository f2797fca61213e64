/** The `config` of alert channels, as the service sends it and as it is kept. */
const assert = require("node:assert");
const { built } = require("../dist");

/** @type {typeof import("../../../provider/client/redact")} */
const { redactConfig } = require(built("provider/client/redact"));
/** @type {typeof import("../../../provider/client/body")} */
const { readBody } = require(built("provider/client/body"));

/** What may be shown, said here once more: the list of the code under test can't be its own judge. */
const shown = new Set(
  "address channel slackChannels number name account serviceName region priority method webhookType".split(
    " ",
  ),
);

/** @param {string} input */
function run(input) {
  const { json } = readBody(input);
  if (typeof json !== "object" || json === null || Array.isArray(json)) return;
  const config = Object.fromEntries(Object.entries(json));
  const channel = { type: "WEBHOOK", config };
  const redacted = redactConfig(channel, "account-1");
  assert.deepEqual(Object.keys(redacted), Object.keys(config), "the keys are not those of the config");
  for (const [key, value] of Object.entries(config)) {
    const kept = redacted[key];
    if (shown.has(key) || value === null) assert.equal(kept, value, "what may be shown is changed");
    else checkCredential(kept);
  }
  assert.deepEqual(redactConfig(channel, "account-1"), redacted, "a second time it is another");
  const elsewhere = redactConfig(channel, "account-2");
  for (const key of Object.keys(config).filter((each) => !shown.has(each) && config[each] !== null)) {
    assert.notDeepEqual(elsewhere[key], redacted[key], "the fingerprint tells something outside the account");
  }
}

const schemeForm = /^[a-z][a-z0-9+.-]*$/;

/** Of a credential nothing is kept but what has a form of its own. @param {unknown} kept */
function checkCredential(kept) {
  const { fingerprint, isReference, scheme = "https", hostClass = "public", ...more } = Object(kept);
  assert.match(String(fingerprint), /^[0-9a-f]{12}$/, "the fingerprint isn't 12 hex digits");
  assert.equal(typeof isReference, "boolean", "it isn't told whether it is a reference");
  assert.match(String(scheme), schemeForm, "the scheme is none");
  assert.ok(["loopback", "private", "public"].includes(hostClass), "the class of the host is none");
  assert.deepEqual(more, {}, "more is kept than is known of a credential");
}

module.exports = {
  run,
  seeds: [
    { address: "a@example.com" },
    { url: "https://hooks.example.com/T0/B0/x", channel: "#ops" },
    { url: "http://10.1.2.3:8080/a?token=b", headers: [{ key: "a", value: "{{B}}" }], webhookSecret: null },
    { apiKey: "{{ OPS_TOKEN }}", region: "EU", priority: "P1", name: null },
    {
      url: "https://[::ffff:7f00:1]/",
      other: "ftp://localhost",
      third: "x://[fe80::1]",
      url2: "https://a.internal.",
    },
  ].map((config) => JSON.stringify(config)),
  words: [
    ...[
      '"url":',
      '"serviceKey":',
      '"name":',
      '"__proto__":',
      '"toString":',
      '"constructor":',
      "{{",
      "}}",
      "https://",
    ],
    ...[
      "http://",
      "127.0.0.1",
      "[::1]",
      "localhost",
      "192.168.",
      "xn--",
      "%00",
      "@",
      ":0",
      "null",
      "[]",
      "{}",
      "1e999",
    ],
  ],
};
