/** The audit: runs the rules on the channels, then applies the waivers. */
import { types } from "node:util";
import {
  type AlertChannel,
  type AuditedChannel,
  idAndOrigin,
  toAuditedChannel,
  type UnreadableChannel,
} from "./channel";
import { packageName, version } from "../provider/packageManifest";
import { oneLine } from "../provider/api/printable";
import { channelRead } from "./metaRules";
import type { AuditReport, ChannelReference, Finding } from "./report";
import type { Audit, Verdict } from "./rule";
import { readRules } from "./ruleFile";
import type { Rules } from "./ruleFile/rules";
import { RulesError } from "./ruleFile/mistakes";
import { type ActiveRule, RuleSet } from "./ruleSet";
import { selector } from "./selection";
import { toFinding, toReference, Results } from "./results";
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
 * @param channels The channels to audit, and those that couldn't be read, each of which is a finding. Duplicates count
 * once.
 * @param rules The content of a rule file, as an object or from `parseRules`.
 * @throws RulesError with every mistake in the rules, or when the code of one throws
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
  const { audited, unreadable } = toAuditedChannels(channels, ruleSet);
  const results = new Results();
  runRules(ruleSet, audited, { now, partial: partialReason(partial, unreadable.length) }, results);
  reportUnreadable(ruleSet, unreadable, results);
  const { findings, waived } = waive(ruleSet, results, { unreadable, partial, now });
  const errors = findings.filter(({ severity }) => severity === "error");
  return {
    version: 1,
    auditedAt: now.toISOString(),
    tool: { name: packageName, version },
    preset: ruleSet.preset,
    counts: {
      channels: audited.length,
      unreadable: unreadable.length,
      rules: ruleSet.rules.length,
      errors: errors.length,
      warnings: findings.length - errors.length,
      waived: waived.length,
      notEvaluable: results.notEvaluable.length,
    },
    findings: findings.sort(bySeverityAndChannel),
    waived: waived.sort(bySeverityAndChannel),
    notEvaluable: results.notEvaluable,
    channels: results.channels,
    fleet: { passed: results.fleetPassed },
    rules: ruleSet.rules.map(({ id, title, why, fix, docs, severity, location }) => ({
      id,
      title,
      why,
      fix,
      docs,
      severity,
      location,
    })),
  };
}

function toAuditedChannels(
  channels: Iterable<AlertChannel | UnreadableChannel>,
  ruleSet: RuleSet,
): { audited: AuditedChannel[]; unreadable: UnreadableChannel[] } {
  const audited: AuditedChannel[] = [];
  const unreadable: UnreadableChannel[] = [];
  /** By id. */
  const origins = new Map<string, Set<string>>();
  for (const channel of channels) {
    const { origin = "" } = channel;
    const id = String(channel.id);
    const known = origins.get(id);
    if (known?.has(origin)) continue;
    if (known) known.add(origin);
    else origins.set(id, new Set([origin]));
    const shown = { name: ruleSet.nameOf(id) ?? channel.name, origin: channel.origin };
    if ("config" in channel) audited.push(toAuditedChannel(channel, shown));
    else unreadable.push({ id: channel.id, ...shown, reason: channel.reason });
  }
  const isAmbiguous = ({ id }: ChannelReference) => (origins.get(String(id))?.size ?? 0) > 1;
  const withOrigin = <Channel extends ChannelReference>(channel: Channel): Channel =>
    isAmbiguous(channel) ? channel : { ...channel, origin: undefined };
  return { audited: audited.map(withOrigin).sort(byId), unreadable: unreadable.map(withOrigin) };
}

/** By number, so that 9 is before 10, from whatever source the channels are. */
function byId({ id: a }: ChannelReference, { id: b }: ChannelReference): number {
  return Number(a) - Number(b) || String(a).localeCompare(String(b), "en");
}

function bySeverityAndChannel(a: Finding, b: Finding): number {
  if (a.severity !== b.severity) return a.severity === "error" ? -1 : 1;
  if (a.channel && b.channel) return byId(a.channel, b.channel);
  return Number(a.channel === undefined) - Number(b.channel === undefined);
}

function partialReason(partial: boolean, unreadable: number): string | undefined {
  if (unreadable > 0) return `${unreadable} of the channels couldn't be read`;
  return partial ? "only some of the channels were audited" : undefined;
}

interface ChannelCheck {
  readonly rule: ActiveRule;
  /** Undefined when it applies to every channel. */
  readonly isFor: ((channel: AuditedChannel) => boolean) | undefined;
  readonly evaluate: (channel: AuditedChannel) => Verdict;
}

function runRules(
  ruleSet: RuleSet,
  channels: readonly AuditedChannel[],
  audit: Omit<Audit, "channels">,
  results: Results,
): void {
  const channelChecks: ChannelCheck[] = [];
  const fleet: { rule: ActiveRule; verdict: Verdict }[] = [];
  for (const rule of ruleSet.rules) {
    const { check, select } = rule;
    const isFor = select && selector(select, (channel) => ruleSet.namesOf(channel));
    const selected = { ...audit, channels: isFor ? channels.filter(isFor) : channels };
    if (check?.of === "channel")
      channelChecks.push({ rule, isFor, evaluate: runRule(rule, () => check.begin(selected)) });
    if (check?.of === "fleet") fleet.push({ rule, verdict: runRule(rule, () => check.run(selected)) });
  }
  for (const channel of channels) {
    const add = results.begin(channel);
    for (const { rule, isFor, evaluate } of channelChecks) {
      if (isFor?.(channel) ?? true) runRule(rule, () => add(rule, evaluate(channel)), channel);
    }
  }
  for (const { rule, verdict } of fleet) runRule(rule, () => results.addFleet(rule, verdict));
}

/** Rules may be a user's code: when it throws, that is a mistake in the rules, not in this package. */
function runRule<T>({ id, location }: ActiveRule, run: () => T, channel?: AuditedChannel): T {
  try {
    return run();
  } catch (error) {
    const where = channel === undefined ? "" : ` on channel ${idAndOrigin(channel)}`;
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
    results.findings.push(toFinding(rule, problem, { channel: toReference(channel) }));
  }
}
