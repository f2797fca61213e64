/** The comparisons of custom rules. */
import { z } from "zod";
import { listOf } from "../schemas";
import { matchesPattern, pattern } from "./pattern";
import { shown } from "./value";

/** A single value. */
export type Scalar = string | number | boolean;

/** Comparisons, all of which must hold. A missing value only satisfies `notEquals` and `exists: false`. */
export interface Comparison {
  /** The value must be this one. */
  equals?: Scalar;
  /** The value must not be this one. */
  notEquals?: Scalar;
  /** Lowest number; for the length of a list, by a path such as `subscriptions.length`. */
  atLeast?: number;
  /** Highest number. */
  atMost?: number;
  /** The value must be in this list. */
  oneOf?: Scalar[];
  /** A regular expression that must match a part of the string. */
  matches?: string;
  /** Whether the value must exist, or must not. */
  exists?: boolean;
}

const scalar = z.union([z.string(), z.number(), z.boolean()], {
  error: "must be a string, a number, true or false",
});
const number = z.number({ error: "must be a number" });

export const comparisonShape = {
  equals: scalar.optional(),
  notEquals: scalar.optional(),
  atLeast: number.optional(),
  atMost: number.optional(),
  oneOf: listOf(scalar).optional(),
  matches: pattern.optional(),
  exists: z.boolean({ error: "must be true or false" }).optional(),
};

export const comparisons = Object.keys(comparisonShape);

/** What is expected of the value, for each comparison that doesn't hold. */
export function* unmetComparisons(value: unknown, comparison: Comparison): Generator<string> {
  const { equals, notEquals, atLeast, atMost, oneOf, matches, exists } = comparison;
  if (equals !== undefined && value !== equals) yield shown(equals);
  if (notEquals !== undefined && value === notEquals) yield `anything but ${shown(notEquals)}`;
  if (atLeast !== undefined && !(typeof value === "number" && value >= atLeast)) yield `${atLeast} or more`;
  if (atMost !== undefined && !(typeof value === "number" && value <= atMost)) yield `${atMost} or less`;
  if (oneOf && !oneOf.some((one) => one === value)) yield `one of ${oneOf.map(shown).join(", ")}`;
  if (matches !== undefined && !(typeof value === "string" && matchesPattern(value, matches))) {
    yield `a string that matches ${matches}`;
  }
  if (exists === true && value === undefined) yield "a value";
  if (exists === false && value !== undefined) yield "no value";
}
