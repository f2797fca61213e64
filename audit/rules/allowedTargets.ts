import { defineRule } from "../definition/rule";
import { checkTarget, targetLists } from "../checks/targets";

export const allowedTargets = defineRule({
  id: "allowed-targets",
  title: "The channel delivers to an allowed target",
  why: "Alerts describe systems and their failures; sending them to a private mailbox or an unknown host is a leak.",
  fix: "Point the channel to an allowed target, or add the target to the rule.",
  asCode: "Correct the target where the channel is declared.",
  offWhen: "It is in no preset: turn it on to keep alerts within the organization.",
  options: targetLists,
  check: (lists) => (channel) => checkTarget(channel, lists, "allowed"),
});
