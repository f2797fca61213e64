/**
 * Validates the expectations of a program or a rule file, and compares them with the object that was read. An expectation is a value, a
 * list of expectations for the items, an object of expectations for the fields, or an object of conditions that must all hold.
 */
import { RE2JS } from "re2js";
import { z } from "zod";
import { alertChannel, listFieldNames, findField, isObject, unwrapOptional, type Schema } from "./api";
import { isShown, redactedCredential, shownKeys } from "./credentials";
import { type Path, type ProblemAt } from "./problems";
import { isMisspelled, formatNotKnown } from "./texts";

const config = z.record(z.string(), z.unknown());

/** The outputs of an alert channel: facts about its credentials, never their values. */
export const alertChannelOutputs = alertChannel.omit({ id: true }).extend({ config });

export const expectationsSchema = (outputs: Schema) =>
  z
    .record(z.string(), z.unknown(), { error: `must be ${objects.value}` })
    .superRefine((expected, context) => {
      for (const { path, reason } of findProblems(expected, outputs)) {
        context.addIssue({ code: "custom", path: [...path], message: reason });
      }
    });

function findProblems(expected: unknown, schema: Schema, path: Path = []): ProblemAt[] {
  const output = unwrapOptional(schema);
  const valueType = getValueType(output);
  if (expected === null) return [];
  if (isObject(expected) && valueType === objects && !areConditions(expected)) {
    return Object.entries(expected).flatMap(([name, value]) => {
      const field = output === config ? getSettingSchema(name, value) : findField(output, name);
      const at = [...path, name];
      if (field) return findProblems(value, field, at);
      return [createUnknownNameProblem(at, output === config ? shownKeys : listFieldNames(output))];
    });
  }
  if (isObject(expected) && Object.keys(expected).length > 0) {
    return Object.entries(expected).flatMap(([name, wanted]) => {
      const at = [...path, name];
      return valueType.conditions.includes(name)
        ? (conditions[name]?.problems(wanted, output, at) ?? [])
        : [createUnknownNameProblem(at, [...listFieldNames(output), ...valueType.conditions])];
    });
  }
  if (Array.isArray(expected) && (valueType === lists || valueType === any)) {
    return expected.flatMap((item, index) => findProblems(item, getItemSchema(output), [...path, index]));
  }
  const names = valueType.conditions.join(", ");
  const error = (): string => `must be ${valueType.value}, null, or an object with conditions (${names})`;
  const [issue] = z.safeParse(output, expected, { error }).error?.issues ?? [];
  return issue ? [{ path, reason: issue.message }] : [];
}

/**
 * Accepts any name, because it may be the name of a credential. Rejects a misspelled known setting, unless an object of facts is expected.
 */
function getSettingSchema(name: string, expected: unknown): Schema | undefined {
  if (isShown(name)) return z.unknown();
  const isMistake = typeof expected !== "object" && isMisspelled(name, shownKeys);
  return isMistake ? undefined : redactedCredential;
}

function createUnknownNameProblem(path: Path, allowed: readonly string[]): ProblemAt {
  return { path, reason: formatNotKnown(String(path.at(-1)), allowed) };
}

function getItemSchema(output: Schema): Schema {
  return output instanceof z.ZodArray ? output.element : z.unknown();
}

/** A type of value, and the conditions that a program can set for it. */
interface ValueType {
  readonly value: string;
  readonly conditions: readonly string[];
}

const common = ["oneOf", "not"];
const objects: ValueType = { value: "an object with expected fields", conditions: common };
const lists: ValueType = { value: "a list", conditions: ["contains", ...common] };
const numbers: ValueType = { value: "a number", conditions: ["atLeast", "atMost", ...common] };
const booleans: ValueType = { value: "true or false", conditions: common };
const strings: ValueType = { value: "a string", conditions: ["matches", ...common] };
const any: ValueType = {
  value: "a string, a number, true or false, or a list",
  conditions: ["atLeast", "atMost", "matches", "contains", ...common],
};

function getValueType(output: Schema): ValueType {
  if (output instanceof z.ZodObject || output instanceof z.ZodRecord) return objects;
  if (output instanceof z.ZodArray) return lists;
  if (output instanceof z.ZodNumber) return numbers;
  if (output instanceof z.ZodBoolean) return booleans;
  if (output instanceof z.ZodString || output instanceof z.ZodEnum) return strings;
  return any;
}

/** A field that doesn't meet its expectation. */
interface Violation {
  /** Name with dots if nested; empty for the whole object. */
  readonly field: string;
  readonly expected: string;
  /** The value as JSON, or `not set`. */
  readonly actual: string;
}

/** Describes all violations for a user. Returns undefined if there are no violations. */
export function formatViolations(expected: unknown, actual: unknown): string | undefined {
  const lines = findViolations(expected ?? {}, actual).map(
    (one) => `${one.field || "outputs"}: expected ${one.expected}, but it is ${one.actual}`,
  );
  return lines.length === 0 ? undefined : `not as expected:\n  ${lines.join(";\n  ")}`;
}

/** Returns all violations, at most one for each field. */
export function findViolations(expected: unknown, actual: unknown, field = ""): Violation[] {
  const createViolation = (wanted: string): Violation => ({
    field,
    expected: truncate(wanted),
    actual: actual == null ? "not set" : truncate(JSON.stringify(actual)),
  });
  const joinPath = (name: string | number): string => (field === "" ? String(name) : `${field}.${name}`);
  if (Array.isArray(expected) && Array.isArray(actual) && expected.length === actual.length) {
    return expected.flatMap((item, index) => findViolations(item, actual[index], joinPath(index)));
  }
  // A missing value equals null.
  if (!isObject(expected))
    return (expected ?? null) === (actual ?? null) ? [] : [createViolation(formatExpectation(expected))];
  const wanted = Object.entries(expected);
  if (areConditions(expected)) {
    const unmet = wanted.filter(([name, bound]) => conditions[name]?.holds(bound, actual) === false);
    return unmet.length === 0 ? [] : [createViolation(formatConditions(unmet))];
  }
  const fields = new Map(isObject(actual) ? Object.entries(actual) : []);
  return wanted.flatMap(([name, value]) => findViolations(value, fields.get(name), joinPath(name)));
}

