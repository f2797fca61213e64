const { any } = require("../schema/schemaTypes");
const { isReference } = require("./exampleProgram");

/**
 * @typedef {import("../schema/pulumi").TypeSpec} TypeSpec
 * @typedef {import("../schema/pulumi").ObjectSpec} ObjectSpec
 * @typedef {import("../schema/pulumi").Reference} Reference
 * @typedef {import("../schema/pulumi").Value} Value
 * @typedef {(name: string) => ObjectSpec} SpecOf gives a named type, or the arguments of a resource or function
 * @typedef {[name: string, value: string]} Field
 * @typedef {object} Language how values are written
 * @property {(value: string | number | boolean, spec: TypeSpec) => string} scalar
 * @property {(items: string[], spec: TypeSpec) => string} list
 * @property {(type: string, fields: Field[]) => string} object of a named type
 * @property {(entries: Field[]) => string} map
 * @property {(reference: Reference) => string} reference
 */

/** @param {TypeSpec} spec */
const partsOf = (spec) => spec.oneOf ?? [spec];

/** The named type that a type refers to. @param {TypeSpec} spec */
const typeNamed = ({ $ref = "" }) => /^#\/types\/.*:(\w+)$/.exec($ref)?.[1];

/** Writes values in a language, as the types of the schema ask for. */
class ValueWriter {
  /** @param {Language} language @param {SpecOf} specOf */
  constructor(language, specOf) {
    this.language = language;
    this.specOf = specOf;
  }

  /** @param {Value} value @param {ObjectSpec} spec @returns {Field[]} */
  fields(value, { properties = {} }) {
    return Object.entries(value).map(([name, inner]) => [name, this.#value(inner, properties[name] ?? any)]);
  }

  /** @param {Value} value @param {TypeSpec} spec @returns {string} */
  #value(value, spec) {
    const { language } = this;
    if (isReference(value)) return language.reference(value);
    if (Array.isArray(value)) {
      const list = partsOf(spec).find(({ type }) => type === "array") ?? any;
      return language.list(
        value.map((item) => this.#value(item, list.items ?? any)),
        list,
      );
    }
    if (typeof value !== "object") return language.scalar(value, spec);
    const type = this.#typeOf(value, spec);
    if (type !== undefined) return language.object(type, this.fields(value, this.specOf(type)));
    const item = partsOf(spec).find(({ type: kind }) => kind === "object")?.additionalProperties ?? any;
    return language.map(Object.entries(value).map(([name, inner]) => [name, this.#value(inner, item)]));
  }

  /** The named type that has all these fields. @param {object} value @param {TypeSpec} spec */
  #typeOf(value, spec) {
    const types = partsOf(spec).flatMap((part) => typeNamed(part) ?? []);
    return types.find((type) => {
      const { properties = {} } = this.specOf(type);
      return Object.keys(value).every((name) => name in properties);
    });
  }
}

module.exports = { typeNamed, ValueWriter };
