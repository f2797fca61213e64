/** The redacted `config` of alert channels. */
const assert = require("node:assert");
const { built } = require("../dist");

/** @type {typeof import("../../../provider/client/redact")} */
const { redactConfig } = require(built("provider/client/redact"));
/** @type {typeof import("../../../provider/client/body")} */
const { readBody } = require(built("provider/client/body"));

/** The keys that may be shown. A list of its own: the one of the code under test can't check itself. */
const shown = new Set(
  "address channel slackChannels number name account serviceName region priority method webhookType".split(
    " ",
  ),
);

/** @param {string} key @param {unknown} value */
function mayBeShown(key, value) {
  if (value === "" || (Array.isArray(value) && value.length === 0)) return true;
  const parts = key === "slackChannels" && Array.isArray(value) ? value : [value];
  return value === null || (shown.has(key) && parts.every((part) => Object(part) !== part || part === null));
}

/**
 * Each line is a field of `config`: its key up to the first `=`, then its value as JSON, or else as a string.
 * @param {string} input
 */
function run(input) {
  const lines = input.split("\n").map((line) => {
    const [key = "", ...value] = line.split("=");
    return [key, parsedOrText(value.join("="))];
  });
  check(Object.fromEntries(lines));
}

/** @param {string} text */
function parsedOrText(text) {
  const body = readBody(text);
  return "json" in body ? body.json : text;
}

/** @param {Record<string, unknown>} config */
function check(config) {
  const channel = { type: "WEBHOOK", config };
  const redacted = redactConfig(channel, "account-1");
  assert.deepEqual(Object.keys(redacted), Object.keys(config), "the keys are not those of the config");
  for (const [key, value] of Object.entries(config)) {
    const kept = redacted[key];
    if (mayBeShown(key, value)) assert.equal(kept, value, "a value that may be shown is changed");
    else checkCredential(kept);
  }
  assert.deepEqual(redactConfig(channel, "account-1"), redacted, "redacting again gives another result");
  const elsewhere = redactConfig(channel, "account-2");
  const others = Object.fromEntries(Object.entries(config).map(([key, value]) => [key, [value]]));
  const changed = redactConfig({ ...channel, config: others }, "account-1");
  for (const key of Object.keys(config).filter((each) => !mayBeShown(each, config[each]))) {
    assert.notDeepEqual(changed[key], redacted[key], "another credential has the same fingerprint");
    assert.notDeepEqual(elsewhere[key], redacted[key], "the fingerprint is the same in another account");
  }
}

const schemeForm = /^[a-z][a-z0-9+.-]*$/;

/** Only these facts about a credential are kept. @param {unknown} kept */
function checkCredential(kept) {
  const { fingerprint, isReference, scheme = "https", hostClass = "public", ...others } = Object(kept);
  const { secretPart = "none", ...more } = others;
  assert.match(String(fingerprint), /^[0-9a-f]{12}$/, "the fingerprint isn't 12 hex digits");
  assert.equal(typeof isReference, "boolean", "isReference is missing");
  assert.match(String(scheme), schemeForm, "the scheme is invalid");
  assert.ok(["loopback", "private", "public"].includes(hostClass), "the class of the host is invalid");
  assert.ok(["literal", "reference", "none"].includes(secretPart), "the secret part is invalid");
  assert.deepEqual(more, {}, "other facts about the credential are kept");
}

module.exports = {
  run,
  seeds: [
    [...shown].map((key) => `${key}=x`).join("\n"),
    "address=a@example.com",
    "url=https://hooks.example.com/T0/B0/x\nchannel=#ops",
    'url=http://10.1.2.3:8080/a?token=b\nheaders=[{"key":"a","value":"{{B}}"}]\nwebhookSecret=null',
    'name={"token":"x"}\nchannel=["x"]\nslackChannels=[{"token":"x"}]\naddress=[]\nnumber=1',
    'apiKey={{ OPS_TOKEN }}\nregion=EU\npriority=P1\nname=null\nslackChannels=["#ops"]',
    "url=https://[::ffff:7f00:1]/\nother=ftp://localhost\nthird=x://[fe80::1]\nurl2=https://a.internal.",
    'template={"b":1,"a":{"d":[],"c":null}}\nother="https://a.example"\nthird=1e999\nfourth=true',
  ],
  words: [
    ..."url serviceKey name __proto__ toString constructor".split(" ").map((key) => `\n${key}=`),
    ...'{"__proto__": {{ }} https:// http:// 127.0.0.1 [::1] localhost 192.168. xn-- %00 @ :0'.split(" "),
    ..."null [] {} 1e999".split(" "),
  ],
};
