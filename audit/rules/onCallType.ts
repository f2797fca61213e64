import type { AuditedChannel } from "../channels/channel";
import { type ChannelTypeName, hasType, specificType } from "../channels/specificType";
import { channelLabel } from "../channels/channelReference";
import { defineRule, type Verdict } from "../definition/rule";
import { channelType, nonEmptyListOf, strict, wholeNumber } from "../definition/schemas";
import { checkDelivering, withoutSilent } from "../checks/delivering";
import { personOf } from "../checks/recipients";

/** The types that wake a person, unlike those with chats, logs and issues. */
const pagingTypes: readonly ChannelTypeName[] = [
  "PAGERDUTY",
  "OPSGENIE",
  "CALL",
  "SMS",
  "WEBHOOK_INCIDENTIO",
  "WEBHOOK_FIREHYDRANT",
  "WEBHOOK_ROOTLY",
  "WEBHOOK_ILERT",
  "WEBHOOK_SPLUNK",
  "WEBHOOK_SPIKESH",
];

export const onCallType = defineRule({
  id: "on-call-type",
  title: "A channel wakes the person on call",
  why: "Email and chat are read during working hours: an outage at night lasts until the morning.",
  fix: "Add a channel that wakes someone, such as a text message, a call or an on-call service, and subscribe the important checks to it.",
  asCode:
    "Declare a channel of type `SMS`, `CALL`, `PAGERDUTY` or `OPSGENIE`, and add it to `alertChannels` of the important checks.",
  offWhen: "Turn it off for what nobody has to fix at night, such as internal tools and test systems.",
  options: strict({
    types: nonEmptyListOf(channelType)
      .default([...pagingTypes])
      .describe("Types and values of webhookType that wake a person."),
    atLeast: wholeNumber(1, 1000)
      .default(1)
      .describe("Number of such channels that send failures. Default: 1."),
  }),
  checkFleet: ({ types, atLeast }, audit) => {
    const { channels, partial } = audit;
    if (channels.length === 0) return undefined;
    const wakes = channels.filter((channel) => hasType(channel, types) || isOnCallService(channel));
    return checkDelivering(wakes, audit, ({ length: count }): Verdict => {
      if (count >= atLeast) return [];
      if (partial !== undefined) return [{ field: "type", reason: partial }];
      const actual = count === 0 ? `none that wakes someone; ${readers(channels)}` : `only ${count}`;
      const expected = `${atLeast === 1 ? "one" : atLeast} or more of ${shortList(types)}`;
      return [{ field: "type", actual: actual + withoutSilent(wakes), expected }];
    });
  },
});

/** A webhook may call an on-call service without being an integration of it. */
function isOnCallService({ type, credentials: { url } }: AuditedChannel): boolean {
  return type === "WEBHOOK" && url?.receiver === "on-call";
}

/** Who hears of failures instead. */
function readers(channels: readonly AuditedChannel[]): string {
  const [first, ...others] = channels.map(personOf);
  if (first?.what === "mailbox" && others.every((one) => one?.key === first.key))
    return `failures go to one mailbox, of ${channels.map(channelLabel).join(", ")}`;
  const types = [...new Set(channels.map(specificType))].sort();
  return `failures go to ${types.join(", ")}`;
}

const maxNamed = 4;

function shortList(types: readonly string[]): string {
  const others = types.length - maxNamed;
  return others > 1 ? `${types.slice(0, maxNamed).join(", ")} and ${others} other types` : types.join(", ");
}
