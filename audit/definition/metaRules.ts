/** Rules on the audit itself. They are on unless a rule file turns them off. */
import type { RuleText } from "./rule";
import type { Severity } from "./severity";

export interface MetaRule extends RuleText {
  readonly severity: Severity;
}

export const channelRead: MetaRule = {
  id: "channel-read",
  title: "The channel could be read",
  why: "A channel that can't be read isn't audited. This rule can't be turned off or waived.",
  fix: "Follow the message, and run the audit again.",
  severity: "error",
};

export const waiverExpired: MetaRule = {
  id: "waiver-expired",
  title: "No waiver has expired",
  why: "The exception was granted until a date that has passed.",
  fix: "Fix the finding and remove the waiver, or have its owner extend it.",
  severity: "error",
};

export const waiverUnused: MetaRule = {
  id: "waiver-unused",
  title: "Every waiver is needed",
  why: "A waiver without a finding would hide the next one.",
  fix: "Remove the waiver.",
  severity: "warning",
};

export const selectUnused: MetaRule = {
  id: "select-unused",
  title: "Every selection of channels matches one",
  why: "A rule that selects no channel, such as by a misspelled name, passes without checking anything.",
  fix: "Correct the selection, or remove it.",
  severity: "warning",
};

export const metaRules: readonly MetaRule[] = [channelRead, waiverExpired, waiverUnused, selectUnused];
