/** What the data sources read, for programs and for the functions of a plugin. */
import { type z } from "zod";
import { type Connections } from "../connection";
import { type ArgumentsOf, readArguments, type Signature, text } from "./arguments";

export interface LookupContext {
  readonly connections: Connections;
  /** Shows how far a long read is. */
  readonly progress: (text: string) => void | Promise<void>;
}

export interface Lookup<Shape extends z.ZodRawShape, Result> extends Signature<Shape> {
  read(args: ArgumentsOf<Shape>, context: LookupContext): Promise<Result>;
}

/** The argument that every lookup takes. */
export const account = text.optional();

/** @throws InvalidInputError with every mistake in the arguments, before any request. */
export async function runLookup<Shape extends z.ZodRawShape, Result>(
  lookup: Lookup<Shape, Result>,
  args: object,
  context: LookupContext,
): Promise<Result> {
  return lookup.read(readArguments(lookup, args), context);
}

/** Infers the types of a lookup. */
export function lookup<Shape extends z.ZodRawShape, Result>(
  defined: Lookup<Shape, Result>,
): Lookup<Shape, Result> {
  return defined;
}
