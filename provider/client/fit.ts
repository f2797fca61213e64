/** Whether JSON is what a schema describes, told without the copy that zod makes: a page of the list has thousands of fields. */
import { z } from "zod";

type Schema = z.core.$ZodType;
type Test = (value: unknown) => boolean;

/** True only when zod accepts the value. When false, ask zod: it also knows where and why. */
export function fits<T>(schema: z.ZodType<T>, value: unknown): value is T {
  return testFor(schema)(value);
}

const tests = new WeakMap<Schema, Test>();

function testFor(schema: Schema): Test {
  const known = tests.get(schema);
  if (known) return known;
  const test = makeTest(schema);
  tests.set(schema, test);
  return test;
}

function makeTest(schema: Schema): Test {
  if (schema instanceof z.ZodObject && schema.def.catchall instanceof z.ZodUnknown && checks(schema) === 0) {
    const shape: Record<string, Schema> = schema.shape;
    const fields = Object.entries(shape).map(([name, field]) => ({ name, ...presence(field) }));
    return (value) => {
      if (!isObject(value)) return false;
      for (const { name, optional, nullable, test } of fields) {
        const field = value[name];
        if (!(field === undefined ? optional : field === null ? nullable : test(field))) return false;
      }
      return true;
    };
  }
  if (schema instanceof z.ZodArray && checks(schema) === 0) {
    const item = testFor(schema.element);
    return (value) => Array.isArray(value) && value.every(item);
  }
  if (
    schema instanceof z.ZodRecord &&
    schema.keyType instanceof z.ZodString &&
    checks(schema.keyType) === 0
  ) {
    if (schema.valueType instanceof z.ZodUnknown) return isObject;
    const { nullable, test } = presence(schema.valueType);
    return (value) =>
      isObject(value) && Object.values(value).every((one) => (one === null ? nullable : test(one)));
  }
  if (schema instanceof z.ZodString && checks(schema) === (schema.minLength === null ? 0 : 1)) {
    const least = schema.minLength ?? 0;
    return (value) => typeof value === "string" && value.length >= least;
  }
  return (value) => z.safeParse(schema, value).success;
}

/** Takes apart whether a value may be missing or null, and what it must be otherwise. */
function presence(schema: Schema): { optional: boolean; nullable: boolean; test: Test } {
  if (schema instanceof z.ZodOptional) return { ...presence(schema.unwrap()), optional: true };
  if (schema instanceof z.ZodNullable) return { ...presence(schema.unwrap()), nullable: true };
  if (schema instanceof z.ZodUnknown) return { optional: false, nullable: true, test: () => true };
  return { optional: false, nullable: false, test: testFor(schema) };
}

/** How many things are asked for besides the type. */
function checks({ def }: { def: { checks?: unknown[] } }): number {
  return def.checks?.length ?? 0;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
