/** Custom rules that a rule file declares. */
import { type AuditedChannel, plaintextDiscarded } from "../channel";
import { defineRule, type Rule, severities, type Severity, type Verdict } from "../rule";
import { oneOf, ruleId, strict, text } from "../schemas";
import { type Selection, selection } from "../selection";
import { didYouMean } from "../../provider/api/didYouMean";
import { type Comparison, comparisons, comparisonShape, unmetComparisons } from "./comparison";
import { fragmentsAt, isForPlainValue, type JsonSchema, jsonSchema, violations } from "./jsonSchema";
import { fields, shown, valueAt, viewOf } from "./value";

export type { Comparison, Scalar } from "./comparison";
export type { JsonSchema } from "./jsonSchema";

/** A rule on each channel: either a comparison of the value at `path`, or a `schema` that the channel must satisfy. */
export interface CustomRule extends Comparison {
  /** Unique, such as `opsgenie-region`. */
  id: string;
  /** What is true of a channel that passes. */
  title: string;
  /** Why it matters. Default: that it is a rule of this organization. */
  why?: string;
  /** How to fix a finding. Default: to change the value. */
  fix?: string;
  /** Default: `error`. */
  severity?: Severity;
  /** Channels that it applies to. Default: all. */
  select?: Selection;
  /** A value inside the channel, such as `config.region`. */
  path?: string;
  /** A JSON Schema fragment that the channel must satisfy. */
  schema?: JsonSchema;
}

export const customRule = strict({
  id: ruleId,
  title: text.describe("What is true of a channel that passes."),
  why: text.optional().describe("Why it matters."),
  fix: text.optional().describe("How to fix a finding."),
  severity: oneOf(severities).optional().describe("Default: error."),
  select: selection.optional(),
  path: text
    .refine((path) => fields.includes(firstOf(path)), {
      error: ({ input }) =>
        `must begin with ${fields.join(", ")}` +
        (typeof input === "string" ? didYouMean(firstOf(input), fields) : ""),
    })
    .optional()
    .describe("A value inside the channel, such as config.region."),
  ...comparisonShape,
  schema: jsonSchema.optional().describe("A JSON Schema fragment that the channel must satisfy."),
}).superRefine((rule, context) => {
  const compares = comparisons.some((name) => name in rule);
  const reason =
    rule.schema !== undefined
      ? (rule.path !== undefined || compares) &&
        "must have either a schema or a path with a comparison, not both"
      : (rule.path === undefined || !compares) &&
        `must have a schema, or a path with ${comparisons.join(", ")}`;
  if (reason) context.addIssue({ code: "custom", message: reason });
});

function firstOf(path: string): string {
  return path.split(".", 1)[0] ?? "";
}

/** The rule for a declaration. */
export function fromDeclaration(declared: CustomRule): Rule {
  const { id, title, why = "It is a rule of this organization.", fix = "Change the value." } = declared;
  return defineRule({
    id,
    title,
    why,
    fix,
    severity: declared.severity ?? "error",
    check: () => (channel) => evaluate(declared, channel),
  });
}

function evaluate({ path = "", schema, ...comparison }: CustomRule, channel: AuditedChannel): Verdict {
  const reason = unknownReason(channel, path, comparison);
  if (reason !== undefined) return [{ field: path, reason }];
  const view = viewOf(channel);
  const unknown = schema ? credentialsIn(view, schema, channel) : [];
  if (unknown.length > 0) return unknown.map((field) => ({ field, reason: isCredential }));
  const found = schema ? violations(view, schema) : unmetAt(view, path, comparison);
  const byField = new Map<string, { actual: string; expected: string[] }>();
  for (const { at, actual, expected } of found) {
    const field = at === "" ? "channel" : at;
    const known = byField.get(field);
    if (known) known.expected.push(expected);
    else byField.set(field, { actual, expected: [expected] });
  }
  return [...byField].map(([field, { actual, expected }]) =>
    isDiscarded(channel, field)
      ? { field, reason: plaintextDiscarded }
      : { field, actual, expected: expected.join(", and ") },
  );
}

function* unmetAt(view: unknown, at: string, comparison: Comparison) {
  const value = valueAt(view, at);
  for (const expected of unmetComparisons(value, comparison)) yield { at, actual: shown(value), expected };
}

/** An unknown value would satisfy `notEquals`, and a redacted credential would never satisfy `equals`. */
function unknownReason(
  { credentials }: AuditedChannel,
  path: string,
  comparison: Comparison,
): string | undefined {
  const [, key = "", fact] = /^config\.([^.]+)(\..+)?$/.exec(path) ?? [];
  if (!Object.hasOwn(credentials, key)) return undefined;
  if (fact !== undefined) return credentials[key]?.fingerprint === undefined ? plaintextDiscarded : undefined;
  const compares = Object.keys(comparison).some((name) => name !== "exists" && comparisons.includes(name));
  return compares ? isCredential : undefined;
}

const isCredential = "is a credential: compare one of its properties, such as isReference";

/** The fields of the channel that are credentials, and whose own value the schema constrains. */
function credentialsIn(view: unknown, schema: JsonSchema, { credentials }: AuditedChannel): string[] {
  return Object.keys(credentials)
    .filter((key) => [...fragmentsAt(view, schema, ["config", key])].some(isForPlainValue))
    .map((key) => `config.${key}`);
}

/** Whether a field is part of a credential that was discarded. */
function isDiscarded({ credentials }: AuditedChannel, field: string): boolean {
  const [, key = ""] = /^config\.([^.[]+)/.exec(field) ?? [];
  return Object.hasOwn(credentials, key) && credentials[key]?.fingerprint === undefined;
}
