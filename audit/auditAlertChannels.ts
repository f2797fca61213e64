/** Audits alert channels: runs the rules, applies the exceptions, and reports exceptions that apply to nothing or have expired. */
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
import type { Audit, Location, Outcome, Problem, RuleText, Verdict } from "./rule";
import { type ActiveException, type ActiveRule, getSetting, isOff, readRules, RuleSet } from "./ruleFile";
import { type Exception, isOverlapping, type Rules } from "./ruleFile/schema";
import { RulesError } from "./ruleFile/yaml";
import { Selections } from "./selections";
import { documentedRules, metaRule } from "./rules";

export interface AuditOptions {
  /**
   * True if the channels are only a part of those to audit. Rules on all channels together then don't report anything as missing, and
   * exceptions for other channels aren't reported as unused. Default: false.
   */
  readonly partial?: boolean;
  /** Default: now. */
  readonly now?: Date;
  /** Source of the channels, for the report: an account and service, or a file. */
  readonly source?: string;
  /** Reason why the source may lack channels, for the report. It doesn't fail the audit. */
  readonly incompleteness?: string | undefined;
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
  { partial = false, now = new Date(), source, incompleteness }: AuditOptions = {},
  listing?: Listing,
): AuditReport {
  rejectAmbiguous(channels, ruleSet);
  const selections = new Selections(ruleSet, now);
  const run = new AuditRun(ruleSet, selections);
  const excluded: { channel: CheckedChannel; reason: string }[] = [];
  const kept: CheckedChannel[] = [];
  for (const channel of channels) {
    const exclusion = selections.findExclusion(channel);
    if (exclusion) excluded.push({ channel, reason: exclusion.reason });
    else kept.push(channel);
  }
  // An absent channel isn't added to `excluded`, so that an exception that only matches absent channels is reported as unused.
  for (const channel of listing?.absent ?? []) if (!selections.findExclusion(channel)) kept.push(channel);
  const unread = kept.flatMap((channel) => ("reason" in channel ? channel : [])).sort(compareById);
  const audited = kept.flatMap((channel) => ("reason" in channel ? [] : channel)).sort(compareById);

  for (const { reason, blocks, ...channel } of unread) run.addUnread(reason, channel, blocks);
  if (incompleteness !== undefined) run.addUnread(incompleteness, undefined, false);
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
  run.checkExceptions(channels, audited, incomplete === undefined);
  const judged = {
    findings: run.findings.sort(compareFindings),
    waived: run.waived.sort(compareFindings),
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
 * Rejects a `channel` of an exception that is the name of several channels, because the exception would apply to all of them.
 *
 * @throws RulesError with every such name
 */
function rejectAmbiguous(channels: readonly CheckedChannel[], ruleSet: RuleSet): void {
  if (ruleSet.exceptions.length === 0) return;
  const idsByName = groupIdsByName(channels, ruleSet);
  const mistakes = ruleSet.exceptions.flatMap(({ channel, field, location }) => {
    if (channel === undefined || isId(channel)) return [];
    const ids = [...(idsByName.get(channel.normalize()) ?? [])];
    return ids.length > 1 ? { at: `${field}.channel`, reason: formatAmbiguousName(ids), ...location } : [];
  });
  if (mistakes.length > 0) throw new RulesError(mistakes, ruleSet.file);
}

/** Returns the IDs of the channels with each name. Names are in Unicode normalization form NFC. */
export function groupIdsByName(
  channels: readonly Pick<ChannelReference, "id" | "name" | "title">[],
  ruleSet: RuleSet,
): Map<string, Set<string | number>> {
  const idsByName = new Map<string, Set<string | number>>();
  for (const channel of channels)
    for (const name of ruleSet.namesOf(channel))
      idsByName.set(name, (idsByName.get(name) ?? new Set()).add(channel.id));
  return idsByName;
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

/** Runs the rules of one audit and collects the results. */
class AuditRun {
  readonly notEvaluable: NotEvaluableResult[] = [];
  readonly channels: AuditedChannelResult[] = [];
  readonly fleetPassed = new Set<string>();
  readonly findings: Finding[] = [];
  readonly waived: WaivedFinding[] = [];
  readonly #passed = new Map<string, readonly string[]>();
  /** Identifies the rule and the channel of each finding. */
  readonly #reported = new Set<string>();
  /** IDs of the rules with results that an exception accepts, or accepted until it expired. */
  readonly #used = new Map<ActiveException, Set<string>>();

  constructor(
    readonly ruleSet: RuleSet,
    readonly selections: Selections,
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
      for (const { rule, isFor, evaluate } of scoped) {
        if (!evaluate || isFor?.(channel) === false) continue;
        const verdict = excludeUnknown(evaluate(channel), channel, rule.check?.reads);
        if (verdict?.length === 0) passed.push(rule.id);
        this.#add(rule, verdict, channel, reference);
      }
      // In Node 20, a literal that adds properties after a spread creates a hidden class for each object, which takes hundreds of bytes.
      this.channels.push(Object.assign({}, reference, { type: channel.type, passed: this.#share(passed) }));
    }
    const isReported = (rules: readonly string[], channel?: AuditedChannel) =>
      rules.some((rule) => this.#reported.has(computeFingerprint(rule, channel, "")));
    for (const { rule, selected } of scoped) {
      const run = rule.check?.run;
      if (!run) continue;
      const ofAll = this.selections.findAccepting(rule.id);
      const isCounted = (channel: AuditedChannel) =>
        [undefined, ofAll].includes(this.selections.findAccepting(rule.id, channel));
      const counted = selected.channels.filter(isCounted);
      const verdict = run({ ...selected, channels: counted, isReported });
      if (verdict?.length === 0) this.fleetPassed.add(rule.id);
      this.#add(rule, verdict);
    }
  }

  /** Returns an equal list that other channels share, because most channels of a large account pass the same rules. */
  #share(passed: readonly string[]): readonly string[] {
    const key = passed.join("\n");
    const shared = this.#passed.get(key) ?? passed;
    this.#passed.set(key, shared);
    return shared;
  }

  /** @param channel Undefined for all channels together. */
  #add(
    rule: ActiveRule,
    verdict: Verdict = [],
    channel?: AuditedChannel,
    reference?: ChannelReference,
  ): void {
    if (verdict.length === 0) return;
    const location = channel && this.ruleSet.locationOf(channel.id);
    const exception = this.selections.findAccepting(rule.id, channel);
    const expired = this.selections.listExpired(rule.id, channel);
    for (const one of exception ? [...expired, exception] : expired)
      this.#used.set(one, (this.#used.get(one) ?? new Set()).add(rule.id));
    const [lapsed] = this.ruleSet.rule(metaRule.exceptionExpired) ? expired : [];
    for (const outcome of verdict) {
      if ("reason" in outcome) {
        const { field, reason, blocks = false } = outcome;
        if (blocks || !exception)
          this.notEvaluable.push({ rule: rule.id, channel: reference, field, reason, blocks });
        continue;
      }
      this.#reported.add(computeFingerprint(rule.id, channel, ""));
      const finding = toFinding(rule, hideSensitive(outcome, channel), { channel: reference, location });
      if (exception) {
        const { reason, until } = exception;
        this.waived.push({ ...finding, waiver: { reason, ...(until !== undefined && { until }) } });
      } else if (lapsed) {
        const fix = `${finding.fix} The exception expired on ${lapsed.until}.`;
        this.findings.push({ ...finding, fix });
      } else this.findings.push(finding);
    }
  }

  /**
   * Reports exceptions that have expired or apply to nothing, and custom rules whose selection matches no channel.
   *
   * @param isComplete True if the audit could have reported every finding.
   */
  checkExceptions(
    present: readonly CheckedChannel[],
    audited: readonly AuditedChannel[],
    isComplete: boolean,
  ): void {
    const { today } = this.selections;
    for (const exception of this.ruleSet.exceptions) {
      const { channel: named, until, field } = exception;
      const isNamed = (channel: CheckedChannel) =>
        named !== undefined && this.selections.matches(exception, channel);
      const details = { ...exception, channel: present.find(isNamed) };
      const used = this.#used.get(exception) ?? new Set();
      if (this.selections.isExpired(exception)) {
        const problem = { actual: until ?? "", expected: `${today} or later` };
        if (used.size === 0)
          this.#addMeta(metaRule.exceptionExpired, { ...problem, field: `${field}.until` }, details);
        continue;
      }
      if (!isComplete && !audited.some(isNamed)) continue;
      const unknown = this.#formatUnknown(exception, present);
      if (unknown !== undefined)
        this.#addMeta(metaRule.exceptionUnused, { field, actual: unknown, expected: "one or more" }, details);
      else
        for (const id of this.#listAccepted(exception))
          if (!used.has(id)) {
            const problem = {
              field: `${field}.rules.${id}`,
              actual: "no finding",
              expected: `a finding of ${id}`,
            };
            this.#addMeta(metaRule.exceptionUnused, problem, details);
          }
    }
    if (!isComplete) return;
    for (const selection of this.ruleSet.selections) {
      const { field } = selection;
      const unknown = this.#formatUnknown(selection, audited);
      if (unknown !== undefined)
        this.#addMeta(metaRule.selectUnused, { field, actual: unknown, expected: "one or more" }, selection);
    }
  }

  #addMeta(
    { id }: RuleText,
    problem: Problem,
    { channel, location }: { channel?: CheckedChannel | undefined; location?: Location },
  ): void {
    const rule = this.ruleSet.rules.find((each) => each.id === id);
    if (rule)
      this.findings.push(toFinding(rule, problem, { channel: channel && toReference(channel), location }));
  }

  /**
   * Lists the rules that must have a finding, because the exception accepts it until a day. A setting without an end applies in advance. For
   * some channels, a rule on all channels together may have no finding.
   */
  #listAccepted(exception: ActiveException): string[] {
    if (exception.rules === "off" || exception.until === undefined) return [];
    const isOfAll = exception.channel === undefined && exception.select === undefined;
    const isFleetRule = (id: string) => this.ruleSet.rules.some((rule) => rule.id === id && rule.check?.run);
    return Object.keys(exception.rules).filter(
      (id) => isOff(getSetting(exception, id)) && (isOfAll || !isFleetRule(id)),
    );
  }

  /** Returns a string such as `0 channels for tset-*`; undefined if the exception or selection matches a channel. */
  #formatUnknown(
    { channel, select }: Pick<Exception, "channel" | "select">,
    channels: readonly CheckedChannel[],
  ) {
    const isMatched = (part: Pick<Exception, "channel" | "select">) =>
      channels.some((each) => this.selections.matches(part, each));
    const { ids = [], names = [] } = select ?? {};
    const parts = [
      ...(channel === undefined ? [] : [{ one: channel, part: { channel } }]),
      ...ids.map((one) => ({ one, part: { select: { ids: [one] } } })),
      ...names.map((one) => ({ one, part: { select: { names: [one] } } })),
    ];
    const unknown = parts.flatMap(({ one, part }) =>
      isMatched(part) ? [] : `${one}${this.#formatSuggestion(one)}`,
    );
    if (unknown.length > 0) return `0 channels for ${unknown.join(", ")}`;
    return select && !isMatched({ select }) ? "0 channels" : undefined;
  }

  /** Suggests an audited channel with a similar name. */
  #formatSuggestion(name: string | number): string {
    const names = this.channels.flatMap((channel) => this.ruleSet.namesOf(channel));
    return isId(name) ? "" : formatSuggestion(name, names.map(toOneLine));
  }
}

/** Hides the value in a problem with a field that a plan marks as sensitive. */
function hideSensitive(problem: Problem, { sensitive = [] }: Partial<AuditedChannel> = {}): Problem {
  const isHidden = sensitive.some((field) => isOverlapping(problem.field, field));
  return isHidden ? { ...problem, actual: "a sensitive value" } : problem;
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

/** @param details The channel, and the location (default: where the rule is enabled). */
function toFinding(
  { id, why, docs, ...rule }: ActiveRule,
  { field, actual, expected, confidence, severity = rule.severity, fix = rule.fix }: Problem,
  details: { channel?: ChannelReference | undefined; location?: Location | undefined },
): Finding {
  const { channel, location = rule.location } = details;
  // The fingerprint of a finding changes when it becomes certain, so that it's reported as a new finding.
  const subject = confidence === "likely" ? `${field}/likely` : field;
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
