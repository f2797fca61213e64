/** The recognizer of secrets stays small enough to be read at once. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { packageFolder } from "../../provider/packageManifest";

const folder = join(packageFolder, "provider", "credentials");
const sources = readdirSync(folder).map((file) => readFileSync(join(folder, file), "utf8"));

function patternsIn(node: ts.Node): number {
  const isPattern =
    ts.isRegularExpressionLiteral(node) ||
    (ts.isNewExpression(node) && node.expression.getText() === "RegExp");
  let count = isPattern ? 1 : 0;
  ts.forEachChild(node, (child) => void (count += patternsIn(child)));
  return count;
}

test("it has at most 900 lines, in files of at most 250, and 60 regular expressions", () => {
  const lines = sources.map((source) => source.trimEnd().split("\n").length);
  expect(Math.max(...lines)).toBeLessThan(250);
  expect(lines.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(900);
  const patterns = sources.map((source) =>
    patternsIn(ts.createSourceFile("x.ts", source, ts.ScriptTarget.Latest, true)),
  );
  expect(patterns.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(60);
});
