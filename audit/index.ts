/** Audits alert channels against rules, without HTTP or Pulumi. */
export { auditAlertChannels, type AuditOptions } from "./auditAlertChannels";
export type {
  AlertChannel,
  AuditedChannel,
  Credential,
  GivenChannel,
  NotEvaluableChannel,
  Subscription,
} from "./channels/channel";
export type { CustomRule } from "./ruleFile/customRule";
export { isInDomain } from "./checks/targets";
export { type Format, formatNames, formats } from "./formats";
export type { TextOptions } from "./formats/text";
export { observedChannel } from "./channels/observedChannel";
export { presets } from "./ruleFile/presets";
export type { ChannelReference } from "./channels/channelReference";
export type {
  AuditedChannelResult,
  AuditReport,
  Counts,
  Finding,
  NotEvaluableResult,
  RuleResult,
  WaivedFinding,
} from "./report/report";
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
} from "./definition/rule";
export { parseRules, readRules } from "./ruleFile";
export { type Mistake, RulesError } from "./ruleFile/mistakes";
export {
  type Override,
  type Rules,
  rulesJsonSchema,
  type RuleSetting,
  type Waiver,
} from "./ruleFile/ruleFileSchema";
export { builtInRules } from "./rules";
export type { Severity } from "./definition/severity";
export { type ActiveRule, RuleSet } from "./ruleFile/ruleSet";
export { type Location } from "./definition/location";
export type { Selection } from "./definition/selection";
