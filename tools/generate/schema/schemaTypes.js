const { SetupFailure } = require("../../setup/run");

/**
 * @typedef {import("typescript").Type} Type
 * @typedef {import("../model/sources").TsSymbol} TsSymbol
 * @typedef {import("./pulumi").TypeSpec} TypeSpec
 * @typedef {import("./pulumi").PropertySpec} PropertySpec
 * @typedef {import("./pulumi").ObjectSpec} ObjectSpec
 * @typedef {import("./pulumi").ComplexSpec} ComplexSpec
 * @typedef {object} Context where a type without a name of its own is used
 * @property {string} name that it gets
 */

/** @type {TypeSpec} */
const any = { $ref: "pulumi.json#/Any" };

/** Wrappers of values that a program may not know yet. */
const eventual = new Set(["Promise", "OutputInstance"]);

/** @param {string} owner @param {TsSymbol} member @returns {Context} */
function contextOf(owner, { name }) {
  return { name: owner + name.charAt(0).toUpperCase() + name.slice(1) };
}

/** Types of TypeScript as types of Pulumi's schema. Objects and enumerations are collected under their tokens. */
class SchemaTypes {
  /** @type {Map<string, ComplexSpec>} */
  #named = new Map();

  /**
   * @param {import("../model/sources").Sources} sources
   * @param {readonly string[]} resources whose names no other type may have
   */
  constructor(sources, resources) {
    this.sources = sources;
    this.resources = resources;
    // The doc comments are those of the classes and functions that the native ones refer to.
    const documented = [...sources.exportsOf("sdk/index.ts")].filter(
      ([, symbol]) => sources.isClass(symbol) || sources.isFunction(symbol),
    );
    this.exports = new Map([...sources.exportsOf("sdk/native.ts"), ...documented]);
  }

