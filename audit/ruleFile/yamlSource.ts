/** Parses YAML, and so JSON, into a value and the positions of its parts. */
import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  visit,
  type YAMLMap,
} from "yaml";
import { type Locate, type Mistake, type Path, type Position, RulesError } from "./mistakes";

export interface YamlSource {
  readonly value: unknown;
  readonly locate: Locate;
}

const maxCharacters = 5_000_000;
/** The library looks for each through all anchors and aliases before it. */
const maxAliases = 1_000;

/** @throws RulesError when the text isn't YAML */
export function parseYaml(text: string, file: string): YamlSource {
  const fail = (mistakes: Mistake[]) => new RulesError(mistakes, file);
  if (text.length > maxCharacters)
    throw fail([{ at: "", reason: `must have at most ${maxCharacters} characters` }]);
  const lines = new LineCounter();
  const document = parseDocument(text, {
    ...{ lineCounter: lines, prettyErrors: false, logLevel: "error" },
    // Compares each key with all before it, which takes a minute for a long file.
    uniqueKeys: false,
  });
  const { resolve, mistakes } = walk(document);
  const position = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  const errors = [...document.errors, ...document.warnings].map(({ code, message, pos }) => ({
    message: code === "MULTIPLE_DOCS" ? "A second document starts here" : message,
    offset: pos[0],
  }));
  const broken = [...errors, ...mistakes].sort((a, b) => a.offset - b.offset);
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
    locate: (path, atKey = false) => position(offsetOf(document.contents, path, atKey, resolve)),
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

interface Resolve {
  /** What an alias stands for; any other node is itself. */
  readonly node: (node: unknown) => unknown;
  readonly pair: (map: YAMLMap, key: PropertyKey) => Pair | undefined;
}

/** Everything that is looked up later, found in one pass. */
function walk(document: Document): { resolve: Resolve; mistakes: { message: string; offset: number }[] } {
  const anchors = new Map<string, Node>();
  const targets = new Map<unknown, Node>();
  const pairs = new Map<unknown, Map<unknown, Pair>>();
  const mistakes: { message: string; offset: number }[] = [];
  const fail = (message: string, node: unknown) =>
    void mistakes.push({ message, offset: startOf(node) ?? 0 });
  let aliases = 0;
  visit(document, (_, node, path) => {
    if (isAlias(node)) {
      if (++aliases === maxAliases + 1) fail(`More than ${maxAliases} aliases`, node);
      const target = anchors.get(node.source);
      if (target) targets.set(node, target);
    } else if (isNode(node) && node.anchor !== undefined) anchors.set(node.anchor, node);
    if (!isPair(node) || !isScalar(node.key)) return;
    const map = path.at(-1);
    const ofMap = pairs.get(map) ?? new Map<unknown, Pair>();
    const key = String(node.key.value);
    if (ofMap.has(key)) fail("Map keys must be unique", node.key);
    pairs.set(map, ofMap.set(key, node));
  });
  return {
    resolve: {
      node: (node) => targets.get(node) ?? node,
      pair: (map, key) => pairs.get(map)?.get(String(key)),
    },
    mistakes,
  };
}

function offsetOf(root: Node | null, path: Path, atKey: boolean, resolve: Resolve): number {
  let node: unknown = root;
  let offset = root?.range?.[0] ?? 0;
  for (const [depth, step] of path.entries()) {
    const parent = resolve.node(node);
    const pair = isMap(parent) ? resolve.pair(parent, step) : undefined;
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
