const { any, contextOf } = require("./schemaTypes");

/**
 * @typedef {import("typescript").Type} Type
 * @typedef {import("../model/sources").TsSymbol} TsSymbol
 * @typedef {import("./pulumi").TypeSpec} TypeSpec
 * @typedef {import("./pulumi").PropertySpec} PropertySpec
 * @typedef {import("./schemaTypes").Context} Context
 */

const title = { number: "Number", string: "Text", boolean: "Boolean" };

/** The expectations of a value, as in `sdk/observed.ts`: the value itself, or conditions. */
class Expectations {
  /** @param {import("./schemaTypes").SchemaTypes} types */
  constructor(types) {
    this.types = types;
    this.sources = types.sources;
  }

  /**
   * The argument `expect` of a resource.
   * @param {string} resource
   * @returns {TypeSpec}
   */
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

  /**
   * @param {readonly {output: TsSymbol, described: TsSymbol}[]} members
   * @param {string} owner
   */
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

module.exports = { Expectations };
