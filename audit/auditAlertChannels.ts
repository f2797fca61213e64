/** The audit: runs the rules on the channels, then applies the waivers. */
import { toAuditedChannels } from "./auditedChannels";
import type { AuditedChannel, GivenChannel } from "./channels/channel";
import { packageName, version } from "../provider/machine/packageManifest";
import { amount } from "../provider/texts/amount";
import { selectUnused } from "./rules/selectUnused";
import { countsOf } from "./report/counts";
import { bySeverityAndChannel } from "./report/order";
import type { AuditReport, RuleResult } from "./report/report";
import { readRules } from "./ruleFile";
import type { Rules } from "./ruleFile/ruleFileSchema";
import { RuleSet } from "./ruleFile/ruleSet";
import { type Selection, selector } from "./definition/selection";
import { toFinding } from "./finding";
import { Results } from "./results";
import { runRules } from "./runRules";
import { waive } from "./waivers";

export interface AuditOptions {
  /**
   * Whether these are only some of the channels. Rules on all channels together then report nothing as missing, and a
   * waiver may be for a channel that isn't included. Default: false.
   */
  readonly partial?: boolean;
  /** Default: now. */
  readonly now?: Date;
}

/**
 * Audits alert channels. No report contains a credential: see {@link AlertChannel}.
 *
 * @param channels The channels to audit, and those that couldn't be read, which aren't evaluable. Duplicates count once.
 * @param rules The content of a rule file, as an object or from `parseRules`.
 * @throws RulesError with every mistake in the rules
 *
 * @example
 * const { alertChannels } = await getAlertChannels();
 * const { counts } = auditAlertChannels(alertChannels, { extends: "recommended" });
 */
export function auditAlertChannels(
  channels: Iterable<GivenChannel>,
  rules: Rules | RuleSet,
  { partial = false, now = new Date() }: AuditOptions = {},
): AuditReport {
  const ruleSet = rules instanceof RuleSet ? rules : readRules(rules);
  const { audited, notEvaluable } = toAuditedChannels(channels, ruleSet);
  const results = new Results();
  for (const { reason, ...channel } of notEvaluable) results.addNotEvaluable(channel, reason);
  runRules(ruleSet, audited, { now, partial: partialReason(partial, notEvaluable.length) }, results);
  if (!partial && notEvaluable.length === 0) reportUnusedSelections(ruleSet, audited, results);
  const { findings, waived } = waive(ruleSet, results, { partial, now });
  const judged = {
    findings: findings.sort(bySeverityAndChannel),
    waived: waived.sort(bySeverityAndChannel),
    baselined: [],
    notEvaluable: results.notEvaluable,
    channels: results.channels,
    fleet: { passed: [...new Set(results.fleetPassed)] },
    rules: rulesOf(ruleSet),
  };
  return {
    version: 1,
    auditedAt: now.toISOString(),
    tool: { name: packageName, version },
    preset: ruleSet.preset,
    counts: countsOf(judged),
    ...judged,
  };
}

/** Each rule once, with the highest of its severities. */
function rulesOf(ruleSet: RuleSet): RuleResult[] {
  const byId = new Map<string, RuleResult>();
  for (const { id, title, why, fix, docs, severity, location } of ruleSet.rules) {
    const known = byId.get(id);
    if (known === undefined || (known.severity === "warning" && severity === "error"))
      byId.set(id, { id, title, why, fix, docs, severity, location });
  }
  return [...byId.values()];
}

function partialReason(partial: boolean, notEvaluable: number): string | undefined {
  if (notEvaluable > 0) return `${amount(notEvaluable, "channel")} can't be evaluated; see channel-read`;
  return partial ? "only some of the channels were audited; audit all of them" : undefined;
}

/** Of a list of ids or names, each one that matches no channel; of other selections, those that match none. */
function reportUnusedSelections(
  ruleSet: RuleSet,
  channels: readonly AuditedChannel[],
  results: Results,
): void {
  const rule = ruleSet.rule(selectUnused);
  if (rule === undefined) return;
  const matches = (selection: Selection) =>
    channels.some(selector(selection, (channel) => ruleSet.namesOf(channel)));
  const selections = ruleSet.rules.flatMap(({ id, select, location }) =>
    select.map((one) => ({ id, select: one, location })),
  );
  for (const { id, select, location } of selections) {
    const { ids = [], names = [] } = select;
    const unknown = [
      ...ids.filter((one) => !matches({ ids: [one] })),
      ...names.filter((name) => !matches({ names: [name] })),
    ];
    if (unknown.length === 0 && matches(select)) continue;
    const problem = {
      field: `rules.${id}.select`,
      actual: unknown.length === 0 ? "0 channels" : `0 channels for ${unknown.join(", ")}`,
      expected: "one or more",
    };
    results.findings.push(toFinding(rule, problem, { location, subject: id }));
  }
}
