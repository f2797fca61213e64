/** Runs the rules, each on the channels that it is for. */
import { types } from "node:util";
import { oneLine } from "../provider/texts/printable";
import { isObject } from "../provider/values/isObject";
import type { AuditedChannel } from "./channels/channel";
import type { Audit, Check, FleetAudit, Verdict } from "./definition/rule";
import type { RuleSet } from "./ruleFile/ruleSet";
import { Scopes } from "./ruleFile/scopes";
import type { Results } from "./results";

/** Those on one channel on each of them, then those on all channels together. */
export function runRules(
  ruleSet: RuleSet,
  channels: readonly AuditedChannel[],
  audit: Pick<Audit, "now" | "partial">,
  results: Results,
): void {
  const scopes = new Scopes(ruleSet);
  const scoped = ruleSet.rules.map((rule) => {
    const { check } = rule;
    const isFor = scopes.of(rule);
    const selected = { ...audit, channels: isFor ? channels.filter(isFor) : channels };
    const evaluate = check?.begin && begun(check.begin, selected);
    return { rule, isFor, selected, evaluate };
  });
  for (const channel of channels) {
    const add = results.begin(channel);
    for (const { rule, isFor, evaluate } of scoped) {
      if (evaluate === undefined || isFor?.(channel) === false) continue;
      add(rule, typeof evaluate === "function" ? verdictOf(() => evaluate(channel)) : evaluate);
    }
  }
  const isReported: FleetAudit["isReported"] = (rules, channel) => results.has(rules, channel);
  for (const { rule, selected } of scoped) {
    const { check } = rule;
    if (check?.run)
      results.addFleet(
        rule,
        verdictOf(() => check.run?.({ ...selected, isReported })),
      );
  }
}

/**
 * Rules may be a user's code, and the channels are of those who are audited: a rule that throws has no verdict, so its
 * channels aren't passed, and the other rules run on.
 */
function verdictOf(run: () => Verdict): Verdict {
  try {
    const verdict = run();
    assertVerdict(verdict);
    return verdict;
  } catch (error) {
    return failed(error);
  }
}

/** The check of each channel, or the verdict on all of them when it can't begin. */
function begun(
  begin: NonNullable<Check["begin"]>,
  audit: Audit,
): ((channel: AuditedChannel) => Verdict) | Verdict {
  try {
    const check = begin(audit);
    // A user's JavaScript may return a verdict instead.
    if (typeof check !== "function") throw new TypeError("its check must return a function");
    return check;
  } catch (error) {
    return failed(error);
  }
}

function failed(error: unknown): Verdict {
  const reason = oneLine(types.isNativeError(error) ? error.message : String(error));
  return [{ field: "channel", reason: `the rule fails: ${reason}; correct the rule`, blocks: true }];
}

/** Rules may be a user's JavaScript, which no compiler checks. */
function assertVerdict(verdict: unknown): void {
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
