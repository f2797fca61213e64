/** Exports the audit of alert channels for other modules. `public.ts` exports the names for programs. */
export {
  auditAlertChannels,
  auditCheckedChannels,
  formatAmbiguousName,
  groupIdsByName,
} from "./auditAlertChannels";
export { type GivenChannel, isId, type CheckedChannel } from "./channel";
export { listIncompleteChannels } from "./selections";
export { formats } from "./formats";
export { type Format, formatNames } from "./formats/names";
export { type Result, formatResultLine, listResults, formatSummary } from "./formats/reportText";
export { checkReadChannel, observedChannel, observedOutputs } from "./channelInputs";
export { type AuditReport, type Counts, type Finding } from "./report";
export { needs, strict } from "./rule";
export { loadRules, readRules, RuleSet } from "./ruleFile";
export { type Rules } from "./ruleFile/schema";
export { toMistakes, RulesError } from "./ruleFile/yaml";
export { documentedRules, metaRule, metaRules, formatSeverity } from "./rules";
