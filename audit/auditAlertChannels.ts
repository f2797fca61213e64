/**
 * Audits alert channels: runs the rules, applies the waivers, and reports selections and waivers in the rules that match nothing or have
 * expired.
 */
import { packageName, version } from "../provider/packageManifest";
import { formatCount, formatSuggestion, toOneLine } from "../provider/texts";
import {
  type AuditedChannel,
  compareById,
  type ChannelReference,
  type GivenChannel,
  isId,
  type CheckedChannel,
  type NotEvaluableChannel,
} from "./channel";
import { checkGivenChannels } from "./channelInputs";
import {
  type AuditedChannelResult,
  type AuditReport,
  computeCounts,
  type Finding,
  computeFingerprint,
  type NotEvaluableResult,
  type RuleResult,
  type WaivedFinding,
} from "./report";
import type { Audit, Location, Outcome, Problem, Verdict } from "./rule";
import { type ActiveRule, readRules, RuleSet } from "./ruleFile";
import type { Rules, Selection } from "./ruleFile/schema";
import { RulesError } from "./ruleFile/yaml";
import { Selections } from "./selections";
import { documentedRules, metaRule } from "./rules";

export interface AuditOptions {
  /**
   * True if the channels are only a part of those to audit. Rules on all channels together then don't report anything as missing, and
   * waivers for other channels aren't reported as unused. Default: false.
   */
  readonly partial?: boolean;
  /** Default: now. */
  readonly now?: Date;
  /** Source of the channels, for the report: an account and service, or a file. */
  readonly source?: string;
}

/**
 * Audits alert channels. The report doesn't contain credentials; see {@link AlertChannel}.
 *
 * @param channels Channels to audit, including channels that couldn't be read. Duplicates are audited once.
 * @param rules The content of a rule file, as an object or from `parseRules`.
 * @throws RulesError with all errors in the rules
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
  return auditCheckedChannels(checkGivenChannels(channels, ruleSet), ruleSet, options);
}

/** Describes a list of all channels of an account. */
export interface Listing {
  /** IDs that appear in the rules or the configuration. */
  readonly named: ReadonlySet<string>;
  /** Channels with these IDs that are missing from the list. */
  readonly absent: readonly NotEvaluableChannel[];
  /** Reason why the list couldn't be read completely; undefined if it's complete. */
  readonly problem?: string | undefined;
}

/**
 * Audits channels that contain no duplicates and already have their names.
 *
 * @param listing Set if the channels are all channels that the service lists.
 */
export function auditCheckedChannels(
  channels: readonly CheckedChannel[],
  ruleSet: RuleSet,
  { partial = false, now = new Date(), source }: AuditOptions = {},
  listing?: Listing,
): AuditReport {
  rejectAmbiguous(channels, ruleSet);
  const selections = new Selections(ruleSet);
  const run = new AuditRun(ruleSet, selections, now);
  const excluded: { channel: CheckedChannel; reason: string }[] = [];
  const kept: CheckedChannel[] = [];
  for (const channel of channels) {
    const exclusion = selections.findExclusion(channel);
    if (exclusion) excluded.push({ channel, reason: exclusion.reason });
    else kept.push(channel);
  }
  // An absent channel isn't added to `excluded`, so that an exclusion that only matches absent channels is reported as unused.
  for (const channel of listing?.absent ?? []) if (!selections.findExclusion(channel)) kept.push(channel);
  const unread = kept.flatMap((channel) => ("reason" in channel ? channel : [])).sort(compareById);
  const audited = kept.flatMap((channel) => ("reason" in channel ? [] : channel)).sort(compareById);

  for (const { reason, ...channel } of unread) run.addUnread(reason, channel);
  const isCutShort = listing?.problem !== undefined;
  if (isCutShort) run.addUnread(listing.problem);
  else if (listing && kept.length === 0)
    // Without this, an audit of no channels would pass, which could hide a wrong account ID.
    run.addUnread(
      excluded.length > 0 ? "the rules exclude every channel" : noChannels,
      undefined,
      excluded.length === 0,
    );
  const incomplete = isCutShort
    ? "the list of alert channels couldn't be read completely. See channel-read"
    : describeIncompleteness(unread.length, partial);
  run.check({ channels: audited, now, partial: incomplete, named: listing?.named });
  if (incomplete === undefined)
    run.checkSelections(
      audited,
      excluded.map(({ channel }) => channel),
    );
  const { findings, waived } = run.applyWaivers(partial || isCutShort);
  const judged = {
    findings: findings.sort(compareFindings),
    waived: waived.sort(compareFindings),
    notEvaluable: run.notEvaluable,
    channels: run.channels,
    excluded: excluded.map(({ channel, reason }) => ({ channel: toReference(channel), reason })),
    fleet: { passed: [...run.fleetPassed] },
    rules: listRules(ruleSet),
  };
  return {
    version: 1,
    auditedAt: now.toISOString(),
    tool: { name: packageName, version },
    source,
    preset: ruleSet.preset,
    counts: computeCounts(judged),
    ...judged,
  };
}

