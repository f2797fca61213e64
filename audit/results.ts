/** Collects what rules say. */
import type { AuditedChannel } from "./channel";
import type { AuditedChannelResult, ChannelReference, Finding, NotEvaluable } from "./report";
import { isObject } from "./custom/value";
import type { Problem, Verdict } from "./rule";
import type { ActiveRule, Location } from "./ruleSet";

interface About {
  readonly channel?: ChannelReference;
  /** Default: what turned the rule on. */
  readonly location?: Location;
  /** What tells the finding from others of the rule and channel. Default: the field. */
  readonly subject?: string;
}

export function findingOf(
  rule: ActiveRule,
  { field, actual, expected }: Problem,
  about: About = {},
): Finding {
  const { channel, location = rule.location, subject = field } = about;
  return {
    rule: rule.id,
    severity: rule.severity,
    channel,
    field,
    actual,
    expected,
    fix: rule.fix,
    fingerprint: `${rule.id}/${channel ? channel.id : "all"}/${subject}`,
    location,
  };
}

export function referenceTo({ id, name, type }: ChannelReference): ChannelReference {
  return { id, name, type };
}

export class Results {
  readonly findings: Finding[] = [];
  readonly notEvaluable: NotEvaluable[] = [];
  readonly channels: AuditedChannelResult[] = [];
  readonly fleetPassed: string[] = [];

  /** Takes up a channel; the function adds what a rule says of it. */
  begin(audited: AuditedChannel): (rule: ActiveRule, verdict: Verdict) => void {
    const channel = referenceTo(audited);
    const passed: string[] = [];
    this.channels.push({ ...channel, type: audited.type, passed });
    return (rule, verdict) => this.#add(rule, verdict, passed, channel);
  }

  /** Adds what a rule says of all channels together. */
  addFleet(rule: ActiveRule, verdict: Verdict): void {
    this.#add(rule, verdict, this.fleetPassed);
  }

  #add(rule: ActiveRule, verdict: Verdict, passed: string[], channel?: ChannelReference): void {
    if (verdict === undefined) return;
    if (!isVerdict(verdict)) {
      const form = "{field, actual, expected} or {field, reason}, all of them texts";
      throw new TypeError(`its check must give a list of ${form}`);
    }
    if (verdict.length === 0) passed.push(rule.id);
    for (const outcome of verdict) {
      if ("reason" in outcome) {
        this.notEvaluable.push({ rule: rule.id, channel, field: outcome.field, reason: outcome.reason });
      } else {
        this.findings.push(findingOf(rule, outcome, { channel }));
      }
    }
  }
}

/** Rules may be code of others that no compiler has looked at. */
function isVerdict(verdict: unknown): boolean {
  return Array.isArray(verdict) && verdict.every(isOutcome);
}

function isOutcome(outcome: unknown): boolean {
  if (!isObject(outcome)) return false;
  const { field, actual, expected, reason } = outcome;
  const texts = "reason" in outcome ? [field, reason] : [field, actual, expected];
  return texts.every((text) => typeof text === "string");
}