  /** The named types, in the order of their tokens. */
  get named() {
    return Object.fromEntries([...this.#named].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /**
   * Describes a named type once.
   * @param {string} name
   * @param {() => ComplexSpec} describe
   * @returns {TypeSpec}
   */
  reference(name, describe) {
    const token = `monitoring:index:${name}`;
    if (!this.#named.has(token)) {
      // A type may refer to itself.
      this.#named.set(token, { type: "object" });
      this.#named.set(token, describe());
    }
    return { $ref: `#/types/${token}` };
  }

  /** The values of an enumeration, in Markdown; none of another type. @param {string} ref */
  valuesOf(ref) {
    const type = this.#named.get(ref.replace("#/types/", ""));
    return type && "enum" in type ? type.enum.map(({ value }) => `\`"${value}"\``) : [];
  }

  /** An exported symbol. @param {string} name */
  exported(name) {
    const symbol = this.exports.get(name);
    if (!symbol) throw new SetupFailure(`sdk/index.ts doesn't export ${name}, which the schema needs.`);
    return symbol;
  }

  /**
   * The members of an object as properties.
   * @param {readonly TsSymbol[]} members
   * @param {string} owner names types that have no name, and the member in a mistake
   */
  properties(members, owner) {
    /** @type {Record<string, PropertySpec>} */
    const properties = {};
    const required = [];
    for (const member of members) {
      const description = this.sources.doc(member, `${owner}.${member.name}`);
      const type = this.typeOf(member);
      const spec = this.spec(type, contextOf(owner, member));
      const integer = this.sources.isInteger(member) && { type: "integer" };
      properties[member.name] = { ...spec, ...integer, description };
      if (!this.#mayBeAbsent(member, type)) required.push(member.name);
    }
    return { properties, ...(required.length > 0 && { required: required.sort() }) };
  }

  /** Whether it holds a value that a program may not know yet. @param {TsSymbol} member */
  isOutput(member) {
    const type = this.sources.checker.getTypeOfSymbol(member);
    return type !== this.typeOf(member);
  }

  /** The type of a member. An output counts as the value that it holds. @param {TsSymbol} member */
  typeOf(member) {
    const { checker } = this.sources;
    const type = checker.getTypeOfSymbol(member);
    if (type.aliasSymbol?.name === "Output") return type.aliasTypeArguments?.[0] ?? type;
    // TypeScript simplifies `Output<boolean>`, which loses its alias.
    if (type.getSymbol()?.name !== "OutputInstance") return type;
    return checker.getTypeArguments(/** @type {import("typescript").TypeReference} */ (type))[0] ?? type;
  }

  /** The parts of a type that hold a value which is set and known. @param {Type} type @returns {Type[]} */
  parts(type) {
    const { TypeFlags } = this.sources.ts;
    const all = type.isUnion() ? type.types : [type];
    return all.filter(
      (part) =>
        (part.flags & (TypeFlags.Undefined | TypeFlags.Null)) === 0 &&
        !eventual.has(part.getSymbol()?.name ?? ""),
    );
  }

  /** @param {Type} type @param {Context} context @returns {TypeSpec} */
  spec(type, context) {
    const parts = this.parts(type);
    const literals = parts.flatMap((part) => (part.isStringLiteral() ? part.value : []));
    const others = parts.filter((part) => !part.isStringLiteral());
    if (literals.length > 0) return this.#openEnum(literals, context);
    const specs = others.map((part) => this.#partSpec(part, context));
    const distinct = [...new Map(specs.map((spec) => [JSON.stringify(spec), spec])).values()];
    const [only, ...more] = distinct;
    if (!only) throw new Error(`${context.name} has no value.`);
    return more.length === 0 ? only : { oneOf: distinct };
  }

  /** The type of the items, if it is a list. @param {Type} type @returns {Type | undefined} */
  itemOf(type) {
    const { checker } = this.sources;
    const [item] = checker.isArrayType(type)
      ? checker.getTypeArguments(/** @type {import("typescript").TypeReference} */ (type))
      : [];
    return item;
  }

  /** The type of the values, if it is an object whose names are not known. @param {Type} type */
  valueOf(type) {
    const isOpen = this.sources.membersOfType(type).length === 0;
    return isOpen ? this.sources.checker.getIndexInfosOfType(type)[0]?.type : undefined;
  }

  /** The name of an object type. @param {Type} type @param {Context} context */
  nameOf(type, context) {
    if (!this.isInterface(type)) {
      // The name is public in every language.
      this.sources.mistakes.push(
        `${context.name}: an object of a type that isn't an interface. Export an interface for it, such as ` +
          `${context.name.replace(/s$/, "")}, next to the type that has it`,
      );
      return context.name;
    }
    const { name } = type.symbol;
    // The generated SDKs would have two classes of one name.
    return this.resources.includes(name) ? `${name}Details` : name;
  }

  /** Whether it has a name of its own: not an object that is written out, nor several at once, by whatever alias. @param {Type} type */
  isInterface(type) {
    return !type.isIntersection() && (type.symbol.flags & this.sources.ts.SymbolFlags.Interface) !== 0;
  }

  /** @param {Type} part @param {Context} context @returns {TypeSpec} */
  #partSpec(part, context) {
    const { TypeFlags } = this.sources.ts;
    const all = part.isIntersection() ? part.types : [part];
    if (all.some(({ flags }) => flags & TypeFlags.StringLike)) return { type: "string" };
    if (part.flags & TypeFlags.NumberLike) return { type: "number" };
    if (part.flags & TypeFlags.BooleanLike) return { type: "boolean" };
    if (part.flags & TypeFlags.Unknown) return any;
    const item = this.itemOf(part);
    if (item) return { type: "array", items: this.spec(item, context) };
    const value = this.valueOf(part);
    if (value) return { type: "object", additionalProperties: this.spec(value, context) };
    const name = this.nameOf(part, context);
    if (!this.isInterface(part)) return any;
    return this.reference(name, () => ({
      type: "object",
      description: this.sources.doc(part.symbol, name),
      ...this.properties(this.sources.membersOfType(part), name),
    }));
  }

  /**
   * Strings of which some are known. In a result the service may send others; in an argument a plain string is enough.
   * @param {readonly string[]} literals
   * @param {Context} context
   * @returns {TypeSpec}
   */
  #openEnum(literals, context) {
    const found = [...this.exports].find(([, symbol]) => this.#hasValues(symbol, literals));
    if (!found)
      throw new SetupFailure(`sdk/Provider.ts has no constants for ${context.name}: ${literals.join(", ")}.`);
    const [name, symbol] = found;
    const enumeration = this.reference(name, () => ({
      type: "string",
      description: this.sources.doc(symbol),
      enum: this.#constantsOf(symbol).map((constant) => ({
        value: this.#valueOf(constant) ?? "",
        description: this.sources.doc(constant, `${name}.${constant.name}`),
      })),
    }));
    return { type: "string", oneOf: [{ type: "string" }, enumeration] };
  }

  /** @param {TsSymbol} symbol @param {readonly string[]} literals */
  #hasValues(symbol, literals) {
    if ((symbol.flags & this.sources.ts.SymbolFlags.Variable) === 0) return false;
    const values = this.#constantsOf(symbol).map((constant) => this.#valueOf(constant));
    return values.length === literals.length && literals.every((literal) => values.includes(literal));
  }

  /** @param {TsSymbol} symbol */
  #constantsOf(symbol) {
    return this.sources.membersOfType(this.sources.checker.getTypeOfSymbol(symbol));
  }

  /** @param {TsSymbol} constant */
  #valueOf(constant) {
    const type = this.sources.checker.getTypeOfSymbol(constant);
    return type.isStringLiteral() ? type.value : undefined;
  }

  /** @param {TsSymbol} member @param {Type} type */
  #mayBeAbsent(member, type) {
    const { TypeFlags } = this.sources.ts;
    const parts = type.isUnion() ? type.types : [type];
    return (
      this.sources.isOptional(member) ||
      parts.some(({ flags }) => flags & (TypeFlags.Undefined | TypeFlags.Null | TypeFlags.Unknown))
    );
  }
}

const title = { number: "Number", string: "Text", boolean: "Boolean" };

