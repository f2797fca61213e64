/** Exports `pulumi-monitoring-service/audit` for audits of alert channels without HTTP requests and Pulumi. */
export { auditAlertChannels, type AuditOptions } from "./auditAlertChannels";
export {
  type AlertChannel,
  type AuditedChannel,
  type ChannelReference,
  type Credential,
  type GivenChannel,
  type NotEvaluableChannel,
  type Subscription,
} from "./channel";
export { formats } from "./formats";
export { type Format, formatNames } from "./formats/names";
export { type TextOptions } from "./formats/text";
export { observedChannel } from "./channelInputs";
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
  type Problem,
  type Rule,
  type RuleText,
  type Severity,
  type Verdict,
} from "./rule";
export { type ActiveRule, parseRules, readRules, RuleSet } from "./ruleFile";
export {
  type CustomRule,
  type Exception,
  type Rules,
  type RuleSetting,
  rulesJsonSchema,
  type Selection,
} from "./ruleFile/schema";
export { type Mistake, RulesError } from "./ruleFile/yaml";
export { builtInRules } from "./rules";
export { isInDomain } from "./rules/targets";
