/** The built-in rules, in the order of reports, and those on the audit itself. */
import type { PresetName } from "../definition/presetName";
import type { MetaRule, Rule } from "../definition/rule";
import { allowedTargets } from "./allowedTargets";
import { allowedTypes } from "./allowedTypes";
import { channelRead } from "./channelRead";
import { checksCovered } from "./checksCovered";
import { credentialReference } from "./credentialReference";
import { credentialShared } from "./credentialShared";
import { documentedBounds } from "./documentedBounds";
import { duplicateTarget } from "./duplicateTarget";
import { emptyTarget } from "./emptyTarget";
import { forbiddenTargets } from "./forbiddenTargets";
import { httpsHook } from "./httpsHook";
import { independentTypes } from "./independentTypes";
import { inspectionHook } from "./inspectionHook";
import { knownType } from "./knownType";
import { managedAsCode } from "./managedAsCode";
import { onCallType } from "./onCallType";
import { placeholder } from "./placeholder";
import { publicHook } from "./publicHook";
import { selectUnused } from "./selectUnused";
import { sendDegraded } from "./sendDegraded";
import { sendFailure } from "./sendFailure";
import { sendRecovery } from "./sendRecovery";
import { singleRecipient } from "./singleRecipient";
import { sslExpiry } from "./sslExpiry";
import { sslExpiryThreshold } from "./sslExpiryThreshold";
import { stale } from "./stale";
import { subscribed } from "./subscribed";
import { validSettings } from "./validSettings";
import { waiverExpired } from "./waiverExpired";
import { waiverUnused } from "./waiverUnused";
import { webhookSecret } from "./webhookSecret";

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
