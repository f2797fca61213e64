import { flagRule } from "./flag";

export const sendFailure = flagRule("sendFailure", {
  id: "send-failure",
  title: "Failures are sent",
  why: "A check that fails is what the channel is there for; with failures off, the team learns it from customers.",
  fix: "Turn failure alerts on in the channel's settings.",
  severity: "error",
});