/**
 * Rejects a `channel` of an exclusion or waiver that is the title of several channels, because it would apply to all of them.
 *
 * @throws RulesError with every such name
 */
function rejectAmbiguous(channels: readonly CheckedChannel[], ruleSet: RuleSet): void {
  const uses = [
    ...ruleSet.exclusions.map((one) => ({ ...one, at: `${one.field}.channel` })),
    ...ruleSet.waivers.map((one, index) => ({ ...one, at: `waivers[${index}].channel` })),
  ];
  const unnamed = channels.filter(({ name }) => name === undefined);
  const mistakes = uses.flatMap(({ channel, at, location }) => {
    if (channel === undefined || isId(channel)) return [];
    const matches = unnamed.filter((one) => ruleSet.namesOf(one).includes(channel.normalize()));
    return matches.length > 1
      ? { at, reason: formatAmbiguousName(matches.map(({ id }) => id)), ...location }
      : [];
  });
  if (mistakes.length > 0) throw new RulesError(mistakes, ruleSet.file);
}

/** Returns the reason to reject a name that several channels share. */
export function formatAmbiguousName(ids: readonly (string | number)[]): string {
  return `is the name of ${ids.length} channels. Use an ID instead: ${ids.join(", ")}`;
}

const noChannels = "the account has no alert channels. Correct the account ID or the API key";

function describeIncompleteness(unread: number, partial: boolean): string | undefined {
  if (unread > 0) return `${formatCount(unread, "channel")} can't be evaluated. See channel-read`;
  return partial ? "only some of the channels were audited. Audit all channels" : undefined;
}

/** Sorts errors first, then by channel ID. Findings on all channels together are last. */
function compareFindings(a: Finding, b: Finding): number {
  if (a.severity !== b.severity) return a.severity === "error" ? -1 : 1;
  if (a.channel && b.channel) return compareById(a.channel, b.channel);
  return Number(a.channel === undefined) - Number(b.channel === undefined);
}

/** Lists each rule once, with its highest severity. */
function listRules(ruleSet: RuleSet): RuleResult[] {
  const byId = new Map<string, RuleResult>();
  for (const { id, title, why, fix, docs, severity, location } of ruleSet.rules) {
    const other = byId.get(id);
    if (other === undefined || (other.severity === "warning" && severity === "error"))
      byId.set(id, { id, title, why, fix, docs, severity, location });
  }
  return [...byId.values()];
}

function toReference({ id, name, title, origin, type }: ChannelReference): ChannelReference {
  return { id, name, ...(title !== undefined && { title }), origin, type };
}

type EnabledWaiver = RuleSet["waivers"][number];

/** Runs the rules of one audit and collects the results. */
class AuditRun {
  readonly notEvaluable: NotEvaluableResult[] = [];
  readonly channels: AuditedChannelResult[] = [];
  readonly fleetPassed = new Set<string>();
  readonly #findings: Finding[] = [];
  /** Identifies the rule and the channel of each finding. */
  readonly #reported = new Set<string>();

  constructor(
    readonly ruleSet: RuleSet,
    readonly selections: Selections,
    readonly now: Date,
  ) {}

  /** @param channel Undefined for all channels together. */
  addUnread(reason: string, channel?: ChannelReference, blocks = true): void {
    this.notEvaluable.push({
      rule: metaRule.channelRead.id,
      channel: channel && toReference(channel),
      field: "channel",
      reason: reason.replace(/\.$/, ""),
      blocks,
    });
  }

