/** Mistakes in what a program expects: fields and conditions that there aren't, and values that no output can have. */
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { areConditions, isObject } from "./expectations";
import { facts } from "./fields";
import { fieldNames, fieldOf, present, type Schema } from "../outputs";

interface Mistake {
  readonly path: (string | number)[];
  readonly message: string;
}

/** What can be expected of one kind of value. */
interface Kind {
  /** The value itself, in words. */
  readonly value: string;
  readonly conditions: readonly string[];
}

const forAll = ["oneOf", "not"];
const objects: Kind = { value: "an object of expectations by field", conditions: forAll };
const lists: Kind = { value: "a list", conditions: ["contains", ...forAll] };
const numbers: Kind = { value: "a number", conditions: ["atLeast", "atMost", ...forAll] };
const flags: Kind = { value: "true or false", conditions: forAll };
const texts: Kind = { value: "a string", conditions: ["matches", ...forAll] };
const anything: Kind = {
  value: "a text, a number, true or false, or a list",
  conditions: ["atLeast", "atMost", "matches", "contains", ...forAll],
};

function kindOf(output: Schema): Kind {
  if (output instanceof z.ZodObject || output instanceof z.ZodRecord) return objects;
  if (output instanceof z.ZodArray) return lists;
  if (output instanceof z.ZodNumber) return numbers;
  if (output instanceof z.ZodBoolean) return flags;
  if (output instanceof z.ZodString || output instanceof z.ZodEnum) return texts;
  return anything;
}

/** The field `expect` of a resource with these outputs. */
export const expectationsOf = (outputs: Schema) =>
  z
    .record(z.string(), z.unknown(), { error: `must be ${objects.value}` })
    .superRefine((expected, context) => {
      for (const mistake of mistakesIn(expected, outputs)) context.addIssue({ code: "custom", ...mistake });
    })
    .optional()
    .register(facts, { same: isDeepStrictEqual });

function mistakesIn(expected: unknown, schema: Schema, path: Mistake["path"] = []): Mistake[] {
  const output = present(schema);
  const kind = kindOf(output);
  if (expected === null) return [];
  if (isObject(expected) && kind === objects && !areConditions(expected)) {
    return Object.entries(expected).flatMap(([name, value]) => {
      const field = fieldOf(output, name);
      const at = [...path, name];
      return field ? mistakesIn(value, field, at) : [unknownName(at, fieldNames(output))];
    });
  }
  if (isObject(expected) && Object.keys(expected).length > 0) {
    return Object.entries(expected).flatMap(([name, wanted]) => {
      const at = [...path, name];
      return kind.conditions.includes(name)
        ? mistakesInCondition(name, wanted, output, at)
        : [unknownName(at, [...fieldNames(output), ...kind.conditions])];
    });
  }
  if (Array.isArray(expected) && (kind === lists || kind === anything)) {
    return expected.flatMap((item, index) => mistakesIn(item, itemOf(output), [...path, index]));
  }
  const names = kind.conditions.join(", ");
  const error = (): string => `must be ${kind.value}, null, or conditions: an object with any of ${names}`;
  const [issue] = z.safeParse(output, expected, { error }).error?.issues ?? [];
  return issue ? [{ path, message: issue.message }] : [];
}

function mistakesInCondition(
  name: string,
  wanted: unknown,
  output: Schema,
  path: Mistake["path"],
): Mistake[] {
  const must = (message: string): Mistake[] => [{ path, message: `must be ${message}` }];
  switch (name) {
    case "atLeast":
    case "atMost":
      return Number.isFinite(wanted) ? [] : must("a number");
    case "matches":
      return isPattern(wanted) ? [] : must("a regular expression of JavaScript, as a text");
    case "contains":
      return mistakesIn(wanted, itemOf(output), path);
    case "oneOf":
      if (!Array.isArray(wanted) || wanted.length === 0) return must("a list of what is allowed");
      return wanted.flatMap((one, index) => mistakesIn(one, output, [...path, index]));
    default:
      return mistakesIn(wanted, output, path);
  }
}

function unknownName(path: Mistake["path"], known: readonly string[]): Mistake {
  return { path, message: `is not known; known are ${known.join(", ")}` };
}

function itemOf(output: Schema): Schema {
  return output instanceof z.ZodArray ? output.element : z.unknown();
}

function isPattern(text: unknown): boolean {
  try {
    return typeof text === "string" && new RegExp(text) instanceof RegExp;
  } catch {
    return false;
  }
}
