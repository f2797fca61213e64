const { anchor, block, code, page } = require("../model/markdown");

/** @typedef {import("../model/sources").TsSymbol} TsSymbol */
/** @typedef {import("../model/sources").TsNode} TsNode */
/** @typedef {import("typescript").TypeNode} TypeNode */

/** Type wrappers that pages leave out: the page explains `Input` once for all arguments. */
const wrappers = ["Input", "Output", "Promise", "Readonly"];

/** The files whose types get a section. */
const described = /^(provider|sdk|audit)\//;

/** The types that pages name. The first page that names a type has its section, to which the others link. */
class TypeSections {
  /** The page and the heading of each type. @type {Map<string, {page: string, heading: string}>} */
  #places = new Map();
  /** The types that the current page is the first to name. @type {Map<string, TsSymbol>} */
  #named = new Map();
  #page = "";

  /**
   * @param {import("../model/sources").Sources} sources
   * @param {string} entry the file that exports the types
   */
  constructor(sources, entry) {
    this.sources = sources;
    this.exports = sources.exportsOf(entry);
    this.names = new Map([...this.exports].map(([name, symbol]) => [symbol, name]));
  }

  /** Starts another page. @param {string} page */
  turnTo(page) {
    this.#page = page;
    this.#named = new Map();
  }

  /** Says that a section of a page describes a type. @param {TsSymbol} symbol @param {string} page @param {string} heading */
  describe(symbol, page, heading) {
    this.#places.set(this.#nameOf(symbol), { page, heading });
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
    return this.asText(member);
  }

