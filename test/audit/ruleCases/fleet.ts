import type { AlertChannel } from "../../../audit";
import { channel, goodUrl } from "../channels";
import { type Cases, pagerDuty, paused, phone, reference, slack, webhook } from "./cases";

const integration = (webhookType: string, changes: Partial<AlertChannel> = {}) =>
  webhook({ url: goodUrl, webhookType }, changes);

export const fleet: Cases = {
  "on-call-type": [
    ["one that rings", [channel(), pagerDuty(reference, { id: 2 })]],
    ["none", channel(), "type"],
    ["other types", channel(), "", { types: ["EMAIL"] }],
    ["one short", pagerDuty(reference), "type", { atLeast: 2 }],
    ["an incident service behind a webhook", integration("WEBHOOK_INCIDENTIO")],
    ["a chat behind a webhook", integration("WEBHOOK_TELEGRAM"), "type"],
    ["a webhook", webhook({ url: goodUrl }), "type"],
  ],
  "on-call-auto-subscribe": [
    ["on", pagerDuty(reference, { autoSubscribe: true })],
    ["off on the only one", [pagerDuty(reference), channel({ id: 2 })], "autoSubscribe"],
    ["off on one of two", [pagerDuty(reference), pagerDuty(reference, { id: 2 })], "n/a"],
    ["off on another type", [channel(), pagerDuty(reference, { id: 2, autoSubscribe: true })], "n/a"],
    ["missing", pagerDuty(reference, { autoSubscribe: null }), "? autoSubscribe"],
    ["other types", channel(), "autoSubscribe", { types: ["EMAIL"] }],
  ],
  "independent-types": [
    ["mail and Slack", [channel(), slack(goodUrl, { id: 2 })]],
    ["one type", [channel(), channel({ id: 2 })], "type"],
    ["two types on one network", [phone("+1"), phone("+2", { id: 2, type: "CALL" })], "type"],
    ["three wanted, two there", [channel(), slack(goodUrl, { id: 2 })], "type", { atLeast: 3 }],
    ["no channel", [], "type"],
    [
      "two services behind webhooks",
      [integration("WEBHOOK_DISCORD"), integration("WEBHOOK_ILERT", { id: 2 })],
    ],
    ["one service behind two webhooks", [1, 2].map((id) => integration("WEBHOOK_ILERT", { id })), "type"],
  ],
  "single-recipient": [
    ["two mailboxes", [channel(), channel({ id: 2, config: { address: "db@acme.example" } })]],
    ["one mailbox", channel(), "config.address"],
    ["one mailbox in two channels", [channel(), channel({ id: 2 })], "config.address"],
    [
      "one phone for texts and calls",
      [phone("+1 202"), phone("+1202", { id: 2, type: "CALL" })],
      "config.number",
    ],
    ["a mailbox and a phone", [channel(), phone("+1", { id: 2 })]],
    ["a mailbox and a chat", [channel(), slack(goodUrl, { id: 2 })]],
    ["a chat and a mailbox", [slack(goodUrl), channel({ id: 2 })]],
    ["one service", pagerDuty(reference)],
    [
      "a second one that is paused",
      [channel(), slack(goodUrl, { id: 2, subscriptions: [paused] })],
      "config.address",
    ],
    [
      "a second one without failures",
      [channel(), slack(goodUrl, { id: 2, sendFailure: false })],
      "config.address",
    ],
    ["nothing that sends failures", channel({ sendFailure: false }), "n/a"],
  ],
  "checks-covered": [
    ["a covered check", channel(), "", { checks: ["check-1"] }],
    ["a check that nobody has", channel(), "subscriptions[check-2]", { checks: ["check-1", "check-2"] }],
    ["a paused subscription", channel({ subscriptions: [paused] }), "subscriptions[b]", { checks: ["b"] }],
    [
      "a channel without failures",
      channel({ sendFailure: false }),
      "subscriptions[check-1]",
      { checks: ["check-1"] },
    ],
    ["a check listed twice", channel(), "subscriptions[b]", { checks: ["b", "b"] }],
  ],
};
