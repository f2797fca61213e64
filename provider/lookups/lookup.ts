/** Lookups: the reads behind the data sources of programs and the functions of the plugin. */
import { z } from "zod";
import { notKnown } from "../texts";
import { channelIdProblem, type IdCheck, idProblem } from "../api";
import { type ReadConnections } from "../connection";
import { InvalidInputError, type Problem } from "../client";

// Validates the arguments of lookups and components.

const idBy = (problemOf: IdCheck) =>
  z.custom<string | number>().superRefine((value: unknown, context) => {
    const message = value === undefined ? "must be given" : problemOf(value);
    if (message !== undefined) context.addIssue({ code: "custom", message });
  });

export const id = idBy(idProblem);
export const channelId = idBy(channelIdProblem);

const notString = { error: "must be a string that is not empty" };
export const text = z.string(notString).min(1, notString);

export const oneOf = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.enum(values, { error: `must be one of ${values.join(", ")}` });

export const anyListOf = <Item extends z.ZodType>(item: Item) => z.array(item, { error: "must be a list" });

interface Signature<Shape extends z.ZodRawShape> {
  /** Name of the function or component, for errors. */
  readonly name: string;
  readonly takes: Shape;
  /** Arguments of which exactly one must be given. */
  readonly exactlyOneOf?: readonly (keyof Shape & string)[];
  /** Arguments of which at most one may be given. */
  readonly atMostOneOf?: readonly (keyof Shape & string)[];
}

export type ArgumentsOf<Shape extends z.ZodRawShape> = z.output<z.ZodObject<Shape>>;

/**
 * Validates arguments. A null or undefined argument counts as omitted.
 *
 * @throws InvalidInputError with all problems.
 */
export function checkedArguments<Shape extends z.ZodRawShape>(
  { name, takes, exactlyOneOf = [], atMostOneOf = [] }: Signature<Shape>,
  args: object,
): ArgumentsOf<Shape> {
  const given = Object.fromEntries(Object.entries({ ...args }).filter(([, value]) => value != null));
  const result = z.strictObject(takes).safeParse(given);
  const problems = (result.error?.issues ?? []).flatMap((issue) => problemsOf(issue, Object.keys(takes)));
  const count = (names: readonly string[]): number => names.filter((one) => Object.hasOwn(given, one)).length;
  if (exactlyOneOf.length > 0 && count(exactlyOneOf) !== 1) {
    problems.push({ property: exactlyOneOf.join(" or "), reason: "must be given: exactly one of them" });
  }
  if (count(atMostOneOf) > 1)
    problems.push({ property: atMostOneOf.join(" and "), reason: "are mutually exclusive" });
  if (problems.length > 0 || !result.success) throw new InvalidInputError(name, problems);
  return result.data;
}

function problemsOf(issue: z.core.$ZodIssue, known: readonly string[]): Problem[] {
  return issue.code === "unrecognized_keys"
    ? issue.keys.map((property) => ({ property, reason: notKnown(property, known) }))
    : [{ property: issue.path.join("."), reason: issue.message }];
}

export interface LookupContext {
  readonly connections: ReadConnections;
}

export interface Lookup<Shape extends z.ZodRawShape, Result> extends Signature<Shape> {
  read(args: ArgumentsOf<Shape>, context: LookupContext): Promise<Result>;
}

/** The argument of every lookup. */
export const account = text.optional();

/** @throws InvalidInputError with all problems of the arguments, before any request. */
export async function runLookup<Shape extends z.ZodRawShape, Result>(
  lookup: Lookup<Shape, Result>,
  args: object,
  context: LookupContext,
): Promise<Result> {
  return lookup.read(checkedArguments(lookup, args), context);
}

/** Defines a lookup with inferred types. */
export function lookup<Shape extends z.ZodRawShape, Result>(
  defined: Lookup<Shape, Result>,
): Lookup<Shape, Result> {
  return defined;
}
