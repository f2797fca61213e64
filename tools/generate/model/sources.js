const path = require("node:path");
const { root } = require("../../setup");
const { SetupFailure } = require("../../setup/run");

/** @typedef {typeof import("typescript")} TypeScript */
/** @typedef {import("typescript").Symbol} TsSymbol */
/** @typedef {import("typescript").Node} TsNode */

/** The exported symbols and their doc comments. A missing comment is a mistake. */
class Sources {
  /** Symbols whose doc comment is missing or wrong. @type {string[]} */
  mistakes = [];

  constructor() {
    /** @type {TypeScript} */
    this.ts = require(path.join(root, "node_modules", "typescript"));
    const { sys } = this.ts;
    const readFile = (/** @type {string} */ file) => sys.readFile(file);
    const { config } = this.ts.readConfigFile(path.join(root, "tsconfig.json"), readFile);
    const { options } = this.ts.parseJsonConfigFileContent({ ...config, include: [] }, sys, root);
    this.program = this.ts.createProgram(
      ["sdk/index.ts", "sdk/native.ts", "provider/client/index.ts"].map((file) => this.#file(file)),
      options,
    );
    this.checker = this.program.getTypeChecker();
  }

  /**
   * The exports of a file by name, with import aliases resolved.
   * @param {string} file
   * @returns {Map<string, TsSymbol>}
   */
  exportsOf(file) {
    const source = this.program.getSourceFile(this.#file(file));
    const symbol = source && this.checker.getSymbolAtLocation(source);
    if (!symbol) throw new Error(`${file} exports nothing.`);
    return new Map(
      this.checker.getExportsOfModule(symbol).map((found) => [found.name, this.#followed(found)]),
    );
  }

  /** The file that declares a symbol, relative to the root. @param {TsSymbol} symbol */
  fileOf(symbol) {
    const [declaration] = symbol.declarations ?? [];
    return declaration ? path.relative(root, declaration.getSourceFile().fileName).replaceAll("\\", "/") : "";
  }

  /** @param {TsSymbol} symbol */
  isClass(symbol) {
    return (symbol.flags & this.ts.SymbolFlags.Class) !== 0;
  }

  /** @param {TsSymbol} symbol */
  isFunction(symbol) {
    return (symbol.flags & this.ts.SymbolFlags.Function) !== 0;
  }

  /**
   * The doc comment in Markdown, with each paragraph on one line.
   * @param {TsSymbol} symbol
   * @param {string} title names it in a mistake
   */
  doc(symbol, title = symbol.name) {
    const text = this.#markdown(symbol.getDocumentationComment(this.checker));
    if (text === "") this.mistakes.push(`${title} (${this.fileOf(symbol)}) has no doc comment`);
    return text;
  }

  /**
   * The errors that its doc comment names.
   * @param {TsSymbol} symbol
   * @returns {{error: string, when: string}[]}
   */
  throwsOf(symbol) {
    const tags = symbol.getJsDocTags(this.checker).filter(({ name }) => name === "throws");
    return tags.map(({ text }) => {
      const [, error = "", when = ""] = /^(\w+),?\s*(.*)$/s.exec(this.#markdown(text ?? [])) ?? [];
      return { error, when };
    });
  }

  /** The type of an instance of a class, or of an object of an interface. @param {TsSymbol} symbol */
  typeOf(symbol) {
    return this.checker.getDeclaredTypeOfSymbol(symbol);
  }

  /** The members that aren't internal. @param {import("typescript").Type} type @returns {TsSymbol[]} */
  membersOfType(type) {
    return this.checker
      .getPropertiesOfType(type)
      .filter((member) => member.getJsDocTags(this.checker).every(({ name }) => name !== "internal"));
  }

  /** The members of a class or an interface. @param {TsSymbol} symbol */
  membersOf(symbol) {
    return this.membersOfType(this.typeOf(symbol));
  }

  /** The outputs that this package declares, without those of every Pulumi resource. @param {TsSymbol} symbol */
  outputsOf(symbol) {
    return this.membersOf(symbol).filter(
      (member) => !this.fileOf(member).includes("node_modules") && !this.isHidden(member),
    );
  }

  /** The type that the promise of a function resolves to. @param {TsSymbol} symbol */
  resultOf(symbol) {
    const [signature] = this.checker.getTypeOfSymbol(symbol).getCallSignatures();
    const result = signature && this.checker.getAwaitedType(signature.getReturnType());
    if (!result) throw new Error(`${symbol.name} returns no promise.`);
    return result;
  }

  /** The first declaration of a symbol. @param {TsSymbol} symbol */
  declarationOf(symbol) {
    const declaration = symbol.valueDeclaration ?? symbol.declarations?.[0];
    if (!declaration) throw new Error(`${symbol.name} has no declaration.`);
    return declaration;
  }

  /** @param {TsSymbol} symbol */
  isOptional(symbol) {
    return (symbol.flags & this.ts.SymbolFlags.Optional) !== 0;
  }

  /** Whether a number is an integer, which the type of TypeScript can't say. @param {TsSymbol} member */
  isInteger(member) {
    return member.getJsDocTags(this.checker).some(({ name }) => name === "integer");
  }

  /** Whether a member isn't public: protected, private, or starting with two underscores. @param {TsSymbol} symbol */
  isHidden(symbol) {
    const flags = this.ts.getCombinedModifierFlags(this.declarationOf(symbol));
    return (
      (flags & this.ts.ModifierFlags.NonPublicAccessibilityModifier) !== 0 || symbol.name.startsWith("__")
    );
  }

  /** The declaration of a type that the sources have once, with its doc comments and the values of its lists. @param {string} name */
  declarationText(name) {
    const { ts, checker } = this;
    const own = this.program.getSourceFiles().filter(({ fileName }) => !fileName.includes("node_modules"));
    const declarations = own.flatMap(({ statements }) =>
      statements.filter(
        (one) => (ts.isInterfaceDeclaration(one) || ts.isTypeAliasDeclaration(one)) && one.name.text === name,
      ),
    );
    const [only, ...more] = declarations;
    if (!only || more.length > 0)
      throw new SetupFailure(
        `A page of the reference shows ${name}: the sources have ${declarations.length}.`,
      );
    let text = only.getFullText();
    /** @param {TsNode} node */
    const expand = (node) => {
      if (ts.isIndexedAccessTypeNode(node) && ts.isParenthesizedTypeNode(node.objectType)) {
        const values = checker.getTypeFromTypeNode(node);
        const all = values.isUnion() ? values.types : [values];
        text = text.replace(node.getText(), all.map((value) => checker.typeToString(value)).join(" | "));
      }
      ts.forEachChild(node, expand);
    };
    expand(only);
    return text
      .trim()
      .replace(/^export (declare )?/m, "")
      .replace(/\{@link (\w+)\}/g, "`$1`");
  }

  /** The signature of a method, such as `get(name: string): IncidentUpdate`. @param {TsSymbol} method */
  signatureOf(method) {
    const declaration = this.declarationOf(method);
    if (!this.ts.isMethodDeclaration(declaration)) throw new Error(`${method.name} is not a method.`);
    const parameters = declaration.parameters.map((parameter) => {
      const isOptional = parameter.questionToken || parameter.initializer;
      return `${parameter.name.getText()}${isOptional ? "?" : ""}: ${parameter.type?.getText()}`;
    });
    return `${method.name}(${parameters.join(", ")}): ${declaration.type?.getText()}`;
  }

  /** The documented parameters of a method, as a list. @param {TsSymbol} method */
  parametersOf(method) {
    const tags = method.getJsDocTags(this.checker).filter(({ name }) => name === "param");
    return tags.map(({ text }) => this.#markdown(text ?? []).replace(/^(\w+) /, "- `$1`: ")).join("\n");
  }

  /** @param {TsSymbol} symbol @returns {TsSymbol} */
  #followed(symbol) {
    return symbol.flags & this.ts.SymbolFlags.Alias ? this.checker.getAliasedSymbol(symbol) : symbol;
  }

  /** @param {readonly import("typescript").SymbolDisplayPart[]} parts */
  #markdown(parts) {
    const text = this.ts.displayPartsToString([...parts]).replace(/\{@link (\w+)\s*\}/g, "`$1`");
    return text.replace(/(?<!\n)\n(?!\n)/g, " ").trim();
  }

  /** @param {string} file */
  #file(file) {
    return path.join(root, file);
  }
}

exports.Sources = Sources;
