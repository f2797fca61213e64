/** Audits alert channels against rules, without HTTP or Pulumi. `sdk/audit.ts` has the names that are public. */
export { auditAlertChannels, auditJudged, type AuditOptions, severalNamed } from "./auditAlertChannels";
export { Baseline } from "./baseline";
export {
  type AlertChannel,
  type AuditedChannel,
  type ChannelReference,
  type Credential,
  type GivenChannel,
  channelKey,
  isId,
  type JudgedChannel,
  type NotEvaluableChannel,
  type Subscription,
} from "./channel";
export { incompleteChannels } from "./completion";
export { formats } from "./formats";
export { type Format, formatNames } from "./formats/names";
export { channelList, type Result, resultLine, resultsOf, summaryOf } from "./formats/reportText";
export { type TextOptions } from "./formats/text";
export { judgeMismatch, judgeRead, observedChannel, observedOutputs } from "./givenChannels";
export {
  type AuditedChannelResult,
  type AuditReport,
  type Counts,
  type ExcludedChannel,
  type Finding,
  type NotEvaluableResult,
  type RuleResult,
  type WaivedFinding,
} from "./report";
export {
  type Audit,
  type Check,
  type FleetAudit,
  type Location,
  type NotEvaluable,
  type Outcome,
  pagePlace,
  type Problem,
  type Rule,
  type RuleText,
  type Severity,
  strict,
  type Verdict,
} from "./rule";
export { type ActiveRule, parseRules, readRules, RuleSet } from "./ruleFile";
export {
  type CustomRule,
  type Exclusion,
  type Override,
  type Rules,
  type RuleSetting,
  rulesJsonSchema,
  type Selection,
  type Waiver,
} from "./ruleFile/schema";
export { type Mistake, mistakesIn, RulesError } from "./ruleFile/yaml";
export { builtInRules, documentedRules, metaRule, presets, severityText } from "./rules";
export { isInDomain } from "./rules/targets";
