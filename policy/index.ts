/** Creates a CrossGuard policy pack from the audit's rules on alert channels and policies on incident updates. */
import { createRequire } from "node:module";
import type * as policy from "@pulumi/policy";
import { RunError } from "@pulumi/pulumi";
import { z } from "zod";
import { loadRules, toMistakes, type Rules, RulesError, type RuleSet, strict } from "../audit";
import { removeStack } from "../provider/engine";
import { FileError } from "../provider/files";
import { alertChannelPolicies } from "./alertChannelPolicies";
import {
  forbiddenWords,
  forbiddenWordsSchema,
  emailOnlyFrom,
  type EmailOnlyFromArgs,
  emailOnlyFromSchema,
} from "./incidentUpdatePolicies";

export { alertChannelPolicies } from "./alertChannelPolicies";
export { forbiddenWords, emailOnlyFrom, type EmailOnlyFromArgs } from "./incidentUpdatePolicies";

/** Policies of the pack. At least one is required. */
export interface MonitoringPolicyPackArgs {
  /** Path or content of a rule file for alert channels. A path is relative to the pack's folder. */
  readonly rules?: string | Rules | RuleSet;
  /** Stacks that may email subscribers. Default: all. */
  readonly emailOnlyFrom?: EmailOnlyFromArgs;
  /** Words that descriptions of incident updates, and names and descriptions of incidents, must not contain. Default: none. */
  readonly forbiddenWords?: readonly string[];
}

/**
 * Creates the policy pack and serves it to the engine that started it. Requires the package `@pulumi/policy`.
 *
 * @param name Name of the pack.
 * @throws RunError with all errors in the arguments and rules, or if `@pulumi/policy` isn't installed
 *
 * @example
 * monitoringPolicyPack("monitoring", {
 *   rules: "audit.yaml",
 *   emailOnlyFrom: { stacks: ["production"] },
 * });
 */
export function monitoringPolicyPack(name: string, args: MonitoringPolicyPackArgs): policy.PolicyPack {
  try {
    const policies = createPolicies(args, `policy pack ${JSON.stringify(name)}`);
    const { PolicyPack } = loadPolicySdk();
    return new PolicyPack(name, { policies });
  } catch (error) {
    throw error instanceof RulesError ? removeStack(new RunError(error.message)) : error;
  }
}

const argsSchema = strict({
  rules: z.unknown().optional(),
  emailOnlyFrom: emailOnlyFromSchema.optional(),
  forbiddenWords: forbiddenWordsSchema.optional(),
}).refine((args) => Object.values(args).some((value) => value !== undefined), {
  path: ["rules"],
  error: "is missing. Set rules, emailOnlyFrom or forbiddenWords",
});

function createPolicies(args: MonitoringPolicyPackArgs, pack: string) {
  const { error } = argsSchema.safeParse(args);
  if (error) throw RulesError.of(toMistakes(error.issues), pack);
  return [
    ...(args.rules === undefined ? [] : alertChannelPolicies(loadPolicyRules(args.rules, pack))),
    ...(args.emailOnlyFrom ? [emailOnlyFrom(args.emailOnlyFrom)] : []),
    ...(args.forbiddenWords ? [forbiddenWords(args.forbiddenWords)] : []),
  ];
}

function loadPolicyRules(rules: string | Rules | RuleSet, pack: string): Rules | RuleSet {
  if (typeof rules !== "string") return rules;
  try {
    return loadRules(rules);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    const reason = `must be the path of a rule file, relative to ${process.cwd()}: ${error.message}`;
    throw RulesError.of([{ path: ["rules"], reason }], pack);
  }
}

/** Loads `@pulumi/policy` on demand. It's an optional peer dependency, because only policy packs need it. */
function loadPolicySdk(): typeof policy {
  const load = createRequire(__filename);
  let loaded: unknown;
  try {
    loaded = load("@pulumi/policy");
  } catch {
    loaded = undefined;
  }
  if (isPolicySdk(loaded)) return loaded;
  throw removeStack(
    new RunError(
      "A policy pack requires the package @pulumi/policy. Run `npm install @pulumi/policy` in the folder of the policy pack.",
    ),
  );
}

function isPolicySdk(loaded: unknown): loaded is typeof policy {
  return typeof loaded === "object" && loaded !== null && "PolicyPack" in loaded;
}
