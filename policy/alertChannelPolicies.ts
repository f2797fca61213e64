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
    return policyOf(ruleSet, { ...rule, name }, level, ({ resultsThat }) =>
      resultsThat((one) => one.rule === id && one.status === severity),
    );
  });
  const { channelRead } = metaRule;
  return [
    ...policies,
    // A blocking result must not pass.
    policyOf(ruleSet, { ...channelRead, name: channelRead.id }, "mandatory", ({ resultsThat }) =>
      resultsThat(({ blocks }) => blocks),
    ),
    policyOf(ruleSet, notEvaluable, "advisory", ({ unread, resultsThat }) => [
      ...unread.map(({ name, urn }) => ({
        text: `${name}: not evaluable yet; \`pulumi up\` reads and checks it.`,
        urn,
      })),
      // Rules on all channels need every channel: the unread ones are reported.
      ...resultsThat(
        ({ status, blocks, channel }) =>
          status === "not evaluable" && !blocks && (channel !== undefined || unread.length === 0),
      ),
    ]),
  ];
}

const notEvaluable = {
  name: "not-evaluable",
  title: "Every rule on alert channels can be evaluated",
  why: "A rule that can't be evaluated may be violated.",
};

interface Violation {
  readonly text: string;
  readonly urn: string | undefined;
}

/** @param violationsIn Returns what the policy reports of an audit. */
function policyOf(
  ruleSet: RuleSet,
  { name, title, why, fix }: { name: string; title: string; why: string; fix?: string },
  enforcementLevel: EnforcementLevel,
  violationsIn: (audited: ReturnType<typeof audit>) => readonly Violation[],
): StackValidationPolicy {
  return {
    name,
    displayName: title,
    description: `${title}. ${why}`,
    ...(fix !== undefined && { remediationSteps: fix }),
    enforcementLevel,
    validateStack: ({ resources }, report) => {
      for (const { text, urn } of violationsIn(audit(resources, ruleSet))) report(text, urn);
    },
  };
}

function audit(resources: readonly PolicyResource[], ruleSet: RuleSet) {
  type Observed = { readonly channel: GivenChannel; readonly urn: string };
  const observed: Observed[] = [];
  const observersOf = new Map<string, Observed[]>();
  /** Resources that no run has read yet. */
  const unread: PolicyResource[] = [];
  for (const resource of resources) {
    if (!isOfType(resource.type, "AlertChannel")) continue;
    const channel = observedBefore(resource);
    if (!channel) {
      unread.push(resource);
      continue;
    }
    const one = { channel, urn: resource.urn };
    observed.push(one);
    observersOf.set(String(channel.id), [...(observersOf.get(String(channel.id)) ?? []), one]);
  }
  const channels = observed.map(({ channel }) => channel);
  const results = [...resultsOf(auditAlertChannels(channels, ruleSet, { partial: unread.length > 0 }))];
  /** Returns the resource that observes the channel; undefined for all channels together. */
  const urnOf = (audited: ChannelReference | undefined): string | undefined => {
    const same = (audited && observersOf.get(String(audited.id))) ?? [];
    // The report has an origin only if several channels share the id. If several resources observe one channel, the audit takes
    // the first.
    return (same.find(({ channel }) => channel.origin === audited?.origin) ?? same[0])?.urn;
  };
  const resultsThat = (isOurs: (result: Result) => boolean): Violation[] =>
    results.filter(isOurs).map((one) => ({ text: resultLine(one), urn: urnOf(one.channel) }));
  return { unread, resultsThat };
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
