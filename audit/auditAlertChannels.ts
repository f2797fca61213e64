/** The audit: runs the rules on the channels, then applies the waivers. */
import { type AuditedChannel, channelKey, type ChannelReference, type GivenChannel } from "./channel";
import { channelRead, isDocumented, selectUnused, waiverExpired, waiverUnused } from "./rules";
import {
  type AuditedChannelResult,
  type AuditReport,
  bySeverityAndChannel,
  countsOf,
  fingerprintOf,
  type Finding,
  type NotEvaluableResult,
  type RuleResult,
  toReference,
  type WaivedFinding,
} from "./report";
import { type Audit, type Check, type FleetAudit, type Location, type Problem, type Verdict } from "./rule";
import { type ActiveRule, type LocatedWaiver, readRules, RuleSet, Scopes } from "./ruleFile";
import { types } from "node:util";
import { amount, oneLine } from "../provider/texts";
import { isObject } from "../provider/api";
import { isId, type Selection, selector } from "./schemas";
import { toAuditedChannels } from "./givenChannels";
import { packageName, version } from "../provider/packageManifest";
import { type Rules } from "./ruleFile/schema";

// Collects the verdicts of rules.

class Results {
  readonly findings: Finding[] = [];
  readonly notEvaluable: NotEvaluableResult[] = [];
  readonly channels: AuditedChannelResult[] = [];
  readonly fleetPassed: string[] = [];
  /** The rules and channels of findings. */
  readonly #found = new Set<string>();

  /** Whether one of the rules has a finding on the channel, or on all channels together. */
  has(rules: readonly string[], channel: AuditedChannel | undefined): boolean {
    const key = channel ? channelKey(channel) : "";
    return rules.some((rule) => this.#found.has(`${rule} ${key}`));
  }

  /** Adds a channel on which no rule can be evaluated. */
  addNotEvaluable(channel: ChannelReference, reason: string): void {
    const rule = channelRead.id;
    const notEvaluable = { field: "channel", reason: reason.replace(/\.$/, ""), blocks: true };
    this.notEvaluable.push({ rule, channel: toReference(channel), ...notEvaluable });
  }

  /** Begins a channel; the returned function adds a rule's verdict on it. */
  begin(audited: AuditedChannel): (rule: ActiveRule, verdict: Verdict) => void {
    const channel = toReference(audited);
    const passed: string[] = [];
    this.channels.push({ ...channel, type: audited.type, passed });
    return (rule, verdict) => this.#add(rule, verdict, passed, channel);
  }

  /** Adds a rule's verdict on all channels together. */
  addFleet(rule: ActiveRule, verdict: Verdict): void {
    this.#add(rule, verdict, this.fleetPassed);
  }

  #add(rule: ActiveRule, verdict: Verdict, passed: string[], channel?: ChannelReference): void {
    if (verdict === undefined) return;
    if (verdict.length === 0) passed.push(rule.id);
    for (const outcome of verdict) {
      if ("reason" in outcome) {
        const { field, reason, blocks = false } = outcome;
        this.notEvaluable.push({ rule: rule.id, channel, field, reason, blocks });
      } else {
        this.findings.push(toFinding(rule, outcome, { channel }));
        this.#found.add(`${rule.id} ${channel ? channelKey(channel) : ""}`);
      }
    }
  }
}

// Runs the rules, each on the channels that it is for.

/** Those on one channel on each of them, then those on all channels together. */
function runRules(
  ruleSet: RuleSet,
  channels: readonly AuditedChannel[],
  audit: Pick<Audit, "now" | "partial">,
  results: Results,
): void {
  const scopes = new Scopes(ruleSet);
  const scoped = ruleSet.rules.map((rule) => {
    const { check } = rule;
    const isFor = scopes.of(rule);
    const selected = { ...audit, channels: isFor ? channels.filter(isFor) : channels };
    const evaluate = check?.begin && begun(check.begin, selected);
    return { rule, isFor, selected, evaluate };
  });
  for (const channel of channels) {
    const add = results.begin(channel);
    for (const { rule, isFor, evaluate } of scoped) {
      if (evaluate === undefined || isFor?.(channel) === false) continue;
      add(rule, typeof evaluate === "function" ? verdictOf(() => evaluate(channel)) : evaluate);
    }
  }
  const isReported: FleetAudit["isReported"] = (rules, channel) => results.has(rules, channel);
  for (const { rule, selected } of scoped) {
    const { check } = rule;
    if (check?.run)
      results.addFleet(
        rule,
        verdictOf(() => check.run?.({ ...selected, isReported })),
      );
  }
}

/**
 * Rules may be a user's code, and the channels are of those who are audited: a rule that throws has no verdict, so its
 * channels aren't passed, and the other rules run on.
 */
function verdictOf(run: () => Verdict): Verdict {
  try {
    const verdict = run();
    assertVerdict(verdict);
    return verdict;
  } catch (error) {
    return failed(error);
  }
}

