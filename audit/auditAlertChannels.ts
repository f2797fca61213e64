/** Audits channels: runs the rules on the channels, reports what is wrong with the rules themselves, and applies the waivers. */
import { matcherOf } from "../provider/expectations";
import { packageName, version } from "../provider/packageManifest";
import { amount } from "../provider/texts";
import {
  type AuditedChannel,
  byNumber,
  type ChannelReference,
  type GivenChannel,
  hasType,
  isId,
  type JudgedChannel,
  type NotEvaluableChannel,
} from "./channel";
import { judgeGiven } from "./givenChannels";
import {
  type AuditedChannelResult,
  type AuditReport,
  countsOf,
  type Finding,
  fingerprintOf,
  type NotEvaluableResult,
  type RuleResult,
  type WaivedFinding,
} from "./report";
import type { Audit, FleetAudit, Location, Outcome, Problem, Verdict } from "./rule";
import { type ActiveExclusion, type ActiveRule, readRules, RuleSet } from "./ruleFile";
import type { Rules, Selection } from "./ruleFile/schema";
import { documentedRules, metaRule } from "./rules";

export interface AuditOptions {
  /**
   * True if these are only some of the channels. Rules on all channels together then report nothing as missing, and a
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
  options?: AuditOptions,
): AuditReport {
  const ruleSet = rules instanceof RuleSet ? rules : readRules(rules);
  return auditJudged(judgeGiven(channels, ruleSet), ruleSet, options).report;
}

/** The list of all channels of an account. */
export interface Listing {
  /** Ids that the rules, the configuration or a stack name. */
  readonly named: ReadonlySet<string>;
  /** The channels with these ids that the list lacks. */
  readonly absent: readonly NotEvaluableChannel[];
  /** The reason why the list couldn't be read whole; undefined if it was. */
  readonly problem?: string | undefined;
}

interface Judgement {
  readonly report: AuditReport;
  /** The channels without a field that a rule needed, although every channel has it. */
  readonly lacking: readonly AuditedChannel[];
}

/** @param channels Each once, with its name. @param listing Given if these are all channels that the service lists. */
export function auditJudged(
  channels: readonly JudgedChannel[],
  ruleSet: RuleSet,
  { partial = false, now = new Date() }: AuditOptions = {},
  listing?: Listing,
): Judgement {
  const selections = new Selections(ruleSet);
  const { excluded, ...kept } = selections.divide(channels);
  const audited = kept.audited.sort(byNumber);
  // An exclusion of an absent channel leaves nothing out.
  const absent = selections.divide(listing?.absent ?? []).notEvaluable;
  const unread = [...kept.notEvaluable, ...absent].sort(byNumber);
  const results = new Results();
  for (const { reason, ...channel } of unread) results.addUnread(channel, reason);
  const isCutShort = listing?.problem !== undefined;
  if (isCutShort) results.addUnread(undefined, listing.problem);
  else if (listing && audited.length + unread.length === 0) {
    const reason =
      excluded.length > 0 ? "the rules exclude every channel" : "the account has no alert channels";
    results.addUnread(undefined, reason, false);
  }
  const whyPartial = isCutShort ? incompleteList : partialReason(partial, unread.length);
  const named = listing?.named;
  runRules(ruleSet, selections, audited, { now, partial: whyPartial, named }, results);
  if (whyPartial === undefined) reportUnusedSelections(ruleSet, selections, audited, excluded, results);
  const { findings, waived } = waive(ruleSet, results, { partial: partial || isCutShort, now });
  const judged = {
    findings: findings.sort(bySeverityAndChannel),
    waived: waived.sort(bySeverityAndChannel),
    baselined: [],
    notEvaluable: results.notEvaluable,
    channels: results.channels,
    excluded: excluded.map(({ channel, reason }) => ({ channel: toReference(channel), reason })),
    fleet: { passed: [...new Set(results.fleetPassed)] },
    rules: rulesOf(ruleSet),
  };
  const report = {
    version: 1,
    auditedAt: now.toISOString(),
    tool: { name: packageName, version },
    preset: ruleSet.preset,
    counts: countsOf(judged),
    ...judged,
  } as const;
  return { report, lacking: audited.filter((channel) => results.isLacking(channel)) };
}

const incompleteList = "the list of alert channels couldn't be read whole; see channel-read";

function partialReason(partial: boolean, unread: number): string | undefined {
  if (unread > 0) return `${amount(unread, "channel")} can't be evaluated; see channel-read`;
  return partial ? "only some of the channels were audited; audit all of them" : undefined;
}

/** Orders findings: errors first, then by the ids of channels; findings on all channels together are last. */
function bySeverityAndChannel(a: Finding, b: Finding): number {
  if (a.severity !== b.severity) return a.severity === "error" ? -1 : 1;
  if (a.channel && b.channel) return byNumber(a.channel, b.channel);
  return Number(a.channel === undefined) - Number(b.channel === undefined);
}

function rulesOf(ruleSet: RuleSet): RuleResult[] {
  const byId = new Map<string, RuleResult>();
  for (const { id, title, why, fix, docs, severity, location } of ruleSet.rules) {
    const other = byId.get(id);
    if (other === undefined || (other.severity === "warning" && severity === "error"))
      byId.set(id, { id, title, why, fix, docs, severity, location });
  }
  return [...byId.values()];
}

function runRules(
  ruleSet: RuleSet,
  selections: Selections,
  channels: readonly AuditedChannel[],
  audit: Omit<Audit, "channels">,
  results: Results,
): void {
  const scoped = ruleSet.rules.map((rule) => {
    const isFor = selections.scopeOf(rule);
    const selected = { ...audit, channels: isFor ? channels.filter(isFor) : channels };
    return { rule, isFor, selected, evaluate: rule.check?.begin?.(selected) };
  });
  for (const channel of channels) {
    const result = results.begin(channel);
    for (const { rule, isFor, evaluate } of scoped)
      if (evaluate && isFor?.(channel) !== false) results.add(rule, evaluate(channel), result);
  }
  const isReported: FleetAudit["isReported"] = (rules, channel) => results.has(rules, channel);
  for (const { rule, selected } of scoped) results.add(rule, rule.check?.run?.({ ...selected, isReported }));
}

interface Excluded {
  readonly channel: JudgedChannel;
  readonly reason: string;
}

interface Division {
  readonly audited: AuditedChannel[];
  readonly notEvaluable: NotEvaluableChannel[];
  readonly excluded: Excluded[];
}

type Selects = (channel: JudgedChannel) => boolean;

/** Finds the channels that the rules select. Compiles each selection once. */
class Selections {
  readonly #ruleSet: RuleSet;
  readonly #compiled = new Map<Selection, Selects>();
  /** The index of the last override that selects a channel, or -1, by the list of overrides that settings of one rule share. */
  readonly #last = new Map<readonly Selection[], Map<JudgedChannel, number>>();

