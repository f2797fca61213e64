import { defineRule, type Verdict } from "../rule";
import { channelType, listOf, strict, wholeNumber } from "../schemas";

export const onCallType = defineRule({
  id: "on-call-type",
  title: "A channel alerts the person on call",
  why: "E-mail and chat are read during working hours; an outage at night needs a channel that pages someone.",
  fix: "Add a channel of an on-call type, and subscribe the important checks to it.",
  options: strict({
    types: listOf(channelType)
      .default(["PAGERDUTY", "OPSGENIE", "CALL"])
      .describe("On-call types. Default: PAGERDUTY, OPSGENIE, CALL."),
    atLeast: wholeNumber(1, 1000).default(1).describe("Number of such channels. Default: 1."),
  }),
  checkFleet: ({ types, atLeast }, { channels, partial }): Verdict => {
    const onCall: readonly string[] = types;
    const count = channels.filter(({ type }) => onCall.includes(type)).length;
    if (count >= atLeast) return [];
    if (partial !== undefined) return [{ field: "type", reason: partial }];
    return [{ field: "type", actual: `${count} of ${onCall.join(", ")}`, expected: `${atLeast} or more` }];
  },
});
