/** Collects the regular expressions of the product. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { packageFolder } from "../../provider/packageManifest";

export interface Expression {
  /** The expression's file and line. */
  readonly place: string;
  /** Global if the search continues after a match. */
  readonly regex: RegExp;
}

/** Reads the literals of a file, or of all files in a folder. */
export function readLiterals(path: string): Expression[] {
  const whole = join(packageFolder, path);
  if (path.endsWith(".ts")) return listLiterals(path, readFileSync(whole, "utf8"));
  const entries = readdirSync(whole, { withFileTypes: true });
  const inner = entries.filter((entry) => entry.isDirectory() || entry.name.endsWith(".ts"));
  return inner.flatMap(({ name }) => readLiterals(`${path}/${name}`));
}

function listLiterals(path: string, text: string): Expression[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: Expression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const [, source = "", flags = ""] = /^\/(.*)\/(\w*)$/.exec(node.text) ?? [];
      const name = ts.isVariableDeclaration(node.parent) ? node.parent.name.getText() : node.text;
      // `split` and loops over sticky expressions continue after a match.
      const goesOn = flags.includes("y") || text.includes(`.split(${name})`);
      const line = file.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      const regex = new RegExp(source, goesOn && !flags.includes("g") ? `${flags}g` : flags);
      found.push({ place: `${path}:${line}`, regex });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** Loads modules and returns the expressions that they create with `new RegExp`, for example for each vendor in a table. */
export function loadExpressions<Loaded>(load: () => Loaded): [loaded: Loaded, made: Expression[]] {
  const original = globalThis.RegExp;
  const made: Expression[] = [];
  globalThis.RegExp = new Proxy(original, {
    construct(target, [source, flags]: [string, string?]) {
      const regex = new target(source, flags);
      const caller = new Error("made here").stack?.split("\n")[2] ?? "";
      const [, place] = /\b((?:provider|audit)\/[^\s:]+:\d+):\d+/.exec(caller) ?? [];
      if (place !== undefined) made.push({ place, regex });
      return regex;
    },
  });
  try {
    return [load(), made];
  } finally {
    globalThis.RegExp = original;
  }
}
