import { type AuditedChannel, plaintextDiscarded } from "../channel";
import { defineRule } from "../rule";
import { type Mark, noEquals } from "./equals";
import { dialled } from "./targets";

export const duplicateTarget = defineRule({
  id: "duplicate-target",
  title: "No other channel delivers to the same place",
  why: "Every alert comes twice, and the one copy that somebody pauses hides behind the other.",
  fix: "Move all subscriptions to one of the channels, and delete the others.",
  check: (_, { channels }) => noEquals(channels, targetsOf, "a place of its own"),
});

function targetsOf({ type, config, credentials: { url } }: AuditedChannel): Mark[] {
  const { address, number, channel, slackChannels } = config;
  const marks = [
    typeof address === "string" && { field: "config.address", key: address.trim().toLowerCase() },
    typeof number === "string" && { field: "config.number", key: dialled(number) },
    Array.isArray(slackChannels) && {
      field: "config.slackChannels",
      key: slackChannels.map(String).sort().join(" "),
    },
    // One Slack hook may write to several rooms.
    url && {
      field: "config.url",
      key: url.fingerprint && `${url.fingerprint} ${typeof channel === "string" ? channel : ""}`,
    },
  ];
  return marks.flatMap((mark) =>
    mark ? [{ field: mark.field, key: mark.key && `${type} ${mark.key}`, reason: plaintextDiscarded }] : [],
  );
}
