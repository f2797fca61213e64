/** Lists the cases of each rule. */
import { type AlertChannel, isInDomain } from "../../audit/public";
import { channel, facts, goodUrl } from "./channels";

/**
 * A case of a rule: description, channels, expected result, options. The result is for the first channel or for all: ""
 * passes, a field has a finding, "? field" isn't evaluable, "n/a" doesn't apply.
 */
export type Case = [
  description: string,
  channels: AlertChannel | AlertChannel[],
  expected?: string,
  options?: Record<string, unknown>,
];

/** Cases by rule ID. */
type Cases = Readonly<Record<string, Case[]>>;

/** Creates channels with IDs from 1. */
const createFleet = (...channels: AlertChannel[]) =>
  channels.map((one, index) => ({ ...one, id: index + 1 }));

const mail = (address: string) => channel({ config: { address } });
const phone = (number: string, changes: Partial<AlertChannel> = {}) =>
  channel({ type: "SMS", config: { number }, ...changes });
const call = (number: string) => phone(number, { type: "CALL" });
const slack = (url: object, room = "#ops") => channel({ type: "SLACK", config: { url, channel: room } });
const pagerDuty = (serviceKey: unknown, changes: Partial<AlertChannel> = {}) =>
  channel({ type: "PAGERDUTY", config: { serviceKey }, ...changes });
const webhook = (config: Record<string, unknown>) => channel({ type: "WEBHOOK", config });
/** Creates a webhook with these facts about its URL. */
const hook = (known: object) => webhook({ url: facts("a", known) });
const templatedHost = hook({ scheme: "https", secretPart: "literal" });
const integration = (webhookType: string, config: object = {}) =>
  webhook({ url: goodUrl, webhookType, ...config });

const subscribed = (...subscriptions: object[]) => channel({ subscriptions });
const active = { checkId: "a", activated: true };
const paused = { checkId: "b", activated: false };
const reference = facts("bbbbbbbbbbbb", { isReference: true });

const daysAgo = (days: number, ms = 0) =>
  new Date(Date.UTC(2026, 10, 20, 12) - days * 86_400_000 - ms).toISOString();

const flag = (field: "sendFailure" | "sendRecovery" | "sendDegraded"): Case[] => [
  ["on", channel({ [field]: true })],
  ["off", channel({ [field]: false }), field],
  ["on against the wish", channel({ [field]: true }), field, { value: false }],
  ["null", channel({ [field]: null }), `? ${field}`],
];

const forCertificates = { sendFailure: false, sendRecovery: false, sendDegraded: false, sslExpiry: true };

const threshold = (sslExpiryThreshold: number, sslExpiry = true) =>
  channel({ sslExpiry, sslExpiryThreshold });
const certificates = (sslExpiry: boolean | null) => channel({ sslExpiry });
const opsgenie = (config: object) => channel({ type: "OPSGENIE", config: { apiKey: reference, ...config } });
const allPaused = subscribed(paused, paused);
const pausedGroup = { groupId: 7, activated: false };

const createHostedWebhook = (host: string) =>
  webhook({ url: { ...goodUrl, isInDomain: (domain: string) => isInDomain(host, domain) } });
const bot = (template: string) => webhook({ url: goodUrl, template: facts(template) });
const rooms = (...slackChannels: string[]) => channel({ type: "SLACK_APP", config: { slackChannels } });

const domains = (...emailDomains: string[]) => ({ emailDomains });
const hosts = (...hosts: string[]) => ({ hosts });
const [acme, acmeHost] = [domains("acme.example"), hosts("acme.example")];
const prefixes = (...phonePrefixes: string[]) => ({ phonePrefixes });
const german = prefixes("+49");

const key = pagerDuty(facts("a"));
/** Facts about a URL such as `{{BASE_URL}}/path`. */
const templated = hook({ secretPart: "reference" });
const createSignedWebhook = (webhookSecret: object) => webhook({ url: goodUrl, webhookSecret });
const random = { secretPart: "literal", recognizedBy: "random" };
const secret = (secretPart: string) => facts("a", { secretPart });

