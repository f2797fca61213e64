const path = require("node:path");
const { root } = require("../../setup");
const { defaultsOf, resourceFacts } = require("../model/facts");
const { anchor, block, code, page } = require("../model/markdown");

/**
 * @typedef {import("typescript").TypeNode} TypeNode
 * @typedef {import("../model/sources").TsSymbol} TsSymbol
 * @typedef {import("../model/sources").TsNode} TsNode
 * @typedef {import("../model/facts").ArgumentFacts} Facts
 * @typedef {import("../../../provider/api/operations").Operation} Operation
 * @typedef {object} Context
 * @property {import("../model/sources").Sources} sources
 * @property {TypeSections} types
 * @property {readonly Operation[]} operations
 * @property {(name: string) => string[]} exampleOf the section with the program of an object
 */

const sdk = "sdk/index.ts";
const native = "sdk/native.ts";

const requestsOfReading =
  "`pulumi preview` and `pulumi up` read a resource that is new, changed, or not as expected at the last read. `pulumi refresh` and " +
  "`pulumi import` read each. Nothing else sends a request.";
const requestsOfPosting =
  "`pulumi up` reads the incident of an update that is new, replaced or unconfirmed, and posts it unless it exists. A preview reads " +
  "it, too. `pulumi refresh` reads it once for all its updates. An update that it may not show is read by its id, as it is by an " +
  "import and by `get`.";

/** The page of a resource or a component. @param {Context} context @param {TsSymbol} symbol */
function classPage(context, symbol) {
  const { sources, types, exampleOf } = context;
  const { name } = symbol;
  /** @type {{lifecycles: Record<string, import("../../../provider/lifecycles/lifecycle").Lifecycle>}} */
  const { lifecycles } = require(path.join(root, "dist", "provider", "lifecycles"));
  const lifecycle = lifecycles[name];
  const args = sources.exportOf(sdk, `${name}Args`);
  const facts = lifecycle && resourceFacts(name);
  const members = sources.membersOf(args);
  const [intro, outputs] = outputsOf(context, symbol, lifecycle, members);
  const requests = lifecycle?.readsOnly ? requestsOfReading : requestsOfPosting;
  return page(
    `# ${name}`,
    sources.doc(symbol),
    ...exampleOf(name),
    "## Arguments",
    lifecycle ? "" : sources.doc(args),
    argumentList(sources, types, members, args.name, { factsOf: facts }),
    outputs && "## Outputs",
    intro,
    outputs,
    ...staticSections(context, symbol),
    ...errorSection(context, symbol),
    ...requestSection(context, symbol, lifecycle ? requests : ""),
    ...typeSection(context),
  );
}

/**
 * The outputs of a class, without those that its arguments or its data source describe in the same words.
 * @param {Context} context
 * @param {TsSymbol} symbol
 * @param {import("../../../provider/lifecycles/lifecycle").Lifecycle | undefined} lifecycle missing for a component
 * @param {readonly TsSymbol[]} args
 * @returns {[intro: string, list: string]}
 */
function outputsOf({ sources, types }, symbol, lifecycle, args) {
  const { name } = symbol;
  const all = sources.outputsOf(symbol);
  if (!lifecycle) return ["", types.memberList(all, name)];
  const others = all.filter((output) => args.every((arg) => arg.name !== output.name));
  const reader = lifecycle.readsOnly && sources.exportOf(sdk, `get${name}`);
  if (!reader) return ["Each argument, as declared, and:", types.memberList(others, name)];
  const fields = sources.membersOfType(sources.resultOf(reader));
  const lines = new Set(types.memberList(fields, reader.name).split("\n"));
  const own = others.filter((output) => !lines.has(types.memberList([output], name)));
  return [
    `Each argument, as declared, the fields of [the result of ${code(reader.name)}](${reader.name}.md#result), and:`,
    types.memberList(own, name),
  ];
}

/** The page of the provider that only the plugin has. @param {Context} context */
function providerPage(context) {
  const { sources, types } = context;
  const symbol = sources.exportOf(native, "Provider");
  const args = sources.exportOf(native, "ProviderArgs");
  const { accountHeader, timeoutMs, deadlineMs } = defaultsOf();
  return page(
    "# Provider",
    sources.doc(symbol),
    "Import it from `pulumi-monitoring-service/native`. In YAML, its type is `pulumi:providers:monitoring`. See " +
      "[several accounts](../guides/several-accounts.md#a-provider-for-each-account), and [an " +
      "example](../../examples/several-accounts/index.ts).",
    "## Arguments",
    sources.doc(args),
    argumentList(sources, types, sources.membersOf(args), args.name, {
      defaults: { accountHeader, timeoutMs, deadlineMs },
    }),
    ...errorSection(context, symbol),
    ...typeSection(context),
  );
}

/** @param {Context} context @param {TsSymbol} symbol */
function dataSourcePage(context, symbol) {
  const { sources, types, exampleOf } = context;
  const { name } = symbol;
  const title = name.charAt(0).toUpperCase() + name.slice(1);
  const args = sources.exportOf(sdk, `${title}Args`);
  const members = sources.membersOf(args);
  const onlyInOutput = sources
    .membersOf(sources.exportOf(sdk, `${title}OutputArgs`))
    .filter((member) => members.every((arg) => arg.name !== member.name));
  return page(
    `# ${name}`,
    sources.doc(symbol),
    ...exampleOf(name),
    "## Arguments",
    sources.doc(args),
    argumentList(sources, types, members, args.name),
    onlyInOutput.length === 0 ? "" : `${code(`${name}Output`)} also takes:`,
    argumentList(sources, types, onlyInOutput, `${title}OutputArgs`),
    "## Result",
    types.memberList(sources.membersOfType(sources.resultOf(symbol)), `${title}Result`),
    ...errorSection(context, symbol),
    ...requestSection(context, symbol, ""),
    ...typeSection(context),
  );
}

