import { channel, goodUrl } from "../channels";
import {
  call,
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

const [onCall, autoSubscribed] = [pagerDuty(reference), pagerDuty(reference, { autoSubscribe: true })];
const chat = slack(goodUrl);
const pausedChat = { ...chat, subscriptions: [paused] };
const [discord, ilert] = [integration("WEBHOOK_DISCORD"), integration("WEBHOOK_ILERT")];
const silent = { sendFailure: false };

export const fleet: Cases = {
  "on-call-type": [
    ["one that rings", fleetOf(channel(), onCall)],
    ["none", channel(), "type"],
    ["other types", channel(), "", { types: ["EMAIL"] }],
    ["one short", onCall, "type", { atLeast: 2 }],
    ["none of five", channel(), "type", { types: ["CALL", "SMS", "OPSGENIE", "SLACK", "PAGERDUTY"] }],
    [
      "none of six",
      channel(),
      "type",
      { types: ["CALL", "SMS", "OPSGENIE", "SLACK", "PAGERDUTY", "WEBHOOK"] },
    ],
    ["an incident service behind a webhook", integration("WEBHOOK_INCIDENTIO")],
    ["a chat behind a webhook", integration("WEBHOOK_TELEGRAM"), "type"],
    ["a webhook", webhook({ url: goodUrl }), "type"],
  ],
  "on-call-auto-subscribe": [
    ["on", autoSubscribed],
    ["off on the only one", fleetOf(onCall, channel()), "autoSubscribe"],
    ["off on one of two", fleetOf(onCall, onCall), "n/a"],
    ["off on another type", fleetOf(channel(), autoSubscribed), "n/a"],
    ["missing", pagerDuty(reference, { autoSubscribe: null }), "? autoSubscribe"],
    ["other types", channel(), "autoSubscribe", { types: ["EMAIL"] }],
  ],
  "independent-types": [
    ["mail and Slack", fleetOf(channel(), chat)],
    ["one type", fleetOf(channel(), channel()), "type"],
    ["two types on one network", fleetOf(phone("+1"), call("+2")), "type"],
    ["three wanted, two there", fleetOf(channel(), chat), "type", { atLeast: 3 }],
    ["no channel", [], "type"],
    ["two services behind webhooks", fleetOf(discord, ilert)],
    ["one service behind two webhooks", fleetOf(ilert, ilert), "type"],
  ],
  "single-recipient": [
    ["two mailboxes", fleetOf(channel(), mail("db@acme.example"))],
    ["one mailbox", channel(), "config.address"],
    ["one mailbox in two channels", fleetOf(channel(), channel()), "config.address"],
    [
      "one mailbox, written twice",
      fleetOf(mail(" Ops@acme.example"), mail("ops@ACME.example")),
      "config.address",
    ],
    ["one phone for texts and calls", fleetOf(phone("+1 202"), call("+1202")), "config.number"],
    ["a mailbox and a phone", fleetOf(channel(), phone("+1"))],
    ["a mailbox and a chat", fleetOf(channel(), chat)],
    ["a chat and a mailbox", fleetOf(chat, channel())],
    ["one service", onCall],
    ["a second one that is paused", fleetOf(channel(), pausedChat), "config.address"],
    ["a second one without failures", fleetOf(channel(), { ...chat, ...silent }), "config.address"],
    ["nothing that sends failures", channel(silent), "n/a"],
  ],
  "checks-covered": [
    ["a covered check", channel(), "", { checks: ["check-1"] }],
    ["a check that nobody has", channel(), "subscriptions[check-2]", { checks: ["check-1", "check-2"] }],
    ["a paused subscription", subscribed(paused), "subscriptions[b]", { checks: ["b"] }],
    ["a channel without failures", channel(silent), "subscriptions[check-1]", { checks: ["check-1"] }],
    ["a check listed twice", channel(), "subscriptions[b]", { checks: ["b", "b"] }],
  ],
};
