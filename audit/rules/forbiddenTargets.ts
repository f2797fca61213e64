import { defineRule } from "../definition/rule";
import { checkTarget, targetLists } from "../checks/targets";

export const forbiddenTargets = defineRule({
  id: "forbidden-targets",
  title: "The channel doesn't deliver to a forbidden target",
  why: "The organization has forbidden the target, such as a tool that was shut down or a private mailbox.",
  fix: "Point the channel to another target, or delete it.",
  asCode: "Correct the target where the channel is declared.",
  offWhen: "It is in no preset: remove a target from its lists when it is allowed again.",
  options: targetLists,
  check: (lists) => (channel) => checkTarget(channel, lists, "forbidden"),
});
