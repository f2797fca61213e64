/** Validates requests and responses against `docs/openapi.yaml`, with Ajv. */
import Ajv from "ajv/dist/2020";
import addFormats from "ajv-formats";
import { type Operation, type Schema, schemas } from "./document";

/** A request: its parameters by name, as strings, and its body as JSON. */
export interface Request {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

type Validator = (schema: Schema, value: unknown) => string[];

/** Accepts described values and values that are marked as tolerated. */
export const tolerant = createValidator(schemas);

/** Accepts only described values with every field. */
export const exact = createValidator(schemas, (schema) => complete(withoutTolerated(schema)));

/** Accepts only described values. Optional fields may be missing. */
export const own = createValidator(schemas, withoutTolerated);

/** Returns the problems of a request. */
export function requestProblems({ parameters, requestBody }: Operation, request: Request): string[] {
  const described = parameters.flatMap(({ name, in: place, required, schema }) => {
    if (place === "header") return [];
    const text = request[place][name];
    if (text === undefined) return required ? [`${name} is missing`] : [];
    return tolerant(schema, parseValue(text, schema)).map((problem) => `${name} ${problem}`);
  });
  const known = new Set(parameters.map(({ name }) => name));
  const unknown = Object.keys(request.query).filter((name) => !known.has(name));
  return [
    ...described,
    ...unknown.map((name) => `${name} is not described`),
    ...(requestBody ? tolerant(requestBody, request.body) : []),
  ];
}

/** Parses the text of a parameter. */
function parseValue(text: string, { type }: Schema): unknown {
  if (type === "integer" && /^-?\d+$/.test(text)) return Number(text);
  if (type === "boolean" && /^(true|false)$/.test(text)) return text === "true";
  return text;
}

function createValidator(
  all: Readonly<Record<string, Schema>>,
  change = (schema: Schema) => schema,
): Validator {
  const changed = Object.fromEntries(Object.entries(all).map(([name, schema]) => [name, change(schema)]));
  // Compilation detects unknown types and keywords. Validating the schemas themselves would take a fifth of these tests' time.
  const options = { allErrors: true, allowUnionTypes: true, strictTypes: false, validateSchema: false };
  const ajv = addFormats(new Ajv(options));
  ajv.addVocabulary(["components", "x-optional", "x-tolerated", "x-client", "example"]);
  ajv.addSchema({ $id: "service", components: { schemas: changed } });
  const known = new Map<Schema, ReturnType<typeof ajv.compile>>();
  return (schema, value) => {
    const validate =
      known.get(schema) ?? ajv.compile(schema.$ref ? { $ref: `service${schema.$ref}` } : schema);
    known.set(schema, validate);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`.trim());
  };
}

function withoutTolerated(schema: Schema): Schema {
  return schema["x-tolerated"] ? { not: {} } : schema;
}

/** Requires all fields of an object, except those that only some deployments return. */
function complete(schema: Schema): Schema {
  if (!schema.properties) return schema;
  const required = Object.entries(schema.properties).filter(([, field]) => field["x-optional"] !== true);
  return { additionalProperties: false, ...schema, required: required.map(([name]) => name) };
}
