/** The text of a rule file as a value whose parts know their line. YAML, and so JSON too. */
import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from "yaml";
import { type Locate, type Mistake, type Path, type Position, RulesError } from "./mistakes";

export interface Source {
  readonly value: unknown;
  readonly locate: Locate;
}

const longestFile = 5_000_000;

/** @throws RulesError when the text isn't YAML */
export function readSource(text: string, file: string): Source {
  const fail = (mistakes: Mistake[]) => new RulesError(mistakes, file);
  if (text.length > longestFile)
    throw fail([{ at: "", reason: `must have at most ${longestFile} characters` }]);
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: "error" });
  const position = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  const broken = [...document.errors, ...document.warnings];
  if (broken.length > 0) {
    throw fail(
      broken.map(({ message, pos }) => ({
        at: "",
        reason: `can't be read: ${message}`,
        ...position(pos[0]),
      })),
    );
  }
  return {
    value: valueOf(() => document.toJS() as unknown, fail),
    locate: (path, atKey = false) =>
      position(
        offsetOf(document.contents, path, atKey, (node) => (isAlias(node) ? node.resolve(document) : node)),
      ),
  };
}

/** Aliases are resolved late: one that leads nowhere, or to far too much, is noticed only here. */
function valueOf(resolve: () => unknown, fail: (mistakes: Mistake[]) => RulesError): unknown {
  try {
    return resolve();
  } catch (error) {
    throw fail([
      { at: "", reason: `can't be read: ${error instanceof Error ? error.message : String(error)}` },
    ]);
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
