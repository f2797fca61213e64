/** Makes the policies on a stack's `AlertChannel` resources: one for each rule of the audit. */
import type { EnforcementLevel, PolicyResource, StackValidationPolicy } from "@pulumi/policy";
import {
  auditAlertChannels,
  type ChannelReference,
  type GivenChannel,
  metaRule,
  observedChannel,
  observedOutputs,
  readRules,
  type Result,
  resultLine,
  resultsOf,
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
    const { id, severity } = rule;
    const level = enforcement[severity];
    // A policy of the other severity has the same id otherwise.
    const other = severity === "error" ? "warning" : "error";
    const name = variants.has(`${id} ${other}`) ? `${id}-${level}` : id;
    const isOurs = (one: Result) => one.rule === id && one.status === severity;
    return policyOf(ruleSet, { ...rule, name }, level, ({ results }) => results.filter(isOurs));
  });
  const { channelRead } = metaRule;
  return [
    ...policies,
    // A blocking result must not pass.
    policyOf(ruleSet, { ...channelRead, name: channelRead.id }, "mandatory", ({ results }) =>
      results.filter(({ blocks }) => blocks),
    ),
    policyOf(ruleSet, notEvaluable, "advisory", ({ results, unread }) => [
      ...unread.map(({ name, urn }) => ({
        text: `${name}: not evaluable yet; \`pulumi up\` reads and checks it.`,
        urn,
      })),
      // Rules on all channels need every channel: the unread ones are reported.
      ...results.filter(isOpen).filter(({ channel }) => channel !== undefined || unread.length === 0),
    ]),
  ];
}

const isOpen = ({ status, blocks }: Result): boolean => status === "not evaluable" && !blocks;

interface PolicyText {
  readonly name: string;
  readonly title: string;
  readonly why: string;
  readonly fix?: string;
}

const notEvaluable: PolicyText = {
  name: "not-evaluable",
  title: "Every rule on alert channels can be evaluated",
  why: "A rule that can't be evaluated may be violated.",
};

interface Violation {
  readonly text: string;
  readonly urn: string;
}

/** @param violationsIn Returns what the policy reports of an audit. */
function policyOf(
  ruleSet: RuleSet,
  { name, title, why, fix }: PolicyText,
  enforcementLevel: EnforcementLevel,
  violationsIn: (audit: StackAudit) => readonly (Result | Violation)[],
): StackValidationPolicy {
  return {
    name,
    displayName: title,
    description: `${title}. ${why}`,
    ...(fix !== undefined && { remediationSteps: fix }),
    enforcementLevel,
    validateStack: ({ resources }, reportViolation) => {
      const result = audit(resources, ruleSet);
      for (const one of violationsIn(result)) {
        if ("urn" in one) reportViolation(one.text, one.urn);
        else reportViolation(resultLine(one), result.urnOf(one.channel));
      }
    },
  };
}

interface StackAudit {
  readonly results: readonly Result[];
  /** Resources that no run has read yet. */
  readonly unread: readonly PolicyResource[];
  /** The resource that observes a channel; undefined for all channels together. */
  readonly urnOf: (channel: ChannelReference | undefined) => string | undefined;
}

function audit(resources: readonly PolicyResource[], ruleSet: RuleSet): StackAudit {
  const observed: { readonly channel: GivenChannel; readonly urn: string }[] = [];
  const unread: PolicyResource[] = [];
  for (const resource of resources) {
    if (!isOfType(resource.type, "AlertChannel")) continue;
    const channel = observedBefore(resource);
    if (channel) observed.push({ channel, urn: resource.urn });
    else unread.push(resource);
  }
  const channels = observed.map(({ channel }) => channel);
  return {
    results: [...resultsOf(auditAlertChannels(channels, ruleSet, { partial: unread.length > 0 }))],
    unread,
    urnOf: (audited) => {
      const same = observed.filter(({ channel }) => audited && String(channel.id) === String(audited.id));
      // The report has an origin only if several channels share the id. If several resources observe one channel, the audit takes
      // the first.
      return (same.find(({ channel }) => channel.origin === audited?.origin) ?? same[0])?.urn;
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
