const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const ts = require("typescript");
const { root } = require("../setup");

/** The files that judge texts and channels. */
const judges = /^provider\/(?:credentials|proofreading)[/.].*ts$/;

/** What a row of a table is made of, unless a function has it. @param {import("typescript").Node} node */
const isRow = (node) =>
  ts.isArrayLiteralExpression(node) ||
  ts.isObjectLiteralExpression(node) ||
  ts.isTemplateLiteral(node) ||
  ts.isStringLiteral(node) ||
  ts.isRegularExpressionLiteral(node);

/** How many lines of a file have code that isn't a table, and the lengths of its expressions. @param {string} file */
function measured(file) {
  const text = fs.readFileSync(path.join(root, file), "utf8");
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const [code, table] = [new Set(), new Set()];
  /** @type {number[]} */
  const lengths = [];
  const lineAt = (/** @type {number} */ at) => source.getLineAndCharacterOfPosition(at).line;
  /** @param {import("typescript").Node} node @param {boolean} isInFunction @param {boolean} isInTable */
  function visit(node, isInFunction, isInTable) {
    if (ts.isJSDoc(node)) return;
    const isOfFunction = isInFunction || ts.isFunctionLike(node);
    const isOfTable = !isOfFunction && (isInTable || isRow(node));
    if (ts.isRegularExpressionLiteral(node)) lengths.push(node.text.lastIndexOf("/") - 1);
    const isToken = node.getChildCount(source) === 0 && node.getText(source) !== "";
    for (let line = lineAt(node.getStart(source)); isToken && line <= lineAt(node.getEnd()); line++)
      (isOfTable ? table : code).add(line);
    for (const child of node.getChildren(source)) visit(child, isOfFunction, isOfTable);
  }
  visit(source, false, false);
  return { lines: [...code].filter((line) => !table.has(line)).length, lengths };
}

/** Prints the lengths of the expressions that the product makes of tables while it loads. */
const printMade = `
  const made = [];
  RegExp = new Proxy(RegExp, {
    construct(target, [source, flags]) {
      if (/dist.provider.(credentials|proofreading)/.test(new Error().stack.split("\\n")[2])) made.push(source.length);
      return new target(source, flags);
    },
  });
  require("./dist/provider/proofreading");
  console.log(JSON.stringify(made));`;

/** What those who read the judges have to read. @param {readonly string[]} files */
function sizeOfJudges(files) {
  const all = files.filter((file) => judges.test(file)).map(measured);
  const made = execFileSync(process.execPath, ["-e", printMade], { cwd: root, encoding: "utf8" });
  return {
    lines: all.reduce((sum, { lines }) => sum + lines, 0),
    longest: Math.max(...all.flatMap(({ lengths }) => lengths), ...JSON.parse(made)),
  };
}

module.exports = { sizeOfJudges };
