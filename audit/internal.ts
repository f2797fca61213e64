/** The face of the audit for the command line and the policy pack: what they need beyond the public names. */
export { type Baseline, baselineOf, fixedCount, parseBaseline, withBaseline } from "./baseline";
export { findingLine, notEvaluableLine, summaryOf } from "./formats/reportText";
export { observedOutputs } from "./givenChannels";
export { mistakesIn } from "./ruleFile/yaml";
export { documentedRules, metaRule } from "./rules";
export { isId, strict } from "./schemas";
