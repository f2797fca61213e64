/** Lists the built-in rules in the order of reports, their severities in presets, and the rules on the audit itself. */
import { type PresetName, type Rule, getRuleUrl, type RuleText, type Severity } from "../rule";
import { alertRules } from "./alerts";
import { credentialRules } from "./credentials";
import { fleetRules } from "./fleet";
import { targetRules } from "./targets";

/** Built-in rules in the order of reports. */
export const builtInRules: readonly Rule[] = [
  ...alertRules,
  ...targetRules,
  ...credentialRules,
  ...fleetRules,
].map(withDocs);

/** Returns the severity of a rule in a preset; undefined if the preset doesn't enable it. */
export function getSeverity(
  preset: PresetName,
  { id, preset: lowest, severity }: Pick<Rule, "id" | "preset" | "severity">,
): Severity | undefined {
  if (preset === "recommended") return lowest === preset ? severity : undefined;
  return lowest && (id === "unlisted-channel" ? "warning" : "error");
}

/** Returns the severity of a rule in each preset, such as `warning in recommended, error in strict`. */
export function formatSeverity(
  rule: Pick<Rule, "id" | "preset" | "severity">,
  code = (word: string) => word,
): string {
  if (metaRules.some(({ id }) => id === rule.id)) return `${code(rule.severity)}, always`;
  const texts = (["recommended", "strict"] as const).flatMap((preset) => {
    const severity = getSeverity(preset, rule);
    return severity === undefined ? [] : `${code(severity)} in ${code(preset)}`;
  });
  return texts.join(", ") || `${code(rule.severity)}, in no preset`;
}

/** Documentation of a rule on the audit itself. Such a rule doesn't check channels. */
type MetaRule = RuleText & Pick<Rule, "severity">;

/** Rules on the audit itself, by name. */
export const metaRule = {
  channelRead: {
    id: "channel-read",
    title: "The channel could be read",
    why: "A channel that can't be read isn't audited. This rule can't be turned off.",
    fix: "Follow the instructions in the message, and run the audit again.",
    severity: "error",
  },
  exceptionExpired: {
    id: "exception-expired",
    title: "No exception has expired",
    why: "The exception was granted until a date that has passed.",
    fix: "Fix the finding and remove the exception, or extend it.",
    severity: "error",
  },
  exceptionUnused: {
    id: "exception-unused",
    title: "Every exception is needed",
    why: "An exception without a finding would hide the next finding. An exception without a channel, for example because of a misspelled name, has no effect.",
    fix: "Correct the exception, or remove it.",
    severity: "warning",
  },
  selectUnused: {
    id: "select-unused",
    title: "Every custom rule applies to a channel",
    why: "A rule that selects no channel, for example because of a misspelled name, passes without checking anything.",
    fix: "Correct the selection, or remove it.",
    severity: "warning",
  },
} satisfies Record<string, MetaRule>;

/** Rules on the audit itself. They are on unless a rule file turns them off. */
export const metaRules: readonly MetaRule[] = Object.values(metaRule).map(withDocs);

/** Rules that this package documents: the built-in rules, then the rules on the audit itself. */
export const documentedRules: readonly (MetaRule & Partial<Rule>)[] = [...builtInRules, ...metaRules];

function withDocs<Documented extends RuleText>(rule: Documented): Documented {
  return { ...rule, docs: getRuleUrl(rule.id) };
}