/** @param {Context} context @param {TsSymbol} symbol */
function staticSections({ sources }, symbol) {
  const statics = sources
    .membersOfType(sources.checker.getTypeOfSymbol(symbol))
    .filter((member) => sources.isMethod(member) && sources.fileOf(member).startsWith("sdk/"));
  return statics.flatMap((member) => {
    const title = `${symbol.name}.${member.name}`;
    return [
      `## ${title}`,
      sources.doc(member, title),
      block("ts", `${symbol.name}.${sources.signatureOf(member)}`),
      sources.parametersOf(member),
    ];
  });
}

/** @param {Context} context @param {TsSymbol} symbol */
function errorSection({ sources }, symbol) {
  const specific = sources.throwsOf(symbol).map(({ error, when }) => {
    if (!sources.exportsOf(sdk).has(error))
      sources.mistakes.push(`${symbol.name} throws ${error}, which is not exported`);
    return `- ${code(error)}: ${when}`;
  });
  return specific.length === 0 ? [] : ["## Errors", specific.join("\n")];
}

/** The requests of the operations that a doc comment names, and when they are sent. @param {Context} context @param {TsSymbol} symbol @param {string} when */
function requestSection(context, symbol, when) {
  const requests = operationsOf(context, symbol).map(({ method, path }) => `- ${code(`${method} ${path}`)}`);
  return when === "" ? [] : ["## Requests", requests.join("\n"), when];
}

/** The operations that a doc comment has to name. @param {Context} context @param {TsSymbol} symbol */
function operationsOf({ sources, operations }, symbol) {
  const doc = sources.doc(symbol);
  const named = operations.filter(({ name }) => doc.includes(`operation \`${name}\``));
  if (named.length === 0) sources.mistakes.push(`${symbol.name} doesn't name the operations that it uses`);
  return named;
}

/** The types that this page is the first to name. @param {Context} context */
function typeSection({ types }) {
  const sections = types.sections();
  return sections.length === 0 ? [] : ["## Types", ...sections];
}

const defaultIn = /\s*Default: (.+?)\.(?=\s|$)/s;

/**
 * The arguments, as a list.
 * @param {import("../model/sources").Sources} sources
 * @param {TypeSections} types
 * @param {readonly TsSymbol[]} members
 * @param {string} owner names it in a mistake
 * @param {object} [known] to verify the doc comments
 * @param {(argument: string) => Facts | undefined} [known.factsOf] how the lifecycle treats an argument
 * @param {Readonly<Record<string, unknown>>} [known.defaults] of the code
 */
function argumentList(sources, types, members, owner, { factsOf, defaults = {} } = {}) {
  const items = members.map((member) => {
    const title = `${owner}.${member.name}`;
    const doc = sources.doc(member, title);
    const isRequired = !sources.isOptional(member);
    const preset = defaultIn.exec(doc)?.[1];
    const facts = factsOf?.(member.name);
    if (factsOf) sources.mistakes.push(...contradictions(title, { isRequired, preset }, facts));
    const usual = defaults[member.name];
    if (usual !== undefined && !says(preset, usual))
      sources.mistakes.push(`${title} has the default ${written(usual)}, which its doc comment doesn't say`);
    const notes = [
      types.ofMember(member),
      isRequired ? "required" : preset && `default: ${shown(preset)}`,
      facts?.replaces && "replaces",
      facts?.isSecret && "may be a secret",
    ];
    const text = doc.replace(defaultIn, "").replace(/\s+/g, " ");
    return `- ${code(member.name)} (${notes.filter(Boolean).join("; ")}): ${text}`;
  });
  return items.join("\n");
}

/** @param {string} preset */
const shown = (preset) => (/^(true|false|\d+)$/.test(preset) ? code(preset) : preset);

/** A default as doc comments write it. @param {unknown} value */
function written(value) {
  if (typeof value === "number") return value.toLocaleString("en");
  return typeof value === "string" ? code(value) : String(value);
}

/** Whether a doc comment says this default, alone or after an environment variable. @param {string | undefined} preset @param {unknown} value */
const says = (preset, value) => preset?.replace(/^`MONITORING_\w+`, otherwise /, "") === written(value);

/**
 * The differences between the documentation of an argument and its lifecycle.
 * @param {string} title
 * @param {{isRequired: boolean, preset: string | undefined}} documented
 * @param {Facts | undefined} facts
 */
function contradictions(title, { isRequired, preset }, facts) {
  if (facts === undefined) return [`${title} is not known to its lifecycle`];
  const wrong = [];
  if (isRequired !== facts.isRequired)
    wrong.push(`${title} is ${facts.isRequired ? "" : "not "}required by its lifecycle`);
  if (facts.preset !== undefined && preset?.replaceAll("`", "") !== String(facts.preset)) {
    wrong.push(`${title} has the default ${String(facts.preset)}, which its doc comment doesn't say`);
  }
  return wrong;
}

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

  /** The type of a member, in Markdown. @param {TsSymbol} member */
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

module.exports = { classPage, dataSourcePage, providerPage, TypeSections };
