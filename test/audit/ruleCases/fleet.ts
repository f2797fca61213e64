import { channel, goodUrl } from "../channels";
import { type Cases, pagerDuty, paused, phone, reference, slack } from "./cases";

export const fleet: Cases = {
  "on-call-type": [
    ["one that rings", [channel(), pagerDuty(reference, { id: 2 })]],
    ["none", channel(), "type"],
    ["other types", channel(), "", { types: ["EMAIL"] }],
    ["one short", pagerDuty(reference), "type", { atLeast: 2 }],
  ],
  "independent-types": [
    ["mail and Slack", [channel(), slack(goodUrl, { id: 2 })]],
    ["one type", [channel(), channel({ id: 2 })], "type"],
    ["two types on one network", [phone("+1"), phone("+2", { id: 2, type: "CALL" })], "type"],
    ["three wanted, two there", [channel(), slack(goodUrl, { id: 2 })], "type", { atLeast: 3 }],
    ["no channel", [], "type"],
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
