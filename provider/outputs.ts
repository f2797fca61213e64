/** The outputs of observed resources and data sources: the documented fields of the client's schemas, in camelCase. */
import { z } from "zod";
import { isScalar } from "./api/credentials";
import { type Properties } from "./lifecycles/lifecycle";

export type Schema = z.core.$ZodType;

/** Records whose values depend on their key, and what stands under one. */
export const valuesByKey = new WeakMap<Schema, (key: string) => Schema>();

type CamelCase<Name> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name;
type KnownKeys<Sent> = keyof { [Name in keyof Sent as string extends Name ? never : Name]-?: true };
type Kept<Value> =
  NonNullable<Value> extends readonly (infer Item)[]
    ? Kept<Item>[]
    : Value extends object
      ? Documented<Value>
      : Value;

/** The documented fields of an object that the service sent, in camelCase. */
export type Documented<Sent> = {
  [Name in KnownKeys<Sent> & keyof Sent as CamelCase<Name>]: Kept<Sent[Name]>;
};

/**
 * What is kept of an object that the service sent, with an empty list where it left a list out. Fields without
 * documentation stay behind: one could hold a credential, and no program could read it.
 */
export function documented<Sent extends z.ZodObject>(
  schema: Sent,
  sent: z.output<Sent>,
): Documented<z.output<Sent>>;
export function documented(schema: z.ZodObject, sent: object): Properties {
  return keptFields(schema)(sent);
}

type Keep = (value: unknown) => unknown;

/** One mapping for each schema: a list of status pages has thousands of objects. */
const known = new WeakMap<Schema, (sent: object) => Properties>();

function keptFields(schema: z.ZodObject): (sent: object) => Properties {
  const made = known.get(schema);
  if (made) return made;
  const fields = shapeOf(schema).map(([name, field]) => ({
    name,
    output: camelCase(name),
    keep: keeper(field),
  }));
  const kept = (sent: object): Properties => {
    const values = new Map(Object.entries(sent));
    return Object.fromEntries(fields.map(({ name, output, keep }) => [output, keep(values.get(name))]));
  };
  known.set(schema, kept);
  return kept;
}

function keeper(schema: Schema): Keep {
  const output = present(schema);
  if (output instanceof z.ZodArray) {
    const keep = keeper(output.element);
    return (value) => (Array.isArray(value) ? value.map(keep) : []);
  }
  if (output instanceof z.ZodObject) {
    const kept = keptFields(output);
    return (value) => (typeof value === "object" && value !== null ? kept(value) : value);
  }
  // A record, `config`, is kept as it is given: it is redacted before, unless its credentials are to be revealed.
  if (output instanceof z.ZodRecord) return (value) => value;
  return (value) => (isScalar(value) ? value : undefined);
}

/** What a value must be when it is there, neither missing nor null. */
export function present(schema: Schema): Schema {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable
    ? present(schema.unwrap())
    : schema;
}

/** The names of the outputs inside an object; none when they may have any name. */
export function fieldNames(schema: Schema): string[] {
  return schema instanceof z.ZodObject ? shapeOf(schema).map(([name]) => camelCase(name)) : [];
}

/** One output inside an object, or undefined when it has none of this name. */
export function fieldOf(schema: Schema, name: string): Schema | undefined {
  if (schema instanceof z.ZodRecord) return valuesByKey.get(schema)?.(name) ?? schema.valueType;
  if (!(schema instanceof z.ZodObject)) return undefined;
  return shapeOf(schema).find(([field]) => camelCase(field) === name)?.[1];
}

function shapeOf({ shape }: z.ZodObject): [name: string, field: Schema][] {
  return Object.entries(shape);
}

function camelCase(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
