import { type MetaRule, type PresetName, type Rule } from "../rule";
import { allowedTargets, allowedTypes, duplicateTarget, forbiddenTargets, knownType } from "./targets";
import { checksCovered, independentTypes, onCallType, singleRecipient } from "./fleet";
import {
  credentialReference,
  credentialShared,
  emptyTarget,
  httpsHook,
  inspectionHook,
  placeholder,
  publicHook,
  webhookSecret,
} from "./credentials";
import {
  documentedBounds,
  managedAsCode,
  sendDegraded,
  sendFailure,
  sendRecovery,
  sslExpiry,
  sslExpiryThreshold,
  stale,
  subscribed,
  validSettings,
} from "./alerts";

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

// The built-in rules, in the order of reports, and those on the audit itself.

type Entry = readonly [rule: Rule, preset?: PresetName];

/** Each rule with the preset that turns it on: `recommended` has what is wrong in any account, `strict` also what an auditor asks for. */
const entries: readonly Entry[] = [
  [sendFailure, "recommended"],
  [sendRecovery, "recommended"],
  [sendDegraded],
  [subscribed, "recommended"],
  [placeholder, "recommended"],
  [emptyTarget, "recommended"],
  [sslExpiry, "recommended"],
  [sslExpiryThreshold, "recommended"],
  [documentedBounds, "recommended"],
  [validSettings, "recommended"],
  [knownType, "recommended"],
  [allowedTypes],
  [allowedTargets],
  [forbiddenTargets],
  [duplicateTarget, "recommended"],
  [httpsHook, "recommended"],
  [publicHook, "recommended"],
  [inspectionHook, "recommended"],
  [webhookSecret, "recommended"],
  [credentialReference, "recommended"],
  [credentialShared],
  [stale, "strict"],
  [managedAsCode, "strict"],
  [onCallType, "recommended"],
  [singleRecipient, "strict"],
  [independentTypes],
  [checksCovered],
];

/** Rules on the audit itself. They are on unless a rule file turns them off. */
export const metaRules: readonly MetaRule[] = [channelRead, waiverExpired, waiverUnused, selectUnused];

export const builtInRules: readonly Rule[] = entries.map(([rule]) => rule);

/** The ids of the rules that a preset has, without those of another one. */
export const idsOf = (preset: PresetName): string[] =>
  entries.filter(([, name]) => name === preset).map(([{ id }]) => id);

/** The rules that this package documents: those of channels, and those of the audit itself. */
export const documentedRules = [...builtInRules, ...metaRules] as const;

const ids: ReadonlySet<string> = new Set(documentedRules.map(({ id }) => id));

/** Whether the rule has a page, and `monitoring audit --explain` says why it matters. */
export function isDocumented({ id }: { readonly id: string }): boolean {
  return ids.has(id);
}
