import { flagRule } from "./flag";

export const sendDegraded = flagRule("sendDegraded", {
  id: "send-degraded",
  title: "Degradations are sent",
  why: "A slow service is often a failing one an hour earlier.",
  fix: "Turn degradation alerts on in the channel's settings.",
});