const onCall = pagerDuty(reference);
const ana = mail("ana.lee@acme.example");
const chat = slack(goodUrl);
const pausedChat = { ...chat, subscriptions: [paused] };
const silent = { sendFailure: false };
const nobody = subscribed();
const check = { checks: ["check-1"] };

/** A field that the service doesn't return neither passes nor is a finding. */
const unreturned: [field: string, Partial<AlertChannel>][] = [
  ["sendFailure", { sendFailure: null }],
  ["subscriptions", { subscriptions: null }],
];

export const ruleCases: Cases = {
  "send-failure": [
    ...flag("sendFailure"),
    ["certificates alone", channel(forCertificates), "n/a"],
    ["certificates alone, against the wish", channel(forCertificates), "", { value: false }],
    ["nothing", channel({ ...forCertificates, sslExpiry: false }), "sendFailure"],
    ["certificates and recoveries", channel({ ...forCertificates, sendRecovery: true }), "sendFailure"],
    ["certificates and slowness", channel({ ...forCertificates, sendDegraded: true }), "sendFailure"],
  ],
  "send-recovery": [
    ...flag("sendRecovery"),
    [
      "off for tickets, of which each would get a second one",
      { ...webhook({ url: facts("a", { scheme: "https", receiver: "ticket" }) }), sendRecovery: false },
      "n/a",
    ],
    ["off, like failures", channel({ sendFailure: false, sendRecovery: false }), "n/a"],
  ],
  "ssl-expiry": [
    ["on in one of two", createFleet(certificates(true), certificates(false))],
    ["off in all", createFleet(certificates(false), certificates(false)), "sslExpiry"],
    ["missing in one", createFleet(certificates(false), certificates(null)), "? sslExpiry"],
    ["no channel", [], "n/a"],
    ["off in one of all", createFleet(certificates(false), certificates(true)), "sslExpiry", { each: true }],
    ["missing where each must be on", certificates(null), "? sslExpiry", { each: true }],
  ],
  "ssl-expiry-threshold": [
    ["exactly enough", threshold(14)],
    ["a day short", threshold(13), "sslExpiryThreshold"],
    ["none", threshold(0), "n/a"],
    ["a day short beside one that is early", createFleet(threshold(13), threshold(14))],
    ["a day short in one", createFleet(threshold(13), threshold(14)), "sslExpiryThreshold", { each: true }],
    ["off altogether", threshold(1, false), "n/a"],
    ["missing", channel({ sslExpiryThreshold: null }), "? sslExpiryThreshold"],
    ["unknown whether it is off", channel({ sslExpiry: null }), "? sslExpiry"],
    ["unknown, beside one that is early", createFleet(channel({ sslExpiry: null }), threshold(14)), "n/a"],
  ],
  "documented-bounds": [
    ["the least", threshold(1)],
    ["the most", threshold(30)],
    ["below", threshold(0), "sslExpiryThreshold"],
    ["above", threshold(31), "sslExpiryThreshold"],
    ["no whole number", threshold(1.5), "sslExpiryThreshold"],
    ["null", channel({ sslExpiryThreshold: null }), "n/a"],
  ],
  "valid-settings": [
    ["one address", mail("ops+prod@acme.example")],
    ["two addresses", mail("ops@acme.example, cto@acme.example"), "config.address"],
    ["an address with a second line", mail("ops@acme.example\nBcc: thief@evil.example"), "config.address"],
    ["an address of one machine", mail("root@localhost"), "config.address"],
    ["an address that is a placeholder", mail("your@email.com"), "n/a"],
    ["an address that is a reference", mail("{{OPS}}"), "? config.address"],
    ["a number in E.164", phone("+4930123456")],
    ["a number of North America that is too short", phone("+1234567890"), "config.number"],
    ["a number without a plus", phone("18065463012"), "config.number"],
    ["a number of Italy with its 0", phone("+390612345678")],
    ["a number with the 0 of calls within the country", phone("+490151123456"), "config.number"],
    ["a number that is a reference", phone("{{DUTY_PHONE}}"), "? config.number"],
    ["another region", opsgenie({ region: "APAC" }), "config.region"],
    ["the region of another type", channel({ config: { region: "APAC" } }), "n/a"],
    ["a template that is posted", webhook({ url: goodUrl, method: "POST", template: facts("a") })],
    ["one that GET drops", webhook({ url: goodUrl, method: "get", template: facts("a") }), "config.method"],
    [
      "a template that isn't JSON",
      webhook({ url: goodUrl, template: facts("a", { isInvalidJson: true }) }),
      "config.template",
    ],
    [
      "a placeholder that isn't JSON",
      webhook({ url: goodUrl, template: facts("a", { isInvalidJson: true, isPlaceholder: true }) }),
      "n/a",
    ],
    ["GET without a template", webhook({ url: goodUrl, method: "GET", template: "" }), "n/a"],
  ],
  subscribed: [
    ["an active subscription", subscribed(active)],
    ["autoSubscribe alone", channel({ subscriptions: [], autoSubscribe: true }), "subscriptions"],
    ["one active of several", subscribed(paused, active)],
    ["a subscription that doesn't say", subscribed({ checkId: "a" })],
    ["none", subscribed(), "subscriptions"],
    ["missing", channel({ subscriptions: undefined, autoSubscribe: true }), "? subscriptions"],
    ["all paused", allPaused, "subscriptions"],
    ["only a paused group", subscribed(pausedGroup, pausedGroup), "subscriptions"],
    ["a paused check with an empty group", subscribed({ ...paused, groupId: "" }), "subscriptions"],
  ],
  "managed-as-code": [
    ["a project", channel({ projectBindings: { owner: { id: "p1", name: "alerting" } } })],
    ["no project", channel({ projectBindings: { owner: null } }), "projectBindings.owner"],
    ["bindings without an owner", channel({ projectBindings: {} }), "? projectBindings.owner"],
  ],
  "unlisted-channel": [
    ["named", channel({ id: 1 })],
    ["named nowhere", channel({ id: 2, name: "its resource" }), "id"],
  ],
  stale: [
    ["the last day", channel({ updatedAt: daysAgo(365, 86_399_999) })],
    ["the day after", channel({ updatedAt: daysAgo(366) }), "updatedAt"],
    ["another bar", channel({ updatedAt: daysAgo(31) }), "updatedAt", { days: 30 }],
    ["never changed, made long ago", channel({ updatedAt: null, createdAt: "2020-01-01" }), "updatedAt"],
    ["no moment", channel({ updatedAt: "yesterday", createdAt: undefined }), "? updatedAt"],
  ],
  "known-type": [
    ["an undocumented type that exists", channel({ type: "SLACK_APP", config: {} })],
    ["another case", channel({ type: "email" }), "type"],
    ["a new type", channel({ type: "PIGEON", config: {} }), "type"],
    ["a webhook type that is replaced", integration("SLACK"), "config.webhookType"],
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
    [
      "an allowed host",
      createHostedWebhook("hooks.acme.example"),
      "",
      hosts("other.example", "hooks.acme.example"),
    ],
    ["another host", createHostedWebhook("evil.example"), "config.url", hosts("*.acme.example")],
    ["a host that nobody knows", webhook({ url: goodUrl }), "? config.url", acmeHost],
    ["a hook behind a reference", slack(reference), "? config.url", acmeHost],
    ["a host that is a reference", templatedHost, "? config.url", acmeHost],
    ["a kind of target without a list", channel(), "n/a", acmeHost],
  ],
  "duplicate-target": [
    ["two mailboxes", createFleet(channel(), mail("db@acme.example"))],
    ["the same mailbox: the first channel keeps it", createFleet(channel(), channel())],
    ["the same in other letters", createFleet(channel(), mail(" OPS@acme.example"))],
    ["the same number, written otherwise", createFleet(phone("+1 202 555"), phone("+1202555"))],
    ["the same placeholder", createFleet(mail("your@email.com"), mail("your@email.com")), "n/a"],
    ["one number for texts and calls", createFleet(phone("+12025550143"), call("+12025550143"))],
    ["the same hook", createFleet(webhook({ url: goodUrl }), webhook({ url: goodUrl }))],
    ["one Slack hook for two rooms", createFleet(slack(goodUrl), slack(goodUrl, "#db"))],
    ["the same rooms in another order", createFleet(rooms("#a", "#b"), rooms("#b", "#a"))],
    ["the same channel twice", [channel(), channel()]],
    ["two chats of one bot", createFleet(bot("a"), bot("b"))],
    ["one chat of one bot, twice", createFleet(bot("a"), bot("a"))],
    ["a hook in clear text", webhook({ url: "https://acme.example/x" }), "? config.url"],
    ["the same key of an on-call service", createFleet(pagerDuty(reference), pagerDuty(reference))],
    [
      "one key with a channel for each priority",
      createFleet(opsgenie({ priority: "P1" }), opsgenie({ priority: "P2" })),
    ],
    [
      "one key with one priority, twice",
      createFleet(opsgenie({ priority: "P1" }), opsgenie({ priority: "P1" })),
    ],
    ["no target", pagerDuty(""), "n/a"],
  ],
  "https-hook": [
    ["https", webhook({ url: goodUrl })],
    ["http", hook({ scheme: "http", hostClass: "public" }), "config.url"],
    ["no web address", hook({}), "config.url"],
    ["a reference", slack(reference), "? config.url"],
    ["a URL that starts with a reference", templated, "? config.url"],
    ["a host that is a reference", templatedHost],
    ["a URL that the service left out", channel({ type: "SLACK", config: {} }), "? config.url"],
  ],
  "public-hook": [
    ["a public address", webhook({ url: goodUrl })],
    ["a private address", hook({ scheme: "https", hostClass: "private" }), "config.url"],
    ["the machine itself", hook({ scheme: "https", hostClass: "loopback" }), "config.url"],
    ["no web address", hook({}), "n/a"],
    ["a URL that starts with a reference", templated, "? config.url"],
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
    ["a literal that signs a webhook", createSignedWebhook(facts("a")), "config.webhookSecret"],
    ["a Slack hook's address", slack(goodUrl), "config.url"],
    ["a webhook's address", webhook({ url: goodUrl }), "n/a"],
    ["a path that is a reference", slack({ ...goodUrl, secretPart: "reference" })],
    ["a host that is a reference, and a literal path", slack(secret("literal")), "config.url"],
    ["a literal in the headers", webhook({ url: goodUrl, headers: secret("literal") }), "config.headers"],
    ["clear text", pagerDuty("x"), "? config.serviceKey"],
    ["a value that looks random", hook({ ...goodUrl, ...random }), "config.url"],
    ["a vendor's key", hook({ secretPart: "literal", recognizedBy: "prefix" }), "config.url"],
    ["a key in a name", webhook({ url: goodUrl, name: `ops glpat-${"aB3dE".repeat(4)}` }), "config.name"],
    ["an address as a name", webhook({ url: goodUrl, name: "https://acme.io/runbook" }), "n/a"],
    ["a placeholder", pagerDuty(facts("a", { isPlaceholder: true })), "n/a"],
    ["a Slack hook's address elsewhere", slack({ ...goodUrl, ...random }), "config.url"],
    ["the URL of a tool", hook({ ...goodUrl, secretPart: "literal", receiver: "inspection" }), "n/a"],
    ["no web address", hook({}), "? config.url"],
    ["a key that the service left out", channel({ type: "PAGERDUTY", config: {} }), "? config.serviceKey"],
  ],
  "unread-target": [
    ["another service", webhook({ url: goodUrl })],
    ["a tool for inspecting requests", hook({ ...goodUrl, receiver: "inspection" }), "config.url"],
    ["a link for people", hook({ ...goodUrl, receiver: "people" }), "config.url"],
    ["a service that is switched off", hook({ ...goodUrl, receiver: "closed" }), "config.url"],
    ["a ticket system", hook({ ...goodUrl, receiver: "ticket" })],
    ["a number", phone("+12025550143"), "n/a"],
    ["a mailbox of a team", channel()],
    ...[
      "no-reply@acme.example",
      "DoNotReply@acme.example",
      "alerts.noreply+web@acme.example",
      "1234+ana@users.noreply.github.com",
    ].map((address): Case => [`a mailbox that only sends: ${address}`, mail(address), "config.address"]),
    ...["casino-reply@acme.example", "ops+no-reply@acme.example", "reply@acme.example"].map(
      (address): Case => [`a mailbox that is read: ${address}`, mail(address)],
    ),
    ["a placeholder of one", mail("noreply@example.com"), "n/a"],
    ["an address that is a reference", mail("{{OPS}}"), "n/a"],
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
  "on-call-type": [
    ["one that rings", createFleet(channel(), onCall)],
    ["an on-call service behind a webhook", webhook({ url: { ...goodUrl, receiver: "on-call" } })],
    ["an email to an on-call service", mail("web@acme.pagerduty.com")],
    ["an email to a team of another one", mail("3f1c2b7a-9d4e-4a51-8c60-7b2e91d0f4a8+a@alert.victorops.com")],
    ["a mailbox at such a service", mail("ana@pagerduty.com"), "type"],
    ["a mailbox at a domain that begins alike", mail("ops@pagerduty.com.acme.io"), "type"],
    ["one person's mailbox", ana, "type"],
    ["mail and chat", createFleet(channel(), chat), "type"],
    ["no channel", [], "n/a"],
    ["one short", onCall, "type", { atLeast: 2 }],
    ["of six", channel(), "type", { types: ["CALL", "SMS", "OPSGENIE", "SLACK", "PAGERDUTY", "WEBHOOK"] }],
    ["an incident service behind a webhook", integration("WEBHOOK_INCIDENTIO")],
    ["one that rings, but sends no failures", createFleet(ana, { ...onCall, ...silent }), "type"],
    ["one that rings, but is paused", createFleet(ana, { ...onCall, subscriptions: [paused] }), "type"],
    ...unreturned.flatMap(([field, changes]): Case[] => [
      [
        `the only one that rings, without ${field}`,
        createFleet(ana, { ...onCall, ...changes }),
        `? ${field}`,
      ],
      [`one of two that ring, without ${field}`, createFleet({ ...onCall, ...changes }, onCall)],
    ]),
  ],
  "single-recipient": [
    ["two mailboxes", createFleet(ana, mail("ben@acme.example"))],
    ["one mailbox", ana, "config.address"],
    [
      "one mailbox, twice",
      createFleet(mail(" Ana@acme.example"), mail("ana@ACME.example")),
      "config.address",
    ],
    ...["ops@acme.example", "on-call@acme.example", "web-alerts@acme.example", "x@groups.acme.example"].map(
      (address): Case => [`the mailbox of a role or group: ${address}`, mail(address)],
    ),
    ["one phone for texts and calls", createFleet(phone("+1 202"), call("+1202")), "config.number"],
    ["one service", onCall],
    ["a second one that is paused", createFleet(ana, pausedChat), "config.address"],
    ["nothing that sends failures", { ...ana, ...silent }, "n/a"],
    ...unreturned.flatMap(([field, changes]): Case[] => [
      [
        `the only other recipient, without ${field}`,
        createFleet(ana, { ...onCall, ...changes }),
        `? ${field}`,
      ],
      [`the only recipient, without ${field}`, { ...ana, ...changes }, `? ${field}`],
      [`the same mailbox, without ${field}`, createFleet(ana, { ...ana, ...changes }), "config.address"],
    ]),
  ],
  "checks-covered": [
    ["a covered check", channel(), "", check],
    ["a check that nobody has", channel(), "subscriptions[check-2]", { checks: ["check-1", "check-2"] }],
    ["a paused subscription", subscribed(paused), "subscriptions[b]", { checks: ["b"] }],
    ["a channel without failures", channel(silent), "subscriptions[check-1]", check],
    ...unreturned.flatMap(([field, changes]): Case[] => [
      [`one without ${field}`, createFleet(channel(changes), nobody), "? subscriptions[check-1]", check],
      [`one without ${field}, and another`, createFleet(channel(changes), channel()), "", check],
    ]),
  ],
};
