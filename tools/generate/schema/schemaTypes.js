const { SetupFailure } = require("../../setup/run");
const { upperFirst } = require("../model/markdown");

/**
 * @typedef {import("../model/sources").Type} Type
 * @typedef {import("../model/sources").TsSymbol} TsSymbol
 * @typedef {import("./pulumi").TypeSpec} TypeSpec
 * @typedef {import("./pulumi").PropertySpec} PropertySpec
 * @typedef {import("./pulumi").ComplexSpec} ComplexSpec
 */

/** @type {TypeSpec} */
const any = { $ref: "pulumi.json#/Any" };
const tokenPrefix = "monitoring:index:";
const refPrefix = `#/types/${tokenPrefix}`;

/** Returns a reference to a named type. @param {string} name @returns {TypeSpec} */
const refTo = (name) => ({ $ref: `${refPrefix}${name}` });

/** Converts TypeScript types to types of Pulumi's schema. Collects objects and enumerations by name. */
class SchemaTypes {
  /** @type {Map<string, ComplexSpec>} */
  #named = new Map();

  /**
   * @param {import("../model/sources").Sources} sources
   * @param {readonly string[]} resources resource names, which other types must not use
   */
  constructor(sources, resources) {
    this.sources = sources;
    this.resources = resources;
  }

