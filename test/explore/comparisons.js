/** The comparisons of the functions that decide, each changed in turn, for the question which configuration notices. */
const fs = require("node:fs");
const path = require("node:path");
const ts = require("typescript");
const { protocol } = require("./core");

/**
 * @typedef {object} Comparison
 * @property {string} name such as `search.ts:9: a > b -> a >= b`
 * @property {Readonly<Record<string, string>>} rewrites what the file says instead
 */

const files = ["search", "codes", "guards"].map((name) => path.join(protocol, name));

/** What takes the place of each comparison: its bound moves, or it has one result. @type {Readonly<Record<string, readonly string[]>>} */
const others = {
  "===": ["true", "false"],
  "!==": ["true", "false"],
  "<": ["<=", "true", "false"],
  "<=": ["<", "true", "false"],
  ">": [">=", "> 0", "true", "false"],
  ">=": [">", "> 0", "true", "false"],
};

/** @returns {Comparison[]} */
function comparisons() {
  return files.flatMap((file) => {
    const source = parseSource(file);
    return listComparisons(source).flatMap((node) =>
      othersThan(node).map((other) => ({
        name: formatName(source, node, other),
        rewrites: { [file]: written(source, (each) => (each === node ? `(${other})` : undefined)) },
      })),
    );
  });
}

/**
 * The functions as they are, but each comparison also computes what it would with each change.
 * @returns {Readonly<Record<string, string>>} a call of `watch__` for each: the index of its first change, its result, and those of its changes
 */
function watchedFiles() {
  let count = 0;
  return Object.fromEntries(
    files.map((file) => {
      const text = written(parseSource(file), (node, inner) => {
        const results = othersThan(node);
        const index = count;
        count += results.length;
        return `watch__(${index}, ${inner}, [${results.join(", ")}])`;
      });
      return [file, text];
    }),
  );
}

/** @param {string} file */
function parseSource(file) {
  const text = fs.readFileSync(`${file}.ts`, "utf8");
  return ts.createSourceFile(`${path.basename(file)}.ts`, text, ts.ScriptTarget.ES2022, true);
}

/** In the order in which they end. @param {import("typescript").Node} node @returns {import("typescript").BinaryExpression[]} */
function listComparisons(node) {
  /** @type {import("typescript").BinaryExpression[]} */
  const within = [];
  node.forEachChild((child) => void within.push(...listComparisons(child)));
  return isComparison(node) ? [...within, node] : within;
}

/** @param {import("typescript").Node} node @returns {node is import("typescript").BinaryExpression} */
function isComparison(node) {
  return ts.isBinaryExpression(node) && node.operatorToken.getText() in others;
}

/** @param {import("typescript").BinaryExpression} comparison */
function othersThan({ left, operatorToken, right }) {
  const operator = operatorToken.getText();
  return (others[operator] ?? [])
    .filter((other) => other !== `${operator} ${right.getText()}`)
    .map((other) => {
      if (other === "true" || other === "false") return other;
      return other.endsWith("0")
        ? `${left.getText()} ${other}`
        : `${left.getText()} ${other} ${right.getText()}`;
    });
}

/** @param {import("typescript").SourceFile} source @param {import("typescript").Node} node @param {string} other */
function formatName(source, node, other) {
  const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
  return `${source.fileName}:${line}: ${node.getText()} -> ${other}`.replaceAll(/\s+/g, " ");
}

/**
 * The text of a node, in which comparisons are written anew.
 * @param {import("typescript").Node} node
 * @param {(comparison: import("typescript").BinaryExpression, inner: string) => string | undefined} write
 * @returns {string}
 */
function written(node, write) {
  const source = node.getSourceFile();
  let text = "";
  let at = node.getStart();
  node.forEachChild((child) => {
    text += source.text.slice(at, child.getStart()) + written(child, write);
    at = child.getEnd();
  });
  text += source.text.slice(at, node.getEnd());
  return (isComparison(node) ? write(node, text) : undefined) ?? text;
}

module.exports = { comparisons, watchedFiles };
