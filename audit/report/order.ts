/** The order of findings in a report. */
import { byNumber } from "../channels/channelReference";
import type { Finding } from "./report";

/** Errors first, then by the ids of channels; what is about all of them last. */
export function bySeverityAndChannel(a: Finding, b: Finding): number {
  if (a.severity !== b.severity) return a.severity === "error" ? -1 : 1;
  if (a.channel && b.channel) return byNumber(a.channel, b.channel);
  return Number(a.channel === undefined) - Number(b.channel === undefined);
}
