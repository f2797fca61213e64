import { type AuditedChannel, plaintextDiscarded } from "../channel";
import { defineRule } from "../rule";
import { normalizePhoneNumber } from "./targets";
import { checkUnique, type UniqueValue } from "./unique";

export const duplicateTarget = defineRule({
  id: "duplicate-target",
  title: "No other channel delivers to the same target",
  why: "Every alert is delivered twice, and pausing one of the channels has no visible effect.",
  fix: "Move all subscriptions to one of the channels, and delete the others.",
  check: (_, { channels }) => checkUnique(channels, targetsOf, "a unique target"),
});

function targetsOf({ type, config, credentials: { url } }: AuditedChannel): UniqueValue[] {
  const { address, number, channel, slackChannels } = config;
  const values = [
    typeof address === "string" && { field: "config.address", key: address.trim().toLowerCase() },
    typeof number === "string" && { field: "config.number", key: normalizePhoneNumber(number) },
    Array.isArray(slackChannels) && {
      field: "config.slackChannels",
      key: slackChannels.map(String).sort().join(" "),
    },
    // One Slack hook may post to several channels.
    url && {
      field: "config.url",
      key: url.fingerprint && `${url.fingerprint} ${typeof channel === "string" ? channel : ""}`,
    },
  ];
  return values.flatMap((value) =>
    value
      ? [{ field: value.field, key: value.key && `${type} ${value.key}`, reason: plaintextDiscarded }]
      : [],
  );
}
