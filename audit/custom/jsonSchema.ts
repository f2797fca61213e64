/** The subset of JSON Schema that custom rules support. As in JSON Schema, a keyword only applies to its type of value. */
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { listOf, oneOf, strict } from "../schemas";
import { matchesPattern, pattern } from "./pattern";
import { isObject, shown } from "./value";

/** A JSON Schema fragment: the most common keywords of draft 2020-12. */
export interface JsonSchema {
  $comment?: string;
  title?: string;
  description?: string;
  type?: TypeName | TypeName[];
  const?: unknown;
  enum?: unknown[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  minItems?: number;
  maxItems?: number;
  items?: JsonSchema;
  contains?: JsonSchema;
  required?: string[];
  properties?: Record<string, JsonSchema>;
  allOf?: JsonSchema[];
  anyOf?: JsonSchema[];
  not?: JsonSchema;
  if?: JsonSchema;
  then?: JsonSchema;
  else?: JsonSchema;
}

const is = {
  string: (value: unknown) => typeof value === "string",
  number: (value: unknown) => typeof value === "number",
  integer: (value: unknown) => Number.isInteger(value),
  boolean: (value: unknown) => typeof value === "boolean",
  null: (value: unknown) => value === null,
  array: (value: unknown) => Array.isArray(value),
  object: isRecord,
};
type TypeName = keyof typeof is;

const typeName = oneOf(["string", "number", "integer", "boolean", "null", "array", "object"]);
const annotation = z.string({ error: "must be a string" }).optional();
const number = z.number({ error: "must be a number" }).optional();
const count = z.int({ error: "must be a whole number" }).min(0, { error: "must not be negative" }).optional();
const schema: z.ZodType<JsonSchema> = z.lazy(() => fragment).meta({ id: "JsonSchema" });

const fragment: z.ZodType<JsonSchema> = strict({
  $comment: annotation,
  title: annotation,
  description: annotation,
  type: z.union([typeName, listOf(typeName)]).optional(),
  const: z.unknown().optional(),
  enum: listOf(z.unknown()).optional(),
  minimum: number,
  maximum: number,
  minLength: count,
  maxLength: count,
  pattern: pattern.optional(),
  minItems: count,
  maxItems: count,
  items: schema.optional(),
  contains: schema.optional(),
  required: listOf(z.string({ error: "must be a string" })).optional(),
  properties: z.record(z.string(), schema, { error: "must be an object" }).optional(),
  allOf: listOf(schema).optional(),
  anyOf: listOf(schema).optional(),
  not: schema.optional(),
  if: schema.optional(),
  then: schema.optional(),
  else: schema.optional(),
});

export const jsonSchema = schema;

/** The fragments of the schema of a value that are for the part of it at a path. */
export function* fragmentsAt(
  value: unknown,
  schema: JsonSchema,
  path: readonly string[],
): Generator<JsonSchema> {
  const { allOf = [], anyOf = [], not, properties } = schema;
  for (const part of [...allOf, ...anyOf, not, schema.if, branchFor(value, schema)])
    if (part) yield* fragmentsAt(value, part, path);
  const [name, ...rest] = path;
  const inner = name === undefined ? undefined : properties?.[name];
  if (name === undefined) yield schema;
  else if (inner && isRecord(value)) yield* fragmentsAt(value[name], inner, rest);
}

function branchFor(value: unknown, schema: JsonSchema): JsonSchema | undefined {
  return schema.if && (isValid(value, schema.if) ? schema.then : schema.else);
}

/** Whether it constrains anything but an object and its fields. */
export function isForPlainValue({
  $comment,
  title,
  description,
  type,
  required,
  properties,
  ...others
}: JsonSchema): boolean {
  const combining = ["allOf", "anyOf", "not", "if", "then", "else"];
  const excludesObjects = type !== undefined && ![type].flat().includes("object");
  return excludesObjects || Object.keys(others).some((keyword) => !combining.includes(keyword));
}

interface Violation {
  /** Path to the value, such as `config.region`. */
  at: string;
  actual: string;
  expected: string;
}

/** The parts of a value that violate the schema. */
export function* violations(value: unknown, schema: JsonSchema, at = ""): Generator<Violation> {
  for (const expected of unmet(value, schema)) yield { at, actual: shown(value), expected };
  if (Array.isArray(value) && schema.items) {
    for (const [index, item] of value.entries()) yield* violations(item, schema.items, `${at}[${index}]`);
  }
  if (isRecord(value)) {
    const path = (name: string) => (at === "" ? name : `${at}.${name}`);
    for (const name of schema.required ?? []) {
      if (!isGiven(value, name)) yield { at: path(name), actual: "not given", expected: "a value" };
    }
    for (const [name, inner] of Object.entries(schema.properties ?? {})) {
      if (isGiven(value, name)) yield* violations(value[name], inner, path(name));
    }
  }
  for (const inner of schema.allOf ?? []) yield* violations(value, inner, at);
  const branch = branchFor(value, schema);
  if (branch) yield* violations(value, branch, at);
}

/** The service omits missing values or returns null: rules treat both the same. */
function isGiven(value: Readonly<Record<string, unknown>>, name: string): boolean {
  return Object.hasOwn(value, name) && value[name] !== undefined && value[name] !== null;
}

/** What is expected of the value itself, without its parts. */
function* unmet(value: unknown, schema: JsonSchema): Generator<string> {
  const types = [schema.type ?? []].flat();
  if (types.length > 0 && !types.some((name) => is[name](value))) yield types.join(" or ");
  if ("const" in schema && !isDeepStrictEqual(value, schema.const)) yield shown(schema.const);
  if (schema.enum && !schema.enum.some((one) => isDeepStrictEqual(value, one))) {
    yield schema.enum.map(shown).join(", ");
  }
  if (typeof value === "number") {
    if (value < (schema.minimum ?? -Infinity)) yield `${schema.minimum} or more`;
    if (value > (schema.maximum ?? Infinity)) yield `${schema.maximum} or less`;
  }
  if (typeof value === "string")
    yield* unmetSize(Array.from(value).length, schema.minLength, schema.maxLength, "characters");
  if (Array.isArray(value)) yield* unmetSize(value.length, schema.minItems, schema.maxItems, "items");
  if (typeof value === "string" && schema.pattern !== undefined && !matchesPattern(value, schema.pattern)) {
    yield `a string that matches ${schema.pattern}`;
  }
  const { contains, anyOf, not } = schema;
  if (contains && Array.isArray(value) && !value.some((item) => isValid(item, contains)))
    yield "an item that matches contains";
  if (anyOf && !anyOf.some((inner) => isValid(value, inner))) yield "a match of anyOf";
  if (not && isValid(value, not)) yield "no match of not";
}

function* unmetSize(size: number, least = 0, most = Infinity, unit: string): Generator<string> {
  if (size < least) yield `${least} ${unit} or more`;
  if (size > most) yield `${most} ${unit} or fewer`;
}

function isValid(value: unknown, schema: JsonSchema): boolean {
  return violations(value, schema).next().done === true;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return isObject(value) && !Array.isArray(value);
}
