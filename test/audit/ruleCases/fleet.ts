import type { AlertChannel } from "../../../audit/public";
import { channel, goodUrl } from "../channels";
import {
  call,
  type Case,
  type Cases,
  fleetOf,
  integration,
  mail,
  pagerDuty,
  paused,
  phone,
  reference,
  slack,
  subscribed,
  webhook,
} from "./cases";

const onCall = pagerDuty(reference);
const ana = mail("ana.lee@acme.example");
const chat = slack(goodUrl);
const pausedChat = { ...chat, subscriptions: [paused] };
const ilert = integration("WEBHOOK_ILERT");
const silent = { sendFailure: false };
const nobody = subscribed();
const check = { checks: ["check-1"] };

/** What the service doesn't return is neither a finding nor a pass. */
const unreturned: [field: string, Partial<AlertChannel>][] = [
  ["sendFailure", { sendFailure: null }],
  ["subscriptions", { subscriptions: null }],
];

export const fleet: Cases = {
  "on-call-type": [
    ["one that rings", fleetOf(channel(), onCall)],
    ["an on-call service behind a webhook", webhook({ url: { ...goodUrl, receiver: "on-call" } })],
    ["an email to an on-call service", mail("web@acme.pagerduty.com")],
    ["an email to a team of another one", mail("3f1c2b7a-9d4e-4a51-8c60-7b2e91d0f4a8+a@alert.victorops.com")],
    ["a mailbox at such a service", mail("ana@pagerduty.com"), "type"],
    ["a mailbox at a domain that begins alike", mail("ops@pagerduty.com.acme.io"), "type"],
    ["one person's mailbox", ana, "type"],
    ["mail and chat", fleetOf(channel(), chat), "type"],
    ["no channel", [], "n/a"],
    ["one short", onCall, "type", { atLeast: 2 }],
    ["of six", channel(), "type", { types: ["CALL", "SMS", "OPSGENIE", "SLACK", "PAGERDUTY", "WEBHOOK"] }],
    ["an incident service behind a webhook", integration("WEBHOOK_INCIDENTIO")],
    ["one that rings, but sends no failures", fleetOf(ana, { ...onCall, ...silent }), "type"],
    ["one that rings, but is paused", fleetOf(ana, { ...onCall, subscriptions: [paused] }), "type"],
    ...unreturned.flatMap(([field, changes]): Case[] => [
      [`the only one that rings, without ${field}`, fleetOf(ana, { ...onCall, ...changes }), `? ${field}`],
      [`one of two that ring, without ${field}`, fleetOf({ ...onCall, ...changes }, onCall)],
    ]),
  ],
  "independent-types": [
    ["mail and Slack", fleetOf(channel(), chat)],
    ["two types on one network", fleetOf(phone("+1"), call("+2")), "type"],
    ["three wanted, two there", fleetOf(channel(), chat), "type", { atLeast: 3 }],
    ["no channel", [], "n/a"],
    ["one service behind two webhooks", fleetOf(ilert, ilert), "type"],
    ["one with autoSubscribe", fleetOf(ana, { ...onCall, subscriptions: [], autoSubscribe: true }), "type"],
    ...unreturned.flatMap(([field, changes]): Case[] => [
      [`the only other type, without ${field}`, fleetOf(ana, { ...onCall, ...changes }), `? ${field}`],
      [`the same type, without ${field}`, fleetOf(ana, { ...ana, ...changes }), "type"],
    ]),
  ],
  "single-recipient": [
    ["two mailboxes", fleetOf(ana, mail("ben@acme.example"))],
    ["one mailbox", ana, "config.address"],
    ["one mailbox, twice", fleetOf(mail(" Ana@acme.example"), mail("ana@ACME.example")), "config.address"],
    ...["ops@acme.example", "on-call@acme.example", "web-alerts@acme.example", "x@groups.acme.example"].map(
      (address): Case => [`the mailbox of a role or group: ${address}`, mail(address)],
    ),
    ["one phone for texts and calls", fleetOf(phone("+1 202"), call("+1202")), "config.number"],
    ["one service", onCall],
    ["a second one that is paused", fleetOf(ana, pausedChat), "config.address"],
    ["nothing that sends failures", { ...ana, ...silent }, "n/a"],
    ...unreturned.flatMap(([field, changes]): Case[] => [
      [`the only other recipient, without ${field}`, fleetOf(ana, { ...onCall, ...changes }), `? ${field}`],
      [`the only recipient, without ${field}`, { ...ana, ...changes }, `? ${field}`],
      [`the same mailbox, without ${field}`, fleetOf(ana, { ...ana, ...changes }), "config.address"],
    ]),
  ],
  "checks-covered": [
    ["a covered check", channel(), "", check],
    ["a check that nobody has", channel(), "subscriptions[check-2]", { checks: ["check-1", "check-2"] }],
    ["a paused subscription", subscribed(paused), "subscriptions[b]", { checks: ["b"] }],
    ["a channel without failures", channel(silent), "subscriptions[check-1]", check],
    ...unreturned.flatMap(([field, changes]): Case[] => [
      [`one without ${field}`, fleetOf(channel(changes), nobody), "? subscriptions[check-1]", check],
      [`one without ${field}, and another`, fleetOf(channel(changes), channel()), "", check],
    ]),
  ],
};
