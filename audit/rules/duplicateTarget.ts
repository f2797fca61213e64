import type { AuditedChannel } from "../channels/channel";
import { plaintextDiscarded } from "../definition/notEvaluable";
import { defineRule } from "../definition/rule";
import { placeholdersIn } from "./placeholder";
import { normalizePhoneNumber } from "../checks/targets";
import { checkUnique, type UniqueValue } from "../checks/unique";

export const duplicateTarget = defineRule({
  id: "duplicate-target",
  title: "No other channel delivers to the same target",
  why: "Checks that are subscribed to both alert twice, and pausing one of the channels has no visible effect.",
  fix: "Move all subscriptions to one of the channels, and delete the others.",
  asCode: "Keep one declaration, and use that channel in `alertChannels` of all checks.",
  offWhen: "Turn it off where several teams manage channels to one shared target on purpose.",
  check: (_, { channels }) => checkUnique(channels, targetsOf, "a unique target"),
});

function targetsOf(channel: AuditedChannel): UniqueValue[] {
  const { type, config, credentials } = channel;
  if (placeholdersIn(channel).length > 0) return [];
  const { address, number, slackChannels, region, priority } = config;
  const { url, serviceKey, apiKey } = credentials;
  const values = [
    typeof address === "string" && { field: "config.address", key: address.trim().toLowerCase() },
    typeof number === "string" && { field: "config.number", key: normalizePhoneNumber(number) },
    Array.isArray(slackChannels) && {
      field: "config.slackChannels",
      key: slackChannels.map(String).sort().join(" "),
    },
    url && { field: "config.url", key: requestOf(channel) },
    serviceKey && { field: "config.serviceKey", key: serviceKey.fingerprint },
    // One key may have a channel for each priority.
    apiKey && {
      field: "config.apiKey",
      key: apiKey.fingerprint && JSON.stringify([apiKey.fingerprint, region ?? "", priority ?? ""]),
    },
  ];
  return values.flatMap((value) =>
    value
      ? [{ field: value.field, key: value.key && `${type} ${value.key}`, reason: plaintextDiscarded }]
      : [],
  );
}

/**
 * Everything that is sent: one hook may post to several Slack channels, one bot to several chats by its template, and
 * one gateway to several numbers by its query. Undefined when a part is unknown.
 */
function requestOf({ config: { channel, method }, credentials }: AuditedChannel): string | undefined {
  const { url, template, headers, queryParameters } = credentials;
  const parts = [url, template, headers, queryParameters].flatMap((part) =>
    part ? [part.fingerprint] : [""],
  );
  return parts.includes(undefined) ? undefined : JSON.stringify([channel ?? "", method ?? "", ...parts]);
}
