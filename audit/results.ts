/** Collects the verdicts of rules. */
import type { AuditedChannel } from "./channel";
import {
  type AuditedChannelResult,
  channelKey,
  type ChannelReference,
  type Finding,
  type NotEvaluable,
} from "./report";
import { isObject } from "./custom/value";
import type { Problem, Verdict } from "./rule";
import type { ActiveRule, Location } from "./ruleSet";

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
    fingerprint: `${rule.id}/${channel ? channelKey(channel) : "all"}/${subject}`,
    location,
  };
}

export function toReference({ id, name, origin, type }: ChannelReference): ChannelReference {
  return { id, name, origin, type };
}

export class Results {
  readonly findings: Finding[] = [];
  readonly notEvaluable: NotEvaluable[] = [];
  readonly channels: AuditedChannelResult[] = [];
  readonly fleetPassed: string[] = [];

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
    if (!isVerdict(verdict)) {
      const format = "{field, actual, expected} or {field, reason}, all of them strings";
      throw new TypeError(`its check must return a list of ${format}`);
    }
    if (verdict.length === 0) passed.push(rule.id);
    for (const outcome of verdict) {
      if ("reason" in outcome) {
        this.notEvaluable.push({ rule: rule.id, channel, field: outcome.field, reason: outcome.reason });
      } else {
        this.findings.push(toFinding(rule, outcome, { channel }));
      }
    }
  }
}

/** Rules may be a user's JavaScript, which no compiler checks. */
function isVerdict(verdict: unknown): boolean {
  return Array.isArray(verdict) && verdict.every(isOutcome);
}

function isOutcome(outcome: unknown): boolean {
  if (!isObject(outcome)) return false;
  const { field, actual, expected, reason } = outcome;
  const values = "reason" in outcome ? [field, reason] : [field, actual, expected];
  return values.every((value) => typeof value === "string");
}
