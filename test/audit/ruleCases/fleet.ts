import { channel, goodUrl } from "../channels";
import { type Cases, pagerDuty, paused, phone, reference, slack } from "./case";

export const fleet: Cases = {
  "on-call-type": [
    { of: "one that rings", kind: "passing", channels: [channel(), pagerDuty(reference, { id: 2 })] },
    { of: "none", kind: "failing", channels: [channel()], finds: ["type"] },
    { of: "other types", kind: "boundary", options: { types: ["EMAIL"] }, channels: [channel()] },
    {
      of: "one short",
      kind: "boundary",
      options: { atLeast: 2 },
      channels: [pagerDuty(reference)],
      finds: ["type"],
    },
  ],
  "independent-types": [
    { of: "mail and Slack", kind: "passing", channels: [channel(), slack(goodUrl, { id: 2 })] },
    { of: "one type", kind: "failing", channels: [channel(), channel({ id: 2 })], finds: ["type"] },
    {
      of: "two types on one network",
      kind: "boundary",
      channels: [phone("+1"), phone("+2", { id: 2, type: "CALL" })],
      finds: ["type"],
    },
    {
      of: "three wanted, two there",
      kind: "boundary",
      options: { atLeast: 3 },
      channels: [channel(), slack(goodUrl, { id: 2 })],
      finds: ["type"],
    },
    { of: "no channel", kind: "boundary", channels: [], finds: ["type"] },
  ],
  "checks-covered": [
    { of: "a covered check", kind: "passing", options: { checks: ["check-1"] }, channels: [channel()] },
    {
      of: "a check that nobody has",
      kind: "failing",
      options: { checks: ["check-1", "check-2"] },
      channels: [channel()],
      finds: ["subscriptions[check-2]"],
    },
    {
      of: "a paused subscription",
      kind: "boundary",
      options: { checks: ["b"] },
      channels: [channel({ subscriptions: [paused] })],
      finds: ["subscriptions[b]"],
    },
    {
      of: "a channel without failures",
      kind: "boundary",
      options: { checks: ["check-1"] },
      channels: [channel({ sendFailure: false })],
      finds: ["subscriptions[check-1]"],
    },
    {
      of: "a check listed twice",
      kind: "boundary",
      options: { checks: ["b", "b"] },
      channels: [channel()],
      finds: ["subscriptions[b]"],
    },
  ],
};
