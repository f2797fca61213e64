/** A JSON-Schema fragment judges as a validator of JSON Schema does. */
import Ajv from "ajv/dist/2020";
import fc from "fast-check";
import { jsonSchema, violations } from "../../audit/custom/jsonSchema";
import { runs } from "../propertySeed";

/** The same few values over and over, so that schemas and values meet. Null stands in lists alone: in an object it is as good as missing. */
const scalars = fc.constantFrom<unknown>("", "a", "ab", "\u{1F600}", 0, 1, 1.5, 2, true, false);
const names = fc.constantFrom("a", "b");
const { value: values } = fc.letrec((tie) => ({
  value: fc.oneof({ depthSize: "small" }, scalars, tie("list"), tie("object")),
  list: fc.array(fc.oneof(tie("value"), fc.constant(null)), { maxLength: 3 }),
  object: fc.dictionary(names, tie("value"), { noNullPrototype: true }),
}));

const size = fc.nat({ max: 3 });
const type = fc.constantFrom("string", "number", "integer", "boolean", "null", "array", "object");
const oneOrMore = <T>(item: fc.Arbitrary<T>) =>
  fc.uniqueArray(item, { minLength: 1, maxLength: 2, selector: (value) => JSON.stringify(value) });

const onValues = {
  type: fc.oneof(type, oneOrMore(type)),
  const: values,
  enum: oneOrMore(values),
  minimum: size,
  maximum: size,
  minLength: size,
  maxLength: size,
  pattern: fc.constantFrom("^a", "b$", "^.$"),
  minItems: size,
  maxItems: size,
  required: oneOrMore(names),
};
const inParts = (schema: fc.Arbitrary<unknown>) => ({
  items: schema,
  contains: schema,
  properties: fc.dictionary(names, schema, { noNullPrototype: true }),
  allOf: oneOrMore(schema),
  anyOf: oneOrMore(schema),
  not: schema,
  if: schema,
  then: schema,
  else: schema,
});

/** A few of the keywords. */
const fewOf = (keywords: Record<string, fc.Arbitrary<unknown>>) =>
  fc
    .array(fc.oneof(...Object.entries(keywords).map(([name, value]) => fc.tuple(fc.constant(name), value))), {
      minLength: 1,
      maxLength: 3,
    })
    .map((pairs): unknown => Object.fromEntries(pairs));

const { schema: schemas } = fc.letrec((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    fewOf(onValues),
    fewOf(inParts(tie("schema"))),
    fewOf({ ...onValues, ...inParts(tie("schema")) }),
  ),
}));

test("finds something exactly where a validator does", () => {
  const ajv = new Ajv({ strict: false, logger: false });
  fc.assert(
    fc.property(schemas, values, (schema, value) => {
      const found = [...violations(value, jsonSchema.parse(schema))];
      expect(found.length === 0).toBe(ajv.validate(Object(schema), value));
    }),
    { numRuns: runs(1_000) },
  );
});
