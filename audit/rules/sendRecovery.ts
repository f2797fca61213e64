import { flagRule } from "./flag";

export const sendRecovery = flagRule("sendRecovery", {
  id: "send-recovery",
  title: "Recoveries are sent",
  why: "Without recovery alerts, people keep investigating, and on-call tools keep the alert open.",
  fix: "Turn recovery alerts on in the channel's settings.",
});
