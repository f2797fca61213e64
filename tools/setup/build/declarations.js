const path = require("node:path");
const { SetupFailure } = require("../run");

/** @typedef {typeof import("typescript")} TypeScript */
/** @typedef {import("typescript").Node} TsNode */
/** @typedef {import("typescript").SourceFile} SourceFile */
/** @typedef {import("typescript").Symbol} TsSymbol */

/**
 * Generates the declarations for users: everything that the entry points export, and the types that these exports refer to. The
 * declarations don't import zod, because its types require `esModuleInterop` and every program would compile them. Therefore, types that
 * depend on a schema are written out, and interfaces include the members from schemas with their doc comments.
 */
class Declarations {
  /** @type {Set<TsNode>} */
  #statements = new Set();
  /** Imported symbols that these statements use. @type {Set<TsSymbol>} */
  #imports = new Set();
  /** Text of the types that depend on a schema. @type {Map<TsNode, string>} */
  #written = new Map();
  /** Fields of schemas without a doc comment. @type {string[]} */
  #undocumented = [];

  /**
   * @param {TypeScript} ts
   * @param {string} folder with the output of tsc
   * @param {string[]} entries files in it
   */
  constructor(ts, folder, entries) {
    this.ts = ts;
    this.folder = folder;
    const files = entries.map((entry) => path.join(folder, entry));
    const program = programOf(ts, files, /^(\.|zod$)/);
    this.checker = program.getTypeChecker();
    this.sources = program
      .getSourceFiles()
      .filter(({ fileName }) => path.resolve(fileName).startsWith(folder + path.sep));
    for (const file of files) {
      const source = program.getSourceFile(file);
      const module = source && this.checker.getSymbolAtLocation(source);
      if (!module) throw new Error(`${file} declares nothing.`);
      for (const exported of this.checker.getExportsOfModule(module)) this.#reach(exported);
    }
    if (this.#undocumented.length > 0)
      throw new SetupFailure(`Fields without a doc comment: ${this.#undocumented.join(", ")}.`);
  }

  /** Returns the text of each file that isn't empty, by its path in the folder. */
  files() {
    const texts = this.sources.map((source) => {
      const text = source.statements
        .map((each) => this.#textOf(each))
        .join("")
        .replace(/ {2}\{$/gm, " {");
      return /** @type {const} */ ([path.relative(this.folder, source.fileName), text]);
    });
    return new Map(texts.filter(([, text]) => text !== ""));
  }

  /** @param {TsSymbol} symbol */
  #isReached(symbol) {
    return this.#statementsOf(symbol).some((statement) => this.#statements.has(statement));
  }

  /** @param {TsSymbol} symbol */
  #reach(symbol) {
    for (const statement of this.#statementsOf(symbol)) {
      if (this.#statements.has(statement)) continue;
      this.#statements.add(statement);
      this.#visit(statement);
    }
  }

  /** @param {TsNode} node */
  #visit(node) {
    const { ts, checker } = this;
    if (ts.isInterfaceDeclaration(node)) this.#writeMembers(node);
    if (this.#written.has(node)) return;
    if (ts.isTypeNode(node) && this.#mentionsZod(node)) {
      /** @type {import("typescript").TypeFormatFlags} */
      const flags = ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.InTypeAlias;
      const text = checker.typeToString(checker.getTypeFromTypeNode(node), node, flags);
      this.#written.set(node, this.#assertPlain(node, text));
      this.#useNames(node, text);
      return;
    }
    const symbol = ts.isIdentifier(node) && checker.getSymbolAtLocation(node);
    if (symbol) this.#use(symbol);
    ts.forEachChild(node, (child) => this.#visit(child));
  }

  /** @param {TsSymbol} symbol that a declaration refers to */
  #use(symbol) {
    this.#imports.add(symbol);
    this.#reach(symbol);
  }

  /**
   * Writes out the members that an interface inherits from schemas. They become its last members.
   * @param {import("typescript").InterfaceDeclaration} node
   */
  #writeMembers(node) {
    const { checker } = this;
    const [clause] = node.heritageClauses ?? [];
    const brace = node.getLastToken();
    const ofSchemas = clause?.types.filter((each) => this.#mentionsZod(each)) ?? [];
    if (!clause || !brace || ofSchemas.length === 0) return;
    const others = clause.types.filter((each) => !ofSchemas.includes(each));
    for (const each of others) this.#visit(each);
    const members = ofSchemas
      .flatMap((each) => checker.getPropertiesOfType(checker.getTypeFromTypeNode(each)))
      .filter(({ name }) => !node.members.some((own) => own.name?.getText() === name))
      .map((member) => this.#memberOf(node, member));
    const text = members
      .sort(([one], [other]) => one - other)
      .map(([, each]) => `    ${each}\n`)
      .join("");
    this.#written.set(
      clause,
      others.length > 0 ? `extends ${others.map((each) => each.getText()).join(", ")}` : "",
    );
    this.#written.set(brace, `${text}}`);
    this.#useNames(node, text.replace(/\/\*\*.*?\*\//gs, ""));
  }

  /** Marks the types that a written type refers to as used, such as `Open` or `api.Open`. @param {TsNode} node @param {string} text */
  #useNames(node, text) {
    const { ts, checker } = this;
    const scope = checker.getSymbolsInScope(node, ts.SymbolFlags.Type | ts.SymbolFlags.Alias);
    for (const [, module, name] of text.matchAll(/\b(?:(\w+)\.)?([A-Z]\w*)/g)) {
      const symbol = scope.find((each) => each.name === (module ?? name));
      if (!symbol) continue;
      this.#use(symbol);
      const exported = module ? checker.getExportsOfModule(checker.getAliasedSymbol(symbol)) : [];
      for (const each of exported.filter((each) => each.name === name)) this.#use(each);
    }
  }

  /**
   * Returns the position of a schema's member among the fields, and its text.
   * @param {import("typescript").InterfaceDeclaration} owner
   * @param {TsSymbol} member
   */
  #memberOf(owner, member) {
    const { ts, checker } = this;
    const { name, declarations: [declared = owner] = [] } = member;
    const comments = ts.getJSDocCommentsAndTags(declared).filter(ts.isJSDoc);
    if (declared === owner || comments.length === 0) this.#undocumented.push(`${owner.name.text}.${name}`);
    const isOptional = (member.flags & ts.SymbolFlags.Optional) !== 0;
    const type = checker.typeToString(
      checker.getTypeOfSymbol(member),
      owner,
      ts.TypeFormatFlags.NoTruncation,
    );
    const text = this.#assertPlain(owner, isOptional ? type.replace(/ \| undefined$/, "") : type);
    const comment = comments.map((each) => `${each.getText()}\n    `).join("");
    return /** @type {const} */ ([declared.pos, `${comment}${name}${isOptional ? "?" : ""}: ${text};`]);
  }