  constructor(ruleSet: RuleSet) {
    this.#ruleSet = ruleSet;
  }

  /** Divides the channels. The first exclusion that selects a channel gives the reason. */
  divide(channels: readonly JudgedChannel[]): Division {
    const division: Division = { audited: [], notEvaluable: [], excluded: [] };
    for (const channel of channels) {
      const exclusion = this.#ruleSet.exclusions.find(({ select }) => this.of(select)(channel));
      if (exclusion) division.excluded.push({ channel, reason: exclusion.reason });
      else if ("reason" in channel) division.notEvaluable.push(channel);
      else division.audited.push(channel);
    }
    return division;
  }

  /** Returns a function that is true for a channel to which the rule applies; undefined if the rule applies to all channels. */
  scopeOf({ select, overrides, firstLater }: ActiveRule): Selects | undefined {
    if (select.length + overrides.length === 0) return undefined;
    return (channel) =>
      select.every((selection) => this.of(selection)(channel)) &&
      this.#lastOf(overrides, channel) < firstLater;
  }

  #lastOf(overrides: readonly Selection[], channel: JudgedChannel): number {
    const ofChannels = this.#last.get(overrides) ?? new Map<JudgedChannel, number>();
    this.#last.set(overrides, ofChannels);
    const last = ofChannels.get(channel) ?? overrides.findLastIndex((each) => this.of(each)(channel));
    ofChannels.set(channel, last);
    return last;
  }

  /** Returns a function that is true for a selected channel. */
  of(selection: Selection): Selects {
    const compiled = this.#compiled.get(selection) ?? this.#compile(selection);
    this.#compiled.set(selection, compiled);
    return compiled;
  }

