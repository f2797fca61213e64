"use strict";

const { anchor, block, code, page, table } = require("./markdown");

/** @typedef {import("./sources").TsSymbol} TsSymbol */
/** @typedef {import("./sources").TsNode} TsNode */
/** @typedef {import("typescript").TypeNode} TypeNode */

/** What stands around a type without meaning anything to a reader: `Input<string>` is told once for all arguments. */
const wrappers = ["Input", "Output", "Promise", "Readonly"];

/** Where the types are that are described; the others are for those who write rules, in files of their own. */
const described = /^(provider|sdk|audit\/(report|ruleFile\/rules)\.ts$)/;

/** The types that pages name: each is described once, on a page of its own kind, and linked to from everywhere. */
class TypeBook {
  /** @type {Map<string, TsSymbol>} */
  #named = new Map();

  /**
   * @param {import("./sources").Sources} sources
   * @param {string} file that describes the types, as a link
   * @param {string} entry the file that exports them
   */
  constructor(sources, file, entry) {
    this.sources = sources;
    this.file = file;
    this.exports = sources.exportsOf(entry);
    this.names = new Map([...this.exports].map(([name, symbol]) => [symbol, name]));
  }

  /**
   * The type of a member, in Markdown.
   * @param {TsSymbol} member
   */
  ofMember(member) {
    const declaration = this.sources.declarationOf(member);
    const { ts } = this.sources;
    if (
      ts.isPropertySignature(declaration) ||
      ts.isPropertyDeclaration(declaration) ||
      ts.isParameter(declaration)
    ) {
      if (declaration.type) return this.ofNode(declaration.type);
    }
    return code(this.sources.checker.typeToString(this.sources.checker.getTypeOfSymbol(member)));
  }

  /** @param {TypeNode} node @returns {string} */
  ofNode(node) {
    const { ts } = this.sources;
    if (ts.isTypeReferenceNode(node)) return this.#ofReference(node);
    if (ts.isArrayTypeNode(node)) return `list of ${this.ofNode(node.elementType)}`;
    if (ts.isTypeOperatorNode(node) || ts.isParenthesizedTypeNode(node)) return this.ofNode(node.type);
    if (ts.isUnionTypeNode(node)) {
      const parts = node.types.filter(({ kind }) => kind !== ts.SyntaxKind.UndefinedKeyword);
      return parts.map((part) => this.ofNode(part)).join(" or ");
    }
    if (ts.isIndexedAccessTypeNode(node)) {
      const { checker } = this.sources;
      const name = node.indexType.getText().slice(1, -1);
      const member = checker.getPropertyOfType(checker.getTypeFromTypeNode(node.objectType), name);
      if (member) return this.ofMember(member);
    }
    return code(node.getText().replace(/\s+/g, " "));
  }

