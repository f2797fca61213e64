/** The whole pack, as a policy pack's folder runs it. */
import { createRequire } from "node:module";
import { RunError } from "@pulumi/pulumi";
import type * as policy from "@pulumi/policy";
import { z } from "zod";
import { type Rules, RulesError, type RuleSet } from "../audit";
import { mistakesIn } from "../audit/ruleFile/mistakes";
import { listOf, strict, text } from "../audit/schemas";
import { Refusal } from "../audit/sources/usageMistake";
import { loadRules } from "../audit/sources/loadRules";
import { withoutStack } from "../sdk/logErrors";
import { alertChannelPolicies } from "./alertChannels";
import { forbiddenWords, mailOnlyFrom, type MailOnlyFromArgs } from "./incidentUpdates";

/** What the pack enforces: at least one of these. */
export interface MonitoringPolicyPackArgs {
  /** Rules on alert channels: path of a rule file, seen from the pack's folder, or what one says. */
  readonly rules?: string | Rules | RuleSet;
  /** Which stacks may mail subscribers. Default: all. */
  readonly mailOnlyFrom?: MailOnlyFromArgs;
  /** Words that no description of an incident update may hold. Default: none. */
  readonly forbiddenWords?: readonly string[];
}

/**
 * Makes the policy pack, and begins to serve it to the engine that started it. Needs the package `@pulumi/policy`.
 *
 * @param name Name of the pack.
 * @throws RunError with every mistake in the arguments and rules, or when `@pulumi/policy` isn't installed
 *
 * @example
 * monitoringPolicyPack("monitoring", {
 *   rules: "audit.yaml",
 *   mailOnlyFrom: { stacks: ["production"] },
 * });
 */
export function monitoringPolicyPack(name: string, args: MonitoringPolicyPackArgs): policy.PolicyPack {
  try {
    const policies = policiesOf(args, `policy pack ${JSON.stringify(name)}`);
    const { PolicyPack } = policySdk();
    return new PolicyPack(name, { policies });
  } catch (error) {
    throw error instanceof RulesError ? withoutStack(new RunError(error.message)) : error;
  }
}

const noNameOfStack = { error: "must be <stack> or <project>/<stack>" };
const argsSchema = strict({
  rules: z.unknown().optional(),
  mailOnlyFrom: strict({
    stacks: z.array(z.string(noNameOfStack).regex(/^[^/:]+(\/[^/:]+)?$/, noNameOfStack), {
      error: "must be a list",
    }),
  }).optional(),
  forbiddenWords: listOf(text).optional(),
}).refine((args) => Object.values(args).some((value) => value !== undefined), {
  path: ["rules"],
  error: "must be given, or mailOnlyFrom, or forbiddenWords: the pack would enforce nothing",
});

function policiesOf(args: MonitoringPolicyPackArgs, pack: string) {
  const { error } = argsSchema.safeParse(args);
  if (error) throw RulesError.of(mistakesIn(error.issues), pack);
  return [
    ...(args.rules === undefined ? [] : alertChannelPolicies(rulesFrom(args.rules, pack))),
    ...(args.mailOnlyFrom ? [mailOnlyFrom(args.mailOnlyFrom)] : []),
    ...(args.forbiddenWords ? [forbiddenWords(args.forbiddenWords)] : []),
  ];
}

function rulesFrom(rules: string | Rules | RuleSet, pack: string): Rules | RuleSet {
  if (typeof rules !== "string") return rules;
  try {
    return loadRules(rules);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const reason = `must be the path of a rule file, seen from ${process.cwd()}: ${error.message}`;
    throw RulesError.of([{ path: ["rules"], reason }], pack);
  }
}

/** Only who makes a pack needs the package, so it is an optional one. */
function policySdk(): typeof policy {
  const load = createRequire(__filename);
  let found: unknown;
  try {
    found = load("@pulumi/policy");
  } catch {
    found = undefined;
  }
  if (isPolicySdk(found)) return found;
  throw withoutStack(
    new RunError(
      "A policy pack needs the package @pulumi/policy: run `npm install @pulumi/policy` in its folder.",
    ),
  );
}

function isPolicySdk(found: unknown): found is typeof policy {
  return typeof found === "object" && found !== null && "PolicyPack" in found;
}