/** Returns true if an object contains conditions rather than fields. */
function areConditions(expected: object): boolean {
  const names = Object.keys(expected);
  return names.length > 0 && names.every((name) => Object.hasOwn(conditions, name));
}

/** Returns the expectations for the part of an object at a path, in all branches of conditions. */
export function listExpectationsAt(expected: unknown, path: readonly string[]): unknown[] {
  const [name, ...rest] = path;
  if (name === undefined) return [expected];
  if (Array.isArray(expected)) return expected.flatMap((one) => listExpectationsAt(one, path));
  if (!isObject(expected)) return [];
  if (areConditions(expected)) return listExpectationsAt(Object.values(expected), path);
  return Object.hasOwn(expected, name) ? listExpectationsAt(expected[name], rest) : [];
}

interface Condition {
  /** Returns the problems with a program's condition on an output. */
  problems(wanted: unknown, output: Schema, path: Path): ProblemAt[];
  /** Returns the requirement, as the text after "expected" in a message. */
  format(wanted: unknown): string;
  holds(wanted: unknown, actual: unknown): boolean;
}

/** Returns a condition on numbers. @param words Describe the condition, as in "at least 7". */
const createBound = (words: string, holds: (actual: number, bound: number) => boolean): Condition => ({
  problems: (wanted, _, path) => (Number.isFinite(wanted) ? [] : must("a number", path)),
  format: (wanted) => `${words} ${formatExpectation(wanted)}`,
  holds: (wanted, actual) => typeof actual === "number" && holds(actual, Number(wanted)),
});

/** All conditions. No field of the API has the same name as a condition. */
const conditions: Readonly<Record<string, Condition>> = {
  atLeast: createBound("at least", (actual, least) => actual >= least),
  atMost: createBound("at most", (actual, most) => actual <= most),
  oneOf: {
    problems: (wanted, output, path) =>
      Array.isArray(wanted) && wanted.length > 0
        ? wanted.flatMap((one, index) => findProblems(one, output, [...path, index]))
        : must("a non-empty list of allowed values", path),
    format: (wanted) => `one of ${toList(wanted).map(formatExpectation).join(", ")}`,
    holds: (wanted, actual) => toList(wanted).some((one) => meets(one, actual)),
  },
  not: {
    problems: findProblems,
    format: (unwanted) =>
      unwanted === null ? "any value" : `anything except ${formatExpectation(unwanted)}`,
    holds: (unwanted, actual) => !meets(unwanted, actual),
  },
  matches: {
    problems: (pattern, _, path) => validatePattern(pattern, path),
    format: (pattern) => `a string that matches ${formatExpectation(pattern)}`,
    holds: (pattern, actual) => typeof actual === "string" && createMatcher(String(pattern))(actual),
  },
  contains: {
    problems: (wanted, output, path) => findProblems(wanted, getItemSchema(output), path),
    format: (wanted) => `a list with ${formatExpectation(wanted)}`,
    holds: (wanted, actual) => toList(actual).some((item) => meets(wanted, item)),
  },
};

const must = (wanted: string, path: Path): ProblemAt[] => [{ path, reason: `must be ${wanted}` }];

function meets(expected: unknown, actual: unknown): boolean {
  return findViolations(expected, actual).length === 0;
}

function formatExpectation(expected: unknown): string {
  if (expected === null || expected === undefined) return "no value";
  if (Array.isArray(expected)) return `[${expected.map(formatExpectation).join(", ")}]`;
  if (!isObject(expected)) return JSON.stringify(expected);
  const parts = Object.entries(expected);
  return areConditions(expected)
    ? formatConditions(parts)
    : `{${parts.map(([name, value]) => `${name}: ${formatExpectation(value)}`).join(", ")}}`;
}

function formatConditions(wanted: readonly (readonly [name: string, bound: unknown])[]): string {
  return wanted.map(([name, bound]) => conditions[name]?.format(bound)).join(" and ");
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

const maxShownLength = 160;

/** Shortens a message, without splitting a surrogate pair. */
function truncate(text: string): string {
  return text.length > maxShownLength ? `${text.slice(0, maxShownLength).replace(/\p{Cs}$/u, "")}…` : text;
}

const maxPatternLength = 1000;

/** Returns the problem if the value can't be used as a pattern. */
function validatePattern(source: unknown, path: Path): ProblemAt[] {
  if (typeof source !== "string") return must("a regular expression, as a string", path);
  if (source.length > maxPatternLength)
    return [{ path, reason: `must have at most ${maxPatternLength} characters` }];
  if (isValid(() => compile(source))) return [];
  const otherwise = isValid(() => new RegExp(source, "u"))
    ? " supported by RE2 (no lookaround, backreferences or large repetitions)"
    : "";
  return must(`a regular expression${otherwise}`, path);
}

/** Returns a function that searches a string for a match. The time is linear for any pattern and string. */
export function createMatcher(source: string): (text: string) => boolean {
  const pattern = compile(source);
  return (text) => pattern.matcher(text).find();
}

function compile(source: string): RE2JS {
  return RE2JS.compile(RE2JS.translateRegExp(source));
}

function isValid(make: () => unknown): boolean {
  try {
    make();
    return true;
  } catch {
    return false;
  }
}
