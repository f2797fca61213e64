/** What answers `docs/openapi.yaml` describes, and how much more of them a client may take. The verdict is Ajv's. */
const fs = require("node:fs");
const path = require("node:path");
const { default: Ajv } = require("ajv/dist/2020");
const { default: addFormats } = require("ajv-formats");
const { parse } = require("yaml");
const { root } = require("../../scripts/setup");

/**
 * What is used of it here.
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
 * @typedef {(value: unknown) => boolean} Judge
 */

/** @type {{paths: Record<string, Record<string, Described>>, components: {schemas: Record<string, Schema>}}} */
const document = parse(fs.readFileSync(path.join(root, "docs", "openapi.yaml"), "utf8"));
const { schemas } = document.components;

const ajv = addFormats(new Ajv({ allowUnionTypes: true, strictTypes: false }));
ajv.addVocabulary(["components", "x-tolerated", "example"]);
ajv.addSchema({ $id: "service", components: { schemas } });

/**
 * How an answer of success is judged, by the name of its operation: `described` takes what the service describes and
 * what is marked there as tolerated, `bearable` also what {@link lenient} allows.
 * @type {ReadonlyMap<string, {described: Judge, bearable: Judge}>}
 */
const answers = new Map(
  Object.values(document.paths)
    .flatMap((methods) => Object.values(methods))
    .map(({ operationId, responses }) => {
      const schema = responses["2XX"]?.content["application/json"]?.schema;
      if (schema?.$ref === undefined) throw new Error(`${operationId} describes no answer of success.`);
      const described = ajv.compile({ $ref: `service${schema.$ref}` });
      return [operationId, { described, bearable: ajv.compile(lenient(schema)) }];
    }),
);

/**
 * The same, but for what reading doesn't check, since deployments differ and nothing relies on it:
 * - a field that need not be there may be null, and empty where it is a text;
 * - a text may be any: a value of no list, longer than described, a moment in no form that is known;
 * - a number may be out of bounds, and need not be whole;
 * - a list may be empty;
 * - colours may be anything.
 *
 * What is required must be there, be of its type and, where it may not be empty, not be empty.
 * @param {Schema} schema
 * @param {boolean} [needed] whether it must be there
 * @returns {Schema}
 */
function lenient(schema, needed = true) {
  const { type, anyOf, required = [], properties = {}, items, minLength, ...rest } = resolved(schema);
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
 * What stands in its place, with what is said besides.
 * @param {Schema} schema
 * @returns {Schema}
 */
function resolved({ $ref, required = [], ...more }) {
  if ($ref === undefined) return { required, ...more };
  const meant = schemas[$ref.replace("#/components/schemas/", "")];
  if (meant === undefined) throw new Error(`${$ref} leads nowhere.`);
  const { required: before = [], ...rest } = resolved(meant);
  return { ...rest, ...more, required: [...before, ...required] };
}

module.exports = { answers };
