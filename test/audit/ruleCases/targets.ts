import { isInDomain } from "../../../audit/public";
import { channel, facts, goodUrl } from "../channels";
import {
  call,
  type Cases,
  fleetOf,
  integration,
  mail,
  pagerDuty,
  phone,
  reference,
  slack,
  templatedHost,
  webhook,
} from "./cases";

const hostedAt = (host: string) =>
  webhook({ url: { ...goodUrl, isInDomain: (domain: string) => isInDomain(host, domain) } });
const teams = integration("WEBHOOK_MSTEAMS");
const bot = (template: string) => webhook({ url: goodUrl, template: facts(template) });
const opsgenie = (priority: string) => channel({ type: "OPSGENIE", config: { apiKey: reference, priority } });
const rooms = (...slackChannels: string[]) => channel({ type: "SLACK_APP", config: { slackChannels } });

const types = (...types: string[]) => ({ types });
const domains = (...emailDomains: string[]) => ({ emailDomains });
const hosts = (...hosts: string[]) => ({ hosts });
const [acme, acmeHost] = [domains("acme.example"), hosts("acme.example")];
const prefixes = (...phonePrefixes: string[]) => ({ phonePrefixes });
const german = prefixes("+49");

export const targets: Cases = {
  "known-type": [
    ["an undocumented type that exists", channel({ type: "SLACK_APP", config: {} })],
    ["another case", channel({ type: "email" }), "type"],
    ["a new type", channel({ type: "PIGEON", config: {} }), "type"],
    ["a webhook type that is replaced", integration("SLACK"), "config.webhookType"],
  ],
  "allowed-types": [
    ["an allowed type", channel(), "", types("EMAIL", "SMS")],
    ["another type", channel(), "type", types("SMS")],
    ["an allowed webhookType", teams, "", types("WEBHOOK_MSTEAMS")],
    ["another webhookType", teams, "type", types("WEBHOOK_DISCORD")],
    ["any webhook", teams, "", types("WEBHOOK")],
  ],
  "allowed-targets": [
    ["another mailbox", channel(), "config.address", domains("other.example")],
    ["one before an allowed one", mail("thief@x, ops@acme.example"), "config.address", acme],
    ["one without a host", mail("ops@acme.example, thief"), "? config.address", acme],
    ["a mailbox as a name", mail("thief@x <ops@acme.example>"), "? config.address", acme],
    ["one before a reference", mail("a@acme.example,{{B}}"), "? config.address", acme],
    ["two allowed mailboxes", mail("a@acme.example; B <b@acme.example> "), "", acme],
    ["a type that isn't known", channel({ type: "PIGEON", config: {} }), "? type", acmeHost],
    ["a domain in its own letters", mail("ops@B\u00fccher.example"), "", domains("xn--bcher-kva.example")],
    ["a subdomain of a domain", channel(), "config.address", domains("example")],
    ["a subdomain, with a star", channel(), "", domains("*.example")],
    ["a domain that only ends alike", channel(), "config.address", domains("*.cme.example")],
    ["capitals", mail("Ops@Acme.Example"), "", domains("ACME.example")],
    ["the same, dialled with zeros", phone("0049 30 12345"), "", german],
    ["another country", phone("+12025550143"), "config.number", german],
    ["two allowed numbers", phone("+49 30 12345678, +49 89 1234567"), "", german],
    ["a number after an allowed one", phone("+493012345678,+19005551234"), "config.number", german],
    ["the same without a separator", phone("+493012345678+19005551234"), "config.number", german],
    ["one dialled with zeros", phone("+493012345678 0019005551234"), "? config.number", german],
    ["a number with letters", phone("+493012345678x19005551234"), "? config.number", german],
    ["one after a reference", phone("{{OTHER}},+19005551234"), "config.number, ? config.number", german],
    ["an allowed host", hostedAt("hooks.acme.example"), "", hosts("other.example", "hooks.acme.example")],
    ["another host", hostedAt("evil.example"), "config.url", hosts("*.acme.example")],
    ["a host that nobody knows", webhook({ url: goodUrl }), "? config.url", acmeHost],
    ["a hook behind a reference", slack(reference), "? config.url", acmeHost],
    ["a host that is a reference", templatedHost, "? config.url", acmeHost],
    ["a kind of target without a list", channel(), "n/a", acmeHost],
  ],
  "forbidden-targets": [
    ["a forbidden mailbox", channel(), "config.address", domains("old.example", "acme.example")],
    ["a mailbox below a forbidden domain", channel(), "", domains("*.acme.example")],
    ["what is no number", phone("+49 30 12345678 or so"), "? config.number", prefixes("+1900")],
    ["what is no URL", webhook({ url: facts("a") }), "? config.url", hosts("*.evil.example")],
    ["a forbidden host", hostedAt("x.evil.example."), "config.url", hosts("*.evil.example")],
  ],
  "duplicate-target": [
    ["two mailboxes", fleetOf(channel(), mail("db@acme.example"))],
    ["the same mailbox: the first channel keeps it", fleetOf(channel(), channel())],
    ["the same in other letters", fleetOf(channel(), mail(" OPS@acme.example"))],
    ["the same number, written otherwise", fleetOf(phone("+1 202 555"), phone("+1202555"))],
    ["the same placeholder", fleetOf(mail("your@email.com"), mail("your@email.com")), "n/a"],
    ["one number for texts and calls", fleetOf(phone("+12025550143"), call("+12025550143"))],
    ["the same hook", fleetOf(webhook({ url: goodUrl }), webhook({ url: goodUrl }))],
    ["one Slack hook for two rooms", fleetOf(slack(goodUrl), slack(goodUrl, "#db"))],
    ["the same rooms in another order", fleetOf(rooms("#a", "#b"), rooms("#b", "#a"))],
    ["the same channel twice", [channel(), channel()]],
    ["two chats of one bot", fleetOf(bot("a"), bot("b"))],
    ["one chat of one bot, twice", fleetOf(bot("a"), bot("a"))],
    ["a hook in clear text", webhook({ url: "https://acme.example/x" }), "? config.url"],
    ["the same key of an on-call service", fleetOf(pagerDuty(reference), pagerDuty(reference))],
    ["one key with a channel for each priority", fleetOf(opsgenie("P1"), opsgenie("P2"))],
    ["one key with one priority, twice", fleetOf(opsgenie("P1"), opsgenie("P1"))],
    ["no target", pagerDuty(""), "n/a"],
  ],
};