  /** The type of a member as TypeScript prints it. @param {TsSymbol} member */
  asText(member) {
    const { checker } = this.sources;
    return code(checker.typeToString(checker.getTypeOfSymbol(member)));
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
      const values = this.#stringsOf(checker.getTypeFromTypeNode(node));
      if (values.length > 0) return values.join(" or ");
    }
    return code(node.getText().replace(/\s+/g, " "));
  }

  /** @param {import("typescript").TypeReferenceNode} node */
  #ofReference(node) {
    const { ts, checker } = this.sources;
    const name = ts.isQualifiedName(node.typeName) ? node.typeName.right.text : node.typeName.text;
    const [first, second] = node.typeArguments ?? [];
    if (first && wrappers.includes(name)) return this.ofNode(first);
    if (first && name === "Open") return `${this.ofNode(first)} or a newer value`;
    if (first && second && name === "Record") return `object of ${this.ofNode(second)} by name`;
    const found = checker.getSymbolAtLocation(node.typeName);
    if (!found) return code(node.getText());
    const symbol = found.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(found) : found;
    // The expectations of each resource share one section.
    const expectations = this.exports.get("Expectations");
    if (symbol.flags & ts.SymbolFlags.TypeParameter && expectations) return this.link(expectations);
    if (this.#hasSection(symbol)) return this.link(symbol);
    const values = this.#valuesOf(symbol);
    return values.length > 0 ? values.join(" or ") : code(node.getText());
  }

  /** Whether a section describes the type: not if programs import another type by its name. @param {TsSymbol} symbol */
  #hasSection(symbol) {
    const imported = this.exports.get(this.#nameOf(symbol));
    return (!imported || imported === symbol) && described.test(this.sources.fileOf(symbol));
  }

  /** A link under the name that programs import. @param {TsSymbol} symbol */
  link(symbol) {
    const name = this.#nameOf(symbol);
    const hasItsPage =
      this.sources.isClass(symbol) &&
      /^sdk\/(IncidentUpdate|observed|components|Provider)\.ts$/.test(this.sources.fileOf(symbol));
    if (hasItsPage) return `[${code(name)}](${name}.md)`;
    if (!this.#places.has(name)) {
      this.#places.set(name, { page: this.#page, heading: name });
      this.#named.set(name, symbol);
    }
    const { page, heading } = this.#places.get(name) ?? { page: this.#page, heading: name };
    return `[${code(name)}](${page === this.#page ? "" : page}#${anchor(heading)})`;
  }

  /** @param {TsSymbol} symbol */
  #nameOf(symbol) {
    return this.names.get(symbol) ?? symbol.name;
  }

  /** The strings that a union allows; none when it allows anything else. @param {import("typescript").Type} type */
  #stringsOf(type) {
    return type.isUnion() && type.types.every((one) => one.isStringLiteral())
      ? type.types.map((one) => code(this.sources.checker.typeToString(one)))
      : [];
  }

  /**
   * The strings that a type allows, in the order of its declaration; none when it allows anything else.
   * @param {TsSymbol} symbol
   */
  #valuesOf(symbol) {
    const { ts, checker } = this.sources;
    const type = this.sources.typeOf(symbol);
    const values = this.#stringsOf(type);
    if (values.length === 0) return [];
    const declaration = this.sources.declarationOf(symbol);
    const node = ts.isTypeAliasDeclaration(declaration) ? declaration.type : undefined;
    const list =
      node && ts.isIndexedAccessTypeNode(node) ? checker.getTypeFromTypeNode(node.objectType) : undefined;
    if (!list || !checker.isTupleType(list)) return values;
    const ordered = checker.getTypeArguments(/** @type {import("typescript").TypeReference} */ (list));
    return ordered.map((one) => code(checker.typeToString(one)));
  }

  /** A section for each type that the page has to describe, and for the types that these name. */
  sections() {
    /** @type {Map<string, string>} */
    const sections = new Map();
    // A section may name further types, which join the end of the list.
    for (const [name, symbol] of this.#named) sections.set(name, this.#section(symbol));
    return [...sections].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, section]) => section);
  }

  /** @param {TsSymbol} symbol */
  #section(symbol) {
    const { ts } = this.sources;
    const type = this.sources.typeOf(symbol);
    const values = this.#valuesOf(symbol);
    for (const linked of this.sources.linkedFrom(symbol))
      if (!this.sources.isFunction(linked) && this.#hasSection(linked)) this.link(linked);
    if (this.sources.isClass(symbol))
      return page(`### ${this.#nameOf(symbol)}`, this.sources.doc(symbol)).trimEnd();
    const isObject = (type.flags & ts.TypeFlags.Object) !== 0 && this.sources.membersOf(symbol).length > 0;
    const body =
      values.length > 0
        ? `One of ${values.join(", ")}.`
        : isObject
          ? this.memberList(this.sources.membersOf(symbol), symbol.name)
          : this.#declaration(symbol);
    return page(`### ${this.#nameOf(symbol)}`, this.sources.doc(symbol), body).trimEnd();
  }

  /** The declaration of a type that is neither a list of values nor an object. @param {TsSymbol} symbol */
  #declaration(symbol) {
    const declaration = this.sources.declarationOf(symbol);
    this.#nameAllIn(declaration);
    const { ts } = this.sources;
    if (ts.isTypeAliasDeclaration(declaration) && declaration.type.kind === ts.SyntaxKind.StringKeyword)
      return "";
    return block("ts", this.#withOwnValues(declaration).replace(/^export (declare )?/, ""));
  }

  /** The text of a declaration, with the values of types whose names are exported for others. @param {TsNode} node */
  #withOwnValues(node) {
    const { ts } = this.sources;
    let text = node.getText();
    /** @param {TsNode} part */
    const visit = (part) => {
      const symbol = ts.isTypeReferenceNode(part) ? this.sources.symbolOf(part.typeName) : undefined;
      const exported = symbol && this.exports.get(symbol.name);
      if (exported && exported !== symbol) {
        const values = this.#stringsOf(this.sources.typeOf(symbol)).map((value) => value.slice(1, -1));
        text = text.replace(new RegExp(`\\b${symbol.name}\\b`, "g"), values.join(" | "));
      }
      ts.forEachChild(part, visit);
    };
    visit(node);
    return text;
  }

  /** Names the exported types in a declaration, also those inside types that aren't exported. @param {TsNode} node */
  #nameAllIn(node) {
    const { ts } = this.sources;
    const found = ts.isTypeReferenceNode(node) ? this.sources.symbolOf(node.typeName) : undefined;
    if (found && !(found.flags & ts.SymbolFlags.TypeParameter) && this.#hasSection(found)) this.link(found);
    ts.forEachChild(node, (child) => this.#nameAllIn(child));
  }

  /**
   * The members of an object or a class, as a list.
   * @param {readonly TsSymbol[]} members
   * @param {string} owner names it in a mistake
   */
  memberList(members, owner) {
    return members
      .map((member) => {
        const doc = this.sources.doc(member, `${owner}.${member.name}`);
        return `- ${code(member.name)} (${this.ofMember(member)}): ${doc.replace(/\s+/g, " ")}`;
      })
      .join("\n");
  }
}

module.exports = { TypeSections };
