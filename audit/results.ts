/** Collects the verdicts of rules. */
import type { AuditedChannel } from "./channels/channel";
import { isDocumented } from "./documentedRules";
import { channelRead } from "./rules/channelRead";
import { channelKey, type ChannelReference } from "./channels/channelReference";
import { fingerprintOf } from "./report/fingerprint";
import { type AuditedChannelResult, type Finding, type NotEvaluableResult } from "./report/report";
import { isObject } from "../provider/values/isObject";
import type { Problem, Verdict } from "./definition/rule";
import type { ActiveRule } from "./ruleFile/ruleSet";
import type { Location } from "./definition/location";

interface FindingDetails {
  readonly channel?: ChannelReference;
  /** Default: where the rule is enabled. */
  readonly location?: Location;
  /** Distinguishes the finding from others of the rule and channel. Default: the field. */
  readonly subject?: string;
}

export function toFinding(
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

export function toReference({ id, name, origin, type }: ChannelReference): ChannelReference {
  return { id, name, origin, type };
}

export class Results {
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

/** Rules may be a user's JavaScript, which no compiler checks. */
export function assertVerdict(verdict: unknown): void {
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
