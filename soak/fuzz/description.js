/** Which responses `docs/openapi.yaml` describes, and which others the client accepts, as Ajv validates them. */
const fs = require("node:fs");
const path = require("node:path");
const { default: Ajv } = require("ajv/dist/2020");
const { default: addFormats } = require("ajv-formats");
const { parse } = require("yaml");
const { root } = require("../../scripts/setup");

/**
 * The keywords that are used here.
 * @typedef {object} Schema
 * @property {string} [$ref]
 * @property {string | string[]} [type]
 * @property {unknown[]} [enum]
 * @property {Schema[]} [anyOf]
 * @property {string[]} [required]
 * @property {Record<string, Schema>} [properties]
 * @property {Schema} [items]
 * @property {number} [minLength]
 *
 * @typedef {{operationId: string, responses: Record<string, {content: Record<string, {schema: Schema}>}>}} Described
 *
 * @typedef {(value: unknown) => boolean} Validate
 */

/** @type {{paths: Record<string, Record<string, Described>>, components: {schemas: Record<string, Schema>}}} */
const document = parse(fs.readFileSync(path.join(root, "docs", "openapi.yaml"), "utf8"));
const { schemas } = document.components;

const ajv = addFormats(new Ajv({ allowUnionTypes: true, strictTypes: false }));
ajv.addVocabulary(["components", "x-tolerated", "example"]);
ajv.addSchema({ $id: "service", components: { schemas } });

/**
 * Validators of successful responses, by operation: `described` accepts what the description says, `tolerated` also what
 * {@link lenient} allows.
 * @type {ReadonlyMap<string, {described: Validate, tolerated: Validate}>}
 */
const responses = new Map(
  Object.values(document.paths)
    .flatMap((methods) => Object.values(methods))
    .map(({ operationId, responses: byStatus }) => {
      const schema = byStatus["2XX"]?.content["application/json"]?.schema;
      if (schema?.$ref === undefined) throw new Error(`${operationId} describes no successful response.`);
      const described = ajv.compile({ $ref: `service${schema.$ref}` });
      return [operationId, { described, tolerated: ajv.compile(lenient(schema)) }];
    }),
);

/**
 * The same schema without what the client doesn't check, since deployments differ and no code relies on it:
 * - an optional field may be null, or an empty string;
 * - a string may have any value: not in its enum, too long, not a timestamp;
 * - a number may be out of bounds or a fraction;
 * - a list may be empty;
 * - colours may be anything;
 * - the history of an incident may be missing: the code that needs it says so.
 *
 * Any other required field must exist, have its type and, with a `minLength`, not be empty.
 * @param {Schema} schema
 * @param {boolean} [needed] whether the value is required
 * @returns {Schema}
 */
function lenient(schema, needed = true) {
  const { type, anyOf, required: all = [], properties = {}, items, minLength, ...rest } = resolved(schema);
  const required = all.filter((name) => name !== "incidentUpdates");
  if (anyOf) return { anyOf: anyOf.map((each) => lenient(each, needed)) };
  if (rest.enum || type === "string") {
    const empty = !needed || (minLength === undefined && !rest.enum);
    return { type: "string", minLength: empty ? 0 : 1 };
  }
  if (type === "integer") return { type: "number" };
  if (type === "array") return { type, items: lenient(items ?? {}) };
  if (type !== "object") return { ...(type !== undefined && { type }) };
  if (schema.$ref === "#/components/schemas/ColourSet") return { type };
  const fields = Object.entries(properties).map(([name, each]) => [
    name,
    required.includes(name) ? lenient(each) : { anyOf: [lenient(each, false), { type: "null" }] },
  ]);
  return { type, required, properties: Object.fromEntries(fields) };
}

/**
 * The schema with its `$ref` resolved.
 * @param {Schema} schema
 * @returns {Schema}
 */
function resolved({ $ref, required = [], ...more }) {
  if ($ref === undefined) return { required, ...more };
  const target = schemas[$ref.replace("#/components/schemas/", "")];
  if (target === undefined) throw new Error(`${$ref} can't be resolved.`);
  const { required: before = [], ...rest } = resolved(target);
  return { ...rest, ...more, required: [...before, ...required] };
}

module.exports = { responses };