/** The expectations of a value, as in `sdk/observed.ts`: the value itself, or conditions. */
class Expectations {
  /** @param {SchemaTypes} types */
  constructor(types) {
    this.types = types;
    this.sources = types.sources;
  }

  /** The argument `expect` of a resource. @param {string} resource @returns {TypeSpec} */
  ofResource(resource) {
    const { sources, types } = this;
    const name = `${resource}Expectations`;
    const symbol = types.exported(name);
    const outputs = sources.typeOf(types.exported(resource));
    const members = sources.membersOf(symbol).map((member) => {
      const output = sources.checker.getPropertyOfType(outputs, member.name);
      if (!output) throw new Error(`${resource} has no output ${member.name}.`);
      // Of a member of `Expectations<…>` the output is described; one that is declared has a text of its own.
      const isDeclared = sources.fileOf(member) === sources.fileOf(symbol);
      return { output, described: isDeclared ? member : output };
    });
    return types.reference(name, () => ({
      type: "object",
      description: sources.doc(symbol),
      properties: this.#properties(members, name),
    }));
  }

  /** @param {readonly {output: TsSymbol, described: TsSymbol}[]} members @param {string} owner */
  #properties(members, owner) {
    /** @type {Record<string, PropertySpec>} */
    const properties = {};
    for (const { output, described } of members) {
      const description = this.sources.doc(described, `${owner}.${output.name}`);
      const context = contextOf(owner, output);
      properties[output.name] = { ...this.#expectation(this.types.typeOf(output), context), description };
    }
    return properties;
  }

  /** @param {Type} type @param {Context} context @returns {TypeSpec} */
  #expectation(type, context) {
    const [part] = this.types.parts(type);
    if (!part) throw new Error(`${context.name} has no value.`);
    const item = this.types.itemOf(part);
    if (item) return this.#list(item, context);
    // The values of an object with any names are unknown, and conditions may be given instead.
    if (this.types.valueOf(part)) return { type: "object", additionalProperties: any };
    if (part.getSymbol()) return this.#object(part, context);
    const spec = this.types.spec(type, context);
    // Without constants: Go makes a plain string of a union that has some.
    const plain = (spec.oneOf ?? [spec]).filter((one) => !one.$ref);
    return { oneOf: [...plain, this.#scalarConditions(plain)] };
  }

  /** @param {Type} item @param {Context} context @returns {TypeSpec} */
  #list(item, context) {
    const expected = this.#expectation(item, context);
    const name = this.types.nameOf(item, context);
    /** @type {TypeSpec} */
    const list = { type: "array", items: expected };
    const conditions = this.#conditions(`${name}List`, ["ListConditions"], [list], { contains: expected });
    return { oneOf: [list, conditions] };
  }

  /** @param {Type} type @param {Context} context @returns {TypeSpec} */
  #object(type, context) {
    const name = this.types.nameOf(type, context);
    const members = this.sources.membersOfType(type).map((member) => ({ output: member, described: member }));
    const fields = this.types.reference(`${name}Expectations`, () => ({
      type: "object",
      description: `Expectations for the fields of an object: ${this.sources.doc(type.symbol, name)}`,
      properties: this.#properties(members, `${name}Expectations`),
    }));
    return { oneOf: [fields, this.#conditions(name, [], [fields], {})] };
  }

  /** @param {readonly TypeSpec[]} plain */
  #scalarConditions(plain) {
    const kinds = Object.entries(title).filter(([type]) => plain.some((spec) => spec.type === type));
    const interfaces = kinds
      .map(([, kind]) => `${kind}Conditions`)
      .filter((one) => this.types.exports.has(one));
    const scalars = kinds.map(([type]) => ({ type }));
    return this.#conditions(kinds.map(([, kind]) => kind).join("Or"), interfaces, scalars, {});
  }

  /**
   * Conditions on values of some types, as the SDK's interfaces of conditions have them.
   * @param {string} name of the values
   * @param {readonly string[]} interfaces besides the conditions that every value may have
   * @param {readonly TypeSpec[]} plain
   * @param {Record<string, TypeSpec>} known types of members
   * @returns {TypeSpec}
   */
  #conditions(name, interfaces, plain, known) {
    return this.types.reference(`${name}Conditions`, () => {
      /** @type {TypeSpec} */
      const value = { oneOf: [...plain, { $ref: `#/types/monitoring:index:${name}Conditions` }] };
      /** @type {Record<string, TypeSpec>} */
      const types = { oneOf: { type: "array", items: value }, not: value, ...known };
      const members = ["Conditions", ...interfaces].flatMap((one) =>
        this.sources.membersOf(this.types.exported(one)),
      );
      const context = { name };
      const properties = members.map((member) => [
        member.name,
        {
          ...(types[member.name] ?? this.types.spec(this.types.typeOf(member), context)),
          description: this.sources.doc(member, `${name}Conditions.${member.name}`),
        },
      ]);
      const description = "Conditions in place of a value. All that are given must hold.";
      return { type: "object", description, properties: Object.fromEntries(properties) };
    });
  }
}

module.exports = { Expectations, SchemaTypes, any };
