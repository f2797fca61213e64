const { SetupFailure } = require("../../setup/failure");

/**
 * @typedef {import("typescript").Expression} Expression
 * @typedef {import("typescript").NodeArray<Expression>} Expressions
 * @typedef {import("../schema/pulumi").Declaration} Declaration
 * @typedef {import("../schema/pulumi").Reference} Reference
 * @typedef {import("../schema/pulumi").Value} Value
 */

/** @param {Value} value @returns {value is Reference} */
const isReference = (value) => typeof value === "object" && "declaration" in value && "path" in value;

/** What an example in TypeScript declares and exports, as data that each language can write. */
class ExampleProgram {
  /** @type {import("../model/sources").TypeScript} */
  #ts;
  /** In their order. @type {Declaration[]} */
  declarations = [];
  /** The exports that need no code: outputs of the declarations. @type {Map<string, Reference>} */
  exports = new Map();
  /** What the variables of the program refer to. @type {Map<string, Reference>} */
  #references = new Map();
  /** @type {Map<string, Expression>} */
  #constants = new Map();

  /** @param {import("../model/sources").TypeScript} ts @param {string} file @param {string} text */
  constructor(ts, file, text) {
    this.#ts = ts;
    this.file = file;
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
    for (const statement of source.statements) {
      if (ts.isExpressionStatement(statement)) this.#declare(statement.expression);
      if (!ts.isVariableStatement(statement)) continue;
      const isExport = statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
      for (const { name, initializer } of statement.declarationList.declarations) {
        if (isExport && initializer) this.#export(name.getText(), initializer);
        else if (initializer) this.#define(name, initializer);
      }
    }
    this.#exportResults();
  }

  /**
   * Makes the resources depend on the gate that is declared before them. In TypeScript, the order is enough.
   * @param {string} name of the gate's class
   */
  waitFor(name) {
    const index = this.declarations.findIndex((declaration) => declaration.name === name);
    for (const declaration of this.declarations.slice(index + 1))
      if (declaration.label !== undefined) declaration.gate = this.declarations[index];
  }

  /** @returns {import("../schema/pulumi").Program} */
  get program() {
    return { declarations: this.declarations, exports: [...this.exports] };
  }

  /** @param {string} name @param {Expression} value */
  #export(name, value) {
    const reference = this.#reference(value);
    if (reference && reference.path.at(-1) !== "length") this.exports.set(name, reference);
  }

  /** A program of which every export needs code exports the results that it reads. */
  #exportResults() {
    if (this.exports.size > 0) return;
    for (const [name, reference] of this.#references)
      if (reference.path.length > 0) this.exports.set(name, reference);
  }

  /** @param {import("typescript").BindingName} name @param {Expression} value */
  #define(name, value) {
    const ts = this.#ts;
    const declaration = this.#declare(value, ts.isIdentifier(name) ? name.text : undefined);
    if (ts.isIdentifier(name)) {
      if (declaration) this.#references.set(name.text, { declaration, path: [] });
      else this.#constants.set(name.text, value);
    } else if (declaration) {
      for (const element of name.elements) {
        const text = element.getText();
        this.#references.set(text, { declaration, path: [text] });
      }
    }
  }

  /** The resource or function that an expression declares. @param {Expression} node @param {string} [variable] */
  #declare(node, variable) {
    const ts = this.#ts;
    const declaration = ts.isNewExpression(node)
      ? this.#resource(node.expression.getText(), node.arguments, variable)
      : ts.isCallExpression(node)
        ? this.#function(node.expression.getText(), node.arguments, variable)
        : undefined;
    if (declaration) this.declarations.push(declaration);
    return declaration;
  }

  /**
   * @param {string} name
   * @param {Expressions | undefined} args
   * @param {string} variable
   * @returns {Declaration | undefined}
   */
  #resource(name, args, variable = name.charAt(0).toLowerCase() + name.slice(1)) {
    const [label, inputs] = args ?? [];
    if (!label || !this.#ts.isStringLiteral(label)) return undefined;
    return { name, label: label.text, variable, args: this.#value(inputs) };
  }

  /**
   * @param {string} called
   * @param {Expressions} args
   * @param {string} [variable]
   * @returns {Declaration | undefined}
   */
  #function(called, args, variable) {
    const [, name, first = "", rest = ""] = /^(get(\w)(\w*))Output$/.exec(called) ?? [];
    return name === undefined
      ? undefined
      : { name, variable: variable ?? first.toLowerCase() + rest, args: this.#value(args[0]) };
  }

  /** The output that an expression such as `incident.incidentUpdates[0].id` names. @param {Expression} node @returns {Reference | undefined} */
  #reference(node) {
    const ts = this.#ts;
    if (ts.isIdentifier(node)) return this.#references.get(node.text);
    if (!ts.isPropertyAccessExpression(node) && !ts.isElementAccessExpression(node)) {
      const declaration = this.#declare(node);
      return declaration && { declaration, path: [] };
    }
    const reference = this.#reference(node.expression);
    const step = ts.isPropertyAccessExpression(node)
      ? node.name.text
      : Number(node.argumentExpression.getText());
    return reference && { ...reference, path: [...reference.path, step] };
  }

  /** @param {Expression | undefined} node @returns {Value} */
  #value(node) {
    const ts = this.#ts;
    if (node === undefined) return {};
    if (ts.isStringLiteral(node)) return node.text;
    if (ts.isNumericLiteral(node)) return Number(node.text);
    if (node.kind === ts.SyntaxKind.TrueKeyword) return true;
    if (node.kind === ts.SyntaxKind.FalseKeyword) return false;
    if (ts.isArrayLiteralExpression(node)) return node.elements.map((item) => this.#value(item));
    if (ts.isObjectLiteralExpression(node)) return this.#object(node);
    const constant = ts.isIdentifier(node) && this.#constants.get(node.text);
    if (constant) return this.#value(constant);
    const reference = this.#reference(node);
    if (reference) return reference;
    throw new SetupFailure(`${this.file}: other languages have no equivalent of \`${node.getText()}\`.`);
  }

  /** @param {import("typescript").ObjectLiteralExpression} node */
  #object(node) {
    const ts = this.#ts;
    const properties = node.properties.map((property) => {
      const key = /** @type {import("typescript").PropertyName} */ (property.name);
      const value = ts.isPropertyAssignment(property) ? property.initializer : undefined;
      const shorthand = ts.isShorthandPropertyAssignment(property) ? property.name : undefined;
      return [ts.isStringLiteral(key) ? key.text : key.getText(), this.#value(value ?? shorthand)];
    });
    return Object.fromEntries(properties);
  }
}

module.exports = { ExampleProgram, isReference };
