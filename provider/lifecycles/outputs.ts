/** The outputs of what a stack observes: the documented fields of the client's schemas, in camelCase. */
import { z } from "zod";
import { type Properties } from "./lifecycle";

export type Schema = z.core.$ZodType;

/** Records whose values depend on their key, and what stands under one. */
export const valuesByKey = new WeakMap<Schema, (key: string) => Schema>();

/**
 * What is kept of an object that the service sent, with an empty list where it left a list out. Fields without
 * documentation stay behind: one could hold a credential, and no program could read it.
 */
export function documented(schema: z.ZodObject, sent: object): Properties {
  const values = new Map(Object.entries(sent));
  const kept = shapeOf(schema).map(([name, field]): [string, unknown] => [
    camelCase(name),
    keep(field, values.get(name)),
  ]);
  return Object.fromEntries(kept);
}

function keep(schema: Schema, value: unknown): unknown {
  const output = present(schema);
  if (output instanceof z.ZodArray) {
    return Array.isArray(value) ? value.map((item) => keep(output.element, item)) : [];
  }
  const isObject = typeof value === "object" && value !== null;
  return output instanceof z.ZodObject && isObject ? documented(output, value) : value;
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
