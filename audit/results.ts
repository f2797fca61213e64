/** Collects the verdicts of rules. */
import type { AuditedChannel } from "./channels/channel";
import { channelRead } from "./rules/channelRead";
import { channelKey, type ChannelReference } from "./channels/channelReference";
import { toFinding, toReference } from "./finding";
import { type AuditedChannelResult, type Finding, type NotEvaluableResult } from "./report/report";
import type { Verdict } from "./definition/rule";
import type { ActiveRule } from "./ruleFile/ruleSet";

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
