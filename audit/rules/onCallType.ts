import { defineRule, type Verdict } from "../rule";
import { channelType, listOf, strict, wholeNumber } from "../schemas";

export const onCallType = defineRule({
  id: "on-call-type",
  title: "Some channel wakes a person up",
  why: "Mails and chats are read in the morning; an outage at night needs a channel that rings.",
  fix: "Add a channel of an on-call type, and subscribe the checks that matter to it.",
  options: strict({
    types: listOf(channelType)
      .default(["PAGERDUTY", "OPSGENIE", "CALL"])
      .describe("Types that ring. Default: PAGERDUTY, OPSGENIE, CALL."),
    atLeast: wholeNumber(1, 1000).default(1).describe("How many such channels. Default: 1."),
  }),
  checkFleet: ({ types, atLeast }, { channels, partial }): Verdict => {
    const onCall: readonly string[] = types;
    const count = channels.filter(({ type }) => onCall.includes(type)).length;
    if (count >= atLeast) return [];
    if (partial !== undefined) return [{ field: "type", reason: partial }];
    return [{ field: "type", actual: `${count} of ${onCall.join(", ")}`, expected: `${atLeast} or more` }];
  },
});
