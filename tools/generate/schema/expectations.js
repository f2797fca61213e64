const { any, refTo } = require("./schemaTypes");

/**
 * @typedef {import("./pulumi").TypeSpec} TypeSpec
 * @typedef {import("./pulumi").PropertySpec} PropertySpec
 * @typedef {Record<string, PropertySpec>} Properties
 */

const kinds = { number: "Number", string: "Text", boolean: "Boolean" };

/** Creates the types of expectations of outputs, as in `sdk/observed.ts`: the value itself or conditions. */
class Expectations {
  /** @param {import("./schemaTypes").SchemaTypes} types */
  constructor(types) {
    this.types = types;
    this.sources = types.sources;
  }

  /** Returns the type of a resource's argument `expect`. @param {string} resource @param {Properties} outputs @returns {TypeSpec} */
  ofResource(resource, outputs) {
    const name = `${resource}Expectations`;
    const described = this.sources.membersOfExported(name).map((member) => {
      const output = outputs[member.name];
      if (!output) throw new Error(`${resource} has no output ${member.name}.`);
      return [member.name, { ...output, description: this.sources.doc(member, `${name}.${member.name}`) }];
    });
    const description = this.sources.doc(this.sources.exported(name));
    return this.#fields(name, description, Object.fromEntries(described));
  }

  /** @param {string} name @param {string} description @param {Properties} outputs */
  #fields(name, description, outputs) {
    return this.types.reference(name, () => {
      const expected = Object.entries(outputs).map(([field, output]) => [
        field,
        { ...this.#expected(output), description: output.description },
      ]);
      return { type: "object", description, properties: Object.fromEntries(expected) };
    });
  }

  /** @param {TypeSpec} output @returns {TypeSpec} */
  #expected(output) {
    if (output.items) return this.#list(output.items);
    // For an object with arbitrary names, any value is allowed, because a program may set conditions instead of values.
    if (output.additionalProperties) return { type: "object", additionalProperties: any };
    const object = this.types.referred(output);
    if (object && "properties" in object.spec) {
      const { description, properties = {} } = object.spec;
      const title = `Expectations for the fields of this object: ${description}`;
      const fields = this.#fields(`${object.name}Expectations`, title, properties);
      return { oneOf: [fields, this.#conditions(object.name, [], [fields])] };
    }
    // Constants are left out, because in Go, a union that includes constants becomes a plain string.
    const plain = (output.oneOf ?? [output])
      .filter(({ $ref }) => !$ref)
      .map(({ type }) => ({ type: type === "integer" ? "number" : type }));
    const named = Object.entries(kinds).filter(([kind]) => plain.some(({ type }) => type === kind));
    const scalars = named.map(([type]) => ({ type }));
    const interfaces = named.map(([, kind]) => `${kind}Conditions`);
    return {
      oneOf: [...plain, this.#conditions(named.map(([, kind]) => kind).join("Or"), interfaces, scalars)],
    };
  }

  /** @param {TypeSpec} items @returns {TypeSpec} */
  #list(items) {
    const contains = this.#expected(items);
    const list = { type: "array", items: contains };
    const ofItem = this.types.referred(contains.oneOf?.at(-1) ?? {})?.name;
    if (!ofItem) throw new Error("Conditions on a list are named by those on its items, which have none.");
    const name = ofItem.replace(/Conditions$/, "List");
    return { oneOf: [list, this.#conditions(name, ["ListConditions"], [list], { contains })] };
  }

  /**
   * Returns the type of conditions on values of some types, as in the SDK's interfaces.
   * @param {string} name of the values
   * @param {readonly string[]} interfaces interfaces for these types, in addition to the conditions for every value
   * @param {readonly TypeSpec[]} plain the types
   * @param {Record<string, TypeSpec>} [known] types of members
   * @returns {TypeSpec}
   */
  #conditions(name, interfaces, plain, known) {
    const { sources, types } = this;
    const title = `${name}Conditions`;
    return types.reference(title, () => {
      const value = { oneOf: [...plain, refTo(title)] };
      /** @type {Record<string, TypeSpec>} */
      const specs = { oneOf: { type: "array", items: value }, not: value, ...known };
      const members = ["Conditions", ...interfaces]
        .filter((each) => sources.exports.has(each))
        .flatMap((each) => sources.membersOfExported(each));
      const properties = members.map((member) => [
        member.name,
        {
          ...(specs[member.name] ?? types.spec(sources.typeOf(member), title)),
          description: sources.doc(member, `${title}.${member.name}`),
        },
      ]);
      const description = "Conditions instead of a value. All of them must hold.";
      return { type: "object", description, properties: Object.fromEntries(properties) };
    });
  }
}

module.exports = { Expectations };
