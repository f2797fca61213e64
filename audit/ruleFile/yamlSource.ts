/** Parses YAML, and so JSON, into a value and the positions of its parts. */
import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from "yaml";
import { type Locate, type Mistake, type Path, type Position, RulesError } from "./mistakes";

export interface YamlSource {
  readonly value: unknown;
  readonly locate: Locate;
}

const maxCharacters = 5_000_000;

/** @throws RulesError when the text isn't YAML */
export function parseYaml(text: string, file: string): YamlSource {
  const fail = (mistakes: Mistake[]) => new RulesError(mistakes, file);
  if (text.length > maxCharacters)
    throw fail([{ at: "", reason: `must have at most ${maxCharacters} characters` }]);
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: "error" });
  const position = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  const broken = [...document.errors, ...document.warnings].map(({ code, message, pos }) => ({
    message: code === "MULTIPLE_DOCS" ? "A second document starts here" : message,
    offset: pos[0],
  }));
  const unreadable = broken.map(({ message, offset }) => ({
    at: "",
    reason: `can't be read: ${message}`,
    ...position(offset),
  }));
  if (unreadable.length > 0) throw fail(unreadable);
  return {
    value: valueOf(
      () => document.toJS() as unknown,
      (reason) => fail([{ at: "", reason, ...position(0) }]),
    ),
    locate: (path, atKey = false) =>
      position(
        offsetOf(document.contents, path, atKey, (node) => (isAlias(node) ? node.resolve(document) : node)),
      ),
  };
}

/** An alias may have no anchor, and nested ones can expand to more than fits in memory. */
function valueOf(resolve: () => unknown, fail: (reason: string) => RulesError): unknown {
  try {
    return resolve();
  } catch (error) {
    throw fail(`can't be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

type Resolve = (node: unknown) => unknown;

function offsetOf(root: Node | null, path: Path, atKey: boolean, resolve: Resolve): number {
  let node: unknown = root;
  let offset = root?.range?.[0] ?? 0;
  for (const [depth, step] of path.entries()) {
    const parent = resolve(node);
    const pair = isMap(parent)
      ? parent.items.find(({ key }) => isScalar(key) && String(key.value) === String(step))
      : undefined;
    node = isSeq(parent) ? parent.items[Number(step)] : pair?.value;
    const named = atKey && depth === path.length - 1 ? pair?.key : (node ?? pair?.key);
    offset = startOf(named) ?? offset;
    if (node === undefined) break;
  }
  return offset;
}

function startOf(node: unknown): number | undefined {
  if (typeof node !== "object" || node === null || !("range" in node)) return undefined;
  const { range } = node;
  return Array.isArray(range) && typeof range[0] === "number" ? range[0] : undefined;
}
