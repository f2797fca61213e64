/** Audits channels: runs the rules on the channels, reports what is wrong with the rules themselves, and applies the waivers. */
import { matcherOf } from "../provider/expectations";
import { packageName, version } from "../provider/packageManifest";
import { amount } from "../provider/texts";
import {
  type AuditedChannel,
  byNumber,
  channelKey,
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
import type { Audit, FleetAudit, Location, Problem, Verdict } from "./rule";
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
  return auditJudged(judgeGiven(channels, ruleSet), ruleSet, options);
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

/** @param channels Each once, with its name. @param listing Given if these are all channels that the service lists. */
export function auditJudged(
  channels: readonly JudgedChannel[],
  ruleSet: RuleSet,
  { partial = false, now = new Date() }: AuditOptions = {},
  listing?: Listing,
): AuditReport {
  const { excluded, ...kept } = withoutExcluded(channels, ruleSet);
  const audited = kept.audited.sort(byNumber);
  // An exclusion of an absent channel leaves nothing out.
  const absent = withoutExcluded(listing?.absent ?? [], ruleSet).notEvaluable;
  const notEvaluable = [...kept.notEvaluable, ...absent].sort(byNumber);
  const results = new Results();
  for (const { reason, ...channel } of notEvaluable) results.addNotEvaluable(channel, reason);
  if (listing?.problem !== undefined) results.addNotEvaluable(undefined, listing.problem);
  else if (listing && audited.length + notEvaluable.length === 0) {
    const reason =
      excluded.length > 0 ? "the rules exclude every channel" : "the account has no alert channels";
    results.addNotEvaluable(undefined, reason, false);
  }
  const unread =
    listing?.problem === undefined ? partialReason(partial, notEvaluable.length) : incompleteList;
  runRules(ruleSet, audited, { now, partial: unread, named: listing?.named }, results);
  if (unread === undefined) reportUnusedSelections(ruleSet, audited, excluded, results);
  const { findings, waived } = waive(ruleSet, results, {
    partial: partial || unread === incompleteList,
    now,
  });
  const judged = {
    findings: findings.sort(bySeverityAndChannel),
    waived: waived.sort(bySeverityAndChannel),
    baselined: [],
    notEvaluable: results.notEvaluable,
    channels: results.channels,
    excluded: excluded.map(({ channel, exclusion: { reason } }) => ({
      channel: toReference(channel),
      reason,
    })),
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

const incompleteList = "the list of alert channels couldn't be read whole; see channel-read";

function partialReason(partial: boolean, notEvaluable: number): string | undefined {
  if (notEvaluable > 0) return `${amount(notEvaluable, "channel")} can't be evaluated; see channel-read`;
  return partial ? "only some of the channels were audited; audit all of them" : undefined;
}

interface Excluded {
  readonly channel: JudgedChannel;
  readonly exclusion: ActiveExclusion;
}

interface Division {
  readonly audited: AuditedChannel[];
  readonly notEvaluable: NotEvaluableChannel[];
  readonly excluded: Excluded[];
}

/** Divides the channels. The first exclusion that selects a channel gives the reason. */
function withoutExcluded(channels: readonly JudgedChannel[], ruleSet: RuleSet): Division {
  const exclusions = ruleSet.exclusions.map((exclusion) => ({
    exclusion,
    selects: selector(exclusion.select, (channel) => ruleSet.namesOf(channel)),
  }));
  const division: Division = { audited: [], notEvaluable: [], excluded: [] };
  for (const channel of channels) {
    const match = exclusions.find(({ selects }) => selects(channel));
    if (match) division.excluded.push({ channel, exclusion: match.exclusion });
    else if ("reason" in channel) division.notEvaluable.push(channel);
    else division.audited.push(channel);
  }
  return division;
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
  channels: readonly AuditedChannel[],
  audit: Pick<Audit, "now" | "partial" | "named">,
  results: Results,
): void {
  const scopes = new Scopes(ruleSet);
  const scoped = ruleSet.rules.map((rule) => {
    const { check } = rule;
    const isFor = scopes.of(rule);
    const selected = { ...audit, channels: isFor ? channels.filter(isFor) : channels };
    const evaluate = check?.begin?.(selected);
    return { rule, isFor, selected, evaluate };
  });
  for (const channel of channels) {
    const result = results.begin(channel);
    for (const { rule, isFor, evaluate } of scoped) {
      if (evaluate === undefined || isFor?.(channel) === false) continue;
      results.add(rule, evaluate(channel), result);
    }
  }
  const isReported: FleetAudit["isReported"] = (rules, channel) => results.has(rules, channel);
  for (const { rule, selected } of scoped) {
    const { check } = rule;
    if (check?.run) results.add(rule, check.run({ ...selected, isReported }));
  }
}

type Selects = (channel: AuditedChannel) => boolean;

/**
 * Finds the channels that each rule applies to. Compiles each selection once, and compares a rule's overrides with a channel once
 * for all settings of the rule.
 */
class Scopes {
  readonly #ruleSet: Pick<RuleSet, "namesOf">;
  readonly #selectors = new Map<Selection, Selects>();
  /** The index of the last override that selects a channel, or -1. */
  readonly #last = new Map<readonly Selection[], Map<AuditedChannel, number>>();

  constructor(ruleSet: Pick<RuleSet, "namesOf">) {
    this.#ruleSet = ruleSet;
  }

  /** Returns a function that is true for a channel to which the rule applies; undefined if the rule applies to all channels. */
  of({ select, overrides, firstLater }: ActiveRule): Selects | undefined {
    if (select.length + overrides.length === 0) return undefined;
    return (channel) =>
      select.every((selection) => this.#selects(selection, channel)) &&
      this.#lastOf(overrides, channel) < firstLater;
  }

  #lastOf(overrides: readonly Selection[], channel: AuditedChannel): number {
    if (overrides.length === 0) return -1;
    const ofChannels = this.#last.get(overrides) ?? new Map<AuditedChannel, number>();
    this.#last.set(overrides, ofChannels);
    const last =
      ofChannels.get(channel) ?? overrides.findLastIndex((selection) => this.#selects(selection, channel));
    ofChannels.set(channel, last);
    return last;
  }

  #selects(selection: Selection, channel: AuditedChannel): boolean {
    const compiled = this.#selectors.get(selection);
    const selects = compiled ?? selector(selection, (each) => this.#ruleSet.namesOf(each));
    if (!compiled) this.#selectors.set(selection, selects);
    return selects(channel);
  }
}

/**
 * Returns a function that is true for a selected channel.
 *
 * @param namesOf Returns all names of a channel.
 */
function selector(
  { types, ids, names }: Selection,
  namesOf: (channel: JudgedChannel) => readonly string[],
): (channel: JudgedChannel) => boolean {
  const selectedIds = ids && new Set(ids.map(String));
  const isNamed = names?.map((name) => matcherOf(patternOf(name)));
  return (channel) =>
    (!types || (!("reason" in channel) && hasType(channel, types))) &&
    (!selectedIds || selectedIds.has(String(channel.id))) &&
    (!isNamed || namesOf(channel).some((name) => isNamed.some((matches) => matches(name))));
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

  has(rules: readonly string[], channel: AuditedChannel | undefined): boolean {
    const key = channel ? channelKey(channel) : "";
    return rules.some((rule) => this.#reported.has(`${rule} ${key}`));
  }

  /** @param channel Undefined for all channels together. */
  addNotEvaluable(channel: ChannelReference | undefined, reason: string, blocks = true): void {
    const rule = metaRule.channelRead.id;
    const notEvaluable = { field: "channel", reason: reason.replace(/\.$/, ""), blocks };
    this.notEvaluable.push({ rule, channel: channel && toReference(channel), ...notEvaluable });
  }

  begin(channel: AuditedChannel): AuditedResult {
    const result = { ...toReference(channel), type: channel.type, passed: [] };
    this.channels.push(result);
    return result;
  }

  /** Adds a rule's verdict. @param audited Undefined for a verdict on all channels together. */
  add(rule: ActiveRule, verdict: Verdict, audited?: AuditedResult): void {
    if (verdict?.length === 0) (audited?.passed ?? this.fleetPassed).push(rule.id);
    for (const outcome of verdict ?? []) {
      const channel = audited && toReference(audited);
      if ("reason" in outcome) {
        const { field, reason, blocks = false } = outcome;
        this.notEvaluable.push({ rule: rule.id, channel, field, reason, blocks });
      } else {
        this.findings.push(toFinding(rule, outcome, { channel }));
        this.#reported.add(`${rule.id} ${channel ? channelKey(channel) : ""}`);
      }
    }
  }
}

type AuditedResult = AuditedChannelResult & { readonly passed: string[] };

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
  audited: readonly AuditedChannel[],
  excluded: readonly Excluded[],
  results: Results,
): void {
  const rule = ruleSet.rule(metaRule.selectUnused);
  if (rule === undefined) return;
  const excludedChannels = excluded.map(({ channel }) => channel);
  const selections = [
    ...ruleSet.rules.flatMap(({ id, select, location }) =>
      select.map((one) => ({
        subject: id,
        field: `rules.${id}.select`,
        select: one,
        channels: audited,
        location,
      })),
    ),
    ...ruleSet.exclusions.map((exclusion) => ({
      ...{ ...exclusion, subject: exclusion.field, channels: excludedChannels },
    })),
  ];
  for (const { subject, field, select, channels, location } of selections) {
    const matches = (selection: Selection) =>
      channels.some(selector(selection, (channel) => ruleSet.namesOf(channel)));
    const { ids = [], names = [] } = select;
    const unknown = [
      ...ids.filter((one) => !matches({ ids: [one] })),
      ...names.filter((name) => !matches({ names: [name] })),
    ];
    if (unknown.length === 0 && matches(select)) continue;
    const actual = unknown.length === 0 ? "0 channels" : `0 channels for ${unknown.join(", ")}`;
    results.findings.push(toFinding(rule, { field, actual, expected: "one or more" }, { location, subject }));
  }
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
  unused: EnabledWaiver[],
): Finding[] {
  const expiredRule = ruleSet.rule(metaRule.waiverExpired);
  const unusedRule = ruleSet.rule(metaRule.waiverUnused);
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