/** The check of each channel, or the verdict on all of them when it can't begin. */
function begun(
  begin: NonNullable<Check["begin"]>,
  audit: Audit,
): ((channel: AuditedChannel) => Verdict) | Verdict {
  try {
    const check = begin(audit);
    // A user's JavaScript may return a verdict instead.
    if (typeof check !== "function") throw new TypeError("its check must return a function");
    return check;
  } catch (error) {
    return failed(error);
  }
}

function failed(error: unknown): Verdict {
  const reason = oneLine(types.isNativeError(error) ? error.message : String(error));
  return [{ field: "channel", reason: `the rule fails: ${reason}; correct the rule`, blocks: true }];
}

/** Rules may be a user's JavaScript, which no compiler checks. */
function assertVerdict(verdict: unknown): void {
  if (verdict === undefined || (Array.isArray(verdict) && verdict.every(isOutcome))) return;
  const format = "{field, actual, expected} or {field, reason}, all of them strings";
  throw new TypeError(`its check must return a list of ${format}`);
}

function isOutcome(outcome: unknown): boolean {
  if (!isObject(outcome)) return false;
  const { field, actual, expected, reason } = outcome;
  const values = "reason" in outcome ? [field, reason] : [field, actual, expected];
  return values.every((value) => typeof value === "string");
}

// Applies waivers, and reports expired and unused ones.

interface Scope {
  readonly partial: boolean;
  readonly now: Date;
}

function waive(
  ruleSet: RuleSet,
  results: Results,
  scope: Scope,
): { findings: Finding[]; waived: WaivedFinding[] } {
  const today = scope.now.toISOString().slice(0, 10);
  const valid = ruleSet.waivers.filter(({ expires }) => expires >= today);
  const findings: Finding[] = [];
  const waived: WaivedFinding[] = [];
  const used = new Set<LocatedWaiver>();
  for (const finding of results.findings) {
    const waiver = valid.find((one) => one.rule === finding.rule && appliesTo(one, finding.channel, ruleSet));
    if (waiver === undefined) {
      findings.push(finding);
      continue;
    }
    const { reason, owner, expires } = waiver;
    used.add(waiver);
    waived.push({ ...finding, waiver: { reason, owner, expires } });
  }
  const unused = valid.filter((waiver) => !used.has(waiver) && isEvaluated(waiver, results, scope, ruleSet));
  return { findings: [...findings, ...waiverFindings(ruleSet, results, today, unused)], waived };
}

function appliesTo(
  { channel: waived }: LocatedWaiver,
  channel: ChannelReference | undefined,
  ruleSet: RuleSet,
): boolean {
  if (waived === undefined) return true;
  if (channel === undefined) return false;
  return isId(waived) ? String(channel.id) === String(waived) : ruleSet.namesOf(channel).includes(waived);
}

/** Whether this audit could have found what the waiver is for. */
function isEvaluated(waiver: LocatedWaiver, results: Results, { partial }: Scope, ruleSet: RuleSet): boolean {
  const isWaived = (channel: ChannelReference | undefined) => appliesTo(waiver, channel, ruleSet);
  const isNotEvaluable = results.notEvaluable.some(
    ({ rule, channel }) => [waiver.rule, channelRead.id].includes(rule) && isWaived(channel),
  );
  if (isNotEvaluable) return false;
  return !partial || (waiver.channel !== undefined && results.channels.some(isWaived));
}

function waiverFindings(
  ruleSet: RuleSet,
  { channels }: Results,
  today: string,
  unused: LocatedWaiver[],
): Finding[] {
  const expiredRule = ruleSet.rule(waiverExpired);
  const unusedRule = ruleSet.rule(waiverUnused);
  return ruleSet.waivers.flatMap((waiver, index) => {
    const { rule, channel: named, owner, expires, location } = waiver;
    const channel = named === undefined ? undefined : channels.find((one) => appliesTo(waiver, one, ruleSet));
    const details = {
      channel: channel && toReference(channel),
      location,
      subject: `${rule}/${named ?? "all"}`,
    };
    if (expiredRule && expires < today) {
      const actual = `${expires}, for ${rule} by ${owner}`;
      return [
        toFinding(
          expiredRule,
          { field: `waivers[${index}].expires`, actual, expected: `${today} or later` },
          details,
        ),
      ];
    }
    if (unusedRule && unused.includes(waiver)) {
      const expected = `a finding of ${rule}${named === undefined ? "" : ` on ${named}`}`;
      return [toFinding(unusedRule, { field: `waivers[${index}]`, actual: "no finding", expected }, details)];
    }
    return [];
  });
}

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

interface FindingDetails {
  readonly channel?: ChannelReference;
  /** Default: where the rule is enabled. */
  readonly location?: Location;
  /** Distinguishes the finding from others of the rule and channel. Default: the field. */
  readonly subject?: string;
}

function toFinding(
  rule: ActiveRule,
  { field, actual, expected }: Problem,
  details: FindingDetails = {},
): Finding {
  const { channel, location = rule.location, subject = field } = details;
  return {
    rule: rule.id,
    severity: rule.severity,
    channel,
    field,
    actual,
    expected,
    fix: rule.fix,
    docs: rule.docs,
    ...(!isDocumented(rule) && { why: rule.why }),
    fingerprint: fingerprintOf(rule.id, channel, subject),
    location,
  };
}
