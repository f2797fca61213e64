import { isInDomain } from "../../../audit";
import { channel, facts, goodUrl } from "../channels";
import { type Cases, pagerDuty, phone, reference, slack, webhook } from "./cases";

const hostedAt = (host: string) => ({
  ...goodUrl,
  isInDomain: (domain: string) => isInDomain(host, domain),
});

const emptyMailbox = channel({ config: { address: "" } });
const teams = webhook({ url: goodUrl, webhookType: "WEBHOOK_MSTEAMS" });
const bot = (template: string, changes = {}) => webhook({ url: goodUrl, template: facts(template) }, changes);
const gateway = (query: string, changes = {}) =>
  webhook({ url: goodUrl, queryParameters: facts(query) }, changes);

export const targets: Cases = {
  "known-type": [
    ["a documented type", channel()],
    ["an undocumented type that exists", channel({ type: "SLACK_APP", config: {} })],
    ["another case", channel({ type: "email" }), "type"],
    ["a new type", channel({ type: "PIGEON", config: {} }), "type"],
  ],
  "allowed-types": [
    ["an allowed type", channel(), "", { types: ["EMAIL", "SMS"] }],
    ["the last of the list", channel(), "", { types: ["SMS", "EMAIL"] }],
    ["another type", channel(), "type", { types: ["SMS"] }],
    ["an allowed webhookType", teams, "", { types: ["WEBHOOK_MSTEAMS"] }],
    ["another webhookType", teams, "type", { types: ["WEBHOOK_DISCORD"] }],
    ["any webhook", teams, "", { types: ["WEBHOOK"] }],
    ["a type that is not known yet", channel({ type: "PIGEON" }), "", { types: ["PIGEON"] }],
  ],
  "allowed-targets": [
    ["an allowed mailbox", channel(), "", { emailDomains: ["acme.example"] }],
    ["another mailbox", channel(), "config.address", { emailDomains: ["other.example"] }],
    [
      "a mailbox with a name before it",
      channel({ config: { address: "Ops <ops@acme.example> " } }),
      "",
      { emailDomains: ["acme.example"] },
    ],
    [
      "a domain in its own letters",
      channel({ config: { address: "ops@B\u00fccher.example" } }),
      "",
      { emailDomains: ["xn--bcher-kva.example"] },
    ],
    ["a subdomain of a domain", channel(), "config.address", { emailDomains: ["example"] }],
    ["a subdomain, with a star", channel(), "", { emailDomains: ["*.example"] }],
    ["a domain that only ends alike", channel(), "config.address", { emailDomains: ["*.cme.example"] }],
    [
      "capitals",
      channel({ config: { address: "Ops@Acme.Example" } }),
      "",
      { emailDomains: ["ACME.example"] },
    ],
    ["an allowed country", phone("+49 (30) 123-45"), "", { phonePrefixes: ["+1", "+49"] }],
    ["the same, dialled with zeros", phone("0049 30 12345"), "", { phonePrefixes: ["+49"] }],
    ["zeros within the number", phone("+1 800 1234567"), "", { phonePrefixes: ["+1800"] }],
    ["another country", phone("+12025550143"), "config.number", { phonePrefixes: ["+49"] }],
    [
      "an allowed host",
      webhook({ url: hostedAt("hooks.acme.example") }),
      "",
      { hosts: ["hooks.other.example", "hooks.acme.example"] },
    ],
    ["another host", webhook({ url: hostedAt("evil.example") }), "config.url", { hosts: ["*.acme.example"] }],
    ["a host that nobody knows", webhook({ url: goodUrl }), "? config.url", { hosts: ["acme.example"] }],
    ["a hook behind a reference", slack(reference), "? config.url", { hosts: ["acme.example"] }],
    [
      "a host that is a reference",
      webhook({ url: facts("a", { scheme: "https", secretPart: "literal" }) }),
      "? config.url",
      { hosts: ["acme.example"] },
    ],
    ["a kind of target without a list", channel(), "n/a", { hosts: ["acme.example"] }],
  ],
  "forbidden-targets": [
    ["another mailbox", channel(), "", { emailDomains: ["old.example"] }],
    ["a forbidden mailbox", channel(), "config.address", { emailDomains: ["old.example", "acme.example"] }],
    ["a mailbox below a forbidden domain", channel(), "", { emailDomains: ["*.acme.example"] }],
    [
      "a forbidden host",
      webhook({ url: hostedAt("x.evil.example.") }),
      "config.url",
      { hosts: ["*.evil.example"] },
    ],
    ["another host", webhook({ url: hostedAt("acme.example") }), "", { hosts: ["*.evil.example"] }],
    ["a host that nobody knows", webhook({ url: goodUrl }), "? config.url", { hosts: ["acme.example"] }],
  ],
  "duplicate-target": [
    ["two mailboxes", [channel(), channel({ id: 2, config: { address: "db@acme.example" } })]],
    ["the same mailbox", [channel(), channel({ id: 2 })], "config.address"],
    [
      "the same in other letters",
      [channel(), channel({ id: 2, config: { address: " OPS@acme.example" } })],
      "config.address",
    ],
    [
      "the same number, written otherwise",
      [phone("+1 202 5550143"), phone("+12025550143", { id: 2 })],
      "config.number",
    ],
    [
      "one number for texts and calls",
      [phone("+12025550143"), phone("+12025550143", { id: 2, type: "CALL" })],
    ],
    ["the same hook", [webhook({ url: goodUrl }), webhook({ url: goodUrl }, { id: 2 })], "config.url"],
    [
      "one Slack hook for two rooms",
      [slack(goodUrl), slack(goodUrl, { id: 2, config: { url: goodUrl, channel: "#db" } })],
    ],
    [
      "the same rooms in another order",
      [
        channel({ type: "SLACK_APP", config: { slackChannels: ["#a", "#b"] } }),
        channel({ id: 2, type: "SLACK_APP", config: { slackChannels: ["#b", "#a"] } }),
      ],
      "config.slackChannels",
    ],
    ["the same channel twice", [channel(), channel()]],
    ["two chats of one bot", [bot("a"), bot("b", { id: 2 })]],
    ["one chat of one bot, twice", [bot("a"), bot("a", { id: 2 })], "config.url"],
    ["two numbers of one gateway", [gateway("a"), gateway("b", { id: 2 })]],
    ["two empty mailboxes", [emptyMailbox, { ...emptyMailbox, id: 2 }], "n/a"],
    ["a query in clear text", webhook({ url: goodUrl, queryParameters: [{ key: "a" }] }), "? config.url"],
    ["a hook in clear text", webhook({ url: "https://acme.example/x" }), "? config.url"],
    ["no target", pagerDuty(reference), "n/a"],
  ],
};
