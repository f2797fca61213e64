const path = require("node:path");
const { root } = require("../../setup");
const { programOf } = require("../../setup/build/declarations");
const { SetupFailure } = require("../../setup/run");

/**
 * @typedef {import("typescript").Symbol} TsSymbol
 * @typedef {import("typescript").Type} Type
 */

/** Folder of the package's declarations. They contain the members of each interface, and no types of zod. */
const built = path.join(root, "dist", "types");

/** Wrappers of values that may be unknown until later. */
const eventual = new Set(["Promise", "OutputInstance"]);

/** Reads the public TypeScript API of the package: symbols, their types and their doc comments. */
class Sources {
  /** Errors that a contributor has to correct, such as a missing doc comment. @type {string[]} */
  mistakes = [];

  constructor() {
    /** @type {typeof import("typescript")} */
    this.ts = require(path.join(root, "node_modules", "typescript"));
    const [declared = "", documented = ""] = ["native", "index"].map((name) =>
      path.join(built, "sdk", `${name}.d.ts`),
    );
    this.program = programOf(this.ts, [declared, documented], /^\.|^@pulumi\/pulumi$/);
    this.checker = this.program.getTypeChecker();
    // The native classes refer to the doc comments of the other classes.
    this.native = new Map(this.#exportsOf(declared));
    const classes = this.#exportsOf(documented).filter(([, { flags }]) => flags & this.ts.SymbolFlags.Class);
    this.exports = new Map([...this.native, ...classes]);
  }

  /** @param {string} file @returns {[name: string, symbol: TsSymbol][]} */
  #exportsOf(file) {
    const source = this.program.getSourceFile(file);
    const symbol = source && this.checker.getSymbolAtLocation(source);
    if (!symbol) throw new Error(`${file} exports nothing.`);
    return this.checker
      .getExportsOfModule(symbol)
      .map((found) => [
        found.name,
        found.flags & this.ts.SymbolFlags.Alias ? this.checker.getAliasedSymbol(found) : found,
      ]);
  }

  /** @param {string} name */
  exported(name) {
    const symbol = this.exports.get(name);
    if (!symbol) throw new SetupFailure(`sdk/index.ts doesn't export ${name}, which the schema needs.`);
    return symbol;
  }

  /** Returns the source file that declares a symbol. @param {TsSymbol} symbol */
  fileOf({ declarations: [declaration] = [] }) {
    if (!declaration) return "";
    const file = path.relative(built, declaration.getSourceFile().fileName);
    return file.replaceAll("\\", "/").replace(/\.d\.ts$/, ".ts");
  }

  /**
   * Returns the doc comment in Markdown, with each paragraph and each item of a list on one line.
   * @param {TsSymbol} symbol
   * @param {string} title name of the symbol in an error
   */
  doc(symbol, title = symbol.name) {
    const text = this.#markdown(symbol.getDocumentationComment(this.checker));
    if (text === "") this.mistakes.push(`${title} (${this.fileOf(symbol)}) has no doc comment`);
    return text;
  }