  #compile({ types, ids, names }: Selection): Selects {
    const selectedIds = ids && new Set(ids.map(String));
    const isNamed = names?.map((name) => matcherOf(patternOf(name)));
    return (channel) =>
      (!types || (!("reason" in channel) && hasType(channel, types))) &&
      (!selectedIds || selectedIds.has(String(channel.id))) &&
      (!isNamed || this.#ruleSet.namesOf(channel).some((name) => isNamed.some((matches) => matches(name))));
  }
}

/** Converts `*` to a pattern that matches anything. `matcherOf` takes linear time, because a rule file is untrusted input. */
function patternOf(name: string): string {
  const parts = name.split("*").map((part) => part.replace(/[\\^$.+?()[\]{}|/]/g, "\\$&"));
  return `^${parts.join("[\\s\\S]*")}$`;
}

/** Collects the verdicts of rules. */
class Results {
  readonly findings: Finding[] = [];
  readonly notEvaluable: NotEvaluableResult[] = [];
  readonly channels: AuditedChannelResult[] = [];
  readonly fleetPassed: string[] = [];
  /** The rules and channels of findings. */
  readonly #reported = new Set<string>();
  /** The fields for lack of which a rule couldn't be evaluated. */
  readonly #lacks = new Set<string>();

  has(rules: readonly string[], channel: AuditedChannel | undefined): boolean {
    return rules.some((rule) => this.#reported.has(fingerprintOf(rule, channel, "")));
  }

  isLacking(channel: AuditedChannel): boolean {
    return [...this.#lacks].some((field) => Reflect.get(channel, field) === undefined);
  }

  /** @param channel Undefined for all channels together. */
  addUnread(channel: ChannelReference | undefined, reason: string, blocks = true): void {
    const rule = metaRule.channelRead.id;
    const notEvaluable = { field: "channel", reason: reason.replace(/\.$/, ""), blocks };
    this.notEvaluable.push({ rule, channel: channel && toReference(channel), ...notEvaluable });
  }

  begin(channel: AuditedChannel): AuditedResult {
    const [reference, passed] = [toReference(channel), []];
    this.channels.push({ ...reference, type: channel.type, passed });
    return { reference, passed };
  }

  /** Adds a rule's verdict. @param audited Undefined for a verdict on all channels together. */
  add(rule: ActiveRule, verdict: Verdict, audited?: AuditedResult): void {
    if (verdict?.length === 0) (audited?.passed ?? this.fleetPassed).push(rule.id);
    for (const outcome of verdict ?? []) this.#addOutcome(rule, outcome, audited?.reference);
  }

  #addOutcome(rule: ActiveRule, outcome: Outcome, channel: ChannelReference | undefined): void {
    if ("reason" in outcome) {
      const { field, reason, blocks = false, lacks } = outcome;
      this.notEvaluable.push({ rule: rule.id, channel, field, reason, blocks });
      if (lacks !== undefined) this.#lacks.add(lacks);
    } else {
      this.findings.push(toFinding(rule, outcome, { channel }));
      this.#reported.add(fingerprintOf(rule.id, channel, ""));
    }
  }
}

/** The results of a channel, and what names it in each. */
interface AuditedResult {
  readonly reference: ChannelReference;
  readonly passed: string[];
}

interface FindingDetails {
  readonly channel?: ChannelReference;
  /** Default: where the rule is enabled. */
  readonly location?: Location;
  /** Distinguishes the finding from others of the rule and channel. Default: the field. */
  readonly subject?: string;
}

const documentedIds: ReadonlySet<string> = new Set(documentedRules.map(({ id }) => id));

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
    ...(!documentedIds.has(rule.id) && { why: rule.why }),
    fingerprint: fingerprintOf(rule.id, channel, subject),
    location,
  };
}

function toReference(channel: ChannelReference): ChannelReference {
  const { id, name, title, origin, type } = channel;
  return { id, name, ...(title !== undefined && { title }), origin, type };
}

