/** Custom rules that a rule file declares: what is expected of a channel, as in `expect` of the resources. */
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { isObject } from "../../provider/values/isObject";
import { alertChannelOutputs } from "../../provider/expectations/expectableOutputs";
import { expectationsOf } from "../../provider/expectations/schema";
import { expectationsAt, violations } from "../../provider/expectations/violations";
import { fieldNames } from "../../provider/values/documentedFields";
import type { AuditedChannel, Credential } from "../channels/channel";
import { defineRule, type NotEvaluable, type Rule, type Verdict } from "../definition/rule";
import { findingSeverities, type Severity } from "../definition/severity";
import { isReferenced, notReturned, plaintextDiscarded } from "../definition/notEvaluable";
import { whyHostUnknown } from "../checks/hook";
import { oneOf, ruleId, strict, text } from "../definition/schemas";
import { type Selection, selection } from "../definition/selection";

/** A rule on each channel. */
export interface CustomRule {
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
  /** What is expected of a channel, in the language of `expect` of the resource `AlertChannel`, and of its `id` and `name`. */
  expect: Readonly<Record<string, unknown>>;
}

const expectable = alertChannelOutputs.extend({
  id: z.union([z.string(), z.number()]),
  name: z.string().optional(),
});

export const customRule = strict({
  id: ruleId,
  title: text.describe("What is true of a channel that passes."),
  why: text.optional().describe("Why it matters."),
  fix: text.optional().describe("How to fix a finding."),
  severity: oneOf(findingSeverities).optional().describe("Default: error."),
  select: selection.optional(),
  expect: expectationsOf(expectable)
    .refine((expected) => Object.keys(expected).length > 0, { error: "must not be empty" })
    .meta({
      description: "What is expected of a channel: values by field, or conditions such as atLeast.",
      propertyNames: { enum: [...fieldNames(expectable), "oneOf", "not"] },
    }),
});

/** The rule for a declaration. */
export function fromDeclaration({ id, title, why, fix, severity, expect }: CustomRule): Rule {
  return defineRule({
    id,
    title,
    why: why ?? "It is a rule of this organization.",
    fix: fix ?? "Change the value.",
    severity: severity ?? "error",
    check: () => (channel) => evaluate(expect, channel),
  });
}

function evaluate(expected: CustomRule["expect"], channel: AuditedChannel): Verdict {
  const { credentials, origin: _, ...fields } = channel;
  const shown = { ...fields, config: { ...fields.config, ...credentials } };
  const notEvaluable = [...notEvaluableSettings(expected, channel)];
  const known = violations(expected, shown).filter(
    ({ field }) => !notEvaluable.some((one) => overlap(field, one.field)),
  );
  // The whole channel would be too long.
  const shorter = known.map((one) =>
    one.field === "" ? { ...one, field: "channel", actual: "another" } : one,
  );
  return [...notEvaluable, ...shorter];
}

function overlap(one: string, other: string): boolean {
  return one === "" || `${other}.`.startsWith(`${one}.`) || `${one}.`.startsWith(`${other}.`);
}

/** Fields whose absence says something: no name, a service without projects, a channel that was never changed. */
const mayBeAbsent: readonly string[] = [
  "name",
  "projectBindings",
  "createdAt",
  "updatedAt",
] satisfies (keyof AuditedChannel)[];

/** The fields that every channel has, also if the service doesn't always return them. */
const returned = fieldNames(expectable).filter((name) => !mayBeAbsent.includes(name));

/** The settings on which the verdict depends, and whose value isn't known. A condition such as `not` would pass them. */
function* notEvaluableSettings(expected: unknown, channel: AuditedChannel): Generator<NotEvaluable> {
  const dependsOn = (...path: string[]) => expectationsAt(expected, path).some(isOnValue);
  const fields = new Map<string, unknown>(Object.entries(channel));
  for (const field of returned)
    if ((fields.get(field) ?? undefined) === undefined && dependsOn(field))
      yield { field, reason: notReturned };
  for (const [key, credential] of Object.entries(channel.credentials)) {
    const reason = whyUnknown(credential, (fact) => dependsOn("config", key, fact));
    if (reason !== undefined && dependsOn("config", key)) yield { field: `config.${key}`, reason };
  }
  for (const [key, value] of Object.entries(channel.config)) {
    const isReference = typeof value === "string" && value.includes("{{");
    if (isReference && expectationsAt(expected, ["config", key]).some(isOnResolved))
      yield { field: `config.${key}`, reason: isReferenced("value") };
  }
}

function whyUnknown(credential: Credential, dependsOn: (fact: string) => boolean): string | undefined {
  if (credential.fingerprint === undefined) return plaintextDiscarded;
  const ofTarget = ["scheme", "hostClass", "receiver"] as const;
  return ofTarget.some((fact) => credential[fact] === undefined && dependsOn(fact))
    ? whyHostUnknown(credential)
    : undefined;
}

/** Whether it depends on more than whether there is a value. */
function isOnValue(expected: unknown): boolean {
  return expected !== null && !isDeepStrictEqual(expected, { not: null });
}

/** Whether it depends on what a reference stands for, and isn't on the reference itself. */
function isOnResolved(expected: unknown): boolean {
  return isOnValue(expected) && !JSON.stringify(expected).replaceAll("\\", "").includes("{{");
}

/** Whether it is a rule, and not a declaration of one. */
export function isRule(value: unknown): value is Rule {
  return isObject(value) && typeof value.configure === "function";
}
