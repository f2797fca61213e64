import { defineRule } from "../rule";
import { judgeTarget, placeLists } from "./targets";

export const allowedTargets = defineRule({
  id: "allowed-targets",
  title: "The channel delivers to an allowed place",
  why: "Alerts name systems and their weaknesses; a private mailbox or a stranger's hook is a leak.",
  fix: "Point the channel to an allowed place, or add the place to the rule.",
  options: placeLists,
  check: (lists) => (channel) => judgeTarget(channel, lists, "allowed"),
});
