const fs = require("node:fs");
const path = require("node:path");
const { SetupFailure } = require("../../setup/command");
const { root } = require("../../setup");
const { block, code } = require("../model/markdown");

/** @typedef {import("typescript").Node} TsNode */

const example = `// The service applies the next post, and its response is lost.
sandbox.faults.add({ kind: "cut", operation: "createIncidentUpdate", times: 1 });`;

/** The options that kinds have in common, other than those of `when`. @type {Record<string, string>} */
const spreads = { inResponse: "applied", beforeService: "applied" };

/** What the sandbox does on demand, by the doc comments of its sources. */
function sandboxSections() {
  const faults = new CommentedFile("sandbox/faults.ts");
  const ids = new CommentedFile("sandbox/updateIds.ts");
  return [
    "## Faults",
    "The `kind` of a fault has options. A program calls `sandbox.faults.add(…)`, `.list()` and `.clear()`, or starts with `startSandbox({ faults: […] })`:",
    block("js", example),
    "Over HTTP, `POST` a fault as JSON to `/_sandbox/faults`, `GET` the list, or `DELETE` all.",
    faults.kinds(),
    "Each kind also takes:",
    faults.list("when"),
    "`applied` says whether a write is applied although its response is lost or replaced. Default: true for `wrongJson`, `empty`, " +
      "`drip` and `cut`, otherwise false. A request without a key of the sandbox gets 401: faults neither affect nor count it.",
    "## Ids of updates",
    'Set these by `startSandbox({ ids: "honoured" })` or `sandbox.configure({ ids: "honoured" })`. Over HTTP, `PATCH` them as JSON to ' +
      "`/_sandbox/options`, or `GET` them.",
    ids.list("UpdateIdOptions"),
    "A second post creates and emails nothing. An update that reads don't return yet has its id already.",
  ];
}

/** A source file, of which each member must have a doc comment to be listed. */
class CommentedFile {
  /** @param {string} file */
  constructor(file) {
    this.file = file;
    /** @type {import("typescript")} */
    this.ts = require(path.join(root, "node_modules", "typescript"));
    const text = fs.readFileSync(path.join(root, file), "utf8");
    this.source = this.ts.createSourceFile(file, text, this.ts.ScriptTarget.Latest, true);
  }

  /** The kinds of faults with their options, as a list: each is an object in the list of the constant `faultSchema`, after its comment. */
  kinds() {
    const { ts } = this;
    const list = this.#find(this.#declaration("faultSchema"), ts.isArrayLiteralExpression);
    const items = list.elements.map((element) => {
      const { properties } = this.#find(element, ts.isObjectLiteralExpression);
      const [kind, ...options] = properties.flatMap((property) => {
        if (ts.isSpreadAssignment(property)) return spreads[property.expression.getText()] ?? [];
        const name = property.name.getText();
        return name === "operation" ? [] : name;
      });
      if (kind !== "kind") throw new SetupFailure(`A fault of ${this.file} doesn't begin with its kind.`);
      const name = this.#find(element, ts.isStringLiteral).text;
      const having = options.length === 0 ? "" : ` (${options.map(code).join(", ")})`;
      return `- ${code(name)}${having}: ${this.#comment(element)}`;
    });
    return items.join("\n");
  }

  /** The members of an object or an interface, with their comments. @param {string} name */
  list(name) {
    const { ts } = this;
    const declared = this.#declaration(name);
    const members = ts.isInterfaceDeclaration(declared)
      ? declared.members
      : this.#find(declared, ts.isObjectLiteralExpression).properties;
    return [...members]
      .map((member) => `- ${code(member.name?.getText() ?? "")}: ${this.#comment(member)}`)
      .join("\n");
  }

  /** @param {string} name */
  #declaration(name) {
    const { ts } = this;
    return this.#find(
      this.source,
      /** @returns {node is import("typescript").VariableDeclaration | import("typescript").InterfaceDeclaration} */
      (node) =>
        (ts.isVariableDeclaration(node) || ts.isInterfaceDeclaration(node)) && node.name.getText() === name,
    );
  }

  /**
   * The first descendant of a kind.
   * @template {TsNode} T
   * @param {TsNode} node
   * @param {(node: TsNode) => node is T} isIt
   * @returns {T}
   */
  #find(node, isIt) {
    /** @param {TsNode} child @returns {T | undefined} */
    const search = (child) => (isIt(child) ? child : this.ts.forEachChild(child, search));
    const found = search(node);
    if (!found)
      throw new SetupFailure(`${this.file} is not as tools/generate/reference/sandboxSections.js expects.`);
    return found;
  }

  /** @param {TsNode} node */
  #comment(node) {
    const { text } = this.source;
    const [range] = this.ts.getLeadingCommentRanges(text, node.getFullStart()) ?? [];
    if (!range) throw new SetupFailure(`${this.file}: ${node.getText().slice(0, 40)} has no doc comment`);
    return text
      .slice(range.pos, range.end)
      .replace(/^\/\*\*|\*\/$|^\s*\*(?=\s)/gm, "")
      .replace(/\s+/g, " ")
      .trim();
  }
}

module.exports = { sandboxSections };
