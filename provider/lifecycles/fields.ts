/** What is known of each field of a resource, stated once as data, and what follows from it for `check` and `diff`. */
import { z } from "zod";
import { type Problem } from "../client";
import { idProblem } from "../api/path";
import { type Declared, type Properties } from "./lifecycle";

export interface FieldFacts {
  /** Whether another value means another object. */
  readonly replaces?: boolean;
  /** Whether its value may be a secret, which no message shows. */
  readonly secret?: boolean;
  /** The output that repeats its value. */
  readonly repeatedIn?: string;
  /** Whether only this package sets it, for a create. It never counts as changed, and no message names it. */
  readonly internal?: boolean;
  /** Whether two values mean the same. Default: they are equal. */
  readonly same?: (a: unknown, b: unknown) => boolean;
}

export const facts = z.registry<FieldFacts>();

/** The fields that a program may declare. A schema that has {@link facts} is registered with them. */
export type Fields = Readonly<Record<string, z.ZodType>>;

/** An id, as a text: alert channels have numbers. Another id means another object. */
export const idOf = (what: string) =>
  z
    .union([z.string(), z.number()], { error: `must be the id of ${what}` })
    .superRefine((id, context) => {
      const reason = idProblem(id);
      if (reason !== undefined) context.addIssue({ code: "custom", message: reason });
    })
    .transform(String)
    .register(facts, { replaces: true });

export const account = z.string({ error: "must be a string" }).optional();

/** Every mistake in what is declared, and the inputs as they are to be kept: trimmed, with defaults. */
export function checkFields(
  fields: Fields,
  { known, unknown }: Declared,
): { inputs: Properties; problems: Problem[] } {
  const inputs: Record<string, unknown> = {};
  const problems: Problem[] = [...Object.keys(known), ...unknown]
    .filter((name) => !Object.hasOwn(fields, name))
    .map((name) => ({ property: name, reason: `is not known; known are ${publicNames(fields).join(", ")}` }));
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

/** Whether all is known that a program declares. */
export function isKnown(fields: Fields, { unknown }: Declared): boolean {
  return [...unknown].every((name) => isInternal(fields, name));
}

function isInternal(fields: Fields, name: string): boolean {
  return factsOf(fields, name)?.internal === true;
}

/** The fields that no longer mean what they did, or that may not: what isn't known yet counts as changed. */
export function changedFields(fields: Fields, old: Properties, { known, unknown }: Declared): string[] {
  return Object.entries(fields)
    .filter(([name, schema]) => {
      if (isInternal(fields, name)) return false;
      if (unknown.has(name)) return true;
      const valueIn = (properties: Properties): unknown =>
        properties[name] ?? schema.safeParse(undefined).data;
      const same = facts.get(schema)?.same ?? Object.is;
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
  return schema && facts.get(schema);
}
