/** A rule as it runs: with the settings of `rules`, and apart from that with those of each override. */
import { type Options, type Rule, type RuleText } from "../definition/rule";
import type { Selection } from "../definition/selection";
import type { Severity } from "../definition/severity";
import type { Path } from "./mistakes";
import { type RuleSetting } from "./ruleFileSchema";
import { type ActiveRule } from "./ruleSet";
import { type Location } from "../definition/location";

/** A rule that may be enabled. */
export interface Candidate {
  rule: RuleText & Pick<Rule, "severity"> & Partial<Pick<Rule, "configure">>;
  /** Severity before `rules` applies; undefined when it is off. */
  severity: Severity | undefined;
  /** Options before `rules` applies. Default: those of the rule. */
  options?: Options | undefined;
  select?: Selection;
  /** Where it is enabled. */
  path: Path;
}

/** A setting of a rule: for all channels, or for those of an override. */
export interface Layer {
  setting: RuleSetting | undefined;
  channels?: Selection;
  location: Location | undefined;
}

export interface OverrideLayer extends Layer {
  channels: Selection;
}

/** The rule as it applies to all channels, and as each override changes it: a channel has the last one that selects it. */
export function activeRules(
  candidate: Candidate,
  base: Layer,
  ofOverrides: readonly OverrideLayer[],
): ActiveRule[] {
  const overrides = ofOverrides.map(({ channels }) => channels);
  return [
    ...activate(candidate, [base], { overrides, firstLater: 0 }),
    // What an override leaves out is as for the other channels.
    ...ofOverrides.flatMap((layer, index) =>
      activate(candidate, [base, layer], { overrides, firstLater: index + 1 }),
    ),
  ];
}

function activate(
  { rule, ...candidate }: Candidate,
  layers: readonly Layer[],
  later: Pick<ActiveRule, "overrides" | "firstLater">,
): ActiveRule[] {
  const { id, title, why, fix, asCode, offWhen, docs } = rule;
  const parts = layers.map(({ setting }) => (typeof setting === "object" ? setting : { severity: setting }));
  // The channels of an override are its own.
  const own = layers.at(-1)?.channels ? parts.slice(-1) : parts;
  const set = {
    severity: lastOf(parts.map(({ severity }) => severity)),
    options: lastOf(parts.map((part) => ("options" in part ? part.options : undefined))),
    select: lastOf(own.map((part) => ("select" in part ? part.select : undefined))),
  };
  const { channels, location } = layers.at(-1) ?? {};
  const isSet = layers.some(({ setting }) => setting !== undefined);
  const severity = set.severity ?? candidate.severity ?? (isSet ? rule.severity : undefined);
  if (severity === undefined || severity === "off") return [];
  const select = [channels, set.select ?? candidate.select].flatMap((one) => one ?? []);
  const check = rule.configure?.(set.options ?? candidate.options ?? {});
  return [{ id, title, why, fix, asCode, offWhen, docs, severity, check, select, ...later, location }];
}

function lastOf<Value>(values: readonly (Value | undefined)[]): Value | undefined {
  return values.findLast((value) => value !== undefined);
}
