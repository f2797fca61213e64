import { flagRule } from "../checks/flag";

export const sendFailure = flagRule("sendFailure", {
  id: "send-failure",
  title: "Failures are sent",
  why: "Without failure alerts, the team learns of outages from its customers.",
  fix: "Turn failure alerts on in the channel's settings.",
  asCode: "Set `sendFailure: true` on the channel.",
  offWhen: "Turn it off for channels that only report certificates or recoveries, with `overrides`.",
  severity: "error",
});
