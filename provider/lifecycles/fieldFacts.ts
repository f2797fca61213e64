/** The facts about the fields of a resource, declared once as data, and the functions that `check` and `diff` derive from them. */
import { z } from "zod";
import { notKnown } from "../texts";
import { type IdCheck, idProblem } from "../api";
import { type Problem } from "../client";
import { type DeclaredInputs, type Properties } from "./lifecycle";

export interface FieldFacts {
  /** Whether a change replaces the resource. */
  readonly replaces?: boolean;
  /** Whether the value may be a secret. Messages never show it. */
  readonly secret?: boolean;
  /** The output that repeats the value. */
  readonly repeatedIn?: string;
  /** Whether only this package sets the field, for `create`. It never counts as changed, and messages never name it. */
  readonly internal?: boolean;
  /** Whether two values are equivalent. Default: `Object.is`. */
  readonly same?: (a: unknown, b: unknown) => boolean;
}

export const fieldFacts = z.registry<FieldFacts>();

/** The fields that a program may declare. A schema with {@link fieldFacts} is registered in that registry. */
export type Fields = Readonly<Record<string, z.ZodType>>;

/** An id, normalized to a string because ids of alert channels are numbers. A change replaces the resource. */
export const idOf = (what: string, problemOf: IdCheck = idProblem) =>
  z
    .union([z.string(), z.number()], { error: `must be the id of ${what}` })
    .superRefine((id, context) => {
      const reason = problemOf(id);
      if (reason !== undefined) context.addIssue({ code: "custom", message: reason });
    })
    .transform(String)
    .register(fieldFacts, { replaces: true });

export const account = z.string({ error: "must be a string" }).optional();

/** Validates a declaration. Returns every problem, and the inputs to store: trimmed, with defaults. */
export function checkFields(
  fields: Fields,
  { known, unknown }: DeclaredInputs,
): { inputs: Properties; problems: Problem[] } {
  const inputs: Record<string, unknown> = {};
  const problems: Problem[] = [...Object.keys(known), ...unknown]
    .filter((name) => !Object.hasOwn(fields, name))
    .map((name) => ({ property: name, reason: notKnown(name, publicNames(fields)) }));
  for (const [name, schema] of Object.entries(fields)) {
    if (unknown.has(name)) continue;
    const result = schema.safeParse(known[name]);
    if (!result.success)
      for (const { path, message } of result.error.issues)
        problems.push({ property: [name, ...path].join("."), reason: message });
    else if (result.data !== undefined) inputs[name] = result.data;
  }
  return { inputs, problems };
}

function publicNames(fields: Fields): string[] {
  return Object.keys(fields).filter((name) => !isInternal(fields, name));
}

function isInternal(fields: Fields, name: string): boolean {
  return factsOf(fields, name)?.internal === true;
}

/** The fields whose value changed. A value that is not known yet counts as changed. */
export function changedFields(fields: Fields, old: Properties, { known, unknown }: DeclaredInputs): string[] {
  return Object.entries(fields)
    .filter(([name, schema]) => {
      if (isInternal(fields, name)) return false;
      if (unknown.has(name)) return true;
      const valueIn = (properties: Properties): unknown =>
        properties[name] ?? schema.safeParse(undefined).data;
      const same = fieldFacts.get(schema)?.same ?? Object.is;
      return !same(valueIn(old), valueIn(known));
    })
    .map(([name]) => name);
}

export function replacingFields(fields: Fields, names: readonly string[]): string[] {
  return names.filter((name) => factsOf(fields, name)?.replaces === true);
}

export function secretFields(fields: Fields): ReadonlySet<string> {
  return new Set(Object.keys(fields).filter((name) => factsOf(fields, name)?.secret === true));
}

/** The outputs that repeat these inputs. */
export function outputsThatRepeat(fields: Fields, names: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...names].flatMap((name) => factsOf(fields, name)?.repeatedIn ?? []));
}

function factsOf(fields: Fields, name: string): FieldFacts | undefined {
  const schema = fields[name];
  return schema && fieldFacts.get(schema);
}
