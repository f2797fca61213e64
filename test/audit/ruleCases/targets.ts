import { isInDomain } from "../../../audit";
import { channel, goodUrl } from "../channels";
import { type Cases, pagerDuty, phone, reference, slack, webhook } from "./case";

const hostedAt = (host: string) => ({
  ...goodUrl,
  isInDomain: (domain: string) => isInDomain(host, domain),
});

export const targets: Cases = {
  "known-type": [
    { of: "a documented type", kind: "passing", channels: [channel()] },
    {
      of: "an undocumented type that exists",
      kind: "boundary",
      channels: [channel({ type: "SLACK_APP", config: {} })],
    },
    { of: "another case", kind: "boundary", channels: [channel({ type: "email" })], finds: ["type"] },
    {
      of: "a new type",
      kind: "failing",
      channels: [channel({ type: "PIGEON", config: {} })],
      finds: ["type"],
    },
  ],
  "allowed-types": [
    { of: "an allowed type", kind: "passing", options: { types: ["EMAIL", "SMS"] }, channels: [channel()] },
    {
      of: "the last of the list",
      kind: "boundary",
      options: { types: ["SMS", "EMAIL"] },
      channels: [channel()],
    },
    {
      of: "another type",
      kind: "failing",
      options: { types: ["SMS"] },
      channels: [channel()],
      finds: ["type"],
    },
  ],
  "allowed-targets": [
    {
      of: "an allowed mailbox",
      kind: "passing",
      options: { emailDomains: ["acme.example"] },
      channels: [channel()],
    },
    {
      of: "another mailbox",
      kind: "failing",
      options: { emailDomains: ["other.example"] },
      channels: [channel()],
      finds: ["config.address"],
    },
    {
      of: "a mailbox with a name before it",
      kind: "boundary",
      options: { emailDomains: ["acme.example"] },
      channels: [channel({ config: { address: "Ops <ops@acme.example> " } })],
    },
    {
      of: "a domain in its own letters",
      kind: "boundary",
      options: { emailDomains: ["xn--bcher-kva.example"] },
      channels: [channel({ config: { address: "ops@B\u00fccher.example" } })],
    },
    {
      of: "a subdomain of a domain",
      kind: "boundary",
      options: { emailDomains: ["example"] },
      channels: [channel()],
      finds: ["config.address"],
    },
    {
      of: "a subdomain, with a star",
      kind: "boundary",
      options: { emailDomains: ["*.example"] },
      channels: [channel()],
    },
    {
      of: "a domain that only ends alike",
      kind: "boundary",
      options: { emailDomains: ["*.cme.example"] },
      channels: [channel()],
      finds: ["config.address"],
    },
    {
      of: "capitals",
      kind: "boundary",
      options: { emailDomains: ["ACME.example"] },
      channels: [channel({ config: { address: "Ops@Acme.Example" } })],
    },
    {
      of: "an allowed country",
      kind: "passing",
      options: { phonePrefixes: ["+1", "+49"] },
      channels: [phone("+49 (30) 123-45")],
    },
    {
      of: "the same, dialled with zeros",
      kind: "boundary",
      options: { phonePrefixes: ["+49"] },
      channels: [phone("0049 30 12345")],
    },
    {
      of: "zeros within the number",
      kind: "boundary",
      options: { phonePrefixes: ["+1800"] },
      channels: [phone("+1 800 1234567")],
    },
    {
      of: "another country",
      kind: "failing",
      options: { phonePrefixes: ["+49"] },
      channels: [phone("+12025550143")],
      finds: ["config.number"],
    },
    {
      of: "an allowed host",
      kind: "passing",
      options: { hosts: ["hooks.other.example", "hooks.acme.example"] },
      channels: [webhook({ url: hostedAt("hooks.acme.example") })],
    },
    {
      of: "another host",
      kind: "failing",
      options: { hosts: ["*.acme.example"] },
      channels: [webhook({ url: hostedAt("evil.example") })],
      finds: ["config.url"],
    },
    {
      of: "a host that nobody knows",
      kind: "open",
      options: { hosts: ["acme.example"] },
      channels: [webhook({ url: goodUrl })],
      cannotTell: ["config.url"],
    },
    {
      of: "a hook behind a reference",
      kind: "open",
      options: { hosts: ["acme.example"] },
      channels: [slack(reference)],
      cannotTell: ["config.url"],
    },
    {
      of: "a kind of target without a list",
      kind: "passing",
      options: { hosts: ["acme.example"] },
      channels: [channel()],
      skips: true,
    },
  ],
  "forbidden-targets": [
    {
      of: "another mailbox",
      kind: "passing",
      options: { emailDomains: ["old.example"] },
      channels: [channel()],
    },
    {
      of: "a forbidden mailbox",
      kind: "failing",
      options: { emailDomains: ["old.example", "acme.example"] },
      channels: [channel()],
      finds: ["config.address"],
    },
    {
      of: "a mailbox below a forbidden domain",
      kind: "boundary",
      options: { emailDomains: ["*.acme.example"] },
      channels: [channel()],
    },
    {
      of: "a forbidden host",
      kind: "failing",
      options: { hosts: ["*.evil.example"] },
      channels: [webhook({ url: hostedAt("x.evil.example.") })],
      finds: ["config.url"],
    },
    {
      of: "another host",
      kind: "passing",
      options: { hosts: ["*.evil.example"] },
      channels: [webhook({ url: hostedAt("acme.example") })],
    },
    {
      of: "a host that nobody knows",
      kind: "open",
      options: { hosts: ["acme.example"] },
      channels: [webhook({ url: goodUrl })],
      cannotTell: ["config.url"],
    },
  ],
  "duplicate-target": [
    {
      of: "two mailboxes",
      kind: "passing",
      channels: [channel(), channel({ id: 2, config: { address: "db@acme.example" } })],
    },
    {
      of: "the same mailbox",
      kind: "failing",
      channels: [channel(), channel({ id: 2 })],
      finds: ["config.address"],
    },
    {
      of: "the same in other letters",
      kind: "boundary",
      channels: [channel(), channel({ id: 2, config: { address: " OPS@acme.example" } })],
      finds: ["config.address"],
    },
    {
      of: "the same number, written otherwise",
      kind: "boundary",
      channels: [phone("+1 202 5550143"), phone("+12025550143", { id: 2 })],
      finds: ["config.number"],
    },
    {
      of: "one number for texts and calls",
      kind: "boundary",
      channels: [phone("+12025550143"), phone("+12025550143", { id: 2, type: "CALL" })],
    },
    {
      of: "the same hook",
      kind: "failing",
      channels: [webhook({ url: goodUrl }), webhook({ url: goodUrl }, { id: 2 })],
      finds: ["config.url"],
    },
    {
      of: "one Slack hook for two rooms",
      kind: "boundary",
      channels: [slack(goodUrl), slack(goodUrl, { id: 2, config: { url: goodUrl, channel: "#db" } })],
    },
    {
      of: "the same rooms in another order",
      kind: "failing",
      channels: [
        channel({ type: "SLACK_APP", config: { slackChannels: ["#a", "#b"] } }),
        channel({ id: 2, type: "SLACK_APP", config: { slackChannels: ["#b", "#a"] } }),
      ],
      finds: ["config.slackChannels"],
    },
    { of: "the same channel twice", kind: "boundary", channels: [channel(), channel()] },
    {
      of: "a hook in clear text",
      kind: "open",
      channels: [webhook({ url: "https://acme.example/x" })],
      cannotTell: ["config.url"],
    },
    { of: "no target", kind: "passing", channels: [pagerDuty(reference)], skips: true },
  ],
};