  /** @param {TsNode} node @param {string} text of its type */
  #assertPlain(node, text) {
    if (/\b(any|z\.|import\()/.test(text)) throw new Error(`${node.getText()} can't be written out: ${text}`);
    return text;
  }

  /** Returns true if a node has a type of zod, or the type of a constant that has one. @param {TsNode} node @returns {boolean} */
  #mentionsZod(node) {
    const { ts, checker } = this;
    const symbol = ts.isIdentifier(node) && checker.getSymbolAtLocation(node);
    if (symbol && symbol.declarations?.some((each) => importedFrom(ts, each) === "zod")) return true;
    // Only check the statements of a value in `typeof`, because a type may have the same name.
    if (symbol && ts.isTypeQueryNode(node.parent))
      return this.#statementsOf(symbol).some(
        (statement) => ts.isVariableStatement(statement) && this.#mentionsZod(statement),
      );
    return ts.forEachChild(node, (child) => this.#mentionsZod(child) || undefined) ?? false;
  }

  /** Returns the statements of our sources that declare the symbol. @param {TsSymbol} symbol @returns {TsNode[]} */
  #statementsOf(symbol) {
    const { ts, checker } = this;
    const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    return (target.declarations ?? [])
      .filter((declaration) => !ts.isSourceFile(declaration))
      .flatMap((declaration) => ts.findAncestor(declaration, (each) => ts.isSourceFile(each.parent)) ?? [])
      .filter((statement) => this.sources.includes(statement.getSourceFile()));
  }

  /** @param {TsNode} statement */
  #writtenIn(statement) {
    const within = [...this.#written].filter(
      ([node]) =>
        node.getSourceFile() === statement.getSourceFile() &&
        node.pos >= statement.pos &&
        node.end <= statement.end,
    );
    return new Map(within.sort(([one], [other]) => one.pos - other.pos));
  }

  /**
   * Returns the text of a statement without unused imports and exports. Empty if the whole statement is unused.
   *
   * @param {import("typescript").Statement} statement
   * @returns {string}
   */
  #textOf(statement) {
    const { ts, checker } = this;
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement))
      return this.#statements.has(statement) ? replaced(statement, this.#writtenIn(statement)) : "";
    const isImport = ts.isImportDeclaration(statement);
    const clause = isImport ? statement.importClause?.namedBindings : statement.exportClause;
    const isUsed = (/** @type {TsSymbol | undefined} */ symbol) =>
      symbol !== undefined && (isImport ? this.#imports.has(symbol) : this.#isReached(symbol));
    const symbolOf = (/** @type {TsNode} */ name) => checker.getSymbolAtLocation(name);
    if (clause === undefined || !("elements" in clause)) {
      const module = statement.moduleSpecifier && symbolOf(statement.moduleSpecifier);
      const names = clause ? [symbolOf(clause.name)] : module ? checker.getExportsOfModule(module) : [];
      return names.some(isUsed) ? replaced(statement, new Map()) : "";
    }
    const used = clause.elements.filter(({ name }) => isUsed(symbolOf(name))).map((each) => each.getText());
    return used.length === 0 ? "" : replaced(statement, new Map([[clause, `{ ${used.join(", ")} }`]]));
  }
}

