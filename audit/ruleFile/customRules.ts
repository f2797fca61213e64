/** Reads the custom rules of a rule file or a program. */
import { z } from "zod";
import { customRule, fromDeclaration, isRule } from "./customRule";
import { isObject } from "../../provider/values/isObject";
import { builtInRules, metaRules } from "../rules";
import { type Options, optionsOf, type Rule } from "../definition/rule";
import { findingSeverities } from "../definition/severity";
import { oneOf, ruleId, strict, text } from "../definition/schemas";
import type { Selection } from "../definition/selection";
import { mistakesIn, type Path, type Placed } from "./mistakes";

interface Found {
  rule: Rule;
  select?: Selection;
  path: Path;
}

interface Reading {
  rules: Found[];
  /** Options by rule id, invalid rules included, so that a mistake in one isn't reported twice. */
  options: Map<string, z.ZodType<Options>>;
  mistakes: Placed[];
}

const otherIds: ReadonlySet<unknown> = new Set([...builtInRules, ...metaRules].map(({ id }) => id));

/** A policy pack has a policy for each rule id, and these policies of its own. */
const reservedIds: readonly string[] = ["all", "not-evaluable"];

/** @param value The value of `customRules`. */
export function readCustomRules(value: unknown): Reading {
  const reading: Reading = { rules: [], options: new Map(), mistakes: [] };
  for (const [index, item] of (Array.isArray(value) ? value : []).entries()) {
    const path = ["customRules", index];
    const found = isRule(item) ? programmed(item, path) : declared(item, path);
    if (Array.isArray(found)) reading.mistakes.push(...found);
    else reading.rules.push(found);

    const id: unknown = isObject(item) ? item.id : undefined;
    if (typeof id !== "string") continue;
    if (reservedIds.includes(id)) {
      reading.mistakes.push({ path: [...path, "id"], reason: "is reserved for policy packs" });
    } else if (otherIds.has(id) || reading.options.has(id)) {
      reading.mistakes.push({ path: [...path, "id"], reason: "is the id of another rule" });
    }
    reading.options.set(id, Array.isArray(found) ? strict({}) : optionsOf(found.rule));
  }
  return reading;
}

/** The result of `defineRule` may come from JavaScript, which no compiler checks. */
const programmedRule = z.object({
  id: ruleId,
  title: text,
  why: text,
  fix: text,
  severity: oneOf(findingSeverities),
  options: z.custom((options) => options instanceof z.ZodType, {
    error: "must be a zod schema",
  }),
});

function programmed(rule: Rule, path: Path): Found | Placed[] {
  const { error } = programmedRule.safeParse(rule);
  return error ? mistakesIn(error.issues, path) : { rule, path };
}

function declared(item: unknown, path: Path): Found | Placed[] {
  const { data, error } = customRule.safeParse(item);
  if (error) return mistakesIn(error.issues, path);
  return { rule: fromDeclaration(data), path, ...(data.select && { select: data.select }) };
}
