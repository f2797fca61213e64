/** Validates `expect`: rejects unknown fields, unknown conditions, and values that an output cannot have. */
import { z } from "zod";
import { isObject } from "../values/isObject";
import { notKnown } from "../texts/problem";
import { fieldNames, fieldOf, present, type Schema } from "../values/documentedFields";
import { patternProblem } from "../texts/regularExpression";
import { areConditions } from "./violations";

interface Issue {
  readonly path: (string | number)[];
  readonly message: string;
}

/** What a program can expect of a type of value. */
interface ValueType {
  /** Description of the value. */
  readonly value: string;
  readonly conditions: readonly string[];
}

const common = ["oneOf", "not"];
const objects: ValueType = { value: "an object of expectations by field", conditions: common };
const lists: ValueType = { value: "a list", conditions: ["contains", ...common] };
const numbers: ValueType = { value: "a number", conditions: ["atLeast", "atMost", ...common] };
const booleans: ValueType = { value: "true or false", conditions: common };
const strings: ValueType = { value: "a string", conditions: ["matches", ...common] };
const any: ValueType = {
  value: "a string, a number, true or false, or a list",
  conditions: ["atLeast", "atMost", "matches", "contains", ...common],
};

function valueTypeOf(output: Schema): ValueType {
  if (output instanceof z.ZodObject || output instanceof z.ZodRecord) return objects;
  if (output instanceof z.ZodArray) return lists;
  if (output instanceof z.ZodNumber) return numbers;
  if (output instanceof z.ZodBoolean) return booleans;
  if (output instanceof z.ZodString || output instanceof z.ZodEnum) return strings;
  return any;
}

/** The expectations of an object with these outputs. */
export const expectationsOf = (outputs: Schema) =>
  z
    .record(z.string(), z.unknown(), { error: `must be ${objects.value}` })
    .superRefine((expected, context) => {
      for (const issue of issuesIn(expected, outputs)) context.addIssue({ code: "custom", ...issue });
    });

function issuesIn(expected: unknown, schema: Schema, path: Issue["path"] = []): Issue[] {
  const output = present(schema);
  const valueType = valueTypeOf(output);
  if (expected === null) return [];
  if (isObject(expected) && valueType === objects && !areConditions(expected)) {
    return Object.entries(expected).flatMap(([name, value]) => {
      const field = fieldOf(output, name);
      const at = [...path, name];
      return field ? issuesIn(value, field, at) : [unknownName(at, fieldNames(output))];
    });
  }
  if (isObject(expected) && Object.keys(expected).length > 0) {
    return Object.entries(expected).flatMap(([name, wanted]) => {
      const at = [...path, name];
      return valueType.conditions.includes(name)
        ? issuesInCondition(name, wanted, output, at)
        : [unknownName(at, [...fieldNames(output), ...valueType.conditions])];
    });
  }
  if (Array.isArray(expected) && (valueType === lists || valueType === any)) {
    return expected.flatMap((item, index) => issuesIn(item, itemOf(output), [...path, index]));
  }
  const names = valueType.conditions.join(", ");
  const error = (): string =>
    `must be ${valueType.value}, null, or conditions: an object with any of ${names}`;
  const [issue] = z.safeParse(output, expected, { error }).error?.issues ?? [];
  return issue ? [{ path, message: issue.message }] : [];
}

function issuesInCondition(name: string, wanted: unknown, output: Schema, path: Issue["path"]): Issue[] {
  const must = (message: string): Issue[] => [{ path, message: `must be ${message}` }];
  switch (name) {
    case "atLeast":
    case "atMost":
      return Number.isFinite(wanted) ? [] : must("a number");
    case "matches":
      return patternIssues(wanted, path);
    case "contains":
      return issuesIn(wanted, itemOf(output), path);
    case "oneOf":
      if (!Array.isArray(wanted) || wanted.length === 0) return must("a non-empty list of allowed values");
      return wanted.flatMap((one, index) => issuesIn(one, output, [...path, index]));
    default:
      return issuesIn(wanted, output, path);
  }
}

function unknownName(path: Issue["path"], known: readonly string[]): Issue {
  return { path, message: notKnown(String(path.at(-1)), known) };
}

function itemOf(output: Schema): Schema {
  return output instanceof z.ZodArray ? output.element : z.unknown();
}

function patternIssues(pattern: unknown, path: Issue["path"]): Issue[] {
  const message = patternProblem(pattern);
  return message === undefined ? [] : [{ path, message }];
}