  /** All named types by token, sorted by token. */
  get named() {
    const sorted = [...this.#named].sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(sorted.map(([name, spec]) => [`${tokenPrefix}${name}`, spec]));
  }

  /** Returns the named type that a reference refers to. @param {TypeSpec} spec */
  referred({ $ref = "" }) {
    const name = $ref.replace(refPrefix, "");
    const spec = this.#named.get(name);
    return spec && { name, spec };
  }

  /** Returns the values of the enumeration that a reference refers to, in Markdown. @param {TypeSpec} spec */
  valuesOf(spec) {
    const type = this.referred(spec)?.spec;
    return type && "enum" in type ? type.enum.map(({ value }) => `\`"${value}"\``) : [];
  }

  /** Describes a named type once. @param {string} name @param {() => ComplexSpec} describe @returns {TypeSpec} */
  reference(name, describe) {
    if (!this.#named.has(name)) {
      // The placeholder ends the recursion, because a type may refer to itself.
      this.#named.set(name, { type: "object" });
      this.#named.set(name, describe());
    }
    return refTo(name);
  }

  /**
   * Returns the members of an object as properties.
   * @param {readonly TsSymbol[]} members
   * @param {string} owner used to name anonymous types, and the member in an error
   */
  properties(members, owner) {
    const { sources } = this;
    const { Undefined, Null, Unknown } = sources.ts.TypeFlags;
    /** @type {Record<string, PropertySpec>} */
    const properties = {};
    const required = [];
    for (const member of members) {
      const { name } = member;
      const description = sources.doc(member, `${owner}.${name}`);
      const type = sources.typeOf(member);
      const isInteger = sources.tagsOf(member, "integer").length > 0;
      const isPlain = sources.tagsOf(member, "plain").length > 0;
      const spec = this.spec(type, owner + upperFirst(name));
      properties[name] = {
        ...{ ...spec, ...(isInteger && { type: "integer" }), description },
        ...(isPlain && { plain: true }),
      };
      const parts = type.isUnion() ? type.types : [type];
      const mayBeAbsent = parts.some(({ flags }) => flags & (Undefined | Null | Unknown));
      if (!mayBeAbsent && !sources.isOptional(member)) required.push(name);
    }
    return { properties, ...(required.length > 0 && { required: required.sort() }) };
  }

  /** @param {Type} type @param {string} context used to name an anonymous type @returns {TypeSpec} */
  spec(type, context) {
    const parts = this.sources.partsOf(type);
    const literals = parts.flatMap((part) => (part.isStringLiteral() ? part.value : []));
    if (literals.length > 0) return this.#openEnum(literals, context);
    const specs = parts.map((part) => this.#partSpec(part, context));
    const distinct = [...new Map(specs.map((spec) => [JSON.stringify(spec), spec])).values()];
    const [only, ...more] = distinct;
    if (!only) throw new Error(`${context} has no value.`);
    return more.length === 0 ? only : { oneOf: distinct };
  }

  /** @param {Type} part @param {string} context @returns {TypeSpec} */
  #partSpec(part, context) {
    const { sources } = this;
    const { checker } = sources;
    const { StringLike, NumberLike, BooleanLike, Unknown } = sources.ts.TypeFlags;
    const { flags } = part;
    if (flags & StringLike) return { type: "string" };
    if (flags & NumberLike) return { type: "number" };
    if (flags & BooleanLike) return { type: "boolean" };
    if (flags & Unknown) return any;
    const item = checker.isArrayType(part) && sources.argumentOf(part);
    if (item) return { type: "array", items: this.spec(item, context) };
    const members = sources.membersOf(part);
    const [index] = members.length === 0 ? checker.getIndexInfosOfType(part) : [];
    if (index) return { type: "object", additionalProperties: this.spec(index.type, context) };
    if (!this.assertNamed(part, context)) return any;
    const { name } = part.symbol;
    // A type with the name of a resource is renamed, because the generated SDKs would contain two classes with the same name.
    return this.reference(this.resources.includes(name) ? `${name}Details` : name, () => ({
      type: "object",
      description: sources.doc(part.symbol),
      ...this.properties(members, name),
    }));
  }

  /**
   * Returns true if an object type is an interface, because its name is public in every language. Records an error for an anonymous type or
   * an intersection, even if an alias names it.
   * @param {Type} type
   * @param {string} context
   */
  assertNamed(type, context) {
    const { mistakes, ts } = this.sources;
    const flags = type.getSymbol()?.flags ?? 0;
    const isNamed = !type.isIntersection() && (flags & ts.SymbolFlags.Interface) !== 0;
    if (!isNamed)
      mistakes.push(
        `${context}: an object of a type that isn't an interface. Export an interface for it, such as ` +
          `${context.replace(/s$/, "")}, next to the type that has it`,
      );
    return isNamed;
  }

  /**
   * Returns the type of a string with known values. In a result the service may return other values, and for an argument a plain string is
   * valid.
   * @param {readonly string[]} literals
   * @param {string} context
   * @returns {TypeSpec}
   */
  #openEnum(literals, context) {
    const { sources } = this;
    for (const [name, symbol] of sources.exports) {
      const constants = this.#constantsOf(symbol);
      const values = constants.map(([, value]) => value);
      if (values.length !== literals.length || !literals.every((each) => values.includes(each))) continue;
      const enumeration = this.reference(name, () => ({
        type: "string",
        description: sources.doc(symbol),
        enum: constants.map(([constant, value]) => ({
          value,
          description: sources.doc(constant, `${name}.${constant.name}`),
        })),
      }));
      return { type: "string", oneOf: [{ type: "string" }, enumeration] };
    }
    throw new SetupFailure(`sdk/native.ts exports no constants for ${context}: ${literals.join(", ")}.`);
  }

  /** Returns the members of a constant object that are strings. @param {TsSymbol} symbol @returns {[member: TsSymbol, value: string][]} */
  #constantsOf(symbol) {
    const { checker, ts } = this.sources;
    if (!(symbol.flags & ts.SymbolFlags.Variable)) return [];
    return this.sources.membersOf(checker.getTypeOfSymbol(symbol)).flatMap((member) => {
      const type = checker.getTypeOfSymbol(member);
      return type.isStringLiteral() ? [[member, type.value]] : [];
    });
  }
}

exports.SchemaTypes = SchemaTypes;
exports.any = any;
exports.refTo = refTo;
exports.tokenPrefix = tokenPrefix;