/**
 * Creates a TypeScript program from declaration files.
 * @param {TypeScript} ts
 * @param {string[]} files
 * @param {RegExp} resolved matches the imported modules to read; types of other packages would double the time
 */
function programOf(ts, files, resolved) {
  /** @type {import("typescript").CompilerOptions} */
  const options = {
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ["lib.es2023.d.ts"],
    types: [],
    strict: true,
  };
  const host = ts.createCompilerHost(options);
  host.resolveModuleNameLiterals = (literals, file) =>
    literals.map(({ text }) =>
      resolved.test(text) ? ts.resolveModuleName(text, file, options, host) : { resolvedModule: undefined },
    );
  return ts.createProgram(files, options, host);
}

/** @param {TypeScript} ts @param {TsNode} declaration declaration whose module is returned, if it's imported */
function importedFrom(ts, declaration) {
  const statement = ts.findAncestor(declaration, ts.isImportDeclaration);
  return statement && ts.isStringLiteral(statement.moduleSpecifier)
    ? statement.moduleSpecifier.text
    : undefined;
}

/** Returns the text of a statement, with some of its nodes replaced. @param {TsNode} statement @param {Map<TsNode, string>} texts */
function replaced(statement, texts) {
  const source = statement.getSourceFile().text;
  let text = "";
  let end = statement.getFullStart();
  for (const [node, other] of texts) {
    text += source.slice(end, node.getStart()) + other;
    end = node.getEnd();
  }
  return text + source.slice(end, statement.getEnd());
}

module.exports = { Declarations, programOf };
