/** Lookups: the reads behind the data sources of programs and the functions of the plugin. */
import { type z } from "zod";
import { type ReadConnections } from "../connection/connections";
import { type ArgumentsOf, checkedArguments, type Signature, text } from "./lookupArguments";

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
