/** Lists the comparisons in the protocol's guards and searches, and changes each of them in every way, to test which change is detected. */
const fs = require("node:fs");
const path = require("node:path");
const ts = require("typescript");
const { protocol } = require("./core");

/**
 * @typedef {object} Comparison
 * @property {string} name such as `search.ts:9: a > b -> a >= b`
 * @property {Readonly<Record<string, string>>} rewrites the changed source, by file path without the extension
 */

const files = ["search", "codes", "guards"].map((name) => path.join(protocol, name));

/** The replacements of each operator: another bound, or a constant result. @type {Readonly<Record<string, readonly string[]>>} */
const others = {
  "===": ["true", "false"],
  "!==": ["true", "false"],
  "<": ["<=", "true", "false"],
  "<=": ["<", "true", "false"],
  ">": [">=", "> 0", "true", "false"],
  ">=": [">", "> 0", "true", "false"],
};

/** @returns {Comparison[]} */
function listChangedComparisons() {
  return files.flatMap((file) => {
    const source = parseSource(file);
    return listComparisons(source).flatMap((node) =>
      listReplacements(node).map((other) => ({
        name: formatName(source, node, other),
        rewrites: { [file]: renderSource(source, (each) => (each === node ? `(${other})` : undefined)) },
      })),
    );
  });
}

/**
 * Returns the unchanged sources, except that each comparison also computes the results of its changes.
 * @returns {Readonly<Record<string, string>>} sources in which each comparison is a call of `watch__`, with the index of its first change, its
 *   result and the results of its changes
 */
function createWatchedFiles() {
  let count = 0;
  return Object.fromEntries(
    files.map((file) => {
      const text = renderSource(parseSource(file), (node, inner) => {
        const results = listReplacements(node);
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

/** Lists the comparisons in a node, in the order of their ends. @param {import("typescript").Node} node @returns {import("typescript").BinaryExpression[]} */
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
function listReplacements({ left, operatorToken, right }) {
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
 * Returns the source of a node with its comparisons replaced by the results of `write`.
 * @param {import("typescript").Node} node
 * @param {(comparison: import("typescript").BinaryExpression, inner: string) => string | undefined} write
 * @returns {string}
 */
function renderSource(node, write) {
  const source = node.getSourceFile();
  let text = "";
  let at = node.getStart();
  node.forEachChild((child) => {
    text += source.text.slice(at, child.getStart()) + renderSource(child, write);
    at = child.getEnd();
  });
  text += source.text.slice(at, node.getEnd());
  return (isComparison(node) ? write(node, text) : undefined) ?? text;
}

module.exports = { comparisons: listChangedComparisons, createWatchedFiles };
