import { defineRule } from "../rule";
import { judgeTarget, placeLists } from "./targets";

export const forbiddenTargets = defineRule({
  id: "forbidden-targets",
  title: "The channel doesn't deliver to a forbidden place",
  why: "Places are forbidden for a reason: a company that was sold, a tool that was shut down, a private mailbox.",
  fix: "Point the channel to another place, or delete it.",
  options: placeLists,
  check: (lists) => (channel) => judgeTarget(channel, lists, "forbidden"),
});
