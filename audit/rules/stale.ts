import { defineRule } from "../rule";
import { strict, wholeNumber } from "../schemas";
import { msOf } from "../../provider/api/timestamps";

const dayMs = 86_400_000;
const field = "updatedAt";

export const stale = defineRule({
  id: "stale",
  title: "The channel was looked after lately",
  why: "Keys expire, people leave and numbers change hands; what nobody has touched for years is rarely right.",
  fix: "Send a test alert, rotate the channel's credential, and save the channel.",
  options: strict({
    days: wholeNumber(1, 36_500).default(365).describe("Most days since the last change. Default: 365."),
  }),
  check:
    ({ days }, { now }) =>
    ({ updatedAt, createdAt }) => {
      const changed = msOf(updatedAt) ?? msOf(createdAt);
      if (changed === undefined) return [{ field, reason: "the service doesn't say" }];
      const age = Math.floor((now.getTime() - changed) / dayMs);
      if (age <= days) return [];
      return [{ field, actual: `${age} days ago`, expected: `within ${days} days` }];
    },
});
