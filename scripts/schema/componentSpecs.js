const path = require("node:path");
const { auditFunction } = require("../model/sources");
const { any } = require("./schemaTypes");

/**
 * @typedef {import("./pulumi").ResourceSpec} ResourceSpec
 * @typedef {import("./pulumi").FunctionSpec} FunctionSpec
 */

/** The components, and the function that audits. Their interfaces declare all facts of the arguments. */
class ComponentSpecs {
  /** @param {import("./schemaTypes").SchemaTypes} types @param {string} root */
  constructor(types, root) {
    this.types = types;
    this.sources = types.sources;
    /** @type {string[]} */
    this.names = Object.keys(require(path.join(root, "dist", "plugin", "components")).components);
  }

  /** @param {string} name @returns {ResourceSpec} */
  resource(name) {
    const { sources, types } = this;
    const symbol = types.exported(name);
    const inputs = this.#arguments(`${name}Args`, name);
    // The class also has its children, and what every Pulumi resource has.
    const outputs = sources
      .membersOf(sources.typeOf(symbol))
      .filter((member) => sources.fileOf(member).startsWith("sdk/") && types.isOutput(member));
    return {
      isComponent: true,
      description: sources.doc(symbol),
      ...types.properties(outputs, name),
      inputProperties: inputs.properties,
      ...(inputs.required && { requiredInputs: inputs.required }),
    };
  }

  /** @returns {FunctionSpec} */
  auditFunction() {
    const { sources, types } = this;
    const args = "AlertChannelAuditArgs";
    const result = sources.exportOf(auditFunction, "AuditAlertChannelsResult");
    return {
      description: sources.doc(sources.exportOf(auditFunction, "auditAlertChannels")),
      inputs: {
        type: "object",
        description: sources.doc(types.exported(args)),
        ...this.#arguments(args, "AlertChannelAudit"),
      },
      outputs: {
        type: "object",
        description: sources.doc(result),
        ...types.properties(sources.membersOf(sources.typeOf(result)), result.name),
      },
    };
  }

  /** @param {string} name of the exported interface @param {string} owner */
  #arguments(name, owner) {
    const members = this.sources.membersOf(this.sources.typeOf(this.types.exported(name)));
    const [rules] = members.filter((member) => member.name === "rules");
    const declared = this.types.properties(
      members.filter((member) => member !== rules),
      owner,
    );
    if (rules) {
      // A rule file has a schema of its own, by which the plugin checks it.
      const oneOf = [{ type: "string" }, { type: "object", additionalProperties: any }];
      declared.properties.rules = { oneOf, description: this.sources.doc(rules, `${name}.rules`) };
    }
    return declared;
  }
}

module.exports = { ComponentSpecs };
