import { defineRule } from "../definition/rule";
import { checkFlag, valueOption } from "../checks/flag";

export const sendRecovery = defineRule({
  id: "send-recovery",
  title: "Recoveries are sent",
  why: "Without recovery alerts, people keep investigating, and on-call tools keep the alert open.",
  fix: "Turn recovery alerts on in the channel's settings.",
  asCode: "Set `sendRecovery: true` on the channel.",
  offWhen:
    "Turn it off for channels that open one ticket for each alert. Those to known ticket systems are exempt.",
  options: valueOption("sendRecovery"),
  check:
    ({ value }) =>
    (channel) => {
      // A recovery would open a second ticket, and one without its failure says nothing.
      const isMeant = channel.credentials.url?.receiver === "ticket" || channel.sendFailure === false;
      return isMeant ? undefined : checkFlag(channel, "sendRecovery", value);
    },
});
