/** Parses YAML (and therefore JSON) to a value with the positions of its parts, and reports mistakes with their positions. */
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
  Scalar,
  visit,
  type YAMLMap,
} from "yaml";
import { type z } from "zod";
import { type Path, type ProblemAt, problemsAt } from "../../provider/problems";
import { oneLine } from "../../provider/texts";

interface YamlSource {
  readonly value: unknown;
  readonly locate: Locate;
}

/** Returns the position of a value or of its key; of its parent if it doesn't exist. */
export type Locate = (path: Path, atKey?: boolean) => Position;

/** A place in a file, counted from 1. */
interface Position {
  readonly line: number;
  readonly column: number;
}

/** @throws RulesError when the text isn't YAML */
export function parseYaml(text: string, file: string): YamlSource {
  const fail = (mistakes: Mistake[]) => new RulesError(mistakes, file);
  if (text.length > maxCharacters)
    throw fail([{ at: "", reason: `must have at most ${maxCharacters} characters` }]);
  const lines = new LineCounter();
  const document = parseDocument(text, {
    ...{ lineCounter: lines, prettyErrors: false, logLevel: "error" },
    // The library compares each key with all keys before it, which takes a minute for a long file.
    uniqueKeys: false,
    // A date stays a string, even with %YAML 1.1.
    customTags: (tags) => tags.filter((tag) => typeof tag === "string" || !tag.tag.endsWith(":timestamp")),
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
  const comments = errors
    .filter(({ offset }) => comment.test(text.slice(offset, offset + 2)))
    .filter(({ offset }) => mistakes.every((mistake) => mistake.offset !== offset))
    .map(({ offset }) => ({ offset, message: noComment }));
  // Errors after such a comment are misleading, because the parser reads the comment as a part of the next value.
  const isCommented = [...comments, ...mistakes].some(({ message }) => message === noComment);
  const unparsed = [...(isCommented ? comments : errors), ...mistakes].sort((a, b) => a.offset - b.offset);
  const unreadable = unparsed.map(({ message, offset }) => ({
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

/** Matches a comment of JavaScript, which YAML reads as a part of the next string. */
const comment = /^\/[/*]/;
const noComment = "A comment begins with #, also in a JSON file";
const noMerge =
  "YAML 1.2 has no merge key <<: use an alias for a whole value, such as `rules: *shared`, or write the keys out";

const maxCharacters = 5_000_000;
/** The library searches all anchors and aliases before each alias, which takes long for many aliases. */
const maxAliases = 1_000;

/** Resolves aliases. An alias may have no anchor, and nested aliases can expand beyond the memory. */
function valueOf(resolve: () => unknown, fail: (reason: string) => RulesError): unknown {
  try {
    return resolve();
  } catch (error) {
    throw fail(`can't be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

interface Resolve {
  /** Returns the node that an alias stands for; returns any other node unchanged. */
  readonly node: (node: unknown) => unknown;
  readonly pair: (map: YAMLMap, key: PropertyKey) => Pair | undefined;
}

/** Collects anchors, keys and mistakes in one pass, so that later look-ups are fast. */
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
    if (isScalar(node) && node.type === Scalar.PLAIN && comment.test(String(node.source)))
      fail(noComment, node);
    if (!isPair(node) || !isScalar(node.key)) return;
    const isMerged = document.directives?.yaml.version === "1.1";
    if (!isMerged && node.key.value === "<<" && node.key.type === Scalar.PLAIN) fail(noMerge, node.key);
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

/** The rules are invalid. The message has one line for each mistake. */
export class RulesError extends Error {
  override readonly name = "RulesError";
  /** All mistakes, in the order of the file. */
  readonly mistakes: readonly Mistake[];

  constructor(mistakes: readonly Mistake[], file?: string) {
    super(mistakes.map((mistake) => lineOf(mistake, file)).join("\n"));
    this.mistakes = mistakes;
  }

  static of(placed: readonly ProblemAt[], file?: string, locate?: Locate): RulesError {
    const mistakes = placed.map(({ path, reason, atKey }) => ({
      at: dotted(path),
      reason,
      ...locate?.(path, atKey),
    }));
    return new RulesError(mistakes.sort(inOrder), file);
  }
}

function inOrder(a: Partial<Position>, b: Partial<Position>): number {
  return (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0);
}

function lineOf({ at, reason, line, column }: Mistake, file = ""): string {
  const place = line === undefined ? file : `${file}:${line}:${column}`;
  return `${place === "" ? "" : `${place}: `}${oneLine(`${at === "" ? "the rules" : at} ${reason}`)}`;
}

function dotted(path: Path): string {
  return path
    .map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step) || '""'}`))
    .join("")
    .replace(/^\./, "");
}

/** Converts the issues of a schema to mistakes. The message of a `strict` object has a line for each unknown key. */
export function mistakesIn(issues: Issues, base: Path = []): ProblemAt[] {
  /** Lines by message: splitting a message for each of its keys would take minutes for a long file. */
  const split = new Map<string, readonly string[]>();
  return problemsAt(issues.flatMap(intendedIssues), base, (_, index, { keys, message }) => {
    const reasons = split.get(message) ?? message.split("\n");
    split.set(message, reasons);
    return reasons.length === keys.length ? (reasons[index] ?? "") : "is not known";
  });
}

type Issues = readonly z.core.$ZodIssue[];

/** Replaces a union's issue by those of its only branch whose type matches the value, even if the value isn't allowed. */
function intendedIssues(issue: z.core.$ZodIssue): Issues {
  if (issue.code !== "invalid_union") return [issue];
  const without = (...codes: string[]) =>
    issue.errors.filter(
      (branch) => !branch.some(({ code, path }) => path.length === 0 && codes.includes(code)),
    );
  const [intended] =
    [without("invalid_type", "invalid_value"), without("invalid_type")].find(({ length }) => length === 1) ??
    [];
  if (intended === undefined) return [issue];
  return intended
    .map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }))
    .flatMap(intendedIssues);
}

/** One mistake in rules. */
export interface Mistake {
  /** Place in the rules, such as `waivers[0].expires`; empty for the rules as a whole. */
  readonly at: string;
  /** The end of a sentence that begins with `at`: the mistake, and what is allowed. */
  readonly reason: string;
  /** Line in the file, from 1; missing when the rules are an object. */
  readonly line?: number;
  /** Column in the file, from 1. */
  readonly column?: number;
}
