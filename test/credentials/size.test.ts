/** The recognizer of secrets stays readable: no expression and no file is longer than a reader takes in at once. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { packageFolder } from "../../provider/packageManifest";

const folder = join(packageFolder, "provider", "credentials");
const sources = readdirSync(folder).map((file) => readFileSync(join(folder, file), "utf8"));

function patternsIn(node: ts.Node): string[] {
  const isPattern =
    ts.isRegularExpressionLiteral(node) ||
    (ts.isNewExpression(node) && node.expression.getText() === "RegExp");
  const patterns = isPattern ? [node.getText()] : [];
  ts.forEachChild(node, (child) => void patterns.push(...patternsIn(child)));
  return patterns;
}

test("no regular expression is longer than 120 characters, and no file than 250 lines", () => {
  const patterns = sources.flatMap((source) =>
    patternsIn(ts.createSourceFile("x.ts", source, ts.ScriptTarget.Latest, true)),
  );
  expect(patterns.filter(({ length }) => length > 120)).toEqual([]);
  expect(Math.max(...sources.map((source) => source.trimEnd().split("\n").length))).toBeLessThan(250);
});
