import { channel, facts, goodUrl } from "../channels";
import {
  type Cases,
  fleetOf,
  hook,
  integration,
  mail,
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
const random = { secretPart: "literal", recognizedBy: "random" };
const secret = (secretPart: string) => facts("a", { secretPart });

export const credentials: Cases = {
  "https-hook": [
    ["https", webhook({ url: goodUrl })],
    ["http", hook({ scheme: "http", hostClass: "public" }), "config.url"],
    ["no web address", hook({}), "config.url"],
    ["a reference", slack(reference), "? config.url"],
    ["a URL that begins with a reference", templated, "? config.url"],
    ["a host that is a reference", templatedHost],
    ["a URL that the service left out", channel({ type: "SLACK", config: {} }), "? config.url"],
  ],
  "public-hook": [
    ["a public address", webhook({ url: goodUrl })],
    ["a private address", hook({ scheme: "https", hostClass: "private" }), "config.url"],
    ["the machine itself", hook({ scheme: "https", hostClass: "loopback" }), "config.url"],
    ["no web address", hook({}), "n/a"],
    ["a URL that begins with a reference", templated, "? config.url"],
    ["a host that is a reference", templatedHost, "? config.url"],
  ],
  "webhook-secret": [
    ["a secret in clear text", webhook({ webhookSecret: "x" })],
    ["none", webhook({ url: goodUrl }), "config.webhookSecret"],
    ["an empty string", webhook({ url: goodUrl, webhookSecret: "" }), "config.webhookSecret"],
    ["an empty URL, too", webhook({ url: "", webhookSecret: "" }), "n/a"],
    ["a URL that the service left out", webhook({}), "? config.webhookSecret"],
    ["a masked path", hook({ ...goodUrl, secretPart: "hidden" })],
    ["a token in a header instead", webhook({ url: goodUrl, headers: secret("reference") })],
    ["a token in the URL instead", hook({ scheme: "https", hostClass: "public", secretPart: "literal" })],
    ["a well-known service", hook({ ...goodUrl, receiver: "ticket" }), "n/a"],
    ["a URL that is a reference", webhook({ url: reference }), "? config.webhookSecret"],
    ["a placeholder as its URL", hook({ ...goodUrl, isPlaceholder: true }), "n/a"],
    ["a private URL", hook({ scheme: "https", hostClass: "private", secretPart: "none" }), "n/a"],
    ["a generic webhook", integration("WEBHOOK_GENERIC"), "config.webhookSecret"],
    ["a chat, which verifies nothing", integration("WEBHOOK_DISCORD"), "n/a"],
    ["an unknown integration", integration("WEBHOOK_PIGEON"), "? config.webhookSecret"],
    ["another type", slack(goodUrl), "n/a"],
  ],
  "credential-reference": [
    ["a reference", pagerDuty(reference)],
    ["a literal", key, "config.serviceKey"],
    ["a literal that signs a webhook", hookSignedBy(facts("a")), "config.webhookSecret"],
    ["a Slack hook's address", slack(goodUrl), "config.url"],
    ["a webhook's address", webhook({ url: goodUrl }), "n/a"],
    ["a path that is a reference", slack({ ...goodUrl, secretPart: "reference" })],
    ["a host that is a reference, and a literal path", slack(secret("literal")), "config.url"],
    ["a literal in the headers", webhook({ url: goodUrl, headers: secret("literal") }), "config.headers"],
    ["clear text", pagerDuty("x"), "? config.serviceKey"],
    ["a value that looks random", hook({ ...goodUrl, ...random }), "config.url"],
    ["a vendor's key", hook({ secretPart: "literal", recognizedBy: "prefix" }), "config.url"],
    ["a mailbox with a token", mail("add.task.4711.f85d4b@todoist.net"), "config.address"],
    ["a token in an address", mail("ops+4c1e9a7730f84b2d9b8e2d6f5a1c3e70@acme.io"), "config.address"],
    ["a person's mailbox there", mail("jane@todoist.net"), "n/a"],
    ["a key in a name", webhook({ url: goodUrl, name: `ops glpat-${"aB3dE".repeat(4)}` }), "config.name"],
    ["an address as a name", webhook({ url: goodUrl, name: "https://acme.io/runbook" }), "n/a"],
    ["a placeholder", pagerDuty(facts("a", { isPlaceholder: true })), "n/a"],
    ["a Slack hook's address elsewhere", slack({ ...goodUrl, ...random }), "config.url"],
    ["the URL of a tool", hook({ ...goodUrl, secretPart: "literal", receiver: "inspection" }), "n/a"],
    ["no web address", hook({}), "? config.url"],
    ["a key that the service left out", channel({ type: "PAGERDUTY", config: {} }), "? config.serviceKey"],
  ],
  "inspection-hook": [
    ["another service", webhook({ url: goodUrl })],
    ["a tool for looking at requests", hook({ ...goodUrl, receiver: "inspection" }), "config.url"],
    ["no hook", channel(), "n/a"],
  ],
  placeholder: [
    ["a real address", channel()],
    ["an address of an example", channel({ config: { address: "your@email.com" } }), "config.address"],
    ["a key that nobody has filled in", pagerDuty(facts("a", { isPlaceholder: true })), "config.serviceKey"],
    [
      "two in one channel",
      webhook({ url: { ...goodUrl, isPlaceholder: true }, template: facts("b", { isPlaceholder: true }) }),
      "config.url",
    ],
  ],
  "empty-target": [
    ["an address", channel()],
    ["an empty address", channel({ config: { address: "" } }), "config.address"],
    ["spaces", channel({ config: { address: "  " } }), "config.address"],
    ["no room", channel({ type: "SLACK_APP", config: { slackChannels: [""] } }), "config.slackChannels"],
    ["a type that isn't known", channel({ type: "PIGEON", config: {} }), "n/a"],
    ["a key that the service left out", channel({ type: "PAGERDUTY", config: {} }), "? config.serviceKey"],
    ["a masked key", pagerDuty(secret("hidden"))],
  ],
  "credential-shared": [
    ["masked keys", fleetOf(pagerDuty(secret("hidden")), pagerDuty(secret("hidden"))), "? config.serviceKey"],
    ["two keys", fleetOf(key, another)],
    ["the same key in seven channels", fleetOf(key, key, key, key, key, key, key)],
    ["the same reference", fleetOf(pagerDuty(reference), pagerDuty(reference))],
    ["one Slack hook for two rooms", fleetOf(slack(goodUrl), slack(goodUrl, "#db"))],
  ],
};
