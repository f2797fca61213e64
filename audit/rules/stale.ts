import { notReturned } from "../definition/notEvaluable";
import { defineRule } from "../definition/rule";
import { strict, wholeNumber } from "../definition/schemas";
import { msOf } from "../../provider/api/timestamps";

const dayMs = 86_400_000;
const field = "updatedAt";

export const stale = defineRule({
  id: "stale",
  title: "The channel was changed recently",
  why: "Keys expire, people leave and phone numbers change: settings that nobody has changed for years are rarely correct.",
  fix: "Send a test alert, rotate the channel's credential, and save the channel.",
  asCode: "Rotate the credential where the channel is declared, and deploy.",
  offWhen:
    "Turn it off where channels are declared as code and deployed often: the code is what you review then.",
  options: strict({
    days: wholeNumber(1, 36_500)
      .default(365)
      .describe("Maximum number of days since the last change. Default: 365."),
  }),
  check:
    ({ days }, { now }) =>
    ({ updatedAt, createdAt }) => {
      const changed = msOf(updatedAt) ?? msOf(createdAt);
      if (changed === undefined) return [{ field, reason: notReturned }];
      const age = Math.floor((now.getTime() - changed) / dayMs);
      if (age <= days) return [];
      return [{ field, actual: `${age} days ago`, expected: `within ${days} days` }];
    },
});
