/** Makes the policies on a stack's `AlertChannel` resources: one for each rule of the audit. */
import type { EnforcementLevel, PolicyResource, StackValidationPolicy } from "@pulumi/policy";
import {
  type ActiveRule,
  auditAlertChannels,
  type AuditReport,
  type ChannelReference,
  findingLine,
  type GivenChannel,
  metaRule,
  notEvaluableLine,
  observedChannel,
  observedOutputs,
  readRules,
  type Rules,
  RuleSet,
  type Severity,
} from "../audit";
import { isOfType } from "../provider/engine";

const enforcement: Readonly<Record<Severity, EnforcementLevel>> = { error: "mandatory", warning: "advisory" };

/**
 * The rules of an audit as policies on a stack's `AlertChannel` resources. Each rule is a policy with its id: mandatory
 * when the rule's severity is `error`, advisory when it is `warning`. The additional advisory policy `not-evaluable`
 * reports what couldn't be evaluated, such as a channel that no run has read before a preview.
 *
 * @param rules The content of a rule file, as an object or from `parseRules`.
 * @throws RulesError with every mistake in the rules
 *
 * @example
 * new PolicyPack("channels", { policies: alertChannelPolicies({ extends: "recommended" }) });
 */
export function alertChannelPolicies(rules: Rules | RuleSet): StackValidationPolicy[] {
  const ruleSet = rules instanceof RuleSet ? rules : readRules(rules);
  // An override may give a rule another severity for some of the channels.
  const variants = new Map(
    ruleSet.rules
      .filter(({ id }) => id !== metaRule.channelRead.id)
      .map((rule) => [`${rule.id} ${rule.severity}`, rule]),
  );
  const policies = [...variants.values()].map((rule) => {
    const other = rule.severity === "error" ? "warning" : "error";
    return policyOf(rule, variants.has(`${rule.id} ${other}`), ruleSet);
  });
  return [...policies, blocking(ruleSet), notEvaluable(ruleSet)];
}

/** @param hasOther True if the rule is also a policy of the other severity. */
function policyOf(
  { id, title, why, fix, severity }: ActiveRule,
  hasOther: boolean,
  ruleSet: RuleSet,
): StackValidationPolicy {
  return {
    name: hasOther ? `${id}-${enforcement[severity]}` : id,
    displayName: title,
    description: `${title}. ${why}`,
    remediationSteps: fix,
    enforcementLevel: enforcement[severity],
    validateStack: ({ resources }, reportViolation) => {
      const { report, urnOf } = audit(resources, ruleSet);
      for (const finding of report.findings.filter((one) => one.rule === id && one.severity === severity)) {
        reportViolation(findingLine(finding), urnOf(finding.channel));
      }
    },
  };
}

/** Returns a policy that is always mandatory, because a blocking result must not pass. */
function blocking(ruleSet: RuleSet): StackValidationPolicy {
  const { id, title, why, fix } = metaRule.channelRead;
  return {
    name: id,
    displayName: title,
    description: `${title}. ${why}`,
    remediationSteps: fix,
    enforcementLevel: "mandatory",
    validateStack: ({ resources }, reportViolation) => {
      const { report, urnOf } = audit(resources, ruleSet);
      for (const result of report.notEvaluable.filter(({ blocks }) => blocks))
        reportViolation(notEvaluableLine(result), urnOf(result.channel));
    },
  };
}

function notEvaluable(ruleSet: RuleSet): StackValidationPolicy {
  return {
    name: "not-evaluable",
    displayName: "Every rule on alert channels can be evaluated",
    description:
      "Every rule on alert channels can be evaluated. A rule that can't be evaluated may be violated.",
    enforcementLevel: "advisory",
    validateStack: ({ resources }, reportViolation) => {
      const { report, unread, urnOf } = audit(resources, ruleSet);
      for (const { name, urn } of unread) {
        reportViolation(`${name}: not evaluable yet; \`pulumi up\` reads and checks it.`, urn);
      }
      for (const result of report.notEvaluable.filter(({ blocks }) => !blocks)) {
        // Rules on all channels need every channel: the unread ones are reported above.
        if (result.channel === undefined && unread.length > 0) continue;
        reportViolation(notEvaluableLine(result), urnOf(result.channel));
      }
    },
  };
}

interface StackAudit {
  readonly report: AuditReport;
  /** Resources that no run has read yet. */
  readonly unread: readonly PolicyResource[];
  /** The resource that observes a channel; undefined for all channels together. */
  readonly urnOf: (channel: ChannelReference | undefined) => string | undefined;
}

function audit(resources: readonly PolicyResource[], ruleSet: RuleSet): StackAudit {
  const channels: GivenChannel[] = [];
  /** URNs by id and origin of the channel. */
  const observers = new Map<string, Map<string | undefined, string>>();
  const unread: PolicyResource[] = [];
  for (const resource of resources) {
    if (!isOfType(resource.type, "AlertChannel")) continue;
    const channel = observedBefore(resource);
    if (channel === undefined) {
      unread.push(resource);
    } else {
      channels.push(channel);
      const byOrigin = observers.get(String(channel.id)) ?? new Map<string | undefined, string>();
      observers.set(String(channel.id), byOrigin);
      // If several resources observe one channel, the audit takes the first.
      if (!byOrigin.has(channel.origin)) byOrigin.set(channel.origin, resource.urn);
    }
  }
  return {
    report: auditAlertChannels(channels, ruleSet, { partial: unread.length > 0 }),
    unread,
    urnOf: (channel) => {
      const byOrigin = channel && observers.get(String(channel.id));
      // The report has an origin only if several channels share the id.
      return byOrigin && (byOrigin.get(channel.origin) ?? [...byOrigin.values()][0]);
    },
  };
}

/** Returns the channel; undefined in a preview if no earlier run has read it. */
function observedBefore({ name, props }: PolicyResource): GivenChannel | undefined {
  if (!observedOutputs.some((output) => output !== "channelId" && output in props)) return undefined;
  try {
    return observedChannel(name, props);
  } catch (error) {
    if (error instanceof Error && error.constructor.name === "UnknownValueError") return undefined;
    throw error;
  }
}
