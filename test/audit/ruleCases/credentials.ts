import { channel, facts, goodUrl } from "../channels";
import { type Cases, pagerDuty, reference, slack, webhook } from "./cases";

/** `{{BASE_URL}}/path`. */
const templated = facts("a", { secretPart: "reference" });

export const credentials: Cases = {
  "https-hook": [
    ["https", webhook({ url: goodUrl })],
    ["http", webhook({ url: facts("a", { scheme: "http", hostClass: "public" }) }), "config.url"],
    ["no web address", webhook({ url: facts("a") }), "config.url"],
    ["a reference", slack(reference), "? config.url"],
    ["a URL that begins with a reference", webhook({ url: templated }), "? config.url"],
    ["a host that is a reference", webhook({ url: facts("a", { scheme: "https", secretPart: "literal" }) })],
    ["clear text", webhook({ url: "http://acme.example" }), "? config.url"],
    ["an empty URL", webhook({ url: "" }), "n/a"],
    ["no hook", channel(), "n/a"],
  ],
  "public-hook": [
    ["a public address", webhook({ url: goodUrl })],
    [
      "a private address",
      webhook({ url: facts("a", { scheme: "https", hostClass: "private" }) }),
      "config.url",
    ],
    [
      "the machine itself",
      webhook({ url: facts("a", { scheme: "https", hostClass: "loopback" }) }),
      "config.url",
    ],
    ["no web address", webhook({ url: facts("a") }), "n/a"],
    ["a reference", slack(reference), "? config.url"],
    ["a URL that begins with a reference", webhook({ url: templated }), "? config.url"],
    [
      "a host that is a reference",
      webhook({ url: facts("a", { scheme: "https", secretPart: "literal" }) }),
      "? config.url",
    ],
  ],
  "webhook-secret": [
    ["a secret", webhook({ url: goodUrl, webhookSecret: reference })],
    ["a secret in clear text", webhook({ webhookSecret: "x" })],
    ["none", webhook({ url: goodUrl }), "config.webhookSecret"],
    ["null", webhook({ webhookSecret: null }), "config.webhookSecret"],
    ["an empty string", webhook({ webhookSecret: "" }), "config.webhookSecret"],
    ["a generic webhook", webhook({ webhookType: "WEBHOOK_GENERIC" }), "config.webhookSecret"],
    ["a chat, which verifies nothing", webhook({ webhookType: "WEBHOOK_DISCORD" }), "n/a"],
    ["an unknown integration", webhook({ webhookType: "WEBHOOK_PIGEON" }), "? config.webhookSecret"],
    [
      "a secret of an unknown integration",
      webhook({ webhookType: "WEBHOOK_PIGEON", webhookSecret: reference }),
    ],
    ["another type", slack(goodUrl), "n/a"],
  ],
  "credential-reference": [
    ["a reference", pagerDuty(reference)],
    ["a literal", pagerDuty(facts("a")), "config.serviceKey"],
    ["a literal API key", channel({ type: "OPSGENIE", config: { apiKey: facts("a") } }), "config.apiKey"],
    [
      "a literal that signs a webhook",
      webhook({ url: goodUrl, webhookSecret: facts("a") }),
      "config.webhookSecret",
    ],
    ["a Slack hook's address", slack(goodUrl), "config.url"],
    ["a webhook's address", webhook({ url: goodUrl }), "n/a"],
    ["a chat hook's address", webhook({ url: goodUrl, webhookType: "WEBHOOK_MSTEAMS" }), "config.url"],
    ["the address of an alert API", webhook({ url: goodUrl, webhookType: "WEBHOOK_INCIDENTIO" }), "n/a"],
    ["a path that is a reference", slack({ ...goodUrl, secretPart: "reference" })],
    [
      "a host that is a reference, and a literal path",
      slack(facts("a", { secretPart: "literal" })),
      "config.url",
    ],
    [
      "a literal in the headers",
      webhook({ headers: facts("a", { secretPart: "literal" }) }),
      "config.headers",
    ],
    ["references in the query", webhook({ queryParameters: facts("a", { secretPart: "reference" }) })],
    ["headers without a secret", webhook({ headers: facts("a", { secretPart: "none" }) }), "n/a"],
    ["headers in the state of an older version", webhook({ headers: facts("a") }), "? config.headers"],
    ["an empty key", pagerDuty(""), "n/a"],
    ["clear text", pagerDuty("x"), "? config.serviceKey"],
  ],
  "credential-shared": [
    ["two keys", [pagerDuty(facts("a")), pagerDuty(facts("b"), { id: 2 })]],
    ["the same key", [pagerDuty(facts("a")), pagerDuty(facts("a"), { id: 2 })], "config.serviceKey"],
    [
      "the same key in seven channels",
      [1, 2, 3, 4, 5, 6, 7].map((id) => pagerDuty(facts("a"), { id })),
      "config.serviceKey",
    ],
    [
      "the same key in six",
      [1, 2, 3, 4, 5, 6].map((id) => pagerDuty(facts("a"), { id })),
      "config.serviceKey",
    ],
    ["the same reference", [pagerDuty(reference), pagerDuty(reference, { id: 2 })], "config.serviceKey"],
    [
      "one Slack hook for two rooms",
      [slack(goodUrl), slack(goodUrl, { id: 2, config: { url: goodUrl, channel: "#db" } })],
      "config.url",
    ],
    ["one webhook's address", [webhook({ url: goodUrl }), webhook({ url: goodUrl }, { id: 2 })], "n/a"],
    ["two empty keys", [pagerDuty(""), pagerDuty("", { id: 2 })], "n/a"],
    ["clear text", pagerDuty("x"), "? config.serviceKey"],
  ],
};
