/**
 * Compares what a program or a rule file expects of an object with what was read. An expectation is a value, a list of
 * expectations by item, an object of expectations by field, or an object of conditions that must all hold.
 */
import { isObject } from "../values/isObject";
import { matcherOf } from "../texts/regularExpression";

/** A field that isn't as expected. */
export interface Violation {
  /** With dots if nested; empty for the whole object. */
  readonly field: string;
  readonly expected: string;
  /** The value as JSON, or `not set`. */
  readonly actual: string;
}

interface Condition {
  /** What the condition requires, as it follows "expected" in a message. */
  format(wanted: unknown): string;
  holds(wanted: unknown, actual: unknown): boolean;
}

/** All conditions. No field of the API has the name of a condition. */
const conditions: Readonly<Record<string, Condition>> = {
  atLeast: {
    format: (least) => `at least ${formatExpectation(least)}`,
    holds: (least, actual) => typeof actual === "number" && actual >= Number(least),
  },
  atMost: {
    format: (most) => `at most ${formatExpectation(most)}`,
    holds: (most, actual) => typeof actual === "number" && actual <= Number(most),
  },
  oneOf: {
    format: (wanted) => `one of ${listIn(wanted).map(formatExpectation).join(", ")}`,
    holds: (wanted, actual) => listIn(wanted).some((one) => meets(one, actual)),
  },
  not: {
    format: (unwanted) => (unwanted === null ? "any value" : `anything but ${formatExpectation(unwanted)}`),
    holds: (unwanted, actual) => !meets(unwanted, actual),
  },
  matches: {
    format: (pattern) => `a string that matches ${formatExpectation(pattern)}`,
    holds: (pattern, actual) => typeof actual === "string" && matcherOf(String(pattern))(actual),
  },
  contains: {
    format: (wanted) => `a list with ${formatExpectation(wanted)}`,
    holds: (wanted, actual) => listIn(actual).some((item) => meets(wanted, item)),
  },
};

/** Whether an object holds conditions rather than fields. */
export function areConditions(expected: object): boolean {
  const names = Object.keys(expected);
  return names.length > 0 && names.every((name) => Object.hasOwn(conditions, name));
}

/** All violations, at most one for each field. */
export function violations(expected: unknown, actual: unknown, field = ""): Violation[] {
  const violation = (wanted: string): Violation => ({
    field,
    expected: short(wanted),
    actual: formatActual(actual),
  });
  const inner = (name: string | number): string => (field === "" ? String(name) : `${field}.${name}`);
  if (Array.isArray(expected) && Array.isArray(actual) && expected.length === actual.length) {
    return expected.flatMap((item, index) => violations(item, actual[index], inner(index)));
  }
  if (!isObject(expected)) return isEqual(expected, actual) ? [] : [violation(formatExpectation(expected))];
  const wanted = Object.entries(expected);
  if (areConditions(expected)) {
    const unmet = wanted.filter(([name, bound]) => conditions[name]?.holds(bound, actual) === false);
    return unmet.length === 0 ? [] : [violation(formatConditions(unmet))];
  }
  const fields = new Map(isObject(actual) ? Object.entries(actual) : []);
  return wanted.flatMap(([name, value]) => violations(value, fields.get(name), inner(name)));
}

/** The expectations for the part of an object at a path, in all branches of conditions. */
export function expectationsAt(expected: unknown, path: readonly string[]): unknown[] {
  const [name, ...rest] = path;
  if (name === undefined) return [expected];
  if (Array.isArray(expected)) return expected.flatMap((one) => expectationsAt(one, path));
  if (!isObject(expected)) return [];
  if (areConditions(expected)) return expectationsAt(Object.values(expected), path);
  return Object.hasOwn(expected, name) ? expectationsAt(expected[name], rest) : [];
}

function meets(expected: unknown, actual: unknown): boolean {
  return violations(expected, actual).length === 0;
}

/** A missing value equals null. */
function isEqual(expected: unknown, actual: unknown): boolean {
  return (expected ?? null) === (actual ?? null);
}

function formatActual(actual: unknown): string {
  return actual === null || actual === undefined ? "not set" : short(JSON.stringify(actual));
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

const maxLength = 160;

/** Shortens a message, without splitting a surrogate pair. */
function short(text: string): string {
  return text.length > maxLength ? `${text.slice(0, maxLength).replace(/\p{Cs}$/u, "")}…` : text;
}

function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** What a user reads of the violations; undefined without one. */
export function violationsText(expected: unknown, actual: unknown): string | undefined {
  const found = violations(expected ?? {}, actual).map(
    (one) => `${one.field || "outputs"}: expected ${one.expected}, but it is ${one.actual}`,
  );
  return found.length === 0 ? undefined : `not as expected:\n  ${found.join(";\n  ")}`;
}