  /** Returns the text that a native class's doc comment adds to the inherited comment. Empty if there is none. @param {string} name */
  docOfNative(name) {
    const comment = this.native.get(name)?.getDocumentationComment(this.checker) ?? [];
    return /^\{@inheritDoc [\w.]+\}\s*([^]*)/.exec(this.#markdown(comment))?.[1] ?? "";
  }

  /** Returns the text of each tag with this name in a symbol's doc comment. @param {TsSymbol} symbol @param {string} tag */
  tagsOf(symbol, tag) {
    const tags = symbol.getJsDocTags(this.checker).filter(({ name }) => name === tag);
    return tags.map(({ text = [] }) => this.#markdown(text));
  }

  /** @param {readonly import("typescript").SymbolDisplayPart[]} parts */
  #markdown(parts) {
    const text = this.ts.displayPartsToString([...parts]).replace(/\{@link (\w+)\s*\}/g, "`$1`");
    return text.replace(/(?<!\n)\n(?!\n|- ) */g, " ").trim();
  }

  /** Returns the members that aren't internal. @param {Type} type @returns {TsSymbol[]} */
  membersOf(type) {
    return this.checker
      .getPropertiesOfType(type)
      .filter((member) => this.tagsOf(member, "internal").length === 0);
  }

  /** Returns the members of an exported class or interface. @param {string} name */
  membersOfExported(name) {
    return this.membersOf(this.checker.getDeclaredTypeOfSymbol(this.exported(name)));
  }

  /** Returns the outputs that a class declares, without the outputs of every Pulumi resource. @param {string} name */
  outputsOf(name) {
    return this.membersOfExported(name).filter(
      (member) =>
        this.typeOf(member) !== this.checker.getTypeOfSymbol(member) &&
        !this.fileOf(member).includes("node_modules"),
    );
  }

  /** Returns the type of a member. For an output, returns the type of its value. @param {TsSymbol} member @returns {Type} */
  typeOf(member) {
    const { checker } = this;
    const type = checker.getTypeOfSymbol(member);
    if (type.aliasSymbol?.name === "Output") return type.aliasTypeArguments?.[0] ?? type;
    // TypeScript simplifies `Output<boolean>`, so its alias is lost.
    return (type.getSymbol()?.name === "OutputInstance" && this.argumentOf(type)) || type;
  }

  /** Returns the first argument of a generic type, such as the type of a list's items. @param {Type} type */
  argumentOf(type) {
    return this.checker.getTypeArguments(/** @type {import("typescript").TypeReference} */ (type))[0];
  }

  /** Returns the parts of a type except undefined, null and wrappers of unknown values. @param {Type} type @returns {Type[]} */
  partsOf(type) {
    const { Undefined, Null } = this.ts.TypeFlags;
    const parts = type.isUnion() ? type.types : [type];
    return parts.filter(
      (part) => !(part.flags & (Undefined | Null)) && !eventual.has(part.getSymbol()?.name ?? ""),
    );
  }

  /** @param {TsSymbol} symbol */
  isOptional({ flags }) {
    return (flags & this.ts.SymbolFlags.Optional) !== 0;
  }

  /** Returns the type that a function's promise resolves to. @param {TsSymbol} symbol */
  resultOf(symbol) {
    const [signature] = this.checker.getTypeOfSymbol(symbol).getCallSignatures();
    const result = signature && this.checker.getAwaitedType(signature.getReturnType());
    if (!result) throw new Error(`${symbol.name} returns no promise.`);
    return result;
  }

  /** Returns the method `get` of a class, unless it's the method of every Pulumi resource. @param {TsSymbol} symbol */
  staticGetOf(symbol) {
    const get = this.checker.getPropertyOfType(this.checker.getTypeOfSymbol(symbol), "get");
    return get && this.fileOf(get).startsWith("sdk/") ? get : undefined;
  }

  /** Returns the signature of a static method, such as `get(name: string): IncidentUpdate`. @param {TsSymbol} method */
  signatureOf({ valueDeclaration }) {
    return valueDeclaration?.getText().replace(/^static |;$/g, "");
  }

  /** Returns the interface or alias with this name, exported or not. @param {string} name */
  #typeNamed(name) {
    const { ts } = this;
    const own = this.program.getSourceFiles().filter(({ fileName }) => !fileName.includes("node_modules"));
    const declaration = own
      .flatMap(({ statements }) => [...statements])
      .filter((each) => ts.isInterfaceDeclaration(each) || ts.isTypeAliasDeclaration(each))
      .find((each) => each.name.text === name);
    if (!declaration) throw new SetupFailure(`The sources lack ${name}.`);
    return declaration;
  }

  /** Returns the doc comments of an interface's members, by name. @param {string} name @returns {Record<string, string>} */
  docsOf(name) {
    const members = this.membersOf(this.checker.getTypeAtLocation(this.#typeNamed(name)));
    return Object.fromEntries(
      members.map((member) => [member.name, this.doc(member, `${name}.${member.name}`)]),
    );
  }

  /**
   * Returns the declaration of a type with its doc comments. Types of a constant list's items are expanded to the values.
   *
   * @param {string} name
   */
  declarationOf(name) {
    const { ts, checker } = this;
    const declaration = this.#typeNamed(name);
    let text = declaration.getFullText();
    /** @param {import("typescript").Node} node */
    const expand = (node) => {
      if (ts.isIndexedAccessTypeNode(node) && ts.isParenthesizedTypeNode(node.objectType)) {
        const values = this.partsOf(checker.getTypeFromTypeNode(node));
        text = text.replace(node.getText(), values.map((value) => checker.typeToString(value)).join(" | "));
      }
      ts.forEachChild(node, expand);
    };
    expand(declaration);
    return text
      .trim()
      .replace(/^export (declare )?/m, "")
      .replace(/\{@link (\w+)\}/g, "`$1`");
  }
}

exports.Sources = Sources;
