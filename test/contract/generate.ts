/** Generates values of all kinds that a schema in `docs/openapi.yaml` allows. */
import { anyText, fc } from "../propertySeed";
import { resolved, type Schema } from "./document";

const made = new Map<Schema, fc.Arbitrary<unknown>>();

export function getArbitrary(schema: Schema): fc.Arbitrary<unknown> {
  const arbitrary = made.get(schema) ?? createArbitrary(schema);
  made.set(schema, arbitrary);
  return arbitrary;
}

function createArbitrary(schema: Schema): fc.Arbitrary<unknown> {
  const { $ref, type, required, ...rest } = schema;
  if ($ref !== undefined) {
    const meant = resolved<Schema>({ $ref });
    return getArbitrary(required ? { ...meant, required: [...(meant.required ?? []), ...required] } : meant);
  }
  if (rest.anyOf) return fc.oneof(...rest.anyOf.map(getArbitrary));
  if (rest.enum) return fc.constantFrom(...rest.enum);
  if (Array.isArray(type))
    return fc.oneof(...type.map((one: string) => getArbitrary({ ...schema, type: one })));
  switch (type) {
    case "null":
      return fc.constant(null);
    case "boolean":
      return fc.boolean();
    case "number":
      return fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0);
    case "integer":
      return fc.integer({ min: rest.minimum, max: rest.maximum });
    case "string":
      return texts(schema);
    case "array":
      return fc.array(getArbitrary(rest.items ?? {}), {
        minLength: rest.minItems,
        maxLength: Math.min(3, rest.maxItems ?? 3),
      });
    case "object":
      return objects(schema);
    default:
      throw new Error(`No values are known for ${JSON.stringify(schema)}.`);
  }
}

function texts({ format, pattern, minLength, maxLength }: Schema): fc.Arbitrary<string> {
  if (format !== undefined) return moments(format);
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
  return anyText({ minLength, maxLength });
}

function moments(format: string): fc.Arbitrary<string> {
  const moment = fc.date({ noInvalidDate: true, min: new Date(0), max: new Date("2199-12-31") });
  const zone = fc.constantFrom("Z", "+00:00", "-03:30", "+14:00");
  const second = fc.constantFrom("", ".5", ".123456");
  if (format === "date") return moment.map((date) => date.toISOString().slice(0, 10));
  return fc
    .tuple(moment, second, zone)
    .map(([date, part, at]) => date.toISOString().slice(0, 19) + part + at);
}

const fieldOfTomorrow = "addedTomorrow";
const anything = fc.constantFrom(null, true, 0, "", "new", [], [1], {}, { id: null });

/** Generates objects with all required fields, some optional fields, and, if that is allowed, an undocumented field. */
function objects({ properties = {}, required = [], additionalProperties = true }: Schema) {
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, getArbitrary(schema)]),
  );
  const described = fc.record(fields, { requiredKeys: [...required] });
  if (!additionalProperties) return described;
  const unknown = fc.oneof(fc.constant({}), fc.record({ [fieldOfTomorrow]: anything }));
  return fc.tuple(unknown, described).map(([more, known]) => ({ ...more, ...known }));
}
