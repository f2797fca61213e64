/** Policies on the alert channels that a stack observes: one for each rule of the audit. */
import type { EnforcementLevel, PolicyResource, StackValidationPolicy } from "@pulumi/policy";
import { isOfType } from "../provider/resourceTypes";
import {
  type ActiveRule,
  type AlertChannel,
  auditAlertChannels,
  type AuditReport,
  type ChannelReference,
  observedChannel,
  readRules,
  type Rules,
  RuleSet,
  type Severity,
  type UnreadableChannel,
} from "../audit";
import { channelLabel, openSentence, sentence } from "../audit/formats/words";

const enforcement: Readonly<Record<Severity, EnforcementLevel>> = { error: "mandatory", warning: "advisory" };

/**
 * The rules of an audit as policies over a stack's `AlertChannel` resources. Each rule is a policy of its name:
 * mandatory where the rule's severity is `error`, advisory where it is `warning`. One more, advisory, is
 * `not-evaluable`: it names what couldn't be judged, such as a channel in a preview that no run has read yet.
 *
 * @param rules What a rule file says, as an object or as `parseRules` gives it.
 * @throws RulesError with every mistake in the rules
 *
 * @example
 * new PolicyPack("channels", { policies: alertChannelPolicies({ extends: "recommended" }) });
 */
export function alertChannelPolicies(rules: Rules | RuleSet): StackValidationPolicy[] {
  const ruleSet = rules instanceof RuleSet ? rules : readRules(rules);
  return [...ruleSet.rules.map((rule) => policyOf(rule, ruleSet)), notEvaluable(ruleSet)];
}

function policyOf({ id, title, why, fix, severity }: ActiveRule, ruleSet: RuleSet): StackValidationPolicy {
  return {
    name: id,
    displayName: title,
    description: `${title}. ${why}`,
    remediationSteps: fix,
    enforcementLevel: enforcement[severity],
    validateStack: ({ resources }, reportViolation) => {
      const { report, urnOf } = audit(resources, ruleSet);
      for (const finding of report.findings.filter(({ rule }) => rule === id)) {
        const message = `${channelLabel(finding.channel)}: ${sentence(finding)}. ${finding.fix}`;
        reportViolation(message, urnOf(finding.channel));
      }
    },
  };
}

function notEvaluable(ruleSet: RuleSet): StackValidationPolicy {
  return {
    name: "not-evaluable",
    displayName: "Every rule on alert channels can be judged",
    description: "Every rule on alert channels can be judged. What can't be isn't known to be right.",
    enforcementLevel: "advisory",
    validateStack: ({ resources }, reportViolation) => {
      const { report, unread, urnOf } = audit(resources, ruleSet);
      for (const { name, urn } of unread) {
        reportViolation(`${name}: not read yet; \`pulumi up\` reads it and judges it.`, urn);
      }
      for (const open of report.notEvaluable) {
        // While a channel isn't read, no rule on all of them can be judged: that is said already.
        if (open.channel === undefined && unread.length > 0) continue;
        const message = `${channelLabel(open.channel)}: ${open.rule}: ${openSentence(open)}.`;
        reportViolation(message, urnOf(open.channel));
      }
    },
  };
}

interface StackAudit {
  readonly report: AuditReport;
  /** Resources whose channel no run has read yet. */
  readonly unread: readonly PolicyResource[];
  /** The resource that observes a channel; undefined for all channels together. */
  readonly urnOf: (channel: ChannelReference | undefined) => string | undefined;
}

function audit(resources: readonly PolicyResource[], ruleSet: RuleSet): StackAudit {
  const channels: (AlertChannel | UnreadableChannel)[] = [];
  const urns = new Map<string | number, string>();
  const unread: PolicyResource[] = [];
  for (const resource of resources) {
    if (!isOfType(resource.type, "AlertChannel")) continue;
    const channel = knownChannel(resource);
    if (channel === undefined) {
      unread.push(resource);
    } else {
      channels.push(channel);
      urns.set(channel.id, resource.urn);
    }
  }
  return {
    report: auditAlertChannels(channels, ruleSet, { partial: unread.length > 0 }),
    unread,
    urnOf: (channel) => channel && urns.get(channel.id),
  };
}

/** The channel, or undefined while it isn't known: a preview knows only what an earlier run has read. */
function knownChannel({ name, props }: PolicyResource): AlertChannel | UnreadableChannel | undefined {
  try {
    return observedChannel(name, props);
  } catch {
    // Touching what a preview doesn't know yet throws.
    return undefined;
  }
}
