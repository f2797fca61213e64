/** Exports the audit of alert channels for other modules. `public.ts` exports the names for programs. */
export { auditAlertChannels, auditJudged, severalNamed } from "./auditAlertChannels";
export { type GivenChannel, isId, type JudgedChannel } from "./channel";
export { incompleteChannels } from "./selections";
export { formats } from "./formats";
export { type Format, formatNames } from "./formats/names";
export { type Result, resultLine, resultsOf, summaryOf } from "./formats/reportText";
export { judgeRead, observedChannel, observedOutputs } from "./givenChannels";
export { type AuditReport, type Counts, type Finding } from "./report";
export { strict } from "./rule";
export { loadRules, readRules, RuleSet } from "./ruleFile";
export { type Rules } from "./ruleFile/schema";
export { mistakesIn, RulesError } from "./ruleFile/yaml";
export { documentedRules, metaRule, severityText } from "./rules";