  /** Runs all rules on each channel, then on all channels together. */
  check({ channels, ...audit }: Audit): void {
    const scoped = this.ruleSet.rules.map((rule) => {
      const isFor = this.selections.getScope(rule);
      const selected = { ...audit, channels: isFor ? channels.filter(isFor) : channels };
      return { rule, isFor, selected, evaluate: rule.check?.begin?.(selected) };
    });
    for (const channel of channels) {
      const reference = toReference(channel);
      const passed: string[] = [];
      this.channels.push({ ...reference, type: channel.type, passed });
      for (const { rule, isFor, evaluate } of scoped) {
        if (!evaluate || isFor?.(channel) === false) continue;
        const verdict = excludeUnknown(evaluate(channel), channel, rule.check?.reads);
        if (verdict?.length === 0) passed.push(rule.id);
        this.#add(rule, verdict, reference);
      }
    }
    const isReported = (rules: readonly string[], channel?: AuditedChannel) =>
      rules.some((rule) => this.#reported.has(computeFingerprint(rule, channel, "")));
    for (const { rule, selected } of scoped) {
      const verdict = rule.check?.run?.({ ...selected, isReported });
      if (verdict?.length === 0) this.fleetPassed.add(rule.id);
      this.#add(rule, verdict);
    }
  }

  #add(rule: ActiveRule, verdict: Verdict = [], channel?: ChannelReference): void {
    for (const outcome of verdict) {
      if ("reason" in outcome) {
        const { field, reason, blocks = false } = outcome;
        this.notEvaluable.push({ rule: rule.id, channel, field, reason, blocks });
      } else {
        const location = channel && this.ruleSet.locationOf(channel.id);
        this.#findings.push(toFinding(rule, outcome, { channel, location }));
        this.#reported.add(computeFingerprint(rule.id, channel, ""));
      }
    }
  }

  /** Reports IDs, names and other selections that match no channel. */
  checkSelections(audited: readonly CheckedChannel[], excluded: readonly CheckedChannel[]): void {
    const unused = this.ruleSet.rule(metaRule.selectUnused);
    if (unused === undefined) return;
    const selections = [
      ...this.ruleSet.selections.map((one) => ({ ...one, channels: audited })),
      ...this.ruleSet.exclusions.map((one) => ({ ...one, channels: excluded })),
    ];
    for (const { select, field, location, channels } of selections) {
      const { ids = [], names = [] } = select;
      const matches = (selection: Selection) => channels.some(this.selections.toPredicate(selection));
      const unknown = [
        ...ids.filter((id) => !matches({ ids: [id] })),
        ...names
          .filter((name) => !matches({ names: [name] }))
          .map((name) => name + this.#formatSuggestion(name)),
      ];
      if (unknown.length === 0 && matches(select)) continue;
      const actual = unknown.length === 0 ? "0 channels" : `0 channels for ${unknown.join(", ")}`;
      this.#findings.push(
        toFinding(unused, { field, actual, expected: "one or more" }, { location, subject: field }),
      );
    }
  }

  /**
   * Separates waived findings from the others, and adds findings on unused waivers and on expired waivers without a finding. A finding
   * whose waiver has expired is reported once, with the date.
   */
  applyWaivers(isPartial: boolean): { findings: Finding[]; waived: WaivedFinding[] } {
    const { waivers } = this.ruleSet;
    const today = this.now.toISOString().slice(0, 10);
    const expiredRule = this.ruleSet.rule(metaRule.waiverExpired);
    const findings: Finding[] = [];
    const waived: WaivedFinding[] = [];
    const used = new Set<EnabledWaiver>();
    for (const finding of this.#findings) {
      const { rule, channel, field } = finding;
      const covering = waivers.filter(
        (one) => one.rule === rule && (one.field ?? field) === field && this.#covers(one, channel),
      );
      const waiver = covering.find(({ expires }) => expires >= today);
      const expired = covering.filter(({ expires }) => expires < today);
      for (const one of [...expired, waiver]) if (one) used.add(one);
      const [lapsed] = expiredRule ? expired : [];
      if (waiver) {
        const { reason, owner, expires } = waiver;
        waived.push({ ...finding, waiver: { reason, owner, expires } });
      } else if (lapsed) {
        const fix = `${finding.fix} The waiver of ${lapsed.owner} expired on ${lapsed.expires}.`;
        findings.push({ ...finding, fix });
      } else findings.push(finding);
    }
    const unusedRule = this.ruleSet.rule(metaRule.waiverUnused);
    for (const [index, waiver] of waivers.entries()) {
      const { rule, channel: named, owner, expires, location } = waiver;
      const channel =
        named === undefined ? undefined : this.channels.find((one) => this.#covers(waiver, one));
      const subject = `${rule}/${named ?? "all"}`;
      const details = { channel: channel && toReference(channel), location, subject };
      const field = `waivers[${index}]`;
      if (expiredRule && expires < today && !used.has(waiver)) {
        const actual = `${expires}, for ${rule} by ${owner}`;
        const problem = { field: `${field}.expires`, actual, expected: `${today} or later` };
        findings.push(toFinding(expiredRule, problem, details));
      } else if (
        unusedRule &&
        expires >= today &&
        !used.has(waiver) &&
        this.#isEvaluated(waiver, isPartial)
      ) {
        const near = channel === undefined ? this.#formatSuggestion(named) : "";
        const expected = `a finding of ${rule}${named === undefined ? "" : ` on ${named}${near}`}`;
        findings.push(toFinding(unusedRule, { field, actual: "no finding", expected }, details));
      }
    }
    return { findings, waived };
  }

  /** Suggests an audited channel with a similar name. */
  #formatSuggestion(name: string | number = ""): string {
    const names = this.channels.flatMap((channel) => this.ruleSet.namesOf(channel));
    return isId(name) ? "" : formatSuggestion(name, names.map(toOneLine));
  }

