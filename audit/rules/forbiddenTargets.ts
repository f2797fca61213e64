import { defineRule } from "../rule";
import { checkTarget, targetLists } from "./targets";

export const forbiddenTargets = defineRule({
  id: "forbidden-targets",
  title: "The channel doesn't deliver to a forbidden target",
  why: "The organization has forbidden the target, such as a tool that was shut down or a private mailbox.",
  fix: "Point the channel to another target, or delete it.",
  options: targetLists,
  check: (lists) => (channel) => checkTarget(channel, lists, "forbidden"),
});
