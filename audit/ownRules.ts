/** Findings on the audit itself. They are always on, unless a rule file turns them off. */
import type { RuleText, Severity } from "./rule";

export interface OwnRule extends RuleText {
  readonly severity: Severity;
}

export const channelRead: OwnRule = {
  id: "channel-read",
  title: "The channel could be read",
  why: "What can't be read isn't audited: nobody knows what is wrong with it.",
  fix: "Do what the message says, and run the audit again.",
  severity: "error",
};

export const waiverExpired: OwnRule = {
  id: "waiver-expired",
  title: "No waiver has expired",
  why: "An exception was granted for a while, and the while is over.",
  fix: "Mend what was waived and remove the waiver, or have its owner extend it.",
  severity: "error",
};

export const waiverUnused: OwnRule = {
  id: "waiver-unused",
  title: "Every waiver is needed",
  why: "A waiver without a finding hides the next one.",
  fix: "Remove the waiver.",
  severity: "warning",
};

export const ownRules: readonly OwnRule[] = [channelRead, waiverExpired, waiverUnused];
