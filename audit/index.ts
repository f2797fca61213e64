/** Audits alert channels against rules, without HTTP or Pulumi. `sdk/audit.ts` has the names that are public. */
export { type Baseline, baselineOf, fixedCount, parseBaseline, withBaseline } from "./baseline";
export { findingLine, notEvaluableLine, summaryOf } from "./formats/reportText";
export { observedOutputs } from "./givenChannels";
export { mistakesIn } from "./ruleFile/yaml";
export { documentedRules, metaRule } from "./rules";
export { isId } from "./channel";
export { pagePlace, strict } from "./rule";
export { auditAlertChannels, type AuditOptions } from "./auditAlertChannels";
export type {
  AlertChannel,
  AuditedChannel,
  ChannelReference,
  Credential,
  GivenChannel,
  NotEvaluableChannel,
  Subscription,
} from "./channel";
export { formats } from "./formats";
export { type Format, formatNames } from "./formats/names";
export type { TextOptions } from "./formats/text";
export { observedChannel } from "./givenChannels";
export type {
  AuditedChannelResult,
  AuditReport,
  Counts,
  Finding,
  NotEvaluableResult,
  RuleResult,
  WaivedFinding,
} from "./report";
export type {
  Audit,
  Check,
  FleetAudit,
  Location,
  NotEvaluable,
  Outcome,
  Problem,
  Rule,
  RuleText,
  Severity,
  Verdict,
} from "./rule";
export { type ActiveRule, parseRules, readRules, RuleSet } from "./ruleFile";
export {
  type CustomRule,
  type Override,
  type Rules,
  rulesJsonSchema,
  type RuleSetting,
  type Selection,
  type Waiver,
} from "./ruleFile/schema";
export { type Mistake, RulesError } from "./ruleFile/yaml";
export { builtInRules, presets } from "./rules";
export { isInDomain } from "./rules/targets";
