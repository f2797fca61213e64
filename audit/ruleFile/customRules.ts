/** The rules that a rule file, or a program, brings along. */
import { z } from "zod";
import { customRule, fromDeclaration } from "../custom";
import { isObject } from "../custom/value";
import { ownRules } from "../ownRules";
import type { Options, Rule } from "../rule";
import { builtInRules } from "../rules";
import { oneOf, ruleId, strict, text } from "../schemas";
import type { Selection } from "../selection";
import { mistakesIn, type Path, type Placed } from "./mistakes";

interface Found {
  rule: Rule;
  select?: Selection;
  path: Path;
}

interface Reading {
  rules: Found[];
  /** Options by the id of each rule, those that are wrong included: a mistake in one is not also one elsewhere. */
  options: Map<string, z.ZodType<Options>>;
  mistakes: Placed[];
}

const otherIds: ReadonlySet<unknown> = new Set([...builtInRules, ...ownRules].map(({ id }) => id));

/** A policy pack names a policy after each rule, and these it has for itself. */
const policyNames: readonly string[] = ["all", "not-evaluable"];

/** @param value What stands under `customRules`. */
export function readCustomRules(value: unknown): Reading {
  const reading: Reading = { rules: [], options: new Map(), mistakes: [] };
  for (const [index, item] of (Array.isArray(value) ? value : []).entries()) {
    const path = ["customRules", index];
    const found = isRule(item) ? programmed(item, path) : declared(item, path);
    if (Array.isArray(found)) reading.mistakes.push(...found);
    else reading.rules.push(found);

    const id: unknown = isObject(item) ? item.id : undefined;
    if (typeof id !== "string") continue;
    if (policyNames.includes(id)) {
      reading.mistakes.push({ path: [...path, "id"], reason: "is kept for policy packs" });
    } else if (otherIds.has(id) || reading.options.has(id)) {
      reading.mistakes.push({ path: [...path, "id"], reason: "is the id of another rule" });
    }
    reading.options.set(id, Array.isArray(found) ? strict({}) : found.rule.options);
  }
  return reading;
}

/** What `defineRule` made is code's word: in JavaScript no compiler has looked at it. */
const programmedRule = z.object({
  id: ruleId,
  title: text,
  why: text,
  fix: text,
  severity: oneOf(["error", "warning"]),
  options: z.custom((options) => isObject(options) && typeof options.safeParse === "function", {
    error: "must be a schema of zod",
  }),
});

function programmed(rule: Rule, path: Path): Found | Placed[] {
  const { error } = programmedRule.safeParse(rule);
  return error ? mistakesIn(error.issues, path) : { rule, path };
}

function declared(item: unknown, path: Path): Found | Placed[] {
  const { data, error } = customRule.safeParse(item);
  if (error) return mistakesIn(withoutConsequences(error.issues), path);
  return { rule: fromDeclaration(data), path, ...(data.select && { select: data.select }) };
}

/** A mistyped comparison is one mistake, and not also a missing one. */
function withoutConsequences(issues: readonly z.core.$ZodIssue[]): readonly z.core.$ZodIssue[] {
  const isOfWhole = ({ path }: z.core.$ZodIssue) => path.length === 0;
  if (!issues.some((issue) => issue.code === "unrecognized_keys" && isOfWhole(issue))) return issues;
  return issues.filter((issue) => issue.code !== "custom" || !isOfWhole(issue));
}

function isRule(value: unknown): value is Rule {
  return isObject(value) && typeof value.configure === "function";
}