/** Reports each id and each name that matches no channel, and each other selection that matches none. */
function reportUnusedSelections(
  ruleSet: RuleSet,
  selections: Selections,
  audited: readonly AuditedChannel[],
  excluded: readonly Excluded[],
  results: Results,
): void {
  const rule = ruleSet.rule(metaRule.selectUnused);
  if (rule === undefined) return;
  const report = (
    one: Omit<ActiveExclusion, "reason">,
    channels: readonly JudgedChannel[],
    subject = one.field,
  ) => {
    const { select, field, location } = one;
    const { ids = [], names = [] } = select;
    const matches = (selection: Selection) => channels.some(selections.of(selection));
    const unknown = [
      ...ids.filter((id) => !matches({ ids: [id] })),
      ...names.filter((name) => !matches({ names: [name] })),
    ];
    if (unknown.length === 0 && matches(select)) return;
    const actual = unknown.length === 0 ? "0 channels" : `0 channels for ${unknown.join(", ")}`;
    results.findings.push(toFinding(rule, { field, actual, expected: "one or more" }, { location, subject }));
  };
  for (const { id, select, location } of ruleSet.rules)
    for (const one of select) report({ select: one, field: `rules.${id}.select`, location }, audited, id);
  const excludedChannels = excluded.map(({ channel }) => channel);
  for (const exclusion of ruleSet.exclusions) report(exclusion, excludedChannels);
}

type EnabledWaiver = RuleSet["waivers"][number];

interface Scope {
  readonly partial: boolean;
  readonly now: Date;
}

/** Separates the findings that a valid waiver covers from the others, and adds findings on the waivers themselves. */
function waive(
  ruleSet: RuleSet,
  results: Results,
  scope: Scope,
): { findings: Finding[]; waived: WaivedFinding[] } {
  const today = scope.now.toISOString().slice(0, 10);
  const valid = ruleSet.waivers.filter(({ expires }) => expires >= today);
  const findings: Finding[] = [];
  const waived: WaivedFinding[] = [];
  const used = new Set<EnabledWaiver>();
  for (const finding of results.findings) {
    const waiver = valid.find((one) => one.rule === finding.rule && appliesTo(one, finding.channel, ruleSet));
    if (waiver) {
      const { reason, owner, expires } = waiver;
      used.add(waiver);
      waived.push({ ...finding, waiver: { reason, owner, expires } });
    } else findings.push(finding);
  }
  const unused = valid.filter((waiver) => !used.has(waiver) && isEvaluated(waiver, results, scope, ruleSet));
  return { findings: [...findings, ...waiverFindings(ruleSet, results, today, unused)], waived };
}

function appliesTo(
  { channel: waived }: EnabledWaiver,
  channel: ChannelReference | undefined,
  ruleSet: RuleSet,
): boolean {
  if (waived === undefined) return true;
  if (channel === undefined) return false;
  return isId(waived) ? String(channel.id) === String(waived) : ruleSet.namesOf(channel).includes(waived);
}

/** Returns true if this audit could have reported the finding that the waiver covers. */
function isEvaluated(waiver: EnabledWaiver, results: Results, { partial }: Scope, ruleSet: RuleSet): boolean {
  const isWaived = (channel: ChannelReference | undefined) => appliesTo(waiver, channel, ruleSet);
  const isNotEvaluable = results.notEvaluable.some(
    ({ rule, channel }) => [waiver.rule, metaRule.channelRead.id].includes(rule) && isWaived(channel),
  );
  if (isNotEvaluable) return false;
  return !partial || (waiver.channel !== undefined && results.channels.some(isWaived));
}

function waiverFindings(
  ruleSet: RuleSet,
  { channels }: Results,
  today: string,
  unused: readonly EnabledWaiver[],
): Finding[] {
  const expiredRule = ruleSet.rule(metaRule.waiverExpired);
  const unusedRule = ruleSet.rule(metaRule.waiverUnused);
  return ruleSet.waivers.flatMap((waiver, index) => {
    const { rule, channel: named, owner, expires, location } = waiver;
    const channel = named === undefined ? undefined : channels.find((one) => appliesTo(waiver, one, ruleSet));
    const subject = `${rule}/${named ?? "all"}`;
    const details = { channel: channel && toReference(channel), location, subject };
    const field = `waivers[${index}]`;
    if (expiredRule && expires < today) {
      const actual = `${expires}, for ${rule} by ${owner}`;
      const problem = { field: `${field}.expires`, actual, expected: `${today} or later` };
      return toFinding(expiredRule, problem, details);
    }
    if (!unusedRule || !unused.includes(waiver)) return [];
    const expected = `a finding of ${rule}${named === undefined ? "" : ` on ${named}`}`;
    return toFinding(unusedRule, { field, actual: "no finding", expected }, details);
  });
}