  /** @param {import("typescript").TypeReferenceNode} node */
  #ofReference(node) {
    const { ts, checker } = this.sources;
    const name = ts.isQualifiedName(node.typeName) ? node.typeName.right.text : node.typeName.text;
    const [first, second] = node.typeArguments ?? [];
    if (first && wrappers.includes(name)) return this.ofNode(first);
    if (first && name === "Open") return `${this.ofNode(first)} or a later one`;
    if (first && second && name === "Record") return `object of ${this.ofNode(second)} by name`;
    const found = checker.getSymbolAtLocation(node.typeName);
    if (!found) return code(node.getText());
    const symbol = found.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(found) : found;
    // What a resource may be expected to be depends on the resource, and is described once for all.
    const expectations = this.exports.get("Expectations");
    if (symbol.flags & ts.SymbolFlags.TypeParameter && expectations) return this.link(expectations);
    if (described.test(this.sources.roomOf(symbol))) return this.link(symbol);
    const values = this.#valuesOf(symbol);
    return values.length > 0 ? values.join(" or ") : code(node.getText());
  }

  /** @param {TsSymbol} symbol under the name by which programs import it */
  link(symbol) {
    const name = this.#nameOf(symbol);
    const hasItsPage =
      this.sources.isClass(symbol) && /^sdk\/(resources|components)\//.test(this.sources.roomOf(symbol));
    if (hasItsPage) return `[${code(name)}](${name}.md)`;
    this.#named.set(name, symbol);
    return `[${code(name)}](${this.file}#${anchor(name)})`;
  }

  /** @param {TsSymbol} symbol */
  #nameOf(symbol) {
    return this.names.get(symbol) ?? symbol.name;
  }

  /**
   * The texts that a type allows, as they are ordered in its declaration; none when it allows anything else.
   * @param {TsSymbol} symbol
   */
  #valuesOf(symbol) {
    const { ts, checker } = this.sources;
    const type = this.sources.typeOf(symbol);
    if (!type.isUnion() || !type.types.every((one) => one.isStringLiteral())) return [];
    const declaration = this.sources.declarationOf(symbol);
    const node = ts.isTypeAliasDeclaration(declaration) ? declaration.type : undefined;
    const list =
      node && ts.isIndexedAccessTypeNode(node) ? checker.getTypeFromTypeNode(node.objectType) : undefined;
    const ordered =
      list && checker.isTupleType(list)
        ? checker.getTypeArguments(/** @type {import("typescript").TypeReference} */ (list))
        : type.types;
    return ordered.map((one) => code(checker.typeToString(one)));
  }

  /** A section for each type that was named so far, and for those that they name in turn. */
  sections() {
    /** @type {Map<string, string>} */
    const sections = new Map();
    // Describing one type may name others: these join the end of the list.
    for (const [name, symbol] of this.#named) sections.set(name, this.#section(symbol));
    return [...sections].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, section]) => section);
  }

  /** @param {TsSymbol} symbol */
  #section(symbol) {
    const { ts } = this.sources;
    const type = this.sources.typeOf(symbol);
    const values = this.#valuesOf(symbol);
    for (const linked of this.sources.linkedFrom(symbol))
      if (described.test(this.sources.roomOf(linked))) this.link(linked);
    if (this.sources.isClass(symbol))
      return page(`## ${this.#nameOf(symbol)}`, this.sources.doc(symbol)).trimEnd();
    const isObject = (type.flags & ts.TypeFlags.Object) !== 0 && this.sources.membersOf(type).length > 0;
    const body =
      values.length > 0
        ? `One of ${values.join(", ")}.`
        : isObject
          ? this.fields(type, symbol.name)
          : this.#declaration(symbol);
    return page(`## ${this.#nameOf(symbol)}`, this.sources.doc(symbol), body).trimEnd();
  }

  /** What is no list of values and no object shows how it is declared. @param {TsSymbol} symbol */
  #declaration(symbol) {
    const declaration = this.sources.declarationOf(symbol);
    this.#nameAllIn(declaration);
    return block("ts", declaration.getText().replace(/^export (declare )?/, ""));
  }

  /** Names the types that a declaration is made of, through those that have no name of their own for programs. @param {TsNode} node */
  #nameAllIn(node) {
    const { ts, checker } = this.sources;
    const found = ts.isTypeReferenceNode(node) ? checker.getSymbolAtLocation(node.typeName) : undefined;
    const exported = found && this.exports.get(found.name);
    if (exported) this.link(exported);
    else if (found && found.flags & ts.SymbolFlags.TypeAlias && described.test(this.sources.roomOf(found))) {
      this.#nameAllIn(this.sources.declarationOf(found));
    }
    ts.forEachChild(node, (child) => this.#nameAllIn(child));
  }

  /**
   * The fields of an object, as a table.
   * @param {import("typescript").Type} type
   * @param {string} owner names it in a mistake
   */
  fields(type, owner) {
    const rows = this.sources
      .membersOf(type)
      .map((member) => [
        code(member.name),
        this.ofMember(member),
        this.sources.doc(member, `${owner}.${member.name}`),
      ]);
    return table(["Field", "Type", "What it is"], rows);
  }
}

module.exports = { TypeBook };
