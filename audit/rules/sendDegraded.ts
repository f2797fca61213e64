import { flagRule } from "../checks/flag";

export const sendDegraded = flagRule("sendDegraded", {
  id: "send-degraded",
  title: "Degradations are sent",
  why: "Slow checks are an early sign of an outage.",
  fix: "Turn degradation alerts on in the channel's settings.",
  asCode: "Set `sendDegraded: true` on the channel.",
  offWhen:
    "It is in no preset, because most teams look at degradations on a dashboard: turn it on for those who don't.",
});
