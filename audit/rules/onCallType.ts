import { hasType, pagingTypes } from "../channelTypes";
import { defineRule, type Verdict } from "../rule";
import { channelType, listOf, strict, wholeNumber } from "../schemas";
import { checkDelivering, withoutSilent } from "./delivery";

export const onCallTypes = listOf(channelType)
  .default([...pagingTypes])
  .describe("Types and values of webhookType that page a person.");

export const onCallType = defineRule({
  id: "on-call-type",
  title: "A channel alerts the person on call",
  why: "Email and chat are read during working hours; an outage at night needs a channel that pages someone.",
  fix: "Add a channel of an on-call type, and subscribe the important checks to it.",
  options: strict({
    types: onCallTypes,
    atLeast: wholeNumber(1, 1000)
      .default(1)
      .describe("Number of such channels that send failures. Default: 1."),
  }),
  checkFleet: ({ types, atLeast }, { channels, partial }) => {
    const onCall = channels.filter((channel) => hasType(channel, types));
    return checkDelivering(onCall, ({ length: count }): Verdict => {
      if (count >= atLeast) return [];
      if (partial !== undefined) return [{ field: "type", reason: partial }];
      const actual = `${count} of ${shortList(types)}${withoutSilent(onCall)}`;
      return [{ field: "type", actual, expected: `${atLeast} or more` }];
    });
  },
});

const maxNamed = 4;

function shortList(types: readonly string[]): string {
  const others = types.length - maxNamed;
  return others > 1 ? `${types.slice(0, maxNamed).join(", ")} and ${others} other types` : types.join(", ");
}
