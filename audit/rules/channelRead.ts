import type { MetaRule } from "../definition/rule";

export const channelRead: MetaRule = {
  id: "channel-read",
  title: "The channel could be read",
  why: "A channel that can't be read isn't audited. This rule can't be turned off or waived.",
  fix: "Follow the message, and run the audit again.",
  severity: "error",
};
