/** What a custom rule may ask of the value at a path. */
import { z } from "zod";
import { listOf } from "../schemas";
import { pattern } from "./pattern";
import { shown } from "./value";

/** A single value: what paths lead to, as a rule. */
export type Scalar = string | number | boolean;

/** Comparisons; all that are given must hold. A value that is not given fulfils `notEquals` and `exists: false` alone. */
export interface Comparison {
  equals?: Scalar;
  notEquals?: Scalar;
  /** For numbers, and for lists by path, such as `subscriptions.length`. */
  atLeast?: number;
  atMost?: number;
  oneOf?: Scalar[];
  /** A regular expression that the text must match somewhere. */
  matches?: string;
  /** Whether there must be a value, or must be none. */
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

/** What the value would have to be, for each comparison that doesn't hold. */
export function* unmetComparisons(value: unknown, wanted: Comparison): Generator<string> {
  const { equals, notEquals, atLeast, atMost, oneOf, matches, exists } = wanted;
  if (equals !== undefined && value !== equals) yield shown(equals);
  if (notEquals !== undefined && value === notEquals) yield `anything but ${shown(notEquals)}`;
  if (atLeast !== undefined && !(typeof value === "number" && value >= atLeast)) yield `${atLeast} or more`;
  if (atMost !== undefined && !(typeof value === "number" && value <= atMost)) yield `${atMost} or less`;
  if (oneOf && !oneOf.some((one) => one === value)) yield `one of ${oneOf.map(shown).join(", ")}`;
  if (matches !== undefined && !(typeof value === "string" && new RegExp(matches, "u").test(value))) {
    yield `a text that matches ${matches}`;
  }
  if (exists === true && value === undefined) yield "a value";
  if (exists === false && value !== undefined) yield "no value";
}
