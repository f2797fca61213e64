import { channel, facts, goodUrl } from "../channels";
import { type Cases, pagerDuty, reference, slack, webhook } from "./case";

export const credentials: Cases = {
  "https-hook": [
    { of: "https", kind: "passing", channels: [webhook({ url: goodUrl })] },
    {
      of: "http",
      kind: "failing",
      channels: [webhook({ url: facts("a", { scheme: "http", hostClass: "public" }) })],
      finds: ["config.url"],
    },
    {
      of: "no web address",
      kind: "boundary",
      channels: [webhook({ url: facts("a") })],
      finds: ["config.url"],
    },
    { of: "a reference", kind: "open", channels: [slack(reference)], cannotTell: ["config.url"] },
    {
      of: "clear text",
      kind: "open",
      channels: [webhook({ url: "http://acme.example" })],
      cannotTell: ["config.url"],
    },
    { of: "no hook", kind: "passing", channels: [channel()], skips: true },
  ],
  "public-hook": [
    { of: "a public address", kind: "passing", channels: [webhook({ url: goodUrl })] },
    {
      of: "a private address",
      kind: "failing",
      channels: [webhook({ url: facts("a", { scheme: "https", hostClass: "private" }) })],
      finds: ["config.url"],
    },
    {
      of: "the machine itself",
      kind: "boundary",
      channels: [webhook({ url: facts("a", { scheme: "https", hostClass: "loopback" }) })],
      finds: ["config.url"],
    },
    { of: "no web address", kind: "boundary", channels: [webhook({ url: facts("a") })], skips: true },
    { of: "a reference", kind: "open", channels: [slack(reference)], cannotTell: ["config.url"] },
  ],
  "webhook-secret": [
    { of: "a secret", kind: "passing", channels: [webhook({ url: goodUrl, webhookSecret: reference })] },
    { of: "a secret in clear text", kind: "boundary", channels: [webhook({ webhookSecret: "x" })] },
    { of: "none", kind: "failing", channels: [webhook({ url: goodUrl })], finds: ["config.webhookSecret"] },
    {
      of: "null",
      kind: "boundary",
      channels: [webhook({ webhookSecret: null })],
      finds: ["config.webhookSecret"],
    },
    { of: "another type", kind: "passing", channels: [slack(goodUrl)], skips: true },
  ],
  "credential-reference": [
    { of: "a reference", kind: "passing", channels: [pagerDuty(reference)] },
    { of: "a literal", kind: "failing", channels: [pagerDuty(facts("a"))], finds: ["config.serviceKey"] },
    {
      of: "a literal API key",
      kind: "failing",
      channels: [channel({ type: "OPSGENIE", config: { apiKey: facts("a") } })],
      finds: ["config.apiKey"],
    },
    {
      of: "a literal that signs a webhook",
      kind: "failing",
      channels: [webhook({ url: goodUrl, webhookSecret: facts("a") })],
      finds: ["config.webhookSecret"],
    },
    { of: "a Slack hook's address", kind: "boundary", channels: [slack(goodUrl)], finds: ["config.url"] },
    { of: "a webhook's address", kind: "boundary", channels: [webhook({ url: goodUrl })], skips: true },
    {
      of: "clear text",
      kind: "open",
      channels: [pagerDuty("x")],
      cannotTell: ["config.serviceKey"],
    },
  ],
  "credential-shared": [
    { of: "two keys", kind: "passing", channels: [pagerDuty(facts("a")), pagerDuty(facts("b"), { id: 2 })] },
    {
      of: "the same key",
      kind: "failing",
      channels: [pagerDuty(facts("a")), pagerDuty(facts("a"), { id: 2 })],
      finds: ["config.serviceKey"],
    },
    {
      of: "the same key in seven channels",
      kind: "failing",
      channels: [1, 2, 3, 4, 5, 6, 7].map((id) => pagerDuty(facts("a"), { id })),
      finds: ["config.serviceKey"],
    },
    {
      of: "the same key in six",
      kind: "boundary",
      channels: [1, 2, 3, 4, 5, 6].map((id) => pagerDuty(facts("a"), { id })),
      finds: ["config.serviceKey"],
    },
    {
      of: "the same reference",
      kind: "boundary",
      channels: [pagerDuty(reference), pagerDuty(reference, { id: 2 })],
      finds: ["config.serviceKey"],
    },
    {
      of: "one Slack hook for two rooms",
      kind: "boundary",
      channels: [slack(goodUrl), slack(goodUrl, { id: 2, config: { url: goodUrl, channel: "#db" } })],
      finds: ["config.url"],
    },
    {
      of: "one webhook's address",
      kind: "boundary",
      channels: [webhook({ url: goodUrl }), webhook({ url: goodUrl }, { id: 2 })],
      skips: true,
    },
    {
      of: "clear text",
      kind: "open",
      channels: [pagerDuty("x")],
      cannotTell: ["config.serviceKey"],
    },
  ],
};
