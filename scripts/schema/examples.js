"use strict";

const fs = require("node:fs");
const path = require("node:path");
const { SetupFailure } = require("../setup/failure");
const { goProgram, pythonProgram, yamlProgram } = require("./languages");

/**
 * @typedef {import("typescript").Node} TsNode
 * @typedef {import("typescript").Expression} Expression
 * @typedef {import("./languages").Declaration} Declaration
 * @typedef {import("./languages").SpecOf} SpecOf
 */

/** The programs of `examples/reference` in TypeScript, and what they declare in the other languages. */
class Examples {
  /** @param {string} root @param {import("../docs/sources").TypeScript} ts */
  constructor(root, ts) {
    this.root = root;
    this.ts = ts;
  }

  /**
   * A description with its example behind it, in the form that Pulumi's documentation and SDKs read.
   * @param {string} name of the resource or function, and of its file
   * @param {string} description
   * @param {SpecOf} specOf
   */
  describe(name, description, specOf) {
    const file = path.join(this.root, "examples", "reference", `${name}.ts`);
    if (!fs.existsSync(file))
      throw new SetupFailure(`${name} has no example: examples/reference/${name}.ts is missing.`);
    const text = fs.readFileSync(file, "utf8").trimEnd();
    const declaration = this.#declarationIn(file, text, name);
    const { stringify } = require(path.join(this.root, "node_modules", "yaml"));
    const typescript = text.replaceAll('"pulumi-monitoring-service"', '"pulumi-monitoring-service/native"');
    return [
      description,
      "{{% examples %}}",
      "## Example Usage",
      "{{% example %}}",
      block("typescript", typescript),
      block("python", pythonProgram(declaration, specOf)),
      block("go", goProgram(declaration, specOf)),
      block("yaml", yamlProgram(declaration, stringify)),
      "{{% /example %}}",
      "{{% /examples %}}",
    ].join("\n\n");
  }

  /**
   * What a program declares of a resource or function.
   * @param {string} file
   * @param {string} text
   * @param {string} name
   * @returns {Declaration}
   */
  #declarationIn(file, text, name) {
    const { ts } = this;
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
    /** @type {Map<string, Expression>} */
    const constants = new Map();
    /** @type {Declaration | undefined} */
    let found;
    /** @param {TsNode} node */
    const visit = (node) => {
      if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer)
        constants.set(node.name.text, node.initializer);
      if (ts.isNewExpression(node) && node.expression.getText() === name) {
        const [label, args] = node.arguments ?? [];
        if (label && ts.isStringLiteral(label))
          found ??= { name, label: label.text, args: this.#value(args, constants) };
      }
      if (ts.isCallExpression(node) && node.expression.getText() === `${name}Output`)
        found ??= { name, args: this.#value(node.arguments[0], constants) };
      ts.forEachChild(node, visit);
    };
    visit(source);
    if (!found) throw new SetupFailure(`${file} doesn't use ${name}.`);
    return found;
  }

  /**
   * The value of an expression as far as it is one in every language. Another is left to the reader.
   * @param {Expression | undefined} node
   * @param {ReadonlyMap<string, Expression>} constants
   * @returns {import("./languages").Value}
   */
  #value(node, constants) {
    const { ts } = this;
    if (node === undefined) return {};
    if (ts.isStringLiteral(node)) return node.text;
    if (ts.isNumericLiteral(node)) return Number(node.text);
    if (node.kind === ts.SyntaxKind.TrueKeyword || node.kind === ts.SyntaxKind.FalseKeyword)
      return node.kind === ts.SyntaxKind.TrueKeyword;
    if (ts.isArrayLiteralExpression(node)) return node.elements.map((item) => this.#value(item, constants));
    if (ts.isIdentifier(node) && constants.has(node.text))
      return this.#value(constants.get(node.text), constants);
    if (ts.isPropertyAccessExpression(node) && ts.isCallExpression(node.expression)) {
      const called = node.expression.expression.getText().replace(/Output$/, "");
      const args = this.#value(node.expression.arguments[0], constants);
      return { call: called, args, output: node.name.text };
    }
    if (!ts.isObjectLiteralExpression(node)) return "<id>";
    const properties = node.properties.map((property) => {
      const key = /** @type {import("typescript").PropertyName} */ (property.name);
      const value = ts.isPropertyAssignment(property) ? property.initializer : undefined;
      const shorthand = ts.isShorthandPropertyAssignment(property) ? property.name : undefined;
      return [ts.isStringLiteral(key) ? key.text : key.getText(), this.#value(value ?? shorthand, constants)];
    });
    return Object.fromEntries(properties);
  }
}

/** @param {string} language @param {string} text */
function block(language, text) {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}

module.exports = { Examples };
