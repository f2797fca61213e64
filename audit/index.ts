/** Audits alert channels against rules, without HTTP or Pulumi. */
export { auditAlertChannels, type AuditOptions } from "./auditAlertChannels";
export type {
  AlertChannel,
  AuditedChannel,
  Credential,
  GivenChannel,
  NotEvaluableChannel,
  Subscription,
} from "./channel";
export type { CustomRule } from "./ruleFile/schema";
export { isInDomain } from "./rules/targets";
export { formats } from "./formats";
export { type Format, formatNames } from "./formats/names";
export type { TextOptions } from "./formats/text";
export { observedChannel } from "./givenChannels";
export { presets } from "./ruleFile";
export type { ChannelReference } from "./channel";
export type {
  AuditedChannelResult,
  AuditReport,
  Counts,
  Finding,
  NotEvaluableResult,
  RuleResult,
  WaivedFinding,
} from "./report";
export {
  type Audit,
  type ChannelRule,
  type Check,
  defineRule,
  type FleetAudit,
  type FleetRule,
  type NotEvaluable,
  type Outcome,
  type Problem,
  type Rule,
  type RuleText,
  type Verdict,
} from "./rule";
export { parseRules, readRules } from "./ruleFile";
export { type Mistake, RulesError } from "./ruleFile/yaml";
export { type Override, type Rules, rulesJsonSchema, type RuleSetting, type Waiver } from "./ruleFile/schema";
export { builtInRules } from "./rules";
export type { Severity } from "./rule";
export { type ActiveRule, RuleSet } from "./ruleFile";
export { type Location } from "./rule";
export type { Selection } from "./schemas";
