/** The audit: rules on channels, then waivers on what they found. */
import { types } from "node:util";
import { toAuditedChannel, type AlertChannel, type AuditedChannel, type UnreadableChannel } from "./channel";
import { oneLine } from "./formats/words";
import { channelRead } from "./ownRules";
import type { AuditReport } from "./report";
import type { Audit, Verdict } from "./rule";
import { readRules } from "./ruleFile";
import type { Rules } from "./ruleFile/rules";
import { RulesError } from "./ruleFile/mistakes";
import { type ActiveRule, RuleSet } from "./ruleSet";
import { findingOf, referenceTo, Results } from "./results";
import { waive } from "./waivers";

export interface AuditOptions {
  /**
   * Whether the channels are only some of those that there are. Rules on all channels together then miss nothing,
   * and a waiver may be for a channel that isn't here. Default: false.
   */
  readonly partial?: boolean;
  /** Default: now. */
  readonly now?: Date;
}

/**
 * Audits alert channels. Credentials reach no report: see {@link AlertChannel}.
 *
 * @param channels Those to audit, and those that couldn't be read, each of which is a finding. One that comes twice
 * counts once.
 * @param rules What a rule file says, as an object or as `parseRules` gives it.
 * @throws RulesError with every mistake in the rules, or when the code of one fails
 *
 * @example
 * const { alertChannels } = await getAlertChannels();
 * const { counts } = auditAlertChannels(alertChannels, { extends: "recommended" });
 */
export function auditAlertChannels(
  channels: Iterable<AlertChannel | UnreadableChannel>,
  rules: Rules | RuleSet,
  { partial = false, now = new Date() }: AuditOptions = {},
): AuditReport {
  const ruleSet = rules instanceof RuleSet ? rules : readRules(rules);
  const { audited, unreadable } = admitAll(channels, ruleSet);
  const results = new Results();
  runRules(ruleSet, audited, { now, partial: whyPartial(partial, unreadable.length) }, results);
  reportUnreadable(ruleSet, unreadable, results);
  const { findings, waived } = waive(ruleSet, results, { unreadable, partial, now });
  const errors = findings.filter(({ severity }) => severity === "error");
  const warnings = findings.filter(({ severity }) => severity === "warning");
  return {
    version: 1,
    auditedAt: now.toISOString(),
    counts: {
      channels: audited.length,
      unreadable: unreadable.length,
      rules: ruleSet.rules.length,
      errors: errors.length,
      warnings: warnings.length,
      waived: waived.length,
      notEvaluable: results.notEvaluable.length,
    },
    findings: [...errors, ...warnings],
    waived,
    notEvaluable: results.notEvaluable,
    channels: results.channels,
    fleet: { passed: results.fleetPassed },
    rules: ruleSet.rules.map(({ id, title, why, fix, severity, location }) => ({
      id,
      title,
      why,
      fix,
      severity,
      location,
    })),
  };
}

function admitAll(
  channels: Iterable<AlertChannel | UnreadableChannel>,
  ruleSet: RuleSet,
): { audited: AuditedChannel[]; unreadable: UnreadableChannel[] } {
  const audited: AuditedChannel[] = [];
  const unreadable: UnreadableChannel[] = [];
  const seen = new Set<string>();
  for (const channel of channels) {
    const id = String(channel.id);
    if (seen.has(id)) continue;
    seen.add(id);
    const name = ruleSet.nameOf(id) ?? channel.name;
    if ("config" in channel) audited.push(toAuditedChannel(channel, name));
    else unreadable.push({ id: channel.id, name, reason: channel.reason });
  }
  return { audited, unreadable };
}

function whyPartial(partial: boolean, unreadable: number): string | undefined {
  if (unreadable > 0) return `${unreadable} of the channels couldn't be read`;
  return partial ? "only some of the channels were audited" : undefined;
}

function runRules(
  { rules }: RuleSet,
  channels: readonly AuditedChannel[],
  audit: Omit<Audit, "channels">,
  results: Results,
): void {
  const judges: { rule: ActiveRule; judge: (channel: AuditedChannel) => Verdict }[] = [];
  const fleet: { rule: ActiveRule; verdict: Verdict }[] = [];
  for (const rule of rules) {
    const seen = { ...audit, channels: rule.isFor ? channels.filter(rule.isFor) : channels };
    const { check } = rule;
    if (check?.of === "channel") judges.push({ rule, judge: guard(rule, () => check.begin(seen)) });
    if (check?.of === "fleet") fleet.push({ rule, verdict: guard(rule, () => check.run(seen)) });
  }
  for (const channel of channels) {
    const add = results.begin(channel);
    for (const { rule, judge } of judges) {
      if (rule.isFor?.(channel) ?? true) guard(rule, () => add(rule, judge(channel)), channel.id);
    }
  }
  for (const { rule, verdict } of fleet) guard(rule, () => results.addFleet(rule, verdict));
}

/** Rules may be code of others: one that fails is a mistake in the rules, and not this package's. */
function guard<T>({ id, location }: ActiveRule, work: () => T, channel?: AuditedChannel["id"]): T {
  try {
    return work();
  } catch (error) {
    const where = channel === undefined ? "" : ` on channel ${channel}`;
    const reason = `fails${where}: ${oneLine(types.isNativeError(error) ? error.message : String(error))}`;
    throw new RulesError([{ at: `the rule ${id}`, reason, ...location }], location?.file);
  }
}

function reportUnreadable(
  ruleSet: RuleSet,
  unreadable: readonly UnreadableChannel[],
  results: Results,
): void {
  const rule = ruleSet.rule(channelRead);
  if (rule === undefined) return;
  for (const channel of unreadable) {
    const problem = {
      field: "channel",
      actual: `not read: ${channel.reason.replace(/\.$/, "")}`,
      expected: "a readable channel",
    };
    results.findings.push(findingOf(rule, problem, { channel: referenceTo(channel) }));
  }
}