  #covers({ channel: waived }: EnabledWaiver, channel: ChannelReference | undefined): boolean {
    if (waived === undefined) return true;
    if (channel === undefined) return false;
    const isSame = String(channel.id) === String(waived);
    return isSame || (!isId(waived) && this.ruleSet.namesOf(channel).includes(waived.normalize()));
  }

  /** Returns true if this audit could have reported the finding that the waiver covers. */
  #isEvaluated(waiver: EnabledWaiver, isPartial: boolean): boolean {
    const isNotEvaluable = this.notEvaluable.some(
      ({ rule, channel }) =>
        [waiver.rule, metaRule.channelRead.id].includes(rule) && this.#covers(waiver, channel),
    );
    if (isNotEvaluable) return false;
    return (
      !isPartial || (waiver.channel !== undefined && this.channels.some((one) => this.#covers(waiver, one)))
    );
  }
}

/** Replaces outcomes on values that a plan doesn't contain. A rule that reads such a value doesn't pass. */
function excludeUnknown(
  verdict: Verdict,
  { unknown, credentials }: AuditedChannel,
  reads: readonly string[] = [],
): Verdict {
  if (unknown === undefined) return verdict;
  const isOn = (field: string) => (outcome: Outcome) => outcome.field === field;
  // A header may be a problem even if the value of a different header is unknown.
  const isPartlyKnown = ({ field }: Outcome) =>
    (credentials[field.replace("config.", "")]?.secretPart ?? "hidden") !== "hidden";
  const known = (verdict ?? []).filter(
    (one) => !Object.hasOwn(unknown, one.field) || ("actual" in one && isPartlyKnown(one)),
  );
  const open = Object.entries(unknown).filter(([field]) => {
    const isRead = reads.some((one) => `${field}.`.startsWith(`${one}.`)) || verdict?.some(isOn(field));
    return isRead && !known.some(isOn(field));
  });
  return open.length === 0 ? verdict : [...known, ...open.map(([field, reason]) => ({ field, reason }))];
}

const documentedIds: ReadonlySet<string> = new Set(documentedRules.map(({ id }) => id));

/**
 * @param details The channel, the location (default: where the rule is enabled), and the subject of the fingerprint (default: the field).
 */
function toFinding(
  { id, why, docs, ...rule }: ActiveRule,
  { field, actual, expected, confidence, severity = rule.severity, fix = rule.fix }: Problem,
  details: { channel?: ChannelReference; location?: Location; subject?: string },
): Finding {
  const { channel, location = rule.location } = details;
  // The fingerprint of a finding changes when it becomes certain, so that it's reported as a new finding.
  const { subject = confidence === "likely" ? `${field}/likely` : field } = details;
  return {
    rule: id,
    severity,
    channel,
    field,
    actual,
    expected,
    fix,
    docs,
    ...(confidence && { confidence }),
    ...(!documentedIds.has(id) && { why }),
    fingerprint: computeFingerprint(id, channel, subject),
    location,
  };
}
