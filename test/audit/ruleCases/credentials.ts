import { channel, facts, goodUrl } from "../channels";
import {
  type Case,
  type Cases,
  fleetOf,
  hook,
  integration,
  pagerDuty,
  reference,
  slack,
  templatedHost,
  webhook,
} from "./cases";

const [key, another] = [pagerDuty(facts("a")), pagerDuty(facts("b"))];
/** `{{BASE_URL}}/path`. */
const templated = hook({ secretPart: "reference" });
const hookSignedBy = (webhookSecret: object) => webhook({ url: goodUrl, webhookSecret });
const secret = (secretPart: string) => facts("a", { secretPart });

export const credentials: Cases = {
  "https-hook": [
    ["https", webhook({ url: goodUrl })],
    ["http", hook({ scheme: "http", hostClass: "public" }), "config.url"],
    ["no web address", hook({}), "config.url"],
    ["a reference", slack(reference), "? config.url"],
    ["a URL that begins with a reference", templated, "? config.url"],
    ["a host that is a reference", templatedHost],
    ["clear text", webhook({ url: "http://acme.example" }), "? config.url"],
    ["an empty URL", webhook({ url: "" }), "n/a"],
    ["no hook", channel(), "n/a"],
  ],
  "public-hook": [
    ["a public address", webhook({ url: goodUrl })],
    ["a private address", hook({ scheme: "https", hostClass: "private" }), "config.url"],
    ["the machine itself", hook({ scheme: "https", hostClass: "loopback" }), "config.url"],
    ["no web address", hook({}), "n/a"],
    ["a reference", slack(reference), "? config.url"],
    ["a URL that begins with a reference", templated, "? config.url"],
    ["a host that is a reference", templatedHost, "? config.url"],
  ],
  "webhook-secret": [
    ["a secret", hookSignedBy(reference)],
    ["a secret in clear text", webhook({ webhookSecret: "x" })],
    ["none", webhook({ url: goodUrl }), "config.webhookSecret"],
    ["null", webhook({ webhookSecret: null }), "config.webhookSecret"],
    ["an empty string", webhook({ webhookSecret: "" }), "config.webhookSecret"],
    ["a generic webhook", integration("WEBHOOK_GENERIC"), "config.webhookSecret"],
    ["a chat, which verifies nothing", integration("WEBHOOK_DISCORD"), "n/a"],
    ["an unknown integration", integration("WEBHOOK_PIGEON"), "? config.webhookSecret"],
    ["a secret of an unknown integration", integration("WEBHOOK_PIGEON", { webhookSecret: reference })],
    ["another type", slack(goodUrl), "n/a"],
  ],
  "credential-reference": [
    ["a reference", pagerDuty(reference)],
    ["a literal", key, "config.serviceKey"],
    ["a literal API key", channel({ type: "OPSGENIE", config: { apiKey: facts("a") } }), "config.apiKey"],
    ["a literal that signs a webhook", hookSignedBy(facts("a")), "config.webhookSecret"],
    ["a Slack hook's address", slack(goodUrl), "config.url"],
    ["a webhook's address", webhook({ url: goodUrl }), "n/a"],
    ...["MSTEAMS", "TELEGRAM", "DISCORD", "FIREHYDRANT", "ILERT", "SPLUNK", "SPIKESH"].map((name): Case => [
      `the address of ${name}`,
      integration(`WEBHOOK_${name}`),
      "config.url",
    ]),
    ["the address of an alert API", integration("WEBHOOK_INCIDENTIO"), "n/a"],
    ["a path that is a reference", slack({ ...goodUrl, secretPart: "reference" })],
    ["a host that is a reference, and a literal path", slack(secret("literal")), "config.url"],
    ["a literal in the headers", webhook({ headers: secret("literal") }), "config.headers"],
    ["references in the query", webhook({ queryParameters: secret("reference") })],
    ["headers without a secret", webhook({ headers: secret("none") }), "n/a"],
    ["headers in the state of an older version", webhook({ headers: facts("a") }), "? config.headers"],
    ["an empty key", pagerDuty(""), "n/a"],
    ["clear text", pagerDuty("x"), "? config.serviceKey"],
  ],
  "credential-shared": [
    ["two keys", fleetOf(key, another)],
    ["the same key", fleetOf(key, key), "config.serviceKey"],
    ["the same key in seven channels", fleetOf(key, key, key, key, key, key, key), "config.serviceKey"],
    ["the same key in six", fleetOf(key, key, key, key, key, key), "config.serviceKey"],
    ["the same reference", fleetOf(pagerDuty(reference), pagerDuty(reference)), "config.serviceKey"],
    ["one Slack hook for two rooms", fleetOf(slack(goodUrl), slack(goodUrl, "#db")), "config.url"],
    ["one webhook's address", fleetOf(webhook({ url: goodUrl }), webhook({ url: goodUrl })), "n/a"],
    ["two empty keys", fleetOf(pagerDuty(""), pagerDuty("")), "n/a"],
    ["clear text", pagerDuty("x"), "? config.serviceKey"],
  ],
};
