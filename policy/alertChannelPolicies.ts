/** Creates policies on a stack's `AlertChannel` resources from the rules of the audit. */
import type { EnforcementLevel, PolicyResource, StackValidationPolicy } from "@pulumi/policy";
import {
  auditAlertChannels,
  type GivenChannel,
  metaRule,
  observedChannel,
  observedOutputs,
  readRules,
  type Result,
  formatResultLine,
  listResults,
  type Rules,
  RuleSet,
} from "../audit";
import { isOfType } from "../provider/engine";

const enforcement = { error: "mandatory", warning: "advisory" } as const;

/**
 * Returns the rules of an audit as policies on a stack's `AlertChannel` resources. Each rule is a policy with the rule's ID. It's mandatory
 * if the rule's severity is `error`, and advisory if it is `warning`. The additional advisory policy `not-evaluable` reports fields and
 * channels that couldn't be evaluated, such as a channel that no run has read before a preview.
 *
 * @param rules The content of a rule file, as an object or from `parseRules`.
 * @throws RulesError with all errors in the rules
 *
 * @example
 * new PolicyPack("channels", { policies: alertChannelPolicies({ extends: "recommended" }) });
 */
export function alertChannelPolicies(rules: Rules | RuleSet): StackValidationPolicy[] {
  const ruleSet = rules instanceof RuleSet ? rules : readRules(rules);
  const findViolations = createAuditor(ruleSet);
  const createPolicy = (
    { name, title, why, fix }: { name: string; title: string; why: string; fix?: string },
    enforcementLevel: EnforcementLevel,
    isOurs: (violation: Violation) => boolean,
  ): StackValidationPolicy => ({
    name,
    displayName: title,
    description: `${title}. ${why}`,
    ...(fix !== undefined && { remediationSteps: fix }),
    enforcementLevel,
    validateStack: ({ resources }, report) => {
      for (const { text, urn } of findViolations(resources).filter(isOurs)) report(text, urn);
    },
  });
  // An exception may set a different severity for some of the channels, and a check for some of its findings.
  const variants = new Map(
    ruleSet.rules
      .filter(({ id }) => id !== metaRule.channelRead.id)
      .flatMap((rule) =>
        [rule.severity, ...(rule.check?.severities ?? [])].map((severity) => ({ ...rule, severity })),
      )
      .map((rule) => [`${rule.id} ${rule.severity}`, rule]),
  );
  const policies = [...variants.values()].map((rule) => {
    const { id, severity } = rule;
    const level = enforcement[severity];
    // Add the level if there is a policy for each severity, because policy names must be unique.
    const other = severity === "error" ? "warning" : "error";
    const name = variants.has(`${id} ${other}`) ? `${id}-${level}` : id;
    return createPolicy({ ...rule, name }, level, (one) => one.rule === id && one.status === severity);
  });
  const { channelRead } = metaRule;
  return [
    ...policies,
    // A blocking result must fail the stack, whatever its rule.
    createPolicy({ ...channelRead, name: channelRead.id }, "mandatory", ({ blocks }) => blocks),
    createPolicy(notEvaluable, "advisory", ({ status, blocks }) => status === "not evaluable" && !blocks),
  ];
}

const notEvaluable = {
  name: "not-evaluable",
  title: "Every rule on alert channels can be evaluated",
  why: "A rule that can't be evaluated may be violated.",
};

/**
 * Returns a function that audits a stack once for all policies. Results are cached by content, because the engine's SDK creates new
 * resource objects for each policy.
 */
function createAuditor(ruleSet: RuleSet): (resources: readonly PolicyResource[]) => readonly Violation[] {
  let last: { readonly content: string; readonly violations: readonly Violation[] } | undefined;
  return (resources) => {
    const declared = resources
      .filter(({ type }) => isOfType(type, "AlertChannel"))
      .map((resource): Declared => ({ ...resource, channel: findObservedChannel(resource) }));
    const content = JSON.stringify(declared.map(({ urn, channel }) => [urn, channel]));
    if (last?.content !== content) last = { content, violations: auditResources(declared, ruleSet) };
    return last.violations;
  };
}

/** An `AlertChannel` resource. */
interface Declared extends Pick<PolicyResource, "name" | "urn"> {
  /** Undefined if no run has read the channel yet. */
  readonly channel: GivenChannel | undefined;
}

interface Violation extends Pick<Result, "rule" | "status" | "blocks"> {
  readonly text: string;
  readonly urn: string | undefined;
}

function auditResources(declared: readonly Declared[], ruleSet: RuleSet): Violation[] {
  const unread = declared.filter(({ channel }) => channel === undefined);
  const channels = declared.flatMap(({ channel }) => channel ?? []);
  const report = auditAlertChannels(channels, ruleSet, { partial: unread.length > 0 });
  const findUrn = createUrnLookup(declared);
  // Rules on all channels together can't be evaluated without the unread channels. These are already reported, so the rules' results are
  // hidden.
  const isShown = ({ status, blocks, channel }: Result) =>
    unread.length === 0 || channel !== undefined || blocks || status !== "not evaluable";
  return [
    ...unread.map(({ name, urn }) => {
      const text = `${name}: not evaluable yet. \`pulumi up\` reads and checks the channel.`;
      return { rule: notEvaluable.name, status: "not evaluable", blocks: false, text, urn } as const;
    }),
    ...listResults(report)
      .filter(isShown)
      .map(({ channel, ...one }) => {
        return { ...one, text: formatResultLine({ ...one, channel }), urn: channel && findUrn(channel) };
      }),
  ];
}

/**
 * Returns a function that returns the URN of the resource that observes a channel. A result only contains the channel's origin if several
 * channels share the ID. If several resources observe the channel, returns the first one.
 */
function createUrnLookup(declared: readonly Declared[]) {
  const byId = new Map<string, Declared[]>();
  for (const one of declared) {
    if (!one.channel) continue;
    const id = String(one.channel.id);
    byId.set(id, [...(byId.get(id) ?? []), one]);
  }
  return ({ id, origin }: Pick<GivenChannel, "id" | "origin">) => {
    const ofId = byId.get(String(id)) ?? [];
    return (ofId.find(({ channel }) => channel?.origin === origin) ?? ofId[0])?.urn;
  };
}

/** Returns the channel. Undefined in a preview if no earlier run has read it. */
function findObservedChannel({ name, props }: PolicyResource): GivenChannel | undefined {
  if (!observedOutputs.some((output) => output !== "channelId" && output in props)) return undefined;
  try {
    return observedChannel(name, props);
  } catch (error) {
    if (error instanceof Error && error.constructor.name === "UnknownValueError") return undefined;
    throw error;
  }
}
